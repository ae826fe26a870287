/** The part after the tables of an invoice or report: totals, payment and notes. */
import * as Block from "./Block.ts";
import type { DocumentText, Fact } from "./DocumentText.ts";
import * as Sheet from "./Sheet.ts";

const AMOUNT_WIDTH = 130;
const LABEL_WIDTH = 220;
const TERM_WIDTH = 92;

const pair = (pdf: Sheet.Pdf, label: Block.Block, value: Block.Block): Block.Block =>
  Block.tagBlock(
    pdf,
    "TR",
    Block.sideBySide([Block.tagBlock(pdf, "TH", label, { scope: "Row" }), Block.tagBlock(pdf, "TD", value)]),
  );

const total = (pdf: Sheet.Pdf, { label, value }: Fact, isSum: boolean): Block.Block => {
  const style = isSum ? { ...Sheet.SUM, color: pdf.palette.accent } : Sheet.BODY;
  const left = Sheet.RIGHT - AMOUNT_WIDTH - LABEL_WIDTH;
  const line = pair(
    pdf,
    Block.text(pdf, style, { left, width: LABEL_WIDTH - 8 }, label),
    Block.text(pdf, style, { left: left + LABEL_WIDTH, width: AMOUNT_WIDTH, align: "right" }, value),
  );
  return isSum
    ? Block.stack([Block.space(3), Sheet.rule(pdf, { left, right: Sheet.RIGHT }), Block.space(4), line])
    : Block.stack([line, Block.space(2)]);
};

const term = (pdf: Sheet.Pdf, { label, value }: Fact): Block.Block =>
  pair(
    pdf,
    Block.text(pdf, Sheet.TERM, { left: Sheet.LEFT, width: TERM_WIDTH - 6 }, label),
    Block.text(pdf, Sheet.BODY, { left: Sheet.LEFT + TERM_WIDTH, width: Sheet.WIDTH - TERM_WIDTH }, value),
  );

/** The title of a part of the document. */
export const title = (pdf: Sheet.Pdf, text: string): Block.Block =>
  Block.stack([
    Block.space(16),
    Block.paragraph(pdf, { ...Sheet.SECTION, color: pdf.palette.accent }, Sheet.FULL, text, "H2"),
    Block.space(4),
  ]);

/** The totals; without height when a table has them. */
export const totals = (pdf: Sheet.Pdf, { totals: facts }: DocumentText): Block.Block =>
  facts.length === 0
    ? Block.space(0)
    : Block.stack([
        Block.space(10),
        Block.tagBlock(
          pdf,
          "Table",
          Block.stack(facts.map((fact, index) => total(pdf, fact, index === facts.length - 1))),
        ),
      ]);

/** What follows the totals, part by part. */
export const parts = (pdf: Sheet.Pdf, { payment, notes }: DocumentText): ReadonlyArray<Block.Block> => [
  ...(payment === null
    ? []
    : [
        Block.stack([
          title(pdf, payment.title),
          Block.tagBlock(pdf, "Table", Block.stack(payment.facts.map((fact) => term(pdf, fact)))),
        ]),
      ]),
  Block.stack([
    Block.space(16),
    ...notes.map((note) => Block.stack([Block.paragraph(pdf, Sheet.NOTE, Sheet.FULL, note), Block.space(2)])),
  ]),
];
