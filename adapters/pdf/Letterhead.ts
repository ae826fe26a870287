/** The part above the table on the first page: title, parties, notice and key facts. */
import * as Block from "./Block.ts";
import type { DocumentText, Fact, Party } from "./DocumentText.ts";
import type * as Logo from "./Logo.ts";
import * as Sheet from "./Sheet.ts";
import * as Tagging from "./Tagging.ts";
import type { Style } from "./Typesetting.ts";

const GUTTER = 24;
const PARTY_WIDTH = (Sheet.WIDTH - GUTTER) / 2;
const BAND_PADDING = 8;

/** Shares of the band's width; the amount may have twenty characters. */
export const FACT_WIDTHS = [88, 88, 148, 159];

/** Font sizes for the parties, tried from the largest; the smallest fits two parties of the largest allowed length. */
const SCALES = [1, 0.8, 0.6];

/** The room for text next to a logo. */
export const BESIDE_LOGO = { left: Sheet.LEFT, width: Sheet.WIDTH - Sheet.LOGO.width - GUTTER };

/** The logo in the upper right corner; without height, because it is next to the title. */
const picture = (pdf: Sheet.Pdf, logo: Logo.Picture, alt: string): Block.Block => {
  const scale = Math.min(Sheet.LOGO.width / logo.width, Sheet.LOGO.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const drawing: Block.Block = {
    height: 0,
    draw: (top) =>
      Tagging.content(pdf, () => {
        pdf.file.image(logo.source, Sheet.RIGHT - width, top, { width, height });
      }),
  };
  return Block.tagBlock(pdf, "Figure", drawing, { alt });
};

const title = (
  pdf: Sheet.Pdf,
  { title, number, references, buyer }: DocumentText,
  logo: Logo.Picture | null,
): Block.Block => {
  const column = logo === null ? Sheet.FULL : BESIDE_LOGO;
  const text = Block.stack([
    Block.paragraph(pdf, { ...Sheet.TITLE, color: pdf.palette.accent }, column, title, "H1"),
    ...(number === null ? [] : [Block.paragraph(pdf, Sheet.NUMBER, column, number), Block.space(3)]),
    ...references.map((line) => Block.paragraph(pdf, Sheet.QUIET, column, line)),
  ]);
  return logo === null
    ? text
    : Block.stack([
        picture(pdf, logo, buyer.name),
        text,
        Block.space(Math.max(0, Sheet.LOGO.height - text.height)),
      ]);
};

const scaleStyle = (style: Style, scale: number): Style => ({ ...style, size: style.size * scale });

const party = (pdf: Sheet.Pdf, left: number, scale: number, { role, name, details }: Party): Block.Block => {
  const column = { left, width: PARTY_WIDTH };
  return Block.stack([
    Block.paragraph(pdf, Sheet.LABEL, column, role.toUpperCase()),
    Block.space(2),
    Block.paragraph(pdf, scaleStyle(Sheet.STRONG, scale), column, name),
    ...details.map((line) => Block.paragraph(pdf, scaleStyle(Sheet.BODY, scale), column, line)),
  ]);
};

const notice = (pdf: Sheet.Pdf, text: string): Block.Block => {
  const column = { left: Sheet.LEFT + BAND_PADDING, width: Sheet.WIDTH - 2 * BAND_PADDING };
  return Block.shadeBlock(
    pdf,
    { color: Sheet.WARNING_GROUND, column: Sheet.FULL, padding: BAND_PADDING },
    Block.paragraph(pdf, Sheet.WARNING, column, text),
  );
};

const fact = (pdf: Sheet.Pdf, facts: ReadonlyArray<Fact>, index: number): Block.Block => {
  const { label = "", value = "" } = facts[index] ?? {};
  const left = FACT_WIDTHS.slice(0, index).reduce((sum, width) => sum + width, Sheet.LEFT + BAND_PADDING);
  const column = {
    left,
    width: FACT_WIDTHS[index] ?? 0,
    align: index === facts.length - 1 ? ("right" as const) : ("left" as const),
  };
  return Block.stack([
    Block.paragraph(pdf, Sheet.LABEL, column, label.toUpperCase()),
    Block.space(1),
    Block.paragraph(pdf, Sheet.STRONG, column, value),
  ]);
};

const layOut = (
  pdf: Sheet.Pdf,
  document: DocumentText,
  logo: Logo.Picture | null,
  scale: number,
): Block.Block =>
  Block.stack([
    title(pdf, document, logo),
    Block.space(18),
    Block.sideBySide([
      party(pdf, Sheet.LEFT, scale, document.supplier),
      party(pdf, Sheet.LEFT + PARTY_WIDTH + GUTTER, scale, document.buyer),
    ]),
    Block.space(18),
    ...(document.notice === null ? [] : [notice(pdf, document.notice), Block.space(10)]),
    Block.shadeBlock(
      pdf,
      { color: pdf.palette.background, column: Sheet.FULL, padding: BAND_PADDING },
      Block.sideBySide(document.facts.map((_, index) => fact(pdf, document.facts, index))),
    ),
    Block.space(6),
  ]);

/** The letterhead of a statement; never higher than a page. */
export const of = (pdf: Sheet.Pdf, document: DocumentText, logo: Logo.Picture | null): Block.Block => {
  const [largest = 1, ...smaller] = SCALES;
  return smaller.reduce(
    (block, scale) => (block.height <= Sheet.BOTTOM - Sheet.TOP ? block : layOut(pdf, document, logo, scale)),
    layOut(pdf, document, logo, largest),
  );
};
