/** Fonts that a host supplies, named without the PDF library. */

/** The two weights of a font family, each the bytes of a TrueType or OpenType font, which is embedded. */
export interface Fonts {
  readonly regular: Uint8Array;
  readonly bold: Uint8Array;
}
