/** The page: its measures in points, its text styles and its lines. */
import type { Block, Column } from "./Block.ts";
import * as Tagging from "./Tagging.ts";
import type { Palette, Pdf, Style } from "./Typesetting.ts";

export type { Pdf };

/** ISO 216 A4, as the PDF library names it. */
export const SIZE = "A4";
const HEIGHT = 841.89;

/** The left margin, from the left edge. */
export const LEFT = 48;
/** The right margin, from the left edge. */
export const RIGHT = 547;
/** Between the margins. */
export const WIDTH = RIGHT - LEFT;
/** The top of each page's content, from the top edge. */
export const TOP = 48;
/** Only the footer is below this. */
export const BOTTOM = HEIGHT - 64;
/** The top of the footer, from the top edge. */
export const FOOTER_TOP = HEIGHT - 44;

/** From margin to margin. */
export const FULL: Column = { left: LEFT, width: WIDTH };

const INK = "#1b2430";
const FADED = "#5b6675";

/** The kind of document. */
export const TITLE: Style = { font: "bold", size: 20, color: INK };
/** The tallest a logo is, and the widest. */
export const LOGO = { width: 150, height: 44 };
/** The number of the document. */
export const NUMBER: Style = { font: "bold", size: 11, color: INK };
/** The label of a value above or below it. */
export const LABEL: Style = { font: "regular", size: 7, color: FADED };
/** Names and key facts. */
export const STRONG: Style = { font: "bold", size: 10, color: INK };
/** Addresses, totals and terms. */
export const BODY: Style = { font: "regular", size: 9, color: INK };
/** The name of a term of payment next to its value. */
export const TERM: Style = { font: "regular", size: 9, color: FADED };
/** References and the footer. */
export const QUIET: Style = { font: "regular", size: 8, color: FADED };
/** The title of a table. */
export const SECTION: Style = { font: "bold", size: 11, color: INK };
/** The details of a row. */
export const DETAIL: Style = { font: "regular", size: 7, color: FADED };
/** A heading or a sum among the rows. */
export const STRONG_CELL: Style = { font: "bold", size: 8, color: INK };
/** The notes at the end. */
export const NOTE: Style = { font: "regular", size: 8.5, color: INK };
/** The last of the totals. */
export const SUM: Style = { font: "bold", size: 11, color: INK };
/** The heading of the table. */
export const HEADING: Style = { font: "bold", size: 8, color: INK };
/** A cell of the table. */
export const CELL: Style = { font: "regular", size: 8, color: INK };
/** A warning. */
export const WARNING: Style = { font: "bold", size: 8.5, color: "#7a3d00" };

/** The colours of documents whose customer has none. */
export const PALETTE: Palette = { accent: "#1f3a5f", background: "#f1f4f8" };

/** The background of a warning. */
export const WARNING_GROUND = "#fff1dc";
const HAIRLINE = "#d9dfe7";

/** A line across the page. */
export const rule = (
  pdf: Pdf,
  { left, right, isFaint = false }: { left: number; right: number; isFaint?: boolean },
): Block => ({
  height: 0,
  draw: (top) =>
    Tagging.artifact(pdf, "Layout", () => {
      pdf.file
        .moveTo(left, top)
        .lineTo(right, top)
        .lineWidth(isFaint ? 0.5 : 1)
        .strokeColor(isFaint ? HAIRLINE : pdf.palette.accent)
        .stroke();
    }),
});
