/** The address of a page is behind the `#`, so that it works wherever a host serves the files. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { stepsToShown } from "./Scroll.ts";

export interface Route {
  /** The parts of the path: `["settlements", "<id>"]`. */
  readonly path: ReadonlyArray<string>;
  readonly query: URLSearchParams;
}

const parseHash = (): Route => {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return { path: path.split("/").filter((part) => part !== ""), query: new URLSearchParams(query) };
};

/** The link to a page with filters; empty values are left out. */
export const linkTo = (
  path: string,
  query: Readonly<Record<string, string | number | boolean | ReadonlyArray<string> | null | undefined>> = {},
): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== null && one !== undefined && one !== "") parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return `#/${path}${text === "" ? "" : `?${text}`}`;
};

export const go = (link: string): void => {
  location.hash = link;
};

/** Replaces the address without a new entry in the history: for filters that change while the user types. */
export const replace = (link: string): void => {
  history.replaceState(history.state, "", link);
  dispatchEvent(new HashChangeEvent("hashchange"));
};

/** What may be lost when the page is left. */
const holds = new Set<() => boolean>();

/** Stays on the page when the history of the browser or a link would leave it, as long as `stays` returns true. */
export const useHold = (stays: () => boolean): void => {
  const latest = useRef(stays);
  latest.current = stays;
  useLayoutEffect(() => {
    const hold = (): boolean => latest.current();
    holds.add(hold);
    return () => {
      holds.delete(hold);
    };
  }, []);
};

/** The address of the page that is shown. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(parseHash);
  // A layout effect, so that no change of the address comes between reading it and listening, and before all others that listen.
  useLayoutEffect(() => {
    let shown = location.hash;
    const update = (event: HashChangeEvent): void => {
      const isReturned = event.isTrusted && location.hash === shown;
      // A filter changes the address of the page that is shown, without leaving it.
      const steps = event.isTrusted ? stepsToShown() : 0;
      if (isReturned || (steps !== 0 && [...holds].some((stays) => stays()))) {
        event.stopImmediatePropagation();
        if (!isReturned) history.go(steps);
        return;
      }
      shown = location.hash;
      setRoute(parseHash());
    };
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
};
