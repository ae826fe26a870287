/** Keeps the tables that the PDF library has decoded of a font, which take it longer than drawing a short document. */
import type PDFDocument from "pdfkit";

/** A PDF under way. */
export type File = typeof PDFDocument.prototype;

interface Glyph {
  /** In units of the font, as all lengths here. */
  readonly advanceWidth: number;
}

/** Glyphs in a row, as the library wants them. It scales the numbers of the positions in place, and reads the sum then. */
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

/** A font as the library opened it; the library's types leave out all of it. */
interface Opened {
  readonly directory: { readonly tables: Readonly<Record<string, unknown>> };
  /** Glyphs by number, each with the characters that it was first found for. */
  readonly _glyphs: object;
  /** The glyphs of the characters, one each. */
  readonly glyphsForString: (text: string) => ReadonlyArray<Glyph>;
  /** The glyphs of a text, with ligatures, marks and kerning. */
  readonly layout: (text: string, ...options: ReadonlyArray<unknown>) => Layout;
}

/** An id, whole or its end: no character of it joins another one. A long document holds thousands, all different. */
const ID = /^…?[0-9a-f-]{12,}$/;

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * Whether glyphs are the only state that documents leave in the font. In fonts with PostScript outlines (`CFF `) the
 * subset of a document shares more with its font, so they are opened anew for each document.
 */
const isShareable = (font: unknown): font is Opened =>
  isObject(font) &&
  "_glyphs" in font &&
  "directory" in font &&
  isObject(font.directory) &&
  "tables" in font.directory &&
  isObject(font.directory.tables) &&
  "glyf" in font.directory.tables;

/** The font that a file opened last; null where it cannot be shared. */
const openedBy = (file: File): Opened | null => {
  const current: unknown = Reflect.get(file, "_font");
  const font: unknown = isObject(current) ? Reflect.get(current, "font") : null;
  return isShareable(font) ? font : null;
};

/** Opens a font in a file that is never written, so that no document leaves anything in it. */
const openAside = (file: File, bytes: Uint8Array): Opened | null => {
  const Library = file.constructor as typeof PDFDocument;
  const aside = new Library({ font: "", autoFirstPage: false });
  return openedBy(aside.registerFont("font", bytes).font("font"));
};

/** The glyphs of an id side by side, without kerning: asking the font's tables would take most of a long document's time. */
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

/** A font for one document: it shares the tables, and has its own glyphs, so that no document depends on another. */
const forDocument = (font: Opened): Opened => {
  const own = Object.create(font, {
    _glyphs: { value: {}, writable: true, enumerable: true },
    layout: {
      value: (text: string, ...options: ReadonlyArray<unknown>) =>
        ID.test(text) ? layoutOfId(own, text) : font.layout.call(own, text, ...options),
    },
  }) as Opened;
  return own;
};

/** Returns what opens the font in files, whose tables are decoded once. */
export const make = (bytes: () => Uint8Array): ((file: File, name: string) => void) => {
  let shared: Opened | null | undefined;
  return (file, name) => {
    if (shared === undefined) shared = openAside(file, bytes());
    // The library accepts a font that it opened in place of bytes; its types leave this out.
    const source = shared === null ? bytes() : (forDocument(shared) as unknown as Uint8Array);
    file.registerFont(name, source).font(name);
  };
};
