/** Caches the tables of a font that the PDF library has decoded: decoding them takes longer than drawing a short document. */
import type PDFDocument from "pdfkit";

/** A PDF that is being written. */
export type File = typeof PDFDocument.prototype;

interface Glyph {
  /** In units of the font, like all lengths here. */
  readonly advanceWidth: number;
}

/** A run of glyphs in the library's form. The library scales the positions in place, and then reads the sum. */
interface Layout {
  readonly glyphs: ReadonlyArray<Glyph>;
  readonly positions: ReadonlyArray<{
    readonly xAdvance: number;
    readonly yAdvance: number;
    readonly xOffset: number;
    readonly yOffset: number;
  }>;
  readonly advanceWidth: number;
}

/** A font that the library has opened; the library's types do not describe it. */
interface Opened {
  readonly directory: { readonly tables: Readonly<Record<string, unknown>> };
  /** Glyphs by number, each with the characters that it was first used for. */
  readonly _glyphs: object;
  /** One glyph for each character. */
  readonly glyphsForString: (text: string) => ReadonlyArray<Glyph>;
  /** The glyphs of a text, with ligatures, marks and kerning. */
  readonly layout: (text: string, ...options: ReadonlyArray<unknown>) => Layout;
}

/** An id or the end of one: its characters never form ligatures. A long document has thousands of different ids. */
const ID = /^…?[0-9a-f-]{12,}$/;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * True if documents share no state of the font but its glyphs. In fonts with PostScript outlines (`CFF `) a document's
 * subset shares more with its font, so those are opened for each document.
 */
const isShareable = (font: unknown): font is Opened =>
  isObject(font) &&
  "_glyphs" in font &&
  "directory" in font &&
  isObject(font.directory) &&
  "tables" in font.directory &&
  isObject(font.directory.tables) &&
  "glyf" in font.directory.tables;

/** The font of the last opened file; null if it cannot be shared. */
const openedBy = (file: File): Opened | null => {
  const current: unknown = Reflect.get(file, "_font");
  const font: unknown = isObject(current) ? Reflect.get(current, "font") : null;
  return isShareable(font) ? font : null;
};

/** Opens a font for a PDF that is never written, so that no document changes it. */
const openUnwritten = (file: File, bytes: Uint8Array): Opened | null => {
  const Library = file.constructor as typeof PDFDocument;
  const unwritten = new Library({ font: "", autoFirstPage: false });
  return openedBy(unwritten.registerFont("font", bytes).font("font"));
};

/** The glyphs of an id without kerning: reading the font's tables would take most of the time of a long document. */
const layoutOfId = (font: Opened, text: string): Layout => {
  const glyphs = font.glyphsForString(text);
  const positions = glyphs.map(({ advanceWidth }) => ({
    xAdvance: advanceWidth,
    yAdvance: 0,
    xOffset: 0,
    yOffset: 0,
  }));
  return {
    glyphs,
    positions,
    get advanceWidth() {
      return positions.reduce((sum, { xAdvance }) => sum + xAdvance, 0);
    },
  };
};

/** A font for one document: it shares the tables but not the glyphs, so that no document depends on another. */
const copyForDocument = (font: Opened): Opened => {
  const copy = Object.create(font, {
    _glyphs: { value: {}, writable: true, enumerable: true },
    layout: {
      value: (text: string, ...options: ReadonlyArray<unknown>) =>
        ID.test(text) ? layoutOfId(copy, text) : font.layout.call(copy, text, ...options),
    },
  }) as Opened;
  return copy;
};

/** Returns a function that opens the font in a PDF; the tables are decoded once. */
export const make = (bytes: () => Uint8Array): ((file: File, name: string) => void) => {
  let shared: Opened | null | undefined;
  return (file, name) => {
    if (shared === undefined) shared = openUnwritten(file, bytes());
    // The library also accepts an opened font instead of bytes; its types do not contain this form.
    const source = shared === null ? bytes() : (copyForDocument(shared) as unknown as Uint8Array);
    file.registerFont(name, source).font(name);
  };
};
