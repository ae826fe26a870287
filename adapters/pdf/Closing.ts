/** The part below the table on the last page: totals, payment terms and notes. */
import * as Block from "./Block.ts";
import * as Sheet from "./Sheet.ts";
import type { Fact, Statement } from "./Statement.ts";

const AMOUNT_WIDTH = 140;
const LABEL_WIDTH = 220;
const TERM_WIDTH = 84;

const total = (pdf: Sheet.Pdf, { label, value }: Fact, isSum: boolean): Block.Block => {
  const style = isSum ? Sheet.SUM : Sheet.BODY;
  const left = Sheet.RIGHT - AMOUNT_WIDTH - LABEL_WIDTH;
  const line = Block.beside([
    Block.text(pdf, style, { left, width: LABEL_WIDTH }, label),
    Block.text(pdf, style, { left: left + LABEL_WIDTH, width: AMOUNT_WIDTH, align: "right" }, value),
  ]);
  return isSum
    ? Block.stack([Block.space(3), Sheet.rule(pdf, { left, right: Sheet.RIGHT }), Block.space(4), line])
    : Block.stack([line, Block.space(2)]);
};

const term = (pdf: Sheet.Pdf, { label, value }: Fact): Block.Block =>
  Block.beside([
    Block.text(pdf, Sheet.TERM, { left: Sheet.LEFT, width: TERM_WIDTH }, label),
    Block.text(pdf, Sheet.BODY, { left: Sheet.LEFT + TERM_WIDTH, width: Sheet.WIDTH - TERM_WIDTH }, value),
  ]);

const payment = (pdf: Sheet.Pdf, facts: ReadonlyArray<Fact>): ReadonlyArray<Block.Block> =>
  facts.length === 0
    ? []
    : [
        Block.space(18),
        Block.text(pdf, Sheet.LABEL, Sheet.FULL, "PAYMENT"),
        Block.space(3),
        ...facts.map((fact) => term(pdf, fact)),
      ];

/** The closing of a statement. */
export const of = (pdf: Sheet.Pdf, { totals, payment: facts, notes }: Statement): Block.Block =>
  Block.stack([
    Block.space(10),
    ...totals.map((fact, index) => total(pdf, fact, index === totals.length - 1)),
    ...payment(pdf, facts),
    Block.space(18),
    ...notes.map((note) => Block.text(pdf, Sheet.NOTE, Sheet.FULL, note)),
  ]);
