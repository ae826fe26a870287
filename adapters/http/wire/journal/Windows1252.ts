/** Text in Windows-1252, in which DATEV reads files. */

/** The characters of the encoding, and their bytes. */
const BYTES: ReadonlyMap<string, number> = new Map(
  Array.from(new TextDecoder("windows-1252").decode(Uint8Array.from({ length: 256 }, (_, byte) => byte)))
    .map((character, byte) => [character, byte] as const)
    .filter(([character]) => character !== "\ufffd"),
);

/** Letters that neither the encoding has nor a decomposition of Unicode. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ Ł: "L", ł: "l", Đ: "D", đ: "d", Ħ: "H", ħ: "h", ı: "i", Ŋ: "N", ŋ: "n", Ŧ: "T", ŧ: "t", ſ: "s" },
};

const written = (character: string): string => {
  if (BYTES.has(character)) return character;
  const known = LETTERS[character];
  if (known !== undefined) return known;
  const bases = Array.from(character.normalize("NFKD")).filter((part) => BYTES.has(part));
  return bases.length === 0 ? "?" : bases.join("");
};

/** The text in characters of the encoding: accents that it lacks are dropped, any other character becomes a question mark. */
export const inWindows1252 = (text: string): string =>
  Array.from(text.normalize("NFC").replaceAll(/\p{M}/gu, ""), written).join("");

/** The bytes of a text in characters of the encoding. */
export const windows1252 = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => {
    const byte = BYTES.get(character);
    if (byte === undefined) throw new Error(`Windows-1252 has no ${character}`);
    return byte;
  });
