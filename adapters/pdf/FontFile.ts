/** The characters and the height of a TrueType or OpenType font, read from its tables (OpenType 1.9). */

/** True if the font has a glyph for a code point. */
type Coverage = (codePoint: number) => boolean;

const NONE: Coverage = () => false;

const tableOffset = (font: DataView, tag: string): number => {
  const count = font.getUint16(4);
  for (let index = 0; index < count; index += 1) {
    const record = 12 + 16 * index;
    const name = String.fromCharCode(...[0, 1, 2, 3].map((byte) => font.getUint8(record + byte)));
    if (name === tag) return font.getUint32(record + 8);
  }
  throw new Error(`the font has no table ${tag}`);
};

/** The first index in [0, count) whose `endOf` is at least the code point; `count` when there is none. */
const search = (count: number, codePoint: number, endOf: (index: number) => number): number => {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (endOf(middle) < codePoint) low = middle + 1;
    else high = middle;
  }
  return low;
};

const segmentCoverage = (font: DataView, table: number): Coverage => {
  const count = font.getUint16(table + 6) / 2;
  const ends = table + 14;
  const starts = ends + 2 * count + 2;
  const deltas = starts + 2 * count;
  const ranges = deltas + 2 * count;
  return (codePoint) => {
    if (codePoint > 0xffff) return false;
    const index = search(count, codePoint, (each) => font.getUint16(ends + 2 * each));
    if (index === count) return false;
    const start = font.getUint16(starts + 2 * index);
    if (start > codePoint) return false;
    const delta = font.getUint16(deltas + 2 * index);
    const range = font.getUint16(ranges + 2 * index);
    if (range === 0) return ((codePoint + delta) & 0xffff) !== 0;
    const glyph = font.getUint16(ranges + 2 * index + range + 2 * (codePoint - start));
    return glyph !== 0 && ((glyph + delta) & 0xffff) !== 0;
  };
};

const groupCoverage = (font: DataView, table: number): Coverage => {
  const count = font.getUint32(table + 12);
  const group = (index: number): number => table + 16 + 12 * index;
  return (codePoint) => {
    const index = search(count, codePoint, (each) => font.getUint32(group(each) + 4));
    if (index === count) return false;
    const start = font.getUint32(group(index));
    return start <= codePoint && font.getUint32(group(index) + 8) + (codePoint - start) !== 0;
  };
};

/** Read from the `cmap` table in formats 4 and 12, which all current fonts have. */
const coverageOf = (font: DataView): Coverage => {
  const cmap = tableOffset(font, "cmap");
  const count = font.getUint16(cmap + 2);
  let best: { readonly format: number; readonly covers: Coverage } = { format: 0, covers: NONE };
  for (let index = 0; index < count; index += 1) {
    const record = cmap + 4 + 8 * index;
    const table = cmap + font.getUint32(record + 4);
    const platform = font.getUint16(record);
    const format = font.getUint16(table);
    const isUnicode = platform === 0 || platform === 3;
    if (!isUnicode || format <= best.format) continue;
    if (format === 4) best = { format, covers: segmentCoverage(font, table) };
    if (format === 12) best = { format, covers: groupCoverage(font, table) };
  }
  if (best.format === 0) throw new Error("the font has no table from Unicode to glyphs");
  return best.covers;
};

/** The facts that are read from a font. */
interface FontFile {
  readonly covers: Coverage;
  /** Above the baseline, as a part of the size. */
  readonly ascent: number;
  /** Below the baseline, as a part of the size; positive. */
  readonly descent: number;
}

/** Reads a font; throws when the bytes are no font, or have no Unicode table. */
export const read = (bytes: Uint8Array): FontFile => {
  const font = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerEm = font.getUint16(tableOffset(font, "head") + 18);
  const hhea = tableOffset(font, "hhea");
  return {
    covers: coverageOf(font),
    ascent: font.getInt16(hhea + 4) / unitsPerEm,
    descent: -font.getInt16(hhea + 6) / unitsPerEm,
  };
};
