import { Either } from "effect";
import { Limits, Logo } from "quittance";
import { describe, expect, it } from "vitest";
import { JPEG, png } from "../support/images.ts";

const problemOf = (text: string): string | null => Either.getOrNull(Either.flip(Logo.read(text)));

const bytes = (text: string): Buffer => Buffer.from(text, "base64");

/** The image with one byte changed. */
const changed = (text: string, offset: number, value?: number): string => {
  const copy = bytes(text);
  copy[offset] = value ?? (copy[offset] ?? 0) ^ 1;
  return copy.toString("base64");
};

describe("a logo", () => {
  it("is a PNG or JPEG image, whose format and size are read", () => {
    expect(Either.getOrThrow(Logo.read(png()))).toMatchObject({ format: "png", width: 24, height: 12 });
    expect(Either.getOrThrow(Logo.read(JPEG))).toMatchObject({ format: "jpeg", width: 48, height: 24 });
    for (const colorType of [0, 2, 4, 6])
      expect(problemOf(png({ colorType })), `type ${colorType}`).toBeNull();
    expect(problemOf(png({ colorType: 3, palette: new Uint8Array(6) }))).toBeNull();
  });

  it("is not another kind of file, and not empty", () => {
    const svg = Buffer.from("<svg onload='alert(1)'/>").toString("base64");
    for (const text of ["", "no base64!", svg, "JVBERi0xLjc="])
      expect(problemOf(text), text).toBe("must be a PNG or JPEG image in base64");
  });

  it("is complete: every cut of either format is refused", () => {
    for (const text of [png(), JPEG]) {
      const whole = bytes(text);
      for (let length = 8; length < whole.length; length += 7)
        expect(problemOf(whole.subarray(0, length).toString("base64")), `${length} bytes`).not.toBeNull();
    }
  });

  it("is undamaged where the format has checksums", () => {
    const length = bytes(png()).length;
    // The last chunk is empty, so that its type and checksum are what can differ.
    for (let offset = 8; offset < length; offset++)
      expect(problemOf(changed(png(), offset)), `offset ${offset}`).not.toBeNull();
  });

  it("has a form that documents can show", () => {
    const damaged = "is a PNG image that is incomplete or damaged";
    expect(problemOf(png({ colorType: 5 }))).toBe(damaged);
    expect(problemOf(png({ colorType: 2, bitDepth: 4 }))).toBe(damaged);
    expect(problemOf(png({ colorType: 3 }))).toBe(damaged);
    const frame = bytes(JPEG).indexOf(Buffer.from([0xff, 0xc0]));
    expect(problemOf(changed(JPEG, frame + 1, 0xc9))).toBe("must be a baseline or progressive JPEG image");
    for (const [offset, value] of [
      [4, 12],
      [9, 4],
    ] as const)
      expect(problemOf(changed(JPEG, frame + offset, value))).toBe(
        "must be a grey or RGB JPEG image with 8 bits a component",
      );
  });

  it("has 1 to 2,000 pixels a side and at most 256 KiB", () => {
    expect(problemOf(png({ width: Limits.LOGO_SIDE_MAX, height: Limits.LOGO_SIDE_MAX }))).toBeNull();
    for (const size of [{ width: 0 }, { height: 0 }, { width: 2_001 }, { height: 0xffffffff }])
      expect(problemOf(png(size))).toBe("must be 1 to 2000 pixels wide and high");
    const filled = (length: number) => {
      // The pixels are not decoded here; data after the image is part of the file.
      const image = bytes(png());
      return Buffer.concat([image, Buffer.alloc(length - image.length)]).toString("base64");
    };
    expect(problemOf(filled(Limits.LOGO_BYTES_MAX))).toBeNull();
    expect(problemOf(filled(Limits.LOGO_BYTES_MAX + 3))).toBe("must have at most 262144 bytes");
  });
});
