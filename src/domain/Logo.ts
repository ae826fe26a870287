/** Logos: PNG and JPEG images in base64, checked by their structure and without decoding any pixel. */
import { Either, Encoding, Schema } from "effect";
import { LOGO_BYTES_MAX, LOGO_SIDE_MAX } from "./Limits.ts";

/** The format, and the size in pixels. */
export interface ImageFacts {
  readonly format: "png" | "jpeg";
  readonly width: number;
  readonly height: number;
}

const NO_IMAGE = "must be a PNG or JPEG image in base64";
const BROKEN_PNG = "is a PNG image that is incomplete or damaged";
const BROKEN_JPEG = "is a JPEG image that is incomplete or damaged";

type Outcome = Either.Either<ImageFacts, string>;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, start) => {
  let value = start;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** The checksum of a PNG chunk: CRC-32 as in ISO 3309. */
const crc = (bytes: Uint8Array): number => {
  let value = 0xffffffff;
  for (const byte of bytes) value = (CRC_TABLE[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};

interface Chunk {
  readonly type: string;
  readonly data: DataView;
}

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** The chunks up to the end of the image; null when one is cut off or differs from its checksum. */
const chunksOf = (bytes: Uint8Array): ReadonlyArray<Chunk> | null => {
  const view = viewOf(bytes);
  const chunks: Array<Chunk> = [];
  for (let offset = SIGNATURE.length; offset + 12 <= bytes.length; ) {
    const end = offset + 8 + view.getUint32(offset);
    if (end + 4 > bytes.length || crc(bytes.subarray(offset + 4, end)) !== view.getUint32(end)) return null;
    const type = String.fromCharCode(...bytes.subarray(offset + 4, offset + 8));
    chunks.push({ type, data: viewOf(bytes.subarray(offset + 8, end)) });
    if (type === "IEND") return chunks;
    offset = end + 4;
  }
  return null;
};

/** The bit depths that each colour type of PNG allows. */
const BIT_DEPTHS: Readonly<Record<number, ReadonlyArray<number>>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PALETTE = 3;

const png = (bytes: Uint8Array): Outcome => {
  const chunks = chunksOf(bytes);
  const header = chunks?.[0];
  if (chunks == null || header?.type !== "IHDR" || header.data.byteLength !== 13)
    return Either.left(BROKEN_PNG);
  const { data } = header;
  const colorType = data.getUint8(9);
  const has = (type: string): boolean => chunks.some((chunk) => chunk.type === type);
  const isValid =
    (BIT_DEPTHS[colorType]?.includes(data.getUint8(8)) ?? false) &&
    data.getUint16(10) === 0 &&
    data.getUint8(12) <= 1 &&
    has("IDAT") &&
    (colorType !== PALETTE || has("PLTE"));
  if (!isValid) return Either.left(BROKEN_PNG);
  return Either.right({ format: "png", width: data.getUint32(0), height: data.getUint32(4) });
};

/** The frame headers of baseline, extended and progressive JPEG, which viewers of PDF decode. */
const FRAMES: ReadonlyArray<number> = [0xc0, 0xc1, 0xc2];
const OTHER_FRAMES: ReadonlyArray<number> = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

/** The size in the frame header, or why there is none that documents can show. */
const frameOf = (view: DataView, offset: number): Outcome => {
  if (offset + 10 > view.byteLength) return Either.left(BROKEN_JPEG);
  const components = view.getUint8(offset + 9);
  if (view.getUint8(offset + 4) !== 8 || (components !== 1 && components !== 3))
    return Either.left("must be a grey or RGB JPEG image with 8 bits a component");
  return Either.right({
    format: "jpeg",
    width: view.getUint16(offset + 7),
    height: view.getUint16(offset + 5),
  });
};

const jpeg = (bytes: Uint8Array): Outcome => {
  const view = viewOf(bytes);
  const isEnded = bytes[bytes.length - 2] === 0xff && bytes[bytes.length - 1] === 0xd9;
  for (let offset = 2; isEnded && offset + 4 <= bytes.length; ) {
    const marker = bytes[offset + 1] ?? 0;
    if (bytes[offset] !== 0xff) break;
    if (FRAMES.includes(marker)) return frameOf(view, offset);
    if (OTHER_FRAMES.includes(marker)) return Either.left("must be a baseline or progressive JPEG image");
    offset += marker === 0xff ? 1 : 2 + view.getUint16(offset + 2);
  }
  return Either.left(BROKEN_JPEG);
};

const startsWith = (bytes: Uint8Array, start: ReadonlyArray<number>): boolean =>
  start.every((byte, index) => bytes[index] === byte);

const factsOf = (bytes: Uint8Array): Outcome =>
  startsWith(bytes, SIGNATURE)
    ? png(bytes)
    : startsWith(bytes, [0xff, 0xd8, 0xff])
      ? jpeg(bytes)
      : Either.left(NO_IMAGE);

/** The longest text that holds an image of the largest size. */
const TEXT_MAX = 4 * Math.ceil(LOGO_BYTES_MAX / 3);

/** Reads an image: its facts and bytes, or what is wrong with it, to be read after the name of its field. */
export const read = (text: string): Either.Either<ImageFacts & { readonly bytes: Uint8Array }, string> => {
  if (text.length > TEXT_MAX) return Either.left(`must have at most ${LOGO_BYTES_MAX} bytes`);
  const decoded = Encoding.decodeBase64(text);
  if (Either.isLeft(decoded)) return Either.left(NO_IMAGE);
  const bytes = decoded.right;
  return Either.flatMap(factsOf(bytes), (facts) =>
    [facts.width, facts.height].some((side) => side < 1 || side > LOGO_SIDE_MAX)
      ? Either.left(`must be 1 to ${LOGO_SIDE_MAX} pixels wide and high`)
      : Either.right({ ...facts, bytes }),
  );
};

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** A logo in base64: a complete PNG or JPEG image of limited size. */
export const Logo = Schema.String.pipe(
  Schema.filter((text) => Either.match(read(text), { onLeft: (problem) => problem, onRight: () => true }), {
    // Random letters are no image; this one has one pixel.
    arbitrary: () => (fc) => fc.constant(PIXEL),
    jsonSchema: {
      contentEncoding: "base64",
      maxLength: TEXT_MAX,
      description: `A PNG or JPEG image of at most ${LOGO_BYTES_MAX} bytes, at most ${LOGO_SIDE_MAX} pixels wide and high.`,
    },
  }),
);
