/** Reads one commission of another system's export. */
import { Either, Schema } from "effect";
import { Currency } from "quittance";
import { asDateTime } from "../importing/Dates.ts";
import { asNumberIn } from "../importing/Numbers.ts";
import type { Row } from "../importing/Rows.ts";
import type { AmountColumn, MomentColumn, System } from "./System.ts";

type Result<A> = Either.Either<A, string>;

/** A commission as the other system states it. Amounts are in the smallest unit of the currency. */
export interface Sale {
  readonly reference: string;
  readonly partner: { readonly reference: string; readonly name: string; readonly email: string };
  readonly currency: Currency.Currency;
  readonly earned: number;
  /** What the sale was worth; null where the export does not say. */
  readonly worth: number | null;
  readonly occurredAt: string;
  readonly state: "paid" | "due" | "void";
  /** When it was paid; null unless the state is `paid`. */
  readonly paidAt: string | null;
  readonly paidReference: string;
}

const textOf = (row: Row, column: string | undefined): string => {
  const cell = column === undefined ? undefined : row.cell(column);
  return cell === undefined || cell === null || typeof cell === "object" ? "" : String(cell).trim();
};

const needed = (row: Row, column: string): Result<string> => {
  const text = textOf(row, column);
  return text === "" ? Either.left(`column ${column} is empty`) : Either.right(text);
};

/** The sign or code with which amounts of a currency are written in English. */
const signOf = (currency: string): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value ?? currency;

/** An amount in the smallest unit of the currency. */
export const asAmount = (
  { column, unit, currency }: Pick<AmountColumn, "column" | "unit"> & Pick<Sale, "currency">,
  value: string | number,
  format: Omit<Parameters<typeof asNumberIn>[0], "factor"> = {},
): Result<number> =>
  asNumberIn(
    { ...format, factor: unit === "major" ? `1${"0".repeat(Currency.decimals(currency))}` : "1" },
    value,
  ).pipe(
    Either.filterOrLeft(Number.isSafeInteger, () => `has a fraction of the smallest unit of ${currency}`),
    Either.mapLeft((problem) => `column ${column} ${problem}`),
  );

/** An amount in the smallest unit of the currency, or null where the cell is empty. */
const amountOf = (
  { column, unit, decimal }: AmountColumn,
  currency: Currency.Currency,
  row: Row,
): Result<number | null> => {
  const cell = row.cell(column);
  if (textOf(row, column) === "") return Either.right(null);
  const format = decimal === undefined ? {} : { decimal, currency: signOf(currency) };
  return asAmount({ column, unit, currency }, typeof cell === "number" ? cell : String(cell), format);
};

const momentOf = ({ column, date }: MomentColumn, row: Row): Result<string | null> => {
  const text = textOf(row, column);
  if (text === "") return Either.right(null);
  return Either.mapLeft(asDateTime(text, date), (problem) => `column ${column} ${problem}`);
};

const stateOf = ({ state: { column, ...states } }: System, row: Row): Result<Sale["state"]> => {
  const text = textOf(row, column).toLowerCase();
  const found = (["paid", "due", "void"] as const).find((state) =>
    states[state].some((word) => word.toLowerCase() === text),
  );
  return found === undefined
    ? Either.left(
        `column ${column} has "${text}", which is none of ${[...states.paid, ...states.due, ...states.void].join(", ")}`,
      )
    : Either.right(found);
};

/** The date of the payment: one that is paid has it, no other has. What is doubtful would be paid twice, or never. */
const paidAtOf = (system: System, state: Sale["state"], row: Row): Result<string | null> =>
  Either.flatMap(momentOf(system.paid_at, row), (paidAt): Result<string | null> => {
    if (state !== "paid") return Either.right(null);
    return paidAt === null
      ? Either.left(
          `column ${system.paid_at.column} is empty, and column ${system.state.column} says that it is paid`,
        )
      : Either.right(paidAt);
  });

const isCurrency = Schema.is(Currency.Currency);

/** A currency, in any case. */
export const asCurrency = (column: string, text: string): Result<Currency.Currency> => {
  const code = text.toUpperCase();
  return isCurrency(code)
    ? Either.right(code)
    : Either.left(`column ${column} must be a currency such as EUR, not "${text}"`);
};

const currencyOf = (system: System, row: Row): Result<Currency.Currency> =>
  Either.flatMap(needed(row, system.currency), (text) => asCurrency(system.currency, text));

/** The commission of a row, or what is wrong with the row. */
export const read = (system: System, row: Row): Result<Sale> => {
  if (row.problem !== null) return Either.left(row.problem);
  return Either.gen(function* () {
    const reference = yield* needed(row, system.reference);
    const partner = {
      reference: yield* needed(row, system.partner.reference),
      name: system.partner.name
        .map((column) => textOf(row, column))
        .join(" ")
        .trim(),
      email: textOf(row, system.partner.email),
    };
    if (partner.name === "") return yield* Either.left(`column ${system.partner.name.join(", ")} is empty`);
    const currency = yield* currencyOf(system, row);
    const earned = yield* amountOf(system.earned, currency, row);
    if (earned === null) return yield* Either.left(`column ${system.earned.column} is empty`);
    const occurredAt = yield* momentOf(system.occurred_at, row);
    if (occurredAt === null) return yield* Either.left(`column ${system.occurred_at.column} is empty`);
    const state = yield* stateOf(system, row);
    return {
      ...{ reference, partner, currency, earned, occurredAt, state },
      worth: system.sale === undefined ? null : yield* amountOf(system.sale, currency, row),
      paidAt: yield* paidAtOf(system, state, row),
      paidReference: textOf(row, system.paid_reference),
    };
  });
};
