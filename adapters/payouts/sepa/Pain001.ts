/** Payment files as pain.001.001.09, the credit transfer initiation of ISO 20022 in the form that SEPA banks accept. */
import { Currency, Iban, PaymentFile, Timestamp } from "quittance";
import { sepaText } from "./Characters.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/** The longest name and remittance text of a SEPA payment. */
const NAME_MAX = 70;
const REMITTANCE_MAX = 140;

const EURO = Currency.Currency.make("EUR");

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const element = (name: string, ...content: ReadonlyArray<string>): string =>
  `<${name}>${content.join("")}</${name}>`;

const text = (name: string, value: string): string => element(name, escaped(value));

const named = (name: string, value: string): string => element(name, text("Nm", sepaText(value, NAME_MAX)));

const account = (name: string, iban: string): string =>
  element(name, element("Id", text("IBAN", Iban.compact(iban))));

const agent = (name: string, bic: string): string =>
  element(name, element("FinInstnId", text("BICFI", Iban.compact(bic))));

/** Only a UUID of version 4 may be a UETR. */
const UETR = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const payment = ({ id, amount, bankAccount, remittance }: PaymentFile.BankPayment): string =>
  element(
    "CdtTrfTxInf",
    element(
      "PmtId",
      text("EndToEndId", PaymentFile.digitsOf(id)),
      ...(UETR.test(id) ? [text("UETR", id)] : []),
    ),
    element("Amt", `<InstdAmt Ccy="EUR">${Currency.formatAmount(amount, EURO)}</InstdAmt>`),
    agent("CdtrAgt", bankAccount.bic),
    named("Cdtr", bankAccount.beneficiaryName),
    account("CdtrAcct", bankAccount.iban),
    element("RmtInf", text("Ustrd", sepaText(remittance, REMITTANCE_MAX))),
  );

/** Without milliseconds, in UTC. */
const dateTime = (moment: number): string => `${Timestamp.format(moment).slice(0, 19)}Z`;

/** The bytes of a payment file; its payments are in euro. */
export const write = (
  { id, createdAt, executionDate, debtor }: PaymentFile.PaymentFile,
  payments: ReadonlyArray<PaymentFile.BankPayment>,
): Uint8Array => {
  const sum = payments.reduce((total, { amount }) => total + BigInt(amount), 0n);
  const totals = [
    text("NbOfTxs", String(payments.length)),
    text("CtrlSum", Currency.formatAmount(sum, EURO)),
  ];
  const fileId = PaymentFile.digitsOf(id);
  const document = element(
    "CstmrCdtTrfInitn",
    element(
      "GrpHdr",
      text("MsgId", fileId),
      text("CreDtTm", dateTime(createdAt)),
      ...totals,
      named("InitgPty", debtor.beneficiaryName),
    ),
    element(
      "PmtInf",
      text("PmtInfId", fileId),
      text("PmtMtd", "TRF"),
      ...totals,
      element("PmtTpInf", element("SvcLvl", text("Cd", "SEPA"))),
      element("ReqdExctnDt", text("Dt", executionDate)),
      named("Dbtr", debtor.beneficiaryName),
      account("DbtrAcct", debtor.iban),
      agent("DbtrAgt", debtor.bic),
      text("ChrgBr", "SLEV"),
      ...payments.map(payment),
    ),
  );
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${document}</Document>\n`,
  );
};
