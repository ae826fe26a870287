/** Pieces of a page that know their height before they are drawn. */
import type PDFDocument from "pdfkit";

type Pdf = typeof PDFDocument.prototype;

/** Something that takes `height` points from wherever its top is put. */
export interface Block {
  readonly height: number;
  readonly draw: (top: number) => void;
}

/** How text looks; the size is in points. */
export interface Style {
  readonly font: "regular" | "bold";
  readonly size: number;
  readonly color: string;
}

/** Where text stands across the page, in points from its left edge. */
export interface Column {
  readonly left: number;
  readonly width: number;
  readonly align?: "left" | "right";
}

/** Makes the style that of the text written next. */
export const use = (pdf: Pdf, style: Style): void => {
  pdf.font(style.font).fontSize(style.size).fillColor(style.color);
};

/** Text that wraps within its column; words longer than a line are broken. */
export const text = (pdf: Pdf, style: Style, column: Column, value: string): Block => {
  const options = { width: column.width, align: column.align ?? "left" };
  use(pdf, style);
  return {
    height: pdf.heightOfString(value, options),
    draw: (top) => {
      use(pdf, style);
      pdf.text(value, column.left, top, options);
    },
  };
};

/** Nothing, of some height. */
export const space = (height: number): Block => ({ height, draw: () => {} });

/** Blocks below one another. */
export const stack = (blocks: ReadonlyArray<Block>): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  draw: (top) => {
    let next = top;
    for (const { height, draw } of blocks) {
      draw(next);
      next += height;
    }
  },
});

/** Blocks next to one another with their tops aligned; each brings its own column. */
export const beside = (blocks: ReadonlyArray<Block>): Block => ({
  height: Math.max(0, ...blocks.map(({ height }) => height)),
  draw: (top) => {
    for (const { draw } of blocks) draw(top);
  },
});

/** The block on a coloured ground that reaches `padding` beyond it above and below. */
export const shaded = (pdf: Pdf, color: string, column: Column, padding: number, block: Block): Block => {
  const height = block.height + 2 * padding;
  return {
    height,
    draw: (top) => {
      pdf.rect(column.left, top, column.width, height).fill(color);
      block.draw(top + padding);
    },
  };
};
