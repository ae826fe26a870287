/** Renders the content of a document as the bytes of a PDF file. */
import { buffer } from "node:stream/consumers";
import type Library from "pdfkit";
import type { Documents } from "quittance";
import * as Bidi from "./Bidi.ts";
import * as Block from "./Block.ts";
import * as Closing from "./Closing.ts";
import type * as Fonts from "./Fonts.ts";
import * as Footer from "./Footer.ts";
import * as Letterhead from "./Letterhead.ts";
import * as MissingFont from "./MissingFont.ts";
import * as Pagination from "./Pagination.ts";
import * as Sheet from "./Sheet.ts";
import * as Statement from "./Statement.ts";
import * as Table from "./Table.ts";

const open = (
  PDFDocument: typeof Library,
  content: Documents.DocumentContent,
  statement: Statement.Statement,
): Sheet.Pdf["file"] => {
  const issuedAt = new Date(content.issuedAt);
  return new PDFDocument({
    pdfVersion: "1.7",
    size: Sheet.SIZE,
    margin: 0,
    // No default font: the library would embed its own beside ours, and it lacks most letters.
    font: "",
    lang: "en",
    displayTitle: true,
    info: {
      Title: Bidi.unmarked(statement.name),
      Author: Bidi.unmarked(statement.supplier.name),
      // The PDF's file identifier is a digest of these fields; the document's id makes it unique.
      Subject: `Document ${content.documentId}`,
      Creator: "Quittance",
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
};

/** The drawing of each page, in order. */
const pages = (pdf: Sheet.Pdf, statement: Statement.Statement): ReadonlyArray<() => void> => {
  const letterhead = Letterhead.of(pdf, statement);
  const closing = Closing.of(pdf, statement);
  const later = Sheet.BOTTOM - Sheet.TOP - Table.HEADING_HEIGHT;
  const counts = Pagination.pages({
    rowCount: statement.rows.length,
    rowHeight: Table.ROW_HEIGHT,
    firstHeight: later - letterhead.height,
    laterHeight: later,
    closingHeight: closing.height,
  });
  let drawn = 0;
  return counts.map((count, index) => {
    const table = Table.of(pdf, statement.currency, statement.rows.slice(drawn, drawn + count));
    drawn += count;
    const blocks = [
      ...(index === 0 ? [letterhead] : []),
      table,
      ...(index === counts.length - 1 ? [closing] : []),
    ];
    return () => {
      if (index > 0) pdf.file.addPage();
      Block.stack(blocks).draw(Sheet.TOP);
      Footer.of(pdf, statement, index + 1, counts.length).draw(Sheet.FOOTER_TOP);
    };
  });
};

/**
 * The bytes of the file. The same content and fonts give the same bytes. Runs `pause` after every page; if it fails, the
 * rendering stops. Fails with `RenderingRefused` before it draws anything when a character has no font.
 */
export const render = async (
  content: Documents.DocumentContent,
  families: ReadonlyArray<Fonts.Family>,
  pause: () => Promise<void> | void = () => {},
): Promise<Uint8Array> => {
  const statement = Statement.of(content);
  const refusal = MissingFont.refusalOf(families, statement);
  if (refusal !== null) throw refusal;
  // Loaded with the first document, because loading it takes a tenth of a server's start.
  const { default: PDFDocument } = await import("pdfkit");
  const pdf = { file: open(PDFDocument, content, statement), families, opened: new Set<string>() };
  for (const draw of pages(pdf, statement)) {
    draw();
    await pause();
  }
  pdf.file.end();
  return new Uint8Array(await buffer(pdf.file));
};
