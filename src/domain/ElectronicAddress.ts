/**
 * Electronic addresses of e-invoices: an identifier under a scheme of the list "Electronic Address Scheme" (EAS) as Peppol
 * uses it, written `0088:7300010000001`.
 */
import { Either, Schema } from "effect";
import { compact, type Registration, vatNumberOf } from "./VatNumber.ts";

/** An address that has the form of its scheme. */
export interface Endpoint {
  readonly scheme: string;
  readonly identifier: string;
}

/** Why a text is no electronic address, with the rule that it breaks. */
export interface AddressProblem {
  readonly rule: string;
  readonly message: string;
}

/** The schemes of the Peppol code list of May 2026. */
const SCHEMES: ReadonlySet<string> = new Set(
  (
    "0002 0007 0009 0060 0088 0096 0097 0106 0130 0135 0142 0151 0183 0184 0188 0190 0191 0192 0195 0196 0198 0199 0200 " +
    "0201 0204 0208 0209 0210 0211 0216 0218 0221 0225 0230 0235 0240 0242 0244 0245 0246 0248 9910 9913 9914 9915 9918 " +
    "9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932 9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 " +
    "9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959"
  ).split(" "),
);

const digitsOf = (text: string): ReadonlyArray<number> => [...text].map(Number);

const weightedSum = (digits: ReadonlyArray<number>, weights: ReadonlyArray<number>): number =>
  digits.reduce((sum, digit, index) => sum + digit * (weights[index] ?? 0), 0);

/** True if the last digit checks the others by GS1's sum: from the right, weights 3 and 1 in turn. */
const isGln = (text: string): boolean => {
  if (!/^[0-9]{2,}$/.test(text)) return false;
  const sum = digitsOf(text)
    .toReversed()
    .reduce((total, digit, index) => total + digit * (index % 2 === 0 ? 1 : 3), 0);
  return sum % 10 === 0;
};

/** True if the last digit checks the others by Luhn's sum. */
const isLuhn = (text: string): boolean => {
  const sum = digitsOf(text)
    .toReversed()
    .reduce((total, digit, index) => {
      const value = index % 2 === 0 ? digit : digit * 2;
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
};

const isNorwegian = (text: string): boolean => {
  if (!/^[0-9]{9}$/.test(text) || Number(text) === 0) return false;
  const digits = digitsOf(text);
  return (11 - (weightedSum(digits, [3, 2, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === digits[8];
};

const isBelgian = (text: string): boolean =>
  /^[0-9]{10}$/.test(text) && 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8));

const isAustralian = (text: string): boolean => {
  if (!/^[0-9]{11}$/.test(text)) return false;
  const [first = 0, ...others] = digitsOf(text);
  return weightedSum([first - 1, ...others], [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19]) % 89 === 0;
};

const isItalianVat = (text: string): boolean =>
  !/^it/i.test(text) || (/^[0-9]{11}$/.test(text.slice(2)) && isLuhn(text.slice(2)));

const ITALIAN_TAX_CODE = /^([A-Za-z]{6}[0-9]{2}[A-Za-z][0-9]{2}.{3}[0-9][A-Za-z]|[0-9]{11})$/;

const matches = (form: RegExp) => (text: string) => form.test(text);

interface Check {
  readonly rule: string;
  readonly holds: (identifier: string) => boolean;
  readonly form: string;
}

const check = (rule: string, form: string, holds: Check["holds"]): Check => ({ rule, form, holds });

const DANISH = matches(/^DK[0-9]{8}$/);

/** What an identifier must be under some of the schemes; under the others it is any text. */
const CHECKS: Readonly<Record<string, Check>> = {
  "0007": check(
    "PEPPOL-COMMON-R049",
    "a Swedish organisation number of 10 digits",
    (text) => /^[0-9]{10}$/.test(text) && isLuhn(text),
  ),
  "0088": check("PEPPOL-COMMON-R040", "a GLN with its check digit", isGln),
  "0096": check("PEPPOL-COMMON-R052", "a Danish P number of 10 digits", matches(/^[0-9]{10}$/)),
  "0106": check("PEPPOL-COMMON-R054", "a Dutch KVK number of 8 digits", matches(/^[0-9]{8}$/)),
  "0151": check("PEPPOL-COMMON-R050", "an Australian business number with its check digits", isAustralian),
  "0184": check("PEPPOL-COMMON-R042", "DK and the 8 digits of a CVR number", DANISH),
  "0190": check("PEPPOL-COMMON-R055", "a Dutch OIN of 20 digits", matches(/^[0-9]{20}$/)),
  "0192": check(
    "PEPPOL-COMMON-R041",
    "a Norwegian organisation number of 9 digits with its check digit",
    isNorwegian,
  ),
  "0198": check("PEPPOL-COMMON-R053", "DK and the 8 digits of a Danish SE number", DANISH),
  "0201": check(
    "PEPPOL-COMMON-R044",
    "an Italian IPA code of 6 letters and digits",
    matches(/^[A-Za-z0-9]{6}$/),
  ),
  "0208": check(
    "PEPPOL-COMMON-R043",
    "a Belgian enterprise number of 10 digits with its check digits",
    isBelgian,
  ),
  "0210": check("PEPPOL-COMMON-R045", "an Italian tax code", matches(ITALIAN_TAX_CODE)),
  "0211": check(
    "PEPPOL-COMMON-R047",
    "IT and the 11 digits of an Italian VAT number with its check digit",
    isItalianVat,
  ),
  "0217": check("PEPPOL-COMMON-R057", "a Dutch establishment number of 12 digits", matches(/^[0-9]{12}$/)),
  "9944": check(
    "PEPPOL-COMMON-R056-1",
    "a Dutch VAT number such as NL123456789B01",
    matches(/^NL[0-9]{9}B[0-9]{2}$/),
  ),
};

/** Why an identifier has not the form of its scheme, or null. */
export const identifierProblem = (scheme: string, identifier: string): AddressProblem | null => {
  const wanted = CHECKS[scheme];
  return wanted === undefined || wanted.holds(identifier)
    ? null
    : { rule: wanted.rule, message: `the identifier must be ${wanted.form}` };
};

const ADDRESS = /^([0-9]{4}):(\S+)$/;

/** The address that a text states, or why it states none. */
export const parse = (text: string): Either.Either<Endpoint, AddressProblem> => {
  const [, scheme = "", identifier = ""] = ADDRESS.exec(text) ?? [];
  if (scheme === "") {
    const message = "must be a scheme and an identifier, such as 0088:7300010000001";
    return Either.left({ rule: "PEPPOL-EN16931-CL008", message });
  }
  if (!SCHEMES.has(scheme)) {
    const message = `${scheme} is not a scheme of the Peppol list of electronic addresses`;
    return Either.left({ rule: "PEPPOL-EN16931-CL008", message });
  }
  const problem = identifierProblem(scheme, identifier);
  return problem === null ? Either.right({ scheme, identifier }) : Either.left(problem);
};

/** The text of an electronic address. */
export const ElectronicAddress = Schema.String.pipe(
  Schema.filter(
    (text) => Either.match(parse(text), { onLeft: ({ message }) => message, onRight: () => true }),
    {
      arbitrary: () => (fc) => fc.constantFrom("0088:7300010000001", "9930:DE123456789"),
      jsonSchema: {
        pattern: ADDRESS.source,
        description:
          "An electronic address: a scheme of the Peppol list and an identifier, such as 0088:7300010000001.",
      },
    },
  ),
);

/** Schemes whose identifiers are VAT numbers, by the prefix of the numbers. */
const VAT_SCHEMES: Readonly<Record<string, string>> = {
  AD: "9922",
  AL: "9923",
  AT: "9914",
  BA: "9924",
  BE: "9925",
  BG: "9926",
  CH: "9927",
  CY: "9928",
  CZ: "9929",
  DE: "9930",
  DK: "0184",
  EE: "9931",
  EL: "9933",
  ES: "9920",
  FR: "9957",
  GB: "9932",
  GR: "9933",
  HR: "9934",
  HU: "9910",
  IE: "9935",
  IT: "0211",
  LI: "9936",
  LT: "9937",
  LU: "9938",
  LV: "9939",
  MC: "9940",
  ME: "9941",
  MK: "9942",
  MT: "9943",
  NL: "9944",
  PL: "9945",
  PT: "9946",
  RO: "9947",
  RS: "9948",
  SI: "9949",
  SK: "9950",
  SM: "9951",
  TR: "9952",
  VA: "9953",
};

/** The address that a party states, else the one that follows from its VAT number; null where none follows. */
export const addressOf = (party: Registration & { readonly electronicAddress?: string }): string | null => {
  const number = vatNumberOf(party);
  return party.electronicAddress ?? (number === null ? null : fromVatNumber(number));
};

/**
 * The address of a business that has stated none: its VAT number, or the registration number that the VAT number contains,
 * under the scheme of the number's country. Null for countries without such a scheme.
 */
export const fromVatNumber = (vatNumber: string): string | null => {
  const number = compact(vatNumber);
  const country = number.slice(0, 2);
  const digits = number.replace(/[^0-9]/g, "");
  switch (country) {
    case "NO":
      return `0192:${digits}`;
    case "SE":
      return `0007:${digits.slice(0, 10)}`;
    case "FI":
      return `0216:0037${digits}`;
    default: {
      const scheme = VAT_SCHEMES[country];
      return scheme === undefined ? null : `${scheme}:${number}`;
    }
  }
};
