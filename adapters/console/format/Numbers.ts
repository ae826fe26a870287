/** Typed numbers and the numbers of a formula, exactly: nothing passes through arithmetic of floating point. */
import { decimalOf, formatUnits } from "quittance/formula";

/** The most digits of a number in a formula. */
const DIGITS_MAX = 15;

/** A typed number times 10^`shift`; a text says why it is none. */
export const readNumber = (text: string, shift = 0): number | { readonly problem: string } => {
  const trimmed = text.trim();
  if (trimmed === "") return { problem: "is missing" };
  if (/^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(trimmed))
    return { problem: "is written without a comma between thousands" };
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:[.,](\d+))?$/.exec(trimmed) ?? [];
  if (whole === "") return { problem: "must be a number, such as 12.5" };
  const decimals = fraction.length - shift;
  const digits = `${whole}${fraction}${"0".repeat(Math.max(0, -decimals))}`;
  if (digits.replace(/^0+/, "").length > DIGITS_MAX) return { problem: "has too many digits" };
  return Number(`${sign}${formatUnits(BigInt(digits), Math.max(0, decimals))}`) + 0;
};

/** A number of a formula divided by 10^`shift`, as a person writes it; money has all its decimals, or none. */
export const writeNumber = (value: number, shift = 0, moneyDecimals = 0): string => {
  const decimal = decimalOf(value);
  if (decimal._tag === "Left") return String(value);
  const { coefficient, decimals } = decimal.right;
  const [whole = "", fraction = ""] = formatUnits(coefficient, decimals + shift).split(".");
  const used = fraction.replace(/0+$/, "");
  return used === "" ? whole : `${whole}.${used.padEnd(moneyDecimals, "0")}`;
};
