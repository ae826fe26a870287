/**
 * The colour profile of documents: sRGB (IEC 61966-2-1), as PDF/A requires where colours are those of a device. Written here,
 * because a host that bundles the PDF library has none of its files.
 */

/** A number in parts of 65,536, as the profile states numbers. */
const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(Math.round(value * 65_536));
  return bytes;
};

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const element = (type: string, ...parts: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([Buffer.from(type, "latin1"), uint32(0), ...parts]);

const numbers = (values: ReadonlyArray<number>): Buffer => Buffer.concat(values.map(fixed));

/** A text in one language. */
const text = (words: string): Buffer => {
  const units = Buffer.from(words, "utf16le").swap16();
  return element("mluc", uint32(1), uint32(12), Buffer.from("enUS"), uint32(units.length), uint32(28), units);
};

/** The white of the profile connection space, D50. */
const WHITE = [0.9642, 1, 0.8249];

/** The curve of sRGB as a function of type 3: exponent, then the coefficients a to d. */
const CURVE = element(
  "para",
  Buffer.from([0, 3, 0, 0]),
  numbers([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]),
);

/** The elements of the profile, with the colours of the primaries adapted from D65 to D50. */
const ELEMENTS: ReadonlyArray<readonly [tag: string, data: Buffer]> = [
  ["desc", text("sRGB IEC61966-2.1")],
  ["cprt", text("No copyright")],
  ["wtpt", element("XYZ ", numbers(WHITE))],
  [
    "chad",
    element(
      "sf32",
      numbers([
        ...[1.0478112, 0.0228866, -0.050127],
        ...[0.0295424, 0.9904844, -0.0170491],
        ...[-0.0092345, 0.0150436, 0.7521316],
      ]),
    ),
  ],
  ["rXYZ", element("XYZ ", numbers([0.4360747, 0.2225045, 0.0139322]))],
  ["gXYZ", element("XYZ ", numbers([0.3850649, 0.7168786, 0.0971045]))],
  ["bXYZ", element("XYZ ", numbers([0.1430804, 0.0606169, 0.7141733]))],
  ["rTRC", CURVE],
  ["gTRC", CURVE],
  ["bTRC", CURVE],
];

const HEADER_LENGTH = 128;

/** The header without the length of the profile. */
const header = (): Buffer => {
  const bytes = Buffer.alloc(HEADER_LENGTH);
  bytes.writeUInt32BE(0x0420_0000, 8);
  bytes.write("mntrRGB XYZ ", 12, "latin1");
  // The day that it was made on, as six numbers; any day is right.
  for (const [index, part] of [2026, 1, 1].entries()) bytes.writeUInt16BE(part, 24 + 2 * index);
  bytes.write("acsp", 36, "latin1");
  numbers(WHITE).copy(bytes, 68);
  return bytes;
};

const padded = (data: Buffer): Buffer => Buffer.concat([data, Buffer.alloc(-data.length & 3)]);

const make = (): Uint8Array => {
  const table: Array<Buffer> = [uint32(ELEMENTS.length)];
  const parts: Array<Buffer> = [];
  let offset = HEADER_LENGTH + 4 + 12 * ELEMENTS.length;
  const places = new Map<Buffer, number>();
  for (const [tag, data] of ELEMENTS) {
    const place = places.get(data) ?? offset;
    if (place === offset) {
      places.set(data, place);
      parts.push(padded(data));
      offset += padded(data).length;
    }
    table.push(Buffer.from(tag, "latin1"), uint32(place), uint32(data.length));
  }
  const bytes = Buffer.concat([header(), ...table, ...parts]);
  bytes.writeUInt32BE(bytes.length, 0);
  return bytes;
};

/** The profile as bytes of an ICC file of version 4.2. */
export const SRGB: Uint8Array = make();
