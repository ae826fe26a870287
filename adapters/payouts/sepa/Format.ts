/** The formats of pain.001 in which files are written, and all in which they differ. */
import { Iban } from "quittance";

/** The clearing system of a country, which identifies banks by a part of their IBANs. */
interface Clearing {
  /** The code of the external code set of ISO 20022. */
  readonly code: "CHBCC" | "GBDSC";
  readonly memberOf: (iban: string) => string;
}

interface Difference {
  /** The message of ISO 20022. */
  readonly message: "pain.001.001.03" | "pain.001.001.09";
  /** The element of a BIC, and which BICs it takes. */
  readonly bic: { readonly name: string; readonly pattern: RegExp };
  /** The elements around the execution date. */
  readonly executionDate: ReadonlyArray<string>;
  /** The country whose domestic payments it states beside or instead of SEPA; null for SEPA alone. */
  readonly clearing: Clearing | null;
  /** The code of the service level and that of who bears charges, in a currency; null for none. */
  readonly service: (currency: string) => readonly [level: string | null, chargeBearer: string | null];
  /** True if addresses of the payer and, where known, of payees are stated; else that of the payer is where a bank demands it. */
  readonly isAddressed: boolean;
}

/** The customer-to-bank guidelines of SEPA. */
const SEPA = ["SEPA", "SLEV"] as const;

const OLD = {
  message: "pain.001.001.03",
  bic: { name: "BIC", pattern: /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/ },
  executionDate: ["ReqdExctnDt"],
  clearing: null,
  service: () => SEPA,
  isAddressed: false,
} satisfies Difference;

const NEW = {
  ...OLD,
  message: "pain.001.001.09",
  bic: { name: "BICFI", pattern: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ },
  executionDate: ["ReqdExctnDt", "Dt"],
} satisfies Difference;

const DIFFERENCES = {
  "pain.001.001.03": OLD,
  "pain.001.001.09": NEW,
  /** Swiss Payment Standards: payments in francs have no service level, and banks are known by their institution's id. */
  "pain.001.001.09.ch.03": {
    ...NEW,
    clearing: { code: "CHBCC", memberOf: (iban) => Iban.compact(iban).slice(4, 9) },
    service: (currency) => (currency === "EUR" ? SEPA : [null, null]),
    isAddressed: true,
  },
  /** Faster Payments; banks are known by their sort codes. The name is ours: the message is that of ISO 20022. */
  "pain.001.001.09.gb": {
    ...NEW,
    clearing: { code: "GBDSC", memberOf: (iban) => Iban.compact(iban).slice(8, 14) },
    service: () => ["URNS", "SHAR"],
  },
} satisfies Readonly<Record<string, Difference>>;

/** A format of pain.001, by its name. */
export type Format = keyof typeof DIFFERENCES;

/** The formats of SEPA alone, the oldest first. */
export const SEPA_FORMATS = ["pain.001.001.03", "pain.001.001.09"] as const satisfies ReadonlyArray<Format>;
export type SepaFormat = (typeof SEPA_FORMATS)[number];

/** True for the name of a format of SEPA alone. */
export const isSepaFormat = (name: unknown): name is SepaFormat =>
  SEPA_FORMATS.some((format) => format === name);

/** What is particular to a format. */
export const differenceOf = (format: Format): Difference => DIFFERENCES[format];
