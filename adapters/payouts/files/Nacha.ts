/** Payment files of the Automated Clearing House of the United States: credits in records of 94 characters. */
import { PaymentFile, type PaymentProvider, Timestamp } from "quittance";
import { nameProblem, sepaText } from "../sepa/Characters.ts";
import type { NachaOriginator } from "./FormatName.ts";

/** Characters of a record. */
export const RECORD = 94;
const RECORDS_PER_BLOCK = 10;

/** The largest amounts of an entry and of a file: ten digits, and twelve. */
const ENTRY_MAX = 9_999_999_999;
const FILE_MAX = 999_999_999_999;

/** The sums of routing numbers have ten digits. */
export const HASH_DIGITS = 10_000_000_000;

/** Credits only. */
const SERVICE_CLASS = "220";

/**
 * The two classes of entries, to companies and to persons, and the purpose that payees read. Since 2026-03-20 the rules of the network
 * prescribe the word for credits that compensate a person, commissions included.
 */
const CLASSES = [
  { code: "CCD", description: "COMMISSION", isOf: (type: string | undefined) => type !== "person" },
  { code: "PPD", description: "PAYROLL", isOf: (type: string | undefined) => type === "person" },
] as const;

/** How an account is credited, by its type. */
const TRANSACTION_CODES: Readonly<Record<string, string>> = { checking: "22", savings: "32" };

const MODIFIERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/** A text at the left of a field. */
const left = (text: string, length: number): string => {
  if (text.length > length) throw new Error(`a field of a NACHA file has ${length} characters: ${text}`);
  return text.padEnd(length);
};

/** A number at the right of a field, with zeros before it. */
const digits = (value: number | string, length: number): string => {
  const text = String(value);
  if (text.length > length) throw new Error(`a field of a NACHA file has ${length} digits: ${text}`);
  return text.padStart(length, "0");
};

/** A text in the characters of the format, as much of it as the field takes. */
const words = (text: string, length: number): string => left(sepaText(text, length), length);

const record = (...fields: ReadonlyArray<string>): string => {
  const text = fields.join("");
  if (text.length !== RECORD) throw new Error(`a record of a NACHA file has ${text.length} characters`);
  return text;
};

/** Who pays, as a file states it. */
interface Originator {
  readonly name: string;
  readonly companyId: string;
  /** The routing number of its bank: eight digits, and a check digit. */
  readonly bank: string;
}

const originatorOf = ({ parameters }: PaymentFile.PaymentFile): Originator => {
  const { company_name: name, company_id: companyId, bank } = parameters ?? {};
  if (name === undefined || companyId === undefined || bank === undefined)
    throw new Error("a NACHA file has no originator");
  return { name, companyId, bank };
};

/** A payment as an entry, with its number in the file. */
interface Entry {
  readonly payment: PaymentFile.FilePayment;
  readonly number: number;
}

/** What control records state of entries. */
interface Totals {
  /** Entries and their addenda. */
  readonly count: number;
  /** The sum of the banks' routing numbers without their check digits. */
  readonly hash: number;
  readonly credit: number;
}

const routingOf = ({ payment }: Entry): string =>
  PaymentFile.payeeOfPayment(payment).details.routing_number ?? "";

/** Every entry has one addenda record. */
const RECORDS_OF_ENTRY = 2;

const totalsOf = (entries: ReadonlyArray<Entry>): Totals => ({
  count: RECORDS_OF_ENTRY * entries.length,
  hash: entries.reduce((sum, entry) => (sum + Number(routingOf(entry).slice(0, 8))) % HASH_DIGITS, 0),
  credit: entries.reduce((sum, { payment }) => sum + payment.amount, 0),
});

const totalFields = ({ count, hash, credit }: Totals, countDigits: number): string =>
  `${digits(count, countDigits)}${digits(hash, 10)}${digits(0, 12)}${digits(credit, 12)}`;

/** Six digits of a date: YYMMDD. */
const shortDate = (date: string): string => date.replaceAll("-", "").slice(2, 8);

const entryRecords = (entry: Entry, { bank }: Originator): ReadonlyArray<string> => {
  const { payment, number } = entry;
  const { details } = PaymentFile.payeeOfPayment(payment);
  const detail = record(
    ...["6", TRANSACTION_CODES[details.account_type ?? ""] ?? ""],
    left(routingOf(entry), 9),
    left(details.account_number ?? "", 17),
    digits(payment.amount, 10),
    left(PaymentFile.endOf(payment.id), PaymentFile.END_LENGTH),
    words(details.holder ?? "", 22),
    ...["  ", "1", bank.slice(0, 8), digits(number, 7)],
  );
  // A segment RMR of ANSI X12, the form that addenda of both classes take.
  const remittance = `RMR*IV*${sepaText(payment.remittance, 40)}\\`;
  return [detail, record("705", left(remittance, 80), "0001", digits(number, 7))];
};

const batchRecords = (
  entries: ReadonlyArray<Entry>,
  {
    code,
    description,
    number,
  }: { readonly code: string; readonly description: string; readonly number: number },
  originator: Originator,
  file: PaymentFile.PaymentFile,
): ReadonlyArray<string> => {
  const { name, companyId, bank } = originator;
  const date = shortDate(file.executionDate);
  const end = `${bank.slice(0, 8)}${digits(number, 7)}`;
  return [
    record(
      ...["5", SERVICE_CLASS, words(name, 16), left("", 20), left(companyId, 10), code],
      ...[left(description, 10), date, date, "   ", "1", end],
    ),
    ...entries.flatMap((entry) => entryRecords(entry, originator)),
    record("8", SERVICE_CLASS, totalFields(totalsOf(entries), 6), left(companyId, 10), left("", 25), end),
  ];
};

/** Tells files of the same minute apart: one of 36 signs. */
const modifierOf = (fileId: string): string =>
  MODIFIERS[Number.parseInt(fileId.slice(-8), 16) % MODIFIERS.length] ?? "A";

const write = (
  file: PaymentFile.PaymentFile,
  payments: ReadonlyArray<PaymentFile.FilePayment>,
): Uint8Array => {
  const originator = originatorOf(file);
  const fileId = PaymentFile.digitsOf(file.id);
  const created = Timestamp.format(file.createdAt);
  const classes = CLASSES.map(({ isOf, ...one }) => ({
    ...one,
    payments: payments.filter((payment) => isOf(PaymentFile.payeeOfPayment(payment).details.holder_type)),
  })).filter((one) => one.payments.length > 0);
  // Numbers of entries rise through the file.
  const entries = classes
    .flatMap((one) => one.payments)
    .map((payment, index): Entry => ({ payment, number: index + 1 }));
  const batches = classes.map(({ payments: own, ...one }, index) => {
    const isOwn = new Set(own);
    const ownEntries = entries.filter(({ payment }) => isOwn.has(payment));
    return batchRecords(ownEntries, { ...one, number: index + 1 }, originator, file);
  });
  const count = batches.flat().length + 2;
  const blocks = Math.ceil(count / RECORDS_PER_BLOCK);
  const records = [
    record(
      ...["1", "01", ` ${originator.bank}`, originator.companyId.padStart(10)],
      ...[shortDate(created.slice(0, 10)), created.slice(11, 16).replace(":", ""), modifierOf(fileId)],
      ...["094", "10", "1", left("", 23), words(originator.name, 23), fileId.slice(-8)],
    ),
    ...batches.flat(),
    record(
      "9",
      digits(batches.length, 6),
      digits(blocks, 6),
      totalFields(totalsOf(entries), 8),
      left("", 39),
    ),
    ...Array.from({ length: blocks * RECORDS_PER_BLOCK - count }, () => "9".repeat(RECORD)),
  ];
  return new TextEncoder().encode(`${records.join("\n")}\n`);
};

/** Credits to accounts in the United States, for the bank of an originator. */
export const nachaFormat = (originator: NachaOriginator | null): PaymentProvider.FileFormat => ({
  ...{ name: "nacha", mediaType: "text/plain", extension: "ach" },
  takes: [{ type: "us_ach", currencies: ["USD"] }],
  accountProblem: ({ details }) => nameProblem(details.holder ?? "", "holder"),
  problem: ({ amount }) => (amount > ENTRY_MAX ? "an ACH entry has at most 99,999,999.99 USD" : null),
  payerProblem: null,
  parameters: ({ legalName }) => {
    if (originator === null) throw new Error("NACHA files need an originator");
    return { company_name: legalName, company_id: originator.companyId, bank: originator.bank };
  },
  sumMax: FILE_MAX,
  write,
});
