/** The formats of payment files and of statements in model sessions: the values themselves. */
import { Effect } from "effect";
import type { BankStatement } from "../../domain/PaymentFile.ts";
import type { PayoutType } from "../../domain/PayoutDetails.ts";
import { invalid } from "../../domain/Refusal.ts";
import type { BankFormats, FileFormat } from "../../ports/Payments.ts";
import { PAID_TYPES } from "../model/records/PayoutAccounts.ts";
import { FORMATS } from "../model/settlements/PaymentFiles.ts";

/** One byte for each character: the values have ASCII alone. */
const toBytes = (value: unknown): Uint8Array =>
  Uint8Array.from(JSON.stringify(value), (character) => character.charCodeAt(0));

const format = (
  name: string,
  types: ReadonlyArray<PayoutType>,
  payerProblem: FileFormat["payerProblem"],
): FileFormat => ({
  ...{ name, mediaType: "application/json", extension: "json", payerProblem },
  takes: types.map((type) => ({ type, currencies: "*" })),
  accountProblem: () => null,
  problem: () => null,
  parameters: () => ({}),
  write: (file, payments) => toBytes([file, payments]),
});

const ALL: ReadonlyArray<FileFormat> = [
  format(FORMATS.iban, ["iban"], () => null),
  format(
    FORMATS.other,
    PAID_TYPES.filter((type) => type !== "iban"),
    null,
  ),
];

/** The bytes of a statement. */
export const statementBytes = (statement: BankStatement): Uint8Array => toBytes(statement);

/** Payments to accounts with an IBAN in one format, all others in a second one. */
export const fileFormats: BankFormats = {
  formats: ALL,
  formatOf: (name) => ALL.find((one) => one.name === name) ?? null,
  read: (bytes) => {
    const statement: BankStatement = JSON.parse(String.fromCharCode(...bytes));
    return statement.accounts.length === 0
      ? Effect.fail(invalid("file", "must be a statement"))
      : Effect.succeed(statement);
  },
};
