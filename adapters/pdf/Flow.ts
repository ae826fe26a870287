/** Places blocks below one another, on as many pages as they need. */
import type * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";

/** The height that a page has for blocks, in points. */
export const ROOM = Sheet.BOTTOM - Sheet.TOP;

/** The page that is being filled. */
export interface Flow {
  /** True if a block of this height fits on the page. */
  readonly fits: (height: number) => boolean;
  /** Draws a block, on the next page if it does not fit. */
  readonly place: (block: Block.Block) => void;
  /** Begins a page, unless this one is empty. */
  readonly breakPage: () => Promise<void>;
}

/** A stream of the file; the library's types do not declare those of a page. */
interface Stream {
  readonly end: () => void;
}

/**
 * Writes the content of a full page to the file, compressed: all pages together would take most of the memory. The
 * footer, which is drawn later, is a second stream.
 */
const writeContent = ({ file }: Sheet.Pdf): void => {
  const { page } = file as unknown as {
    readonly page: { content: Stream; readonly dictionary: { readonly data: { Contents: unknown } } };
  };
  const written = page.content;
  written.end();
  page.content = file.ref({}) as unknown as Stream;
  page.dictionary.data.Contents = [written, page.content];
};

/** The flow of a document; runs `pause` after every page. */
export const make = (pdf: Sheet.Pdf, pause: () => Promise<void> | void): Flow => {
  let top = Sheet.TOP;
  const startPage = (): void => {
    writeContent(pdf);
    pdf.file.addPage();
    top = Sheet.TOP;
  };
  const fits = (height: number): boolean => top + height <= Sheet.BOTTOM || top === Sheet.TOP;
  return {
    fits,
    place: (block) => {
      if (!fits(block.height)) startPage();
      block.draw(top);
      top += block.height;
    },
    breakPage: async () => {
      if (top === Sheet.TOP) return;
      await pause();
      startPage();
    },
  };
};
