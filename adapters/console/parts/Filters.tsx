/** Filters of a list: chips that are part of the address. */

import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { go, linkTo, type Route, replace } from "../data/Route.ts";
import { t, translated } from "../words/Language.ts";
import { Pager } from "./Table.tsx";

/** The link to the page with changed filters, without empty ones. It leads to the first page of the list. */
export const linkWithFilters = (
  route: Route,
  values: Readonly<Record<string, string | ReadonlyArray<string>>>,
): string => {
  const query: Record<string, ReadonlyArray<string>> = {};
  for (const key of new Set(route.query.keys()))
    if (key !== "page" && key !== "after") query[key] = route.query.getAll(key);
  return linkTo(route.path.join("/"), { ...query, ...values });
};

export const pageOf = (route: Route): number => Math.max(1, Number(route.query.get("page") ?? 1) || 1);

/** The parameters in the address of a list that are no filters. */
export const NO_FILTERS: ReadonlyArray<string> = ["page", "after", "sort", "order"];

/** True if the address has filters, not only a page and an order. */
export const isFiltered = ({ query }: Route): boolean =>
  [...query.keys()].some((name) => !NO_FILTERS.includes(name));

/** The pages of a list; the address contains the number of the present one. */
export const ListPager = ({
  route,
  ...list
}: {
  readonly route: Route;
  readonly perPage: number;
  readonly total: number;
  readonly isLoading: boolean;
}) => (
  <Pager
    {...list}
    page={pageOf(route)}
    go={(page) => go(linkWithFilters(route, { page: page <= 1 ? "" : String(page) }))}
  />
);

/** Pixels at the end of a row of chips that fade, as `cards.css` has them. */
const FADED = 32;

/** Chips in a row, which scrolls to the chosen one where they do not fit. */
export const ChipRow = ({
  label,
  chosen,
  children,
}: {
  readonly label: string;
  /** What is chosen in it. */
  readonly chosen: string;
  readonly children: ComponentChildren;
}) => {
  const row = useRef<HTMLFieldSetElement>(null);
  useLayoutEffect(() => {
    const chip = row.current?.querySelector('[aria-pressed="true"]')?.getBoundingClientRect();
    const frame = row.current?.getBoundingClientRect();
    if (chip === undefined || frame === undefined || row.current === null) return;
    // Scrolling it into view would move the page as well.
    const [before, after] = [chip.left - frame.left - FADED, chip.right - frame.right + FADED];
    if (before < 0) row.current.scrollLeft += before;
    else if (after > 0) row.current.scrollLeft += Math.min(after, before);
  }, [chosen]);
  return (
    <fieldset class="chips" ref={row}>
      <legend>{translated(label)}</legend>
      {children}
    </fieldset>
  );
};

/**
 * The last of the filters of a list: shows, on a narrow screen, those after the first two, which are hidden there until then.
 * Filters that restrict the list are always shown.
 */
export const MoreFilters = () => {
  const [isOpen, setOpen] = useState(false);
  return (
    <button type="button" class="link more-filters" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      {isOpen ? "Fewer filters" : "More filters"}
    </button>
  );
};

/** Chips of which several may be chosen. */
export const Chips = ({
  route,
  name,
  label,
  options,
}: {
  readonly route: Route;
  readonly name: string;
  readonly label: string;
  readonly options: ReadonlyArray<readonly [value: string, words: string]>;
}) => {
  const chosen = route.query.getAll(name);
  return (
    <ChipRow label={label} chosen={String(chosen)}>
      {options.map(([value, words]) => {
        const isChosen = chosen.includes(value);
        const next = isChosen ? chosen.filter((candidate) => candidate !== value) : [...chosen, value];
        return (
          <button
            key={value}
            type="button"
            class="chip"
            aria-pressed={isChosen}
            onClick={() => go(linkWithFilters(route, { [name]: next }))}
          >
            {words}
          </button>
        );
      })}
      {chosen.length > 0 && (
        <button type="button" class="link" onClick={() => go(linkWithFilters(route, { [name]: "" }))}>
          {t("All")}
          <span class="visually-hidden">: {translated(label)}</span>
        </button>
      )}
    </ChipRow>
  );
};

/** A text filter that applies while the user types. */
export const Search = ({
  route,
  name,
  label,
}: {
  readonly route: Route;
  readonly name: string;
  readonly label: string;
}) => {
  const queryText = route.query.get(name) ?? "";
  const [text, setText] = useState(queryText);
  useEffect(() => setText(queryText), [queryText]);
  useEffect(() => {
    if (text === queryText) return;
    const timer = setTimeout(() => replace(linkWithFilters(route, { [name]: text })), 200);
    return () => clearTimeout(timer);
  }, [text, queryText, route, name]);
  return (
    <label class={queryText === "" ? "search" : "search set"}>
      <span>{translated(label)}</span>
      <input type="search" value={text} onInput={(event) => setText(event.currentTarget.value)} />
    </label>
  );
};

/** A filter of which one value is chosen from groups. */
export const Select = ({
  route,
  name,
  label,
  all,
  value = "",
  groups,
}: {
  readonly route: Route;
  readonly name: string;
  readonly label: string;
  /** The words of the choice for all values; without them one of the values is always selected. */
  readonly all?: string;
  /** The value that applies when the address has none. */
  readonly value?: string;
  readonly groups: ReadonlyArray<
    readonly [words: string, options: ReadonlyArray<readonly [value: string, words: string]>]
  >;
}) => (
  <label class={route.query.has(name) ? "search set" : "search"}>
    <span>{translated(label)}</span>
    <select
      value={route.query.get(name) ?? value}
      onChange={(event) => go(linkWithFilters(route, { [name]: event.currentTarget.value }))}
    >
      {all !== undefined && <option value="">{all}</option>}
      {groups.map(([words, options]) => (
        <optgroup key={words} label={words}>
          {options.map(([value, one]) => (
            <option key={value} value={value}>
              {one}
            </option>
          ))}
        </optgroup>
      ))}
    </select>
  </label>
);

/** A filter by date. */
export const DateFilter = ({
  route,
  name,
  label,
  value,
}: {
  readonly route: Route;
  readonly name: string;
  readonly label: string;
  /** The day that applies when the address has none. */
  readonly value?: string;
}) => (
  <label class={route.query.has(name) ? "search set" : "search"}>
    <span>{translated(label)}</span>
    <input
      type="date"
      value={route.query.get(name) ?? value ?? ""}
      onChange={(event) => go(linkWithFilters(route, { [name]: event.currentTarget.value }))}
    />
  </label>
);

/** A chip that sets several filters at once. */
export const Preset = ({
  route,
  values,
  isChosen,
  children,
}: {
  readonly route: Route;
  readonly values: Readonly<Record<string, string>>;
  readonly isChosen: boolean;
  readonly children: string;
}) => (
  <button
    type="button"
    class="chip"
    aria-pressed={isChosen}
    onClick={() => go(linkWithFilters(route, values))}
  >
    {children}
  </button>
);
