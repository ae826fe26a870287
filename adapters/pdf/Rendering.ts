/** Renders the content of a document or statement as the bytes of a PDF file. */
import type Library from "pdfkit";
import type { Documents } from "quittance";
import * as Archive from "./Archive.ts";
import * as Bidi from "./Bidi.ts";
import * as Block from "./Block.ts";
import * as Closing from "./Closing.ts";
import type { DocumentText, Section } from "./DocumentText.ts";
import * as FileBytes from "./FileBytes.ts";
import * as Flow from "./Flow.ts";
import type * as Fonts from "./Fonts.ts";
import * as Footer from "./Footer.ts";
import * as Letterhead from "./Letterhead.ts";
import * as Logo from "./Logo.ts";
import * as MissingFont from "./MissingFont.ts";
import * as Paragraphs from "./Paragraphs.ts";
import * as PartnerStatement from "./PartnerStatement.ts";
import * as PlanTerms from "./PlanTerms.ts";
import * as SettlementText from "./SettlementText.ts";
import * as Sheet from "./Sheet.ts";
import * as Table from "./Table.ts";
import * as Tagging from "./Tagging.ts";

/** What is rendered: a document of a settlement, a partner's statement, or a partner's terms. */
export type Content = Documents.DocumentContent | Documents.StatementContent | Documents.TermsContent;

/** Identifies the content among all files with the same title and date. */
const subjectOf = (content: Content): string => {
  switch (content.kind) {
    case "statement":
      return `Statement of partner ${content.partner.id}, ${content.currency}, ${content.from} to ${content.to}`;
    case "terms":
      return `Terms ${content.hash} of partner ${content.partner.id}`;
    default:
      return `Document ${content.documentId}`;
  }
};

const textOf = (content: Content): DocumentText => {
  switch (content.kind) {
    case "statement":
      return PartnerStatement.of(content);
    case "terms":
      return PlanTerms.of(content);
    default:
      return SettlementText.of(content);
  }
};

const createFile = (
  PDFDocument: typeof Library,
  content: Content,
  document: DocumentText,
): Sheet.Pdf["file"] => {
  const issuedAt = new Date(content.issuedAt);
  const info: Archive.Description = {
    Title: Archive.writable(Bidi.removeMarks(document.name)),
    Author: Archive.writable(Bidi.removeMarks(document.supplier.name)),
    // The PDF's file identifier is a digest of these fields; the subject makes it unique.
    Subject: subjectOf(content),
    Creator: "Quittance",
    CreationDate: issuedAt,
    ModDate: issuedAt,
  };
  const file = new PDFDocument({
    pdfVersion: "1.7",
    size: Sheet.SIZE,
    margin: 0,
    // No default font: the library would embed its own too, and it lacks most letters.
    font: "",
    // Glyphs caches words instead, and bounds their number.
    fontLayoutCache: false,
    lang: document.language,
    displayTitle: true,
    tagged: true,
    // The footer states the number of pages, which is known at the end.
    bufferPages: true,
    info: { ...info },
  });
  Archive.archive(file, info, ("eInvoice" in content ? content.eInvoice : null) ?? null);
  return file;
};

/** Draws tables, each with its title; what follows the last one stays with its last rows. */
const drawSections = async (
  pdf: Sheet.Pdf,
  flow: Flow.Flow,
  sections: ReadonlyArray<Section>,
  endHeight: number,
): Promise<void> => {
  for (const [index, section] of sections.entries()) {
    if (section.title === null) flow.place(Block.space(TITLE_SPACE));
    else {
      const title = Closing.title(pdf, section.title);
      if (!flow.fits(title.height + TITLE_ROOM)) await flow.breakPage();
      flow.place(title);
    }
    await Table.draw(pdf, flow, section, index === sections.length - 1 ? endHeight : 0);
  }
};

/** The closing up to this height stays together with the last rows. */
const CLOSING_MAX = 400;
/** Above a table without a title. */
const TITLE_SPACE = 8;
/** A title of a table is not the last thing on a page: this much of the table is below it. */
const TITLE_ROOM = 60;

const drawPages = async (
  pdf: Sheet.Pdf,
  document: DocumentText,
  logo: Logo.Picture | null,
  pause: () => Promise<void> | void,
): Promise<void> => {
  const flow = Flow.make(pdf, pause);
  Tagging.open(pdf, "Document");
  flow.place(Letterhead.of(pdf, document, logo));
  await Paragraphs.draw(pdf, flow, document.paragraphs ?? []);
  const totals = Closing.totals(pdf, document);
  const parts = Closing.parts(pdf, document);
  const closingHeight = parts.reduce((sum, { height }) => sum + height, totals.height);
  const isShort = closingHeight <= CLOSING_MAX;
  await drawSections(pdf, flow, document.sections, isShort ? closingHeight : totals.height);
  flow.place(totals);
  for (const part of parts) flow.place(part);
  if (document.annexes.length > 0) {
    await flow.breakPage();
    await drawSections(pdf, flow, document.annexes, 0);
  }
  Tagging.close(pdf);
  const { start, count } = pdf.file.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.file.switchToPage(start + page);
    Footer.draw(pdf, document, page + 1, count);
  }
};

/**
 * The bytes of the file. The same content and fonts result in the same bytes. Runs `pause` after every page; if it fails, the
 * rendering stops. Fails with `RenderingRefused` before it draws anything when a character has no font.
 */
export const render = async (
  content: Content,
  families: ReadonlyArray<Fonts.Family>,
  pause: () => Promise<void> | void = () => {},
): Promise<Uint8Array> => {
  const document = textOf(content);
  const refusal = MissingFont.refusalOf(families, document);
  if (refusal !== null) throw refusal;
  // Loaded with the first document: loading it would lengthen the start of a server by a tenth.
  const { default: PDFDocument } = await import("./Library.ts");
  const { logo, accentColor, backgroundColor } = content.buyer ?? {};
  const pdf: Sheet.Pdf = {
    file: createFile(PDFDocument, content, document),
    families,
    opened: { regular: new Map(), bold: new Map() },
    structure: Tagging.emptyStructure(),
    palette: {
      accent: accentColor ?? Sheet.PALETTE.accent,
      background: backgroundColor ?? Sheet.PALETTE.background,
    },
  };
  const bytes = FileBytes.of(pdf.file, content.lines.length);
  await drawPages(pdf, document, logo === undefined ? null : Logo.decode(logo), pause);
  await pause();
  pdf.file.end();
  return bytes;
};
