/** The footer of every page. */
import type * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";
import type { Statement } from "./Statement.ts";
import * as Typesetting from "./Typesetting.ts";

const PAGE_WIDTH = 110;
const NAME_WIDTH = Sheet.WIDTH - PAGE_WIDTH;

/** The document's name, cut to one line, and the page number. */
export const of = (pdf: Sheet.Pdf, { name }: Statement, page: number, pageCount: number): Block.Block => {
  const height = 10;
  return {
    height,
    draw: (top) => {
      Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT, isFaint: true }).draw(top - 6);
      Typesetting.truncate(pdf, Sheet.QUIET, NAME_WIDTH, name).draw(Sheet.LEFT, top);
      const number = Typesetting.single(pdf, Sheet.QUIET, `Page ${page} of ${pageCount}`);
      number.draw(Sheet.RIGHT - number.width, top);
    },
  };
};
