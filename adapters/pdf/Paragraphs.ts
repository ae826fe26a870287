/** Paragraphs with lists, on as many pages as they need. */
import * as Block from "./Block.ts";
import type { Paragraph } from "./DocumentText.ts";
import type * as Flow from "./Flow.ts";
import * as Sheet from "./Sheet.ts";
import * as Tagging from "./Tagging.ts";

/** The room of the sign of an item, and that between the margin and the sign. */
const SIGN = { left: Sheet.LEFT + 10, width: 12 };
const ITEM = { left: SIGN.left + SIGN.width, width: Sheet.RIGHT - SIGN.left - SIGN.width };

const BEFORE_PARAGRAPH = 7;
const BEFORE_ITEM = 2;

/** A list begins on the page of its sentence: at least this much of it is below. */
const ITEM_ROOM = 16;

/** One item of a list: the sign is decoration, because the list says what it is. */
const drawItem = (pdf: Sheet.Pdf, flow: Flow.Flow, item: string): void => {
  flow.place(Block.space(BEFORE_ITEM));
  const sign = Block.text(pdf, Sheet.BODY, SIGN, "–");
  const [first, ...others] = Block.lines(pdf, Sheet.BODY, ITEM, item);
  if (first === undefined) return;
  const begun: Block.Block = {
    ...first,
    draw: (top) => {
      Tagging.artifact(pdf, "Layout", () => sign.draw(top));
      first.draw(top);
    },
  };
  Tagging.element(pdf, "LI", () =>
    Tagging.element(pdf, "LBody", () => {
      for (const line of [begun, ...others]) flow.place(line);
    }),
  );
};

/** Draws paragraphs, each with its list. */
export const draw = async (
  pdf: Sheet.Pdf,
  flow: Flow.Flow,
  paragraphs: ReadonlyArray<Paragraph>,
): Promise<void> => {
  for (const { text, items } of paragraphs) {
    flow.place(Block.space(BEFORE_PARAGRAPH));
    const lines = Block.lines(pdf, Sheet.BODY, Sheet.FULL, text);
    const height = lines.reduce((sum, line) => sum + line.height, 0);
    if (!flow.fits(height + (items.length === 0 ? 0 : ITEM_ROOM))) await flow.breakPage();
    Tagging.element(pdf, "P", () => {
      for (const line of lines) flow.place(line);
    });
    if (items.length === 0) continue;
    Tagging.open(pdf, "L");
    for (const item of items) drawItem(pdf, flow, item);
    Tagging.close(pdf);
  }
};
