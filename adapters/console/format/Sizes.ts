/** Sizes of files, as people read them. */
import { lazily, locale } from "../words/Language.ts";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;

const formats = lazily(() =>
  UNITS.map((unit) => new Intl.NumberFormat(locale(), { style: "unit", unit, maximumSignificantDigits: 2 })),
);

/** A number of bytes in words: `340 byte`, `12 kB`, `1.4 MB`. */
export const sizeWords = (bytes: number): string => {
  const power = bytes < 1_000 ? 0 : bytes < 1_000_000 ? 1 : 2;
  return formats()[power]?.format(bytes / 1_000 ** power) ?? "";
};
