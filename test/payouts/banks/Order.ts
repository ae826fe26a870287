/** A payment file as a bank reads it, and what becomes of its payments. The file is read by a parser that the writer does not use. */
import { XMLParser } from "fast-xml-parser";
import type { SepaFormat } from "quittance/payouts";
import { problemsOf } from "../Definition.ts";

/** What the bank does: it pays; it rejects before it books; it pays, and the money comes back. */
export type Fate = "paid" | "rejected" | "returned";

/** A payment of a file. */
export interface Payment {
  readonly endToEndId: string;
  readonly cents: number;
  readonly name: string;
  readonly iban: string;
  readonly remittance: string;
  readonly fate: Fate;
}

/** A file that a bank carries out. */
export interface Order {
  /** The version of pain.001 that it is in. */
  readonly format: SepaFormat;
  readonly messageId: string;
  readonly batchId: string;
  readonly iban: string;
  readonly payments: ReadonlyArray<Payment>;
}

/** A message of a bank. */
export interface Message {
  readonly fileName: string;
  readonly bytes: Uint8Array;
}

/** How the banks of a country write, with the account that pays. */
export interface Bank {
  readonly name: string;
  readonly account: { readonly beneficiaryName: string; readonly iban: string; readonly bic: string };
  /** The only version of pain.001 that it takes. */
  readonly format: SepaFormat;
  /** Its messages about a file, in the order in which it sends them. */
  readonly answer: (order: Order) => ReadonlyArray<Message>;
}

const parser = new XMLParser({
  ignoreAttributes: false,
  parseTagValue: false,
  isArray: (name) => name === "CdtTrfTxInf",
});

const cents = (text: string): number => {
  const [units = "", fraction = ""] = text.split(".");
  return Number(`${units}${fraction}`);
};

interface Transfer {
  readonly PmtId: { readonly EndToEndId: string };
  readonly Amt: { readonly InstdAmt: { readonly "#text": string } };
  readonly Cdtr: { readonly Nm: string };
  readonly CdtrAcct: { readonly Id: { readonly IBAN: string } };
  readonly RmtInf: { readonly Ustrd: string };
}

/** The order in a payment file, which a bank takes in one version alone; each payment has the fate of its place. */
export const orderOf = (bytes: Uint8Array, format: SepaFormat, fateOf: (index: number) => Fate): Order => {
  const text = new TextDecoder().decode(bytes);
  const problems = problemsOf(text, format);
  if (problems.length > 0) throw new Error(`the bank refuses the file: ${problems.join("; ")}`);
  const { GrpHdr: header, PmtInf: batch } = parser.parse(text).Document.CstmrCdtTrfInitn;
  const transfers: ReadonlyArray<Transfer> = batch.CdtTrfTxInf;
  return {
    format,
    messageId: header.MsgId,
    batchId: batch.PmtInfId,
    iban: batch.DbtrAcct.Id.IBAN,
    payments: transfers.map(({ PmtId, Amt, Cdtr, CdtrAcct, RmtInf }, index) => ({
      endToEndId: PmtId.EndToEndId,
      cents: cents(Amt.InstdAmt["#text"]),
      name: Cdtr.Nm,
      iban: CdtrAcct.Id.IBAN,
      remittance: RmtInf.Ustrd,
      fate: fateOf(index),
    })),
  };
};

/** The sum of payments, in cents. */
export const sumOf = (payments: ReadonlyArray<Payment>): number =>
  payments.reduce((sum, payment) => sum + payment.cents, 0);

/** The payments of an order that are not rejected. */
export const accepted = ({ payments }: Order): ReadonlyArray<Payment> =>
  payments.filter(({ fate }) => fate !== "rejected");

/** The payments of an order with a fate. */
export const having = ({ payments }: Order, fate: Fate): ReadonlyArray<Payment> =>
  payments.filter((payment) => payment.fate === fate);

/** Cents as euro with a decimal point. */
export const euro = (amount: number): string =>
  `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, "0")}`;

/** Cents as SWIFT writes them, with a comma. */
export const swift = (amount: number): string => euro(amount).replace(".", ",");
