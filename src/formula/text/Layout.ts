/** Lays a text out in lines of limited width: groups that fit stay on one line, others break at all of their own places. */

/** How wide a line is at most where it can be broken, in UTF-16 code units. */
const WIDTH = 104;

const STEP = 2;

/** A text with places where it may be broken. */
export type Layout = string | Break | Concat;

/** A place for a line break: what stands there if the line is not broken. */
type Break = { readonly type: "break"; readonly flat: " " | "" };

/** Parts in their order: those of a group break together, those of `indent` stand further to the right when they do. */
type Concat = {
  readonly type: "concat" | "group" | "indent" | "align";
  readonly parts: ReadonlyArray<Layout>;
  readonly width: number;
  /** How wide a group may be without being broken. */
  readonly widest: number;
};

/** A blank or a line break. */
export const LINE: Layout = { type: "break", flat: " " };

/** Nothing or a line break. */
export const SOFT: Layout = { type: "break", flat: "" };

/** The width of a layout on one line. */
export const widthOf = (layout: Layout): number =>
  typeof layout === "string" ? layout.length : layout.type === "break" ? layout.flat.length : layout.width;

const make =
  (type: Concat["type"], widest = WIDTH) =>
  (...parts: ReadonlyArray<Layout>): Layout => ({
    type,
    parts,
    width: parts.reduce((sum, part) => sum + widthOf(part), 0),
    widest,
  });

export const concat = make("concat");

/** Breaks all of its places, or none if it fits on the line. */
export const group = make("group");

/** A group that breaks when it is wider than half a line, because it is easier to read in several. */
export const narrowGroup = make("group", 60);

/** Lines inside begin further to the right. */
export const indent = make("indent");

/** Lines inside begin where it begins. */
export const align = make("align");

/** Layouts with another between them. */
export const join = (between: Layout, layouts: ReadonlyArray<Layout>): Layout =>
  concat(...layouts.flatMap((layout, index) => (index === 0 ? [layout] : [between, layout])));

/** The layout on one line. */
export const flat = (layout: Layout): string =>
  typeof layout === "string"
    ? layout
    : layout.type === "break"
      ? layout.flat
      : layout.parts.map(flat).join("");

/** For each part the width of what follows it that cannot be broken. */
const widthsAfter = (parts: ReadonlyArray<Layout>, after: number): ReadonlyArray<number> => {
  const widths: Array<number> = [];
  let width = after;
  for (let index = parts.length - 1; index >= 0; index--) {
    widths[index] = width;
    const part = parts[index] ?? "";
    width = typeof part === "string" ? width + part.length : 0;
  }
  return widths;
};

/** The layout in lines. */
export const render = (layout: Layout): string => {
  let [text, at] = ["", 0];
  const write = (part: Layout, margin: number, isFlat: boolean, after: number): void => {
    if (typeof part === "string") {
      text += part;
      at += part.length;
    } else if (part.type === "break") {
      text += isFlat ? part.flat : `\n${" ".repeat(margin)}`;
      at = isFlat ? at + part.flat.length : margin;
    } else {
      const fits = at + part.width + after <= WIDTH && part.width <= part.widest;
      const isPartFlat = isFlat || (part.type === "group" && fits);
      const inside = part.type === "indent" ? margin + STEP : part.type === "align" ? at : margin;
      const widths = widthsAfter(part.parts, after);
      for (const [index, one] of part.parts.entries()) write(one, inside, isPartFlat, widths[index] ?? 0);
    }
  };
  write(layout, 0, false, 0);
  return text;
};
