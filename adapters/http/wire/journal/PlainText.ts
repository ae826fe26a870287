/** A journal for plain text accounting: for `hledger`, and for `beancount`. */
import { type Journal, type Journals, Timestamp } from "quittance";
import { dayOf, decimal, type Form } from "./Form.ts";

const MEDIA_TYPE = "text/plain; charset=utf-8";

/** The comment with which a file begins. */
const heading = ({ from, to }: Journals.JournalHead): string =>
  `; Journal from ${Timestamp.format(from)} to ${Timestamp.format(to)}\n`;

/** Text on one line without control characters. */
const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ").trim();

/** What an entry is about, as pairs of a name and a text. */
const tagsOf = (entry: Journals.JournalEntry): ReadonlyArray<readonly [string, string]> =>
  (
    [
      ["partner", entry.partnerId],
      ["commission", entry.commissionId],
      ["settlement", entry.settlementId],
      ["document", entry.document],
      ["reference", entry.reference],
      ["concerns", entry.concerns],
    ] as const
  ).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));

/** The accounts of `hledger`. */
const HLEDGER_ACCOUNTS: Readonly<Record<Journal.Account, string>> = {
  commission_expense: "expenses:commissions",
  accrued_commissions: "liabilities:accrued commissions",
  commissions_awaiting_receipt: "liabilities:commissions awaiting receipt",
  input_tax: "assets:input tax",
  partner_payables: "liabilities:partner payables",
  payments: "assets:payments to partners",
  settled_elsewhere: "equity:opening balances:commissions settled elsewhere",
  written_off_commissions: "revenues:written-off commissions",
  reverse_charge_tax_deductible: "assets:reverse charge tax",
  reverse_charge_tax_due: "liabilities:reverse charge tax",
};

/** Text for a description: a semicolon would begin a comment, a bar separates payee and note. */
const plain = (text: string): string => oneLine(text.replaceAll(/[;|]/g, " "));

/** Text as the value of a tag, which a comma would end. */
const tagValue = (text: string): string => plain(text.replaceAll(",", " "));

/** A number as a part of an account's name: two spaces would end the name, a colon would begin another part. */
const hledgerPart = (number: string): string => oneLine(number).replaceAll(/[:;|]/g, "-") || "-";

/** The code of a transaction; an empty one before a name that would be taken for a code or a status. */
const codeOf = (document: string, name: string): string =>
  document !== "" || /^[(*!]/.test(name) ? `(${document.replaceAll(/[()]/g, "")}) ` : "";

const hledgerTransaction = (entry: Journals.JournalEntry): string => {
  const tags = tagsOf(entry)
    .filter(([name]) => name !== "document")
    .map(([name, value]) => `${name}: ${tagValue(value)}`);
  const postings = entry.lines.map(({ account, amount, number, costCentre, text }) => {
    const name = [HLEDGER_ACCOUNTS[account], ...(number === undefined ? [] : [hledgerPart(number)])];
    const comments = [
      ...(costCentre === undefined ? [] : [`cost-centre: ${tagValue(costCentre)}`]),
      ...(text === undefined ? [] : [`text: ${tagValue(text)}`]),
    ];
    const comment = comments.length === 0 ? "" : `  ; ${comments.join(", ")}`;
    return `    ${name.join(":")}  ${entry.currency} ${decimal(amount, entry)}${comment}\n`;
  });
  const name = plain(entry.partnerName);
  const code = codeOf(plain(entry.document ?? ""), name);
  return `\n${dayOf(entry)} ${code}${name} | ${plain(entry.text)}  ; ${tags.join(", ")}\n${postings.join("")}`;
};

export const hledgerForm: Form = {
  mediaType: MEDIA_TYPE,
  fileName: (name) => `${name}.journal`,
  before: (head) => `${heading(head)}decimal-mark .\n`,
  entry:
    () =>
    ({ entry }) =>
      hledgerTransaction(entry),
};

/** The accounts of `beancount`. */
const BEANCOUNT_ACCOUNTS: Readonly<Record<Journal.Account, string>> = {
  commission_expense: "Expenses:Commissions",
  accrued_commissions: "Liabilities:AccruedCommissions",
  commissions_awaiting_receipt: "Liabilities:CommissionsAwaitingReceipt",
  input_tax: "Assets:InputTax",
  partner_payables: "Liabilities:PartnerPayables",
  payments: "Assets:PaymentsToPartners",
  settled_elsewhere: "Equity:OpeningBalances:CommissionsSettledElsewhere",
  written_off_commissions: "Income:WrittenOffCommissions",
  reverse_charge_tax_deductible: "Assets:ReverseChargeTax",
  reverse_charge_tax_due: "Liabilities:ReverseChargeTax",
};

/** A number as a part of an account's name, which has letters, digits and hyphens: others are written as their code points. */
const beancountPart = (number: string): string => {
  const written = number.replaceAll(/[^A-Za-z0-9-]/gu, (other) => `-U${other.codePointAt(0)?.toString(16)}-`);
  return /^[A-Z0-9]/.test(written) ? written : `N${written}`;
};

const quoted = (text: string): string => `"${oneLine(text).replaceAll(/["\\]/g, "\\$&")}"`;

const beancountTransaction = (entry: Journals.JournalEntry): string => {
  const tags = tagsOf(entry).map(([name, value]) => `  ${name}: ${quoted(value)}\n`);
  const postings = entry.lines.map(({ account, amount, number, costCentre, text }) => {
    const name = [BEANCOUNT_ACCOUNTS[account], ...(number === undefined ? [] : [beancountPart(number)])];
    const isWritten = number === undefined || name[1] === number;
    const stated = { number: isWritten ? undefined : number, cost_centre: costCentre, text };
    const meta = Object.entries(stated).flatMap(([key, value]) =>
      value === undefined ? [] : [`    ${key}: ${quoted(value)}\n`],
    );
    return `  ${name.join(":")}  ${decimal(amount, entry)} ${entry.currency}\n${meta.join("")}`;
  });
  const head = `${dayOf(entry)} * ${quoted(entry.partnerName)} ${quoted(entry.text)}`;
  return `\n${head}\n${tags.join("")}${postings.join("")}`;
};

/** Accounts are opened by a plugin, so that files of several months can be included together. */
export const beancountForm: Form = {
  mediaType: MEDIA_TYPE,
  fileName: (name) => `${name}.beancount`,
  before: (head) => `${heading(head)}plugin "beancount.plugins.auto_accounts"\n`,
  entry:
    () =>
    ({ entry }) =>
      beancountTransaction(entry),
};
