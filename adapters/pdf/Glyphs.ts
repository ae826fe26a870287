/**
 * Glyphs of text: lays out words once for each document and writes lines as text objects. The library's own text lays out
 * each run four times and writes ten operators for it.
 */
import type PDFDocument from "pdfkit";

type File = typeof PDFDocument.prototype;

/** The place of a glyph, in thousandths of the size, as all lengths here. */
interface Position {
  readonly xAdvance: number;
  readonly xOffset: number;
  readonly yOffset: number;
  /** The advance that the font states for the glyph. */
  readonly advanceWidth: number;
}

/** A font that is open in a PDF; the library's types do not describe it. */
interface Embedded {
  readonly id: string;
  readonly ref: () => unknown;
  /** The glyphs of a text in hexadecimal digits of the font's subset, and their places. */
  readonly encode: (
    text: string,
    features: ReadonlyArray<string> | undefined,
  ) => readonly [glyphs: ReadonlyArray<string>, positions: ReadonlyArray<Position>];
}

/** Glyphs of one height above the baseline, as an element of the operator `TJ`. */
interface Part {
  readonly rise: number;
  readonly shown: string;
}

/** Text as glyphs. */
export interface Shape {
  readonly width: number;
  readonly parts: ReadonlyArray<Part>;
}

/** A font of a document, with the shapes of its words. */
export interface Font {
  readonly embedded: Embedded;
  readonly shapes: Map<string, Shape>;
}

/** A shape, and where it begins. */
export interface Placed {
  readonly font: Font;
  readonly shape: Shape;
  /** From the left edge of the page, in points. */
  readonly x: number;
}

/** Shapes that a font keeps; random text has more. */
const SHAPES_MAX = 20_000;

const isEmbedded = (font: unknown): font is Embedded =>
  typeof font === "object" && font !== null && "encode" in font && "ref" in font && "id" in font;

/** The font that the PDF uses now. */
export const fontOf = (file: File): Font => {
  const embedded: unknown = Reflect.get(file, "_font");
  if (!isEmbedded(embedded)) throw new Error("no font is open in the PDF library");
  return { embedded, shapes: new Map() };
};

/** A number as PDF writes it, without an exponent. */
const decimal = (value: number): string => String(Math.round(value * 1_000) / 1_000);

const layOut = ({ embedded }: Font, text: string, isWhole: boolean): Shape => {
  const [glyphs, positions] = embedded.encode(text, isWhole ? [] : undefined);
  const parts: Array<Part> = [];
  let [width, rise, shown, open] = [0, 0, "", ""];
  const move = (distance: number): void => {
    if (distance === 0) return;
    if (open !== "") shown += `<${open}>`;
    open = "";
    shown += `${decimal(-distance)} `;
  };
  const end = (): void => {
    if (open !== "") shown += `<${open}>`;
    if (shown !== "") parts.push({ rise, shown });
    [shown, open] = ["", ""];
  };
  positions.forEach(({ xAdvance, xOffset, yOffset, advanceWidth }, index) => {
    if (yOffset !== rise) end();
    rise = yOffset;
    move(xOffset);
    open += glyphs[index] ?? "";
    move(xAdvance - advanceWidth - xOffset);
    width += xAdvance;
  });
  end();
  return { width, parts };
};

const cachedShape = (font: Font, key: string, text: string, isWhole: boolean): Shape => {
  const cached = font.shapes.get(key);
  if (cached !== undefined) return cached;
  if (font.shapes.size >= SHAPES_MAX) font.shapes.clear();
  const shape = layOut(font, text, isWhole);
  font.shapes.set(key, shape);
  return shape;
};

/**
 * Text as glyphs. Words are laid out by themselves, each with the space after it; text that is `isWhole` is laid out in one
 * piece, because in words from right to left the spaces would be lost.
 */
export const shape = (font: Font, text: string, isWhole: boolean): Shape => {
  if (isWhole) return cachedShape(font, `whole ${text}`, text, true);
  const space = text.indexOf(" ");
  if (space < 0 || space === text.length - 1) return cachedShape(font, text, text, false);
  const words = (text.match(/[^ ]* |[^ ]+/g) ?? []).map((word) => cachedShape(font, word, word, false));
  return {
    width: words.reduce((sum, word) => sum + word.width, 0),
    parts: words.flatMap(({ parts }) => parts),
  };
};

/** Writes shapes of one size as one text object. `y` is the baseline, from the top of the page. */
export const write = (file: File, placed: ReadonlyArray<Placed>, size: number, y: number): void => {
  const operators = ["BT"];
  let rise = 0;
  for (const { font, shape, x } of placed) {
    const { id, ref } = font.embedded;
    const fonts: Record<string, unknown> = Reflect.get(file.page, "fonts");
    fonts[id] ??= ref.call(font.embedded);
    // The library turns the page upside down, so that lengths count from its top; this turns the letters up again.
    operators.push(`1 0 0 -1 ${decimal(x)} ${decimal(y)} Tm`, `/${id} ${decimal(size)} Tf`);
    for (const part of shape.parts) {
      if (part.rise !== rise) operators.push(`${decimal((part.rise * size) / 1_000)} Ts`);
      rise = part.rise;
      operators.push(`[${part.shown}] TJ`);
    }
  }
  if (rise !== 0) operators.push("0 Ts");
  operators.push("ET");
  file.addContent(operators.join("\n"));
};
