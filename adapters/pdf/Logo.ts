/** The logo of a document, decoded within bounds before the PDF library reads it. */
import { inflateSync } from "node:zlib";
import { Either } from "effect";
import { Logo } from "quittance";

/** A picture that the PDF library can draw, with its size in pixels. */
export interface Picture {
  readonly source: Buffer;
  readonly width: number;
  readonly height: number;
}

/** The parts of a pixel by colour type of PNG. */
const PARTS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const INTERLACED_PASSES = 7;

/** The compressed pixels of a PNG image; its chunks were checked when it was written. */
const compressedPixels = (bytes: Buffer): Buffer => {
  const parts: Array<Buffer> = [];
  for (let offset = 8; offset + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(offset);
    if (bytes.toString("latin1", offset + 4, offset + 8) === "IDAT")
      parts.push(bytes.subarray(offset + 8, offset + 8 + length));
    offset += 12 + length;
  }
  return Buffer.concat(parts);
};

/**
 * True if the pixels of a PNG image have the size that its header states. Decompression stops there: a small file can
 * hold gigabytes.
 */
const hasItsPixels = (bytes: Buffer, width: number, height: number): boolean => {
  const [bitDepth, colorType, , , interlace] = bytes.subarray(24, 29);
  const bits = width * (bitDepth ?? 8) * (PARTS[colorType ?? 0] ?? 4);
  const plain = height * (1 + Math.ceil(bits / 8));
  // Each pass of an interlaced image has rows of its own, each with a byte before it.
  const lengthMax = interlace === 1 ? plain + INTERLACED_PASSES * 2 * (height + width) : plain;
  try {
    const { length } = inflateSync(compressedPixels(bytes), { maxOutputLength: Math.max(lengthMax, 1) });
    return interlace === 1 ? length > 0 : length === plain;
  } catch {
    return false;
  }
};

/** Decodes a logo; null when its pixels cannot be decoded: the document is complete without it. */
export const decode = (text: string): Picture | null => {
  const read = Either.getOrNull(Logo.read(text));
  if (read === null) return null;
  const source = Buffer.from(read.bytes);
  const { format, width, height } = read;
  return format === "jpeg" || hasItsPixels(source, width, height) ? { source, width, height } : null;
};
