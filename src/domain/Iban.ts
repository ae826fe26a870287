/** Account numbers (IBAN, ISO 13616) and identifiers of banks (BIC, ISO 9362; routing numbers of the United States). */

/**
 * What follows the check digits, by country, as the registry of ISO 13616 writes it: `n` digits, `a` letters, `c` either.
 * A country that is not here has the general form.
 */
const STRUCTURES: Readonly<Record<string, string>> = {
  AD: "n8c12",
  AE: "n19",
  AL: "n8c16",
  AT: "n16",
  AZ: "a4c20",
  BA: "n16",
  BE: "n12",
  BG: "a4n6c8",
  BH: "a4c14",
  BR: "n23a1c1",
  BY: "c4n4c16",
  CH: "n5c12",
  CR: "n18",
  CY: "n8c16",
  CZ: "n20",
  DE: "n18",
  DK: "n14",
  DO: "c4n20",
  EE: "n16",
  EG: "n25",
  ES: "n20",
  FI: "n14",
  FO: "n14",
  FR: "n10c11n2",
  GB: "a4n14",
  GE: "c2n16",
  GI: "a4c15",
  GL: "n14",
  GR: "n7c16",
  GT: "c24",
  HR: "n17",
  HU: "n24",
  IE: "c4n14",
  IL: "n19",
  IQ: "a4n15",
  IS: "n22",
  IT: "a1n10c12",
  JO: "a4n4c18",
  KW: "a4c22",
  KZ: "n3c13",
  LB: "n4c20",
  LC: "a4c24",
  LI: "n5c12",
  LT: "n16",
  LU: "n3c13",
  LV: "a4c13",
  LY: "n21",
  MC: "n10c11n2",
  MD: "c20",
  ME: "n18",
  MK: "n3c10n2",
  MN: "n16",
  MR: "n23",
  MT: "a4n5c18",
  MU: "a4n19a3",
  NI: "a4n20",
  NL: "a4n10",
  NO: "n11",
  OM: "n3c16",
  PK: "c20",
  PL: "n24",
  PS: "c25",
  PT: "n21",
  QA: "a4c21",
  RO: "a4c16",
  RS: "n18",
  RU: "n14c15",
  SA: "n2c18",
  SC: "a4n20a3",
  SD: "n14",
  SE: "n20",
  SI: "n15",
  SK: "n20",
  SM: "a1n10c12",
  SO: "n19",
  ST: "n21",
  SV: "a4n20",
  TL: "n19",
  TN: "n20",
  TR: "n5c17",
  UA: "n6c19",
  VA: "n18",
  VG: "c4n16",
  XK: "n16",
};

const CLASSES: Readonly<Record<string, string>> = { n: "[0-9]", a: "[A-Z]", c: "[A-Z0-9]" };

const formOf = (structure: string): RegExp =>
  new RegExp(
    `^${structure.replace(/([nac])(\d+)/g, (_all, kind: string, length: string) => `${CLASSES[kind]}{${length}}`)}$`,
  );

const GENERAL = /^[A-Z0-9]{11,30}$/;
const FORMS: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(STRUCTURES).map(([country, structure]) => [country, formOf(structure)]),
);

/** An IBAN or BIC as banks exchange it: without spaces, in upper case. */
export const compact = (text: string): string => text.replaceAll(" ", "").toUpperCase();

/** True if an account number has the form that its country prescribes and the check digits (modulo 97); spaces are ignored. */
export const isIban = (text: string): boolean => {
  const iban = compact(text);
  if (!/^[A-Z]{2}\d{2}/.test(iban)) return false;
  if (!(FORMS.get(iban.slice(0, 2)) ?? GENERAL).test(iban.slice(4))) return false;
  let remainder = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
};

const BIC = /^[A-Z]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

/** True if a bank identifier has the form of one: 8 or 11 letters and digits; spaces are ignored. */
export const isBic = (text: string): boolean => BIC.test(compact(text));

/** Territories whose banks have BICs of their own but IBANs of the country named; ISO 13616 allows both. */
const TERRITORIES: Readonly<Record<string, ReadonlyArray<string>>> = {
  FR: ["GF", "GP", "MQ", "RE", "PF", "TF", "YT", "NC", "BL", "MF", "PM", "WF"],
  GB: ["IM", "JE", "GG"],
  FI: ["AX"],
};

/** Why a payout to a bank account would fail, as text, or null when no problem is known. Without a BIC the IBAN alone is checked. */
export const accountProblem = (account: {
  readonly iban: string;
  readonly bic: string | null;
}): string | null => {
  if (!isIban(account.iban)) return "the IBAN is not valid: its form or its check digits are wrong";
  if (account.bic === null) return null;
  if (!isBic(account.bic)) return "the BIC does not have the form of a BIC";
  const country = compact(account.iban).slice(0, 2);
  const bankCountry = compact(account.bic).slice(4, 6);
  return bankCountry === country || (TERRITORIES[country] ?? []).includes(bankCountry)
    ? null
    : `the BIC belongs to ${bankCountry}, the IBAN to ${country}`;
};

/** The routing number of a bank of the United States: nine digits, whose weighted sum is a multiple of ten (ABA). */
export const isRoutingNumber = (value: string): boolean => {
  if (!/^[0-9]{9}$/.test(value) || value === "000000000") return false;
  const sum = [...value].reduce(
    (total, digit, place) => total + Number(digit) * ([3, 7, 1][place % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
};
