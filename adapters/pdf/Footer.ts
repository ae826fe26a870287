/** The footer of every page. */

import type { DocumentText } from "./DocumentText.ts";
import { TEXTS } from "./Languages.ts";
import * as Sheet from "./Sheet.ts";
import * as Tagging from "./Tagging.ts";
import { fill } from "./Texts.ts";
import * as Typesetting from "./Typesetting.ts";
import * as Wording from "./Wording.ts";

const PAGE_WIDTH = 110;
const NAME_WIDTH = Sheet.WIDTH - PAGE_WIDTH;

/** Draws the document's name, cut to one line, and the page number. */
export const draw = (
  pdf: Sheet.Pdf,
  { name, language }: DocumentText,
  page: number,
  pageCount: number,
): void =>
  Tagging.artifact(pdf, "Pagination", () => {
    const { page: text, notation } = TEXTS[language];
    Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT, isFaint: true }).draw(Sheet.FOOTER_TOP - 6);
    Typesetting.truncate(pdf, Sheet.QUIET, NAME_WIDTH, name).draw(Sheet.LEFT, Sheet.FOOTER_TOP);
    const [current, count] = [page, pageCount].map((each) => Wording.count(each, notation));
    const number = Typesetting.singleLine(
      pdf,
      Sheet.QUIET,
      fill(text, { page: current ?? "", count: count ?? "" }),
    );
    number.draw(Sheet.RIGHT - number.width, Sheet.FOOTER_TOP);
  });
