/** Renders reports, invoices and credit notes as PDF files. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { buffer } from "node:stream/consumers";
import { Effect, Layer } from "effect";
import type Library from "pdfkit";
import { Documents } from "quittance";
import * as Block from "./Block.ts";
import * as Closing from "./Closing.ts";
import * as Footer from "./Footer.ts";
import * as Letterhead from "./Letterhead.ts";
import * as Pagination from "./Pagination.ts";
import * as Sheet from "./Sheet.ts";
import * as Statement from "./Statement.ts";
import * as Table from "./Table.ts";

/** The two weights that documents are set in, each the bytes of a TrueType or OpenType font, which is embedded. */
export interface Fonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}

const open = (
  PDFDocument: typeof Library,
  content: Documents.DocumentContent,
  statement: Statement.Statement,
  fonts: Fonts,
): Sheet.Pdf => {
  const issuedAt = new Date(content.issuedAt);
  const pdf = new PDFDocument({
    pdfVersion: "1.7",
    size: Sheet.SIZE,
    margin: 0,
    // No font to begin with: the library's own default would be embedded beside ours and lacks most letters.
    font: "",
    lang: "en",
    displayTitle: true,
    info: {
      Title: statement.name,
      Author: statement.supplier.name,
      // The file identifier is a digest of these fields, so the document's id makes it unique.
      Subject: `Document ${content.documentId}`,
      Creator: "Quittance",
      CreationDate: issuedAt,
      ModDate: issuedAt,
    },
  });
  pdf.registerFont("regular", fonts.regular);
  pdf.registerFont("bold", fonts.bold);
  pdf.font("regular");
  return pdf;
};

/**
 * Lets timers, sockets and other fibers have their turn. Yielding to the Effect scheduler alone would not: it mostly
 * stays within the microtasks of the same turn.
 */
const turn = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void));
  return Effect.sync(() => clearImmediate(immediate));
});

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
      if (index > 0) pdf.addPage();
      Block.stack(blocks).draw(Sheet.TOP);
      Footer.of(pdf, statement, index + 1, counts.length).draw(Sheet.FOOTER_TOP);
    };
  });
};

const attempt = <A>(work: () => A): Effect.Effect<A, Documents.RenderingFailed> =>
  Effect.try({ try: work, catch: (cause) => new Documents.RenderingFailed({ cause }) });

const render = (
  content: Documents.DocumentContent,
  fonts: Fonts,
): Effect.Effect<Documents.Rendered, Documents.RenderingFailed> =>
  Effect.gen(function* () {
    // Loaded with the first document: it makes a tenth of the time that a server takes to start.
    const { default: PDFDocument } = yield* Effect.tryPromise({
      try: () => import("pdfkit"),
      catch: (cause) => new Documents.RenderingFailed({ cause }),
    });
    const { pdf, drawings } = yield* attempt(() => {
      const statement = Statement.of(content);
      const pdf = open(PDFDocument, content, statement, fonts);
      return { pdf, drawings: pages(pdf, statement) };
    });
    for (const draw of drawings) {
      yield* attempt(draw);
      yield* turn;
    }
    yield* attempt(() => pdf.end());
    const bytes = yield* Effect.tryPromise({
      try: () => buffer(pdf),
      catch: (cause) => new Documents.RenderingFailed({ cause }),
    });
    return { bytes: new Uint8Array(bytes), extension: "pdf" };
  });

const require = createRequire(import.meta.url);

const shipped = (file: string): Effect.Effect<Uint8Array> =>
  Effect.promise(() => readFile(require.resolve(`@expo-google-fonts/noto-sans/${file}`)));

/**
 * A renderer that sets documents in fonts of the host's choice, for names in scripts that Noto Sans does not draw,
 * such as Chinese, Japanese or Arabic: a letter that a font lacks is printed as an empty box.
 */
export const layerWith = (fonts: Fonts): Layer.Layer<Documents.DocumentRenderer> =>
  Layer.succeed(Documents.DocumentRenderer, { render: (content) => render(content, fonts) });

/**
 * A renderer that sets documents in Noto Sans, which draws the Latin, Greek and Cyrillic scripts and comes with the
 * package (SIL Open Font License). The font files are read once, when the layer is built.
 *
 * Pages are A4, words are English, dates are days in UTC. The same content gives the same bytes. Drawing is plain
 * computation; other work has its turn after every page, so that a long document does not hold up a server.
 */
export const layer: Layer.Layer<Documents.DocumentRenderer> = Layer.unwrapEffect(
  Effect.all({
    regular: shipped("400Regular/NotoSans_400Regular.ttf"),
    bold: shipped("700Bold/NotoSans_700Bold.ttf"),
  }).pipe(Effect.map(layerWith)),
);
