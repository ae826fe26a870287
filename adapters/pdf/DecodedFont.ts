/** Keeps the tables that the PDF library has decoded of a font, which take it longer than drawing a short document. */
import type PDFDocument from "pdfkit";

/** A PDF under way. */
export type File = typeof PDFDocument.prototype;

/** A font as the library opened it; the library's types leave out all of it. */
interface Opened {
  readonly directory: { readonly tables: Readonly<Record<string, unknown>> };
  /** Glyphs by number, each with the characters that it was first found for. */
  readonly _glyphs: object;
}

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

/** A font for one document: it shares the tables, and has its own glyphs, so that no document depends on another. */
const forDocument = (font: Opened): Opened =>
  Object.create(font, { _glyphs: { value: {}, writable: true, enumerable: true } }) as Opened;

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
