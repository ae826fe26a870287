/** Text in the characters that banks of the SEPA area exchange: Latin letters, digits, `/ - ? : ( ) . , ' +` and space. */

const ALLOWED = /^[A-Za-z0-9/\-?:().,'+ ]$/;

/** Letters that do not decompose into a base letter and marks, as the conversion table of the payments council has them. */
const LETTERS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "ßs ÆAE æae ØO øo ŒOE œoe ÐD ðd ÞTH þth ŁL łl ĐD đd ĦH ħh ıi ĸk ŊN ŋn ŦT ŧt ſs &+ _- @(at)",
    // Greek
    "ΑA ΒV ΓG ΔD ΕE ΖZ ΗI ΘTH ΙI ΚK ΛL ΜM ΝN ΞX ΟO ΠP ΡR ΣS ΤT ΥY ΦF ΧCH ΨPS ΩO",
    "αa βv γg δd εe ζz ηi θth ιi κk λl μm νn ξx οo πp ρr σs ςs τt υy φf χch ψps ωo",
    // Cyrillic
    "АA БB ВV ГG ДD ЕE ЖZH ЗZ ИI ЙY КK ЛL МM НN ОO ПP РR СS ТT УU ФF ХH ЦTS ЧCH ШSH ЩSHT ЪA ЫY ЬY ЭE ЮYU ЯYA ІI ЇI ЄE ҐG",
    "аa бb вv гg дd еe жzh зz иi йy кk лl мm нn оo пp рr сs тt уu фf хh цts чch шsh щsht ъa ыy ьy эe юyu яya іi їi єe ґg",
  ].flatMap((line) => line.split(" ").map((pair) => [pair.slice(0, 1), pair.slice(1)])),
);

const MARK = /\p{M}/u;

const characterOf = (character: string): string => {
  if (ALLOWED.test(character)) return character;
  const known = LETTERS[character];
  if (known !== undefined) return known;
  if (/\s/u.test(character)) return " ";
  const bases = [...character.normalize("NFKD")].filter((part) => !MARK.test(part));
  if (bases.length === 0) return "";
  return bases.length === 1 && bases[0] === character
    ? "."
    : bases.map((base) => (base === character ? "." : characterOf(base))).join("");
};

/**
 * The text in the allowed characters and at most `maximum` of them: accents are dropped, Greek and Cyrillic are written in
 * Latin letters, any other character becomes a full stop. It neither starts nor ends with `/` and has no `//`.
 */
export const sepaText = (text: string, maximum: number): string => {
  const written = [...text.normalize("NFC")].map(characterOf).join("");
  const plain = written
    .replace(/\s+/g, " ")
    .replace(/\/{2,}/g, "/")
    .replace(/^[/ ]+/, "");
  const cut = plain.slice(0, maximum).replace(/[/ ]+$/, "");
  return cut === "" ? "." : cut;
};

/** True if a name is there in the allowed characters: by its Latin letters, or by its digits if it had no other letters. */
const isWritten = (name: string): boolean => {
  const written = sepaText(name, name.length);
  return /[A-Za-z]/.test(written) || (/[0-9]/.test(written) && !/\p{L}/u.test(name));
};

/** Why a name cannot be written in the allowed characters, and what to do; or null. */
export const nameProblem = (name: string, field = "beneficiary_name"): string | null =>
  isWritten(name)
    ? null
    : `banks exchange names in Latin letters, and ${field} has none: write it as the bank of the account does, in Latin letters`;
