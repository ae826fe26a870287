/** How numbers are written in the columns of files. They are read as decimal text, so no digit changes. */
import { Either, Schema } from "effect";
import { formatUnits } from "quittance/formula";

type Result = Either.Either<number, string>;

const FACTOR = /^\d{1,15}(\.\d{1,12})?$/;

/** How the numbers of a column are written. */
export const NumberFormat = Schema.Struct({
  /** The sign before the decimals. Where it is stated, digits may be in groups of three, with the other sign, ' or blanks between. */
  decimal: Schema.optionalWith(Schema.Literal(".", ","), { exact: true }),
  /** A sign or code before or after the number; no other one is accepted. */
  currency: Schema.optionalWith(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          (/[\p{L}\p{Sc}]/u.test(text) && !/[\d\s()+−-]/.test(text)) ||
          "must be a sign or code such as $ or EUR",
      ),
    ),
    { exact: true },
  ),
  /** What the number is multiplied by, as text: 0.01 where a column has cents and the property has euros. */
  factor: Schema.optionalWith(
    Schema.String.pipe(
      Schema.filter(
        (text) =>
          (FACTOR.test(text) && Number(text) > 0) ||
          'must be a positive decimal number as text, such as "0.01"',
      ),
    ),
    { exact: true },
  ),
});
export type NumberFormat = typeof NumberFormat.Type;

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

/** The significant digits of a decimal number in text. */
const digitsOf = (text: string): string =>
  text
    .replace(/e.*$/i, "")
    .replace(/\D/g, "")
    .replace(/^0+|0+$/g, "");

/** The number of a decimal text, unless the double that holds it has other digits. */
const exact = (text: string): Result => {
  const number = Number(text);
  return digitsOf(text) === digitsOf(String(number))
    ? Either.right(number)
    : Either.left(`has too many digits to be stored exactly: "${text}" would become ${number}`);
};

/** A number in text with a decimal point, without groups. */
export const asNumber = (text: string): Result =>
  NUMBER.test(text) ? exact(text) : Either.left(`must be a number, not "${text}"`);

/** Stands for the currency while a text is read: a character for private use. */
const CURRENCY = "\uE000";

/** A number with at most one currency, and with marks of its sign on either side of it. */
const written = (digits: string): RegExp =>
  new RegExp(
    `^(?<outer>[-+(]?) ?${CURRENCY}? ?(?<inner>[-+(]?)(?<digits>${digits}) ?(?<end>[-)]?) ?${CURRENCY}? ?(?<last>[-)]?)$`,
  );

/** Digits that are in groups of three with the same sign between them, or in none. */
const grouped = (decimal: string, separators: string): RegExp =>
  written(
    `(?:\\d{1,3}(?<separator>[${separators}])\\d{3}(?:\\k<separator>\\d{3})*|\\d+)(?:${decimal}\\d*)?|${decimal}\\d+`,
  );

const PLAIN = written("\\d+(?:\\.\\d*)?|\\.\\d+");
const GROUPED = { ".": grouped("\\.", ",'’ "), ",": grouped(",", ".'’ ") };

/** The sign of a number by the marks around it. */
const SIGNS: Readonly<Record<string, string>> = { "": "", "+": "", "-": "-", "()": "-" };

/** The product of two decimal texts. */
const times = (one: string, other: string): string => {
  const unitsOf = (text: string) => BigInt(text.replace(".", ""));
  const decimalsOf = (text: string) => text.split(".")[1]?.length ?? 0;
  return formatUnits(unitsOf(one) * unitsOf(other), decimalsOf(one) + decimalsOf(other));
};

/** The number of a cell in a format. A number of JSON has its own decimal point, and no groups and currency. */
export const asNumberIn = (
  { decimal, currency, factor = "1" }: NumberFormat,
  cell: string | number | boolean,
): Result => {
  const isText = typeof cell === "string";
  const text = String(cell)
    .trim()
    .replace(/[\u00A0\u2009\u202F]/g, " ")
    .replaceAll("−", "-");
  const form = isText && decimal !== undefined ? GROUPED[decimal] : PLAIN;
  const found = form.exec(isText && currency !== undefined ? text.replace(currency, CURRENCY) : text)?.groups;
  const sign = SIGNS[`${found?.outer}${found?.inner}${found?.end}${found?.last}`];
  if (found === undefined || sign === undefined) {
    const signs = `${decimal === undefined ? "" : ` with the decimal sign "${decimal}"`}${currency === undefined ? "" : `, with ${currency} or no currency`}`;
    return Either.left(`must be a number${signs}, not "${cell}"`);
  }
  const digits = found.digits ?? "";
  const plain =
    decimal === "," && isText
      ? digits.replace(/[^\d,]/g, "").replace(",", ".")
      : digits.replace(/[^\d.]/g, "");
  const number = `${sign}${plain}`;
  return exact(times(number, factor));
};
