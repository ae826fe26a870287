/** The table of lines. Every cell is short, so that all rows have one height and text does not wrap. */
import type * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";
import type { Row } from "./Statement.ts";
import * as Typesetting from "./Typesetting.ts";

/** The height of a row, in points. */
export const ROW_HEIGHT = 15;
/** The height of the heading that each page repeats, in points. */
export const HEADING_HEIGHT = 19;

/** From the top of a row to its text, in points. */
const TEXT_INDENT = 2;

interface Cell {
  readonly of: (row: Row) => string;
  readonly heading: (currency: string) => string;
  /** The edge that the text is aligned to: the right one when `isRight`. */
  readonly edge: number;
  readonly isRight: boolean;
}

const CELLS: ReadonlyArray<Cell> = [
  { of: ({ position }) => position, heading: () => "No.", edge: Sheet.LEFT, isRight: false },
  { of: ({ commission }) => commission, heading: () => "Commission", edge: Sheet.LEFT + 36, isRight: false },
  {
    of: ({ attribution }) => attribution,
    heading: () => "Attribution",
    edge: Sheet.LEFT + 122,
    isRight: false,
  },
  { of: ({ date }) => date, heading: () => "Attributed", edge: Sheet.LEFT + 302, isRight: false },
  {
    of: ({ amount }) => amount,
    heading: (currency) => `Amount (${currency})`,
    edge: Sheet.RIGHT,
    isRight: true,
  },
];

/** Text on one line; much faster than text that may wrap. */
const write = (
  pdf: Sheet.Pdf,
  style: Typesetting.Style,
  { edge, isRight }: Cell,
  top: number,
  value: string,
): void => {
  const line = Typesetting.single(pdf, style, value);
  line.draw(isRight ? edge - line.width : edge, top);
};

const heading = (pdf: Sheet.Pdf, top: number, currency: string): void => {
  for (const cell of CELLS) write(pdf, Sheet.HEADING, cell, top + TEXT_INDENT, cell.heading(currency));
  Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT }).draw(top + HEADING_HEIGHT - 2);
};

/** The heading and the rows of one page. */
export const of = (pdf: Sheet.Pdf, currency: string, rows: ReadonlyArray<Row>): Block.Block => ({
  height: rows.length === 0 ? 0 : HEADING_HEIGHT + rows.length * ROW_HEIGHT,
  draw: (top) => {
    if (rows.length === 0) return;
    heading(pdf, top, currency);
    rows.forEach((row, index) => {
      const rowTop = top + HEADING_HEIGHT + index * ROW_HEIGHT;
      for (const cell of CELLS) write(pdf, Sheet.CELL, cell, rowTop + TEXT_INDENT, cell.of(row));
      Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT, isFaint: true }).draw(rowTop + ROW_HEIGHT);
    });
  },
});
