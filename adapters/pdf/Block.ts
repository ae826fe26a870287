/** Parts of a page whose height is known before they are drawn. */
import * as Tagging from "./Tagging.ts";
import * as Typesetting from "./Typesetting.ts";

/** A part of a page, `height` points high; the caller chooses its top. */
export interface Block {
  readonly height: number;
  /** From the top to the baseline of its first line; 0 without text. */
  readonly ascent?: number;
  readonly draw: (top: number) => void;
}

/** The horizontal position of text, in points from the left edge of the page. */
export interface Column {
  readonly left: number;
  readonly width: number;
  readonly align?: "left" | "right";
}

/** The lines of text that wraps in its column; a word longer than a line is broken. */
export const lines = (
  pdf: Typesetting.Pdf,
  style: Typesetting.Style,
  { left, width, align = "left" }: Column,
  value: string,
): ReadonlyArray<Block> =>
  Typesetting.wrap(pdf, style, width, value).map((line) => ({
    height: line.height,
    ascent: line.ascent,
    draw: (top) =>
      Tagging.content(pdf, () => line.draw(align === "left" ? left : left + width - line.width, top)),
  }));

/** The {@link lines} of a text below one another. */
export const text = (pdf: Typesetting.Pdf, style: Typesetting.Style, column: Column, value: string): Block =>
  stack(lines(pdf, style, column, value));

/** The block as one element of the document's structure. */
export const tagBlock = (
  pdf: Typesetting.Pdf,
  role: Tagging.Role,
  block: Block,
  options: { readonly scope?: "Column" | "Row"; readonly alt?: string } = {},
): Block => ({
  ...block,
  draw: (top) => Tagging.element(pdf, role, () => block.draw(top), options),
});

/** Text that is an element by itself. */
export const paragraph = (
  pdf: Typesetting.Pdf,
  style: Typesetting.Style,
  column: Column,
  value: string,
  role: Tagging.Role = "P",
): Block => tagBlock(pdf, role, text(pdf, style, column, value));

/** Empty space of a height. */
export const space = (height: number): Block => ({ height, draw: () => {} });

/** Blocks below one another. */
export const stack = (blocks: ReadonlyArray<Block>): Block => ({
  height: blocks.reduce((sum, { height }) => sum + height, 0),
  ascent: blocks[0]?.ascent ?? 0,
  draw: (top) => {
    let next = top;
    for (const { height, draw } of blocks) {
      draw(next);
      next += height;
    }
  },
});

/** Blocks side by side with their first lines on one baseline; each has its own column. */
export const sideBySide = (blocks: ReadonlyArray<Block>): Block => {
  const ascent = Math.max(0, ...blocks.map((block) => block.ascent ?? 0));
  const alignedBlocks = blocks.map((block) => ({ block, down: ascent - (block.ascent ?? ascent) }));
  return {
    height: Math.max(0, ...alignedBlocks.map(({ block, down }) => down + block.height)),
    ascent,
    draw: (top) => {
      for (const { block, down } of alignedBlocks) block.draw(top + down);
    },
  };
};

/** The block on a coloured background that extends `padding` above and below it. */
export const shadeBlock = (
  pdf: Typesetting.Pdf,
  { color, column, padding }: { readonly color: string; readonly column: Column; readonly padding: number },
  block: Block,
): Block => {
  const height = block.height + 2 * padding;
  return {
    height,
    draw: (top) => {
      Tagging.artifact(pdf, "Layout", () => {
        pdf.file.rect(column.left, top, column.width, height).fill(color);
      });
      block.draw(top + padding);
    },
  };
};
