/** What stands at the foot of every page. */
import * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";
import type { Statement } from "./Statement.ts";

const PAGE_WIDTH = 110;
const NAME_WIDTH = Sheet.WIDTH - PAGE_WIDTH;

/** The document's name, cut to one line, and the page among all pages. */
export const of = (pdf: Sheet.Pdf, { name }: Statement, page: number, pageCount: number): Block.Block => {
  const height = 10;
  return {
    height,
    draw: (top) => {
      Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT, isFaint: true }).draw(top - 6);
      Block.use(pdf, Sheet.QUIET);
      pdf.text(name, Sheet.LEFT, top, { width: NAME_WIDTH, height, ellipsis: true });
      pdf.text(`Page ${page} of ${pageCount}`, Sheet.LEFT + NAME_WIDTH, top, {
        width: PAGE_WIDTH,
        align: "right",
      });
    },
  };
};
