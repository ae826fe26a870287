/** The address of a page is behind the `#`, so that it works wherever a host serves the files. */
import { useLayoutEffect, useState } from "preact/hooks";

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

/** The present address. */
export const useRoute = (): Route => {
  const [route, setRoute] = useState(parseHash);
  // A layout effect, so that no change of the address comes between reading it and listening.
  useLayoutEffect(() => {
    const update = (): void => setRoute(parseHash());
    addEventListener("hashchange", update);
    return () => removeEventListener("hashchange", update);
  }, []);
  return route;
};
