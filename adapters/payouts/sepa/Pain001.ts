/** Payment files as pain.001, the credit transfer initiation of ISO 20022 in the form that SEPA banks accept. */
import { Currency, Iban, type Partner, PaymentFile, Timestamp } from "quittance";
import { demandsAddress } from "./Area.ts";
import { sepaText } from "./Characters.ts";
import { DEFAULT, differenceOf, type Format, isFormat } from "./Format.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";

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

/** The BIC of an account; null where the format does not take it: the IBAN alone identifies the account. */
const bicElement = ({ bic: stated }: Partner.BankAccount, format: Format): string | null => {
  const { bic } = differenceOf(format);
  const compact = Iban.compact(stated);
  return bic.pattern.test(compact) ? textElement(bic.name, compact) : null;
};

const agentElement = (name: string, content: string): string => element(name, element("FinInstnId", content));

/** The bank of the payer, which every file names, if only as not provided. */
const debtorAgent = (debtor: Partner.BankAccount, format: Format): string =>
  agentElement("DbtrAgt", bicElement(debtor, format) ?? element("Othr", textElement("Id", "NOTPROVIDED")));

const creditorAgent = (account: Partner.BankAccount, format: Format): string => {
  const bic = bicElement(account, format);
  return bic === null ? "" : agentElement("CdtrAgt", bic);
};

const dateElement = (date: string, format: Format): string =>
  differenceOf(format).executionDate.reduceRight((content, name) => element(name, content), date);

const paymentElement = (
  { id, amount, bankAccount, remittance }: PaymentFile.BankPayment,
  format: Format,
): string =>
  element(
    "CdtTrfTxInf",
    // No UETR: the customer-to-bank guidelines of the SEPA credit transfer do not have it.
    element("PmtId", textElement("EndToEndId", PaymentFile.digitsOf(id))),
    element("Amt", `<InstdAmt Ccy="EUR">${Currency.formatAmount(amount, EURO)}</InstdAmt>`),
    creditorAgent(bankAccount, format),
    nameElement("Cdtr", bankAccount.beneficiaryName),
    accountElement("CdtrAcct", bankAccount.iban),
    element("RmtInf", textElement("Ustrd", sepaText(remittance, REMITTANCE_MAX))),
  );

/** Without milliseconds, in UTC. */
const dateTime = (moment: number): string => `${Timestamp.format(moment).slice(0, 19)}Z`;

/** The format of a file; files before it was recorded are in the default. */
const formatOf = (format: string = DEFAULT): Format => {
  if (isFormat(format)) return format;
  throw new Error(`payment files in ${format} cannot be written`);
};

/** The bytes of a payment file in its format; its payments are in euro. */
export const write = (
  { id, createdAt, executionDate, debtor, format: stated }: PaymentFile.PaymentFile,
  payments: ReadonlyArray<PaymentFile.BankPayment>,
): Uint8Array => {
  const format = formatOf(stated);
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
      dateElement(executionDate, format),
      nameElement(
        "Dbtr",
        debtor.beneficiaryName,
        isAddressed && address !== undefined ? addressElement(address) : "",
      ),
      accountElement("DbtrAcct", debtor.iban),
      debtorAgent(debtor, format),
      textElement("ChrgBr", "SLEV"),
      ...payments.map((payment) => paymentElement(payment, format)),
    ),
  );
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}${format}">${document}</Document>\n`,
  );
};
