import type { Entry, Trace } from "./Trace.ts";

/** An entry of a trace with the entries of the nodes inside it that were evaluated. */
export type Step = { readonly entry: Entry; readonly inner: ReadonlyArray<Step> };

/** The steps of a trace as a tree. Each entry comes before those inside it, and its path begins theirs. */
export const stepsOf = (trace: Trace): ReadonlyArray<Step> => {
  const roots: Array<Step> = [];
  const open: Array<{ readonly entry: Entry; readonly inner: Array<Step> }> = [];
  for (const entry of trace) {
    const isAround = (outer: Entry): boolean =>
      outer.type === "final" || entry.path.startsWith(`${outer.path}.`);
    while (open.length > 0 && !open.some((step, index) => index === open.length - 1 && isAround(step.entry)))
      open.pop();
    const step = { entry, inner: [] };
    (open.at(-1)?.inner ?? roots).push(step);
    open.push(step);
  }
  return roots;
};

/** Whether a step is a value by itself, and not computed from others. */
export const isLeaf = ({ entry }: Step): boolean =>
  entry.type === "literal" ||
  entry.type === "property" ||
  entry.type === "attribute" ||
  entry.type === "variable";
