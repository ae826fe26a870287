/** The versions of pain.001 in which files are written, and all in which they differ. */

interface Difference {
  /** The element of a BIC, and which BICs it takes. */
  readonly bic: { readonly name: string; readonly pattern: RegExp };
  /** The elements around the execution date. */
  readonly executionDate: ReadonlyArray<string>;
}

const DIFFERENCES = {
  "pain.001.001.03": {
    bic: { name: "BIC", pattern: /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/ },
    executionDate: ["ReqdExctnDt"],
  },
  "pain.001.001.09": {
    bic: { name: "BICFI", pattern: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/ },
    executionDate: ["ReqdExctnDt", "Dt"],
  },
} satisfies Readonly<Record<string, Difference>>;

/** A version of pain.001, by the name of its message. */
export type Format = keyof typeof DIFFERENCES;

/** Every version that can be written, the oldest first. */
export const FORMATS = Object.keys(DIFFERENCES) as ReadonlyArray<Format>;

/** That of files which do not state theirs. */
export const DEFAULT: Format = "pain.001.001.09";

/** True for the name of a version that can be written. */
export const isFormat = (name: unknown): name is Format => FORMATS.some((format) => format === name);

/** What is particular to a version. */
export const differenceOf = (format: Format): Difference => DIFFERENCES[format];
