/** Payment files as pain.001.001.09, the credit transfer initiation of ISO 20022 in the form that SEPA banks accept. */
import { Currency, Iban, type Partner, PaymentFile, Timestamp } from "quittance";
import { demandsAddress } from "./Area.ts";
import { sepaText } from "./Characters.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09";

/** The longest name and remittance text of a SEPA payment. */
const NAME_MAX = 70;
const REMITTANCE_MAX = 140;

const EURO = Currency.Currency.make("EUR");

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const element = (name: string, ...content: ReadonlyArray<string>): string =>
  `<${name}>${content.join("")}</${name}>`;

const textElement = (name: string, value: string): string => element(name, escapeXml(value));

const nameElement = (name: string, value: string, address = ""): string =>
  element(name, textElement("Nm", sepaText(value, NAME_MAX)), address);

/** An address by its parts, in the order and with the lengths of the schema; a street may include its number. */
const addressElement = ({ street, postalCode, city, region, country }: Partner.Address): string =>
  element(
    "PstlAdr",
    textElement("StrtNm", sepaText(street, 70)),
    textElement("PstCd", sepaText(postalCode, 16)),
    textElement("TwnNm", sepaText(city, 35)),
    region === "" ? "" : textElement("CtrySubDvsn", sepaText(region, 35)),
    textElement("Ctry", country),
  );

const accountElement = (name: string, iban: string): string =>
  element(name, element("Id", textElement("IBAN", Iban.compact(iban))));

const agentElement = (name: string, bic: string): string =>
  element(name, element("FinInstnId", textElement("BICFI", Iban.compact(bic))));

const paymentElement = ({ id, amount, bankAccount, remittance }: PaymentFile.BankPayment): string =>
  element(
    "CdtTrfTxInf",
    // No UETR: the customer-to-bank guidelines of the SEPA credit transfer do not have it.
    element("PmtId", textElement("EndToEndId", PaymentFile.digitsOf(id))),
    element("Amt", `<InstdAmt Ccy="EUR">${Currency.formatAmount(amount, EURO)}</InstdAmt>`),
    agentElement("CdtrAgt", bankAccount.bic),
    nameElement("Cdtr", bankAccount.beneficiaryName),
    accountElement("CdtrAcct", bankAccount.iban),
    element("RmtInf", textElement("Ustrd", sepaText(remittance, REMITTANCE_MAX))),
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
    textElement("NbOfTxs", String(payments.length)),
    textElement("CtrlSum", Currency.formatAmount(sum, EURO)),
  ];
  const fileId = PaymentFile.digitsOf(id);
  const { address } = debtor;
  const isAddressed = [debtor, ...payments.map(({ bankAccount }) => bankAccount)].some(demandsAddress);
  const document = element(
    "CstmrCdtTrfInitn",
    element(
      "GrpHdr",
      textElement("MsgId", fileId),
      textElement("CreDtTm", dateTime(createdAt)),
      ...totals,
      nameElement("InitgPty", debtor.beneficiaryName),
    ),
    element(
      "PmtInf",
      textElement("PmtInfId", fileId),
      textElement("PmtMtd", "TRF"),
      ...totals,
      element("PmtTpInf", element("SvcLvl", textElement("Cd", "SEPA"))),
      element("ReqdExctnDt", textElement("Dt", executionDate)),
      nameElement(
        "Dbtr",
        debtor.beneficiaryName,
        isAddressed && address !== undefined ? addressElement(address) : "",
      ),
      accountElement("DbtrAcct", debtor.iban),
      agentElement("DbtrAgt", debtor.bic),
      textElement("ChrgBr", "SLEV"),
      ...payments.map(paymentElement),
    ),
  );
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}">${document}</Document>\n`,
  );
};
