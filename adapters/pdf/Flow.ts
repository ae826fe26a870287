/** Places blocks below one another, on as many pages as they need. */
import type * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";

/** The height that a page has for blocks, in points. */
export const ROOM = Sheet.BOTTOM - Sheet.TOP;

/** The page that is being filled. */
export interface Flow {
  /** Whether a height is left on the page. */
  readonly fits: (height: number) => boolean;
  /** Draws a block, on the next page if it does not fit. */
  readonly place: (block: Block.Block) => void;
  /** Begins a page, unless this one is empty. */
  readonly breakPage: () => Promise<void>;
}

/**
 * Joins the pieces of a page's content, of which there are thousands: the page waits for its footer, and each piece is an
 * object in memory. The library's types do not declare the pieces.
 */
const join = ({ file }: Sheet.Pdf): void => {
  const content = Reflect.get(file.page, "content") as { buffer: ReadonlyArray<Uint8Array> };
  content.buffer = [Buffer.concat(content.buffer)];
};

/** The flow of a document; runs `pause` after every page. */
export const make = (pdf: Sheet.Pdf, pause: () => Promise<void> | void): Flow => {
  let top = Sheet.TOP;
  const next = (): void => {
    join(pdf);
    pdf.file.addPage();
    top = Sheet.TOP;
  };
  const fits = (height: number): boolean => top + height <= Sheet.BOTTOM || top === Sheet.TOP;
  return {
    fits,
    place: (block) => {
      if (!fits(block.height)) next();
      block.draw(top);
      top += block.height;
    },
    breakPage: async () => {
      if (top === Sheet.TOP) return;
      await pause();
      next();
    },
  };
};
