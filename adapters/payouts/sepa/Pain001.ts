/** Payment files as pain.001, the credit transfer initiation of ISO 20022, in the forms that banks accept. */
import { Currency, Iban, type Partner, PaymentFile, PayoutDetails, Timestamp } from "quittance";
import { demandsAddress } from "./Area.ts";
import { sepaText } from "./Characters.ts";
import { differenceOf, type Format } from "./Format.ts";

const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:";

/** The longest name and remittance text of a payment. */
const NAME_MAX = 70;
const REMITTANCE_MAX = 140;

/** The name of a bank that a file has to name, and whose BIC is not known. */
const NOT_PROVIDED = "NOTPROVIDED";

const escapeXml = (text: string): string =>
  text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`);

const element = (name: string, ...content: ReadonlyArray<string>): string =>
  `<${name}>${content.join("")}</${name}>`;

const textElement = (name: string, value: string): string => element(name, escapeXml(value));

const partyElement = (name: string, value: string, address: Partner.Address | undefined): string =>
  element(
    name,
    textElement("Nm", sepaText(value, NAME_MAX)),
    address === undefined ? "" : addressElement(address),
  );

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

/** An account, as a file identifies it. */
interface StatedAccount {
  readonly holder: string;
  /** Empty where none is known. */
  readonly bic: string;
  /** An IBAN, or the number of an account at a bank. */
  readonly id: { readonly iban: string } | { readonly number: string };
  /** The bank by the number of its clearing system; null where none is known. */
  readonly member: string | null;
}

const byIban = ({ beneficiaryName, iban, bic }: Partner.BankAccount, format: Format): StatedAccount => ({
  holder: beneficiaryName,
  bic,
  id: { iban: Iban.compact(iban) },
  member: differenceOf(format).clearing?.memberOf(iban) ?? null,
});

/** The account of a payee: an IBAN, or a sort code with the number of an account. */
const payeeAccount = (payment: PaymentFile.FilePayment, format: Format): StatedAccount => {
  const payee = PaymentFile.payeeOfPayment(payment);
  const bank = PayoutDetails.bankAccountOf(payee);
  if (bank !== null) return byIban(bank, format);
  const { holder = "", account_number: number = "", sort_code: member = "" } = payee.details;
  return { holder, bic: "", id: { number }, member };
};

const accountElement = (name: string, { id }: StatedAccount): string =>
  element(
    name,
    element(
      "Id",
      "iban" in id
        ? textElement("IBAN", id.iban)
        : element("Othr", textElement("Id", id.number), element("SchmeNm", textElement("Cd", "BBAN"))),
    ),
  );

/** The BIC of an account; null where the format does not take it: the IBAN alone identifies the account. */
const bicElement = ({ bic: stated }: StatedAccount, format: Format): string | null => {
  const { bic } = differenceOf(format);
  const compact = Iban.compact(stated);
  return bic.pattern.test(compact) ? textElement(bic.name, compact) : null;
};

/** The number of a bank in the clearing system of the format; null where it has none. */
const memberElement = ({ member }: StatedAccount, format: Format): string | null => {
  const { clearing } = differenceOf(format);
  return clearing === null || member === null
    ? null
    : element(
        "ClrSysMmbId",
        element("ClrSysId", textElement("Cd", clearing.code)),
        textElement("MmbId", member),
      );
};

const agentElement = (name: string, content: string): string => element(name, element("FinInstnId", content));

/** The bank of the payer, which every file names, if only as not provided. */
const debtorAgent = (debtor: StatedAccount, format: Format): string =>
  agentElement(
    "DbtrAgt",
    bicElement(debtor, format) ??
      memberElement(debtor, format) ??
      element("Othr", textElement("Id", NOT_PROVIDED)),
  );

/** The bank of a payee, where its account does not identify it: its number is that of the account's country. */
const creditorAgent = (account: StatedAccount, format: Format): string => {
  const agent = bicElement(account, format) ?? ("iban" in account.id ? null : memberElement(account, format));
  return agent === null ? "" : agentElement("CdtrAgt", agent);
};

const dateElement = (date: string, format: Format): string =>
  differenceOf(format).executionDate.reduceRight((content, name) => element(name, content), date);

const paymentElement = (payment: PaymentFile.FilePayment, format: Format): string => {
  const { id, amount, currency, remittance, address } = payment;
  const account = payeeAccount(payment, format);
  return element(
    "CdtTrfTxInf",
    // No UETR: the customer-to-bank guidelines of the SEPA credit transfer do not have it.
    element("PmtId", textElement("EndToEndId", PaymentFile.digitsOf(id))),
    element("Amt", `<InstdAmt Ccy="${currency}">${Currency.formatAmount(amount, currency)}</InstdAmt>`),
    creditorAgent(account, format),
    partyElement("Cdtr", account.holder, differenceOf(format).isAddressed ? address : undefined),
    accountElement("CdtrAcct", account),
    element("RmtInf", textElement("Ustrd", sepaText(remittance, REMITTANCE_MAX))),
  );
};

/** Without milliseconds, in UTC. */
const dateTime = (moment: number): string => `${Timestamp.format(moment).slice(0, 19)}Z`;

/** The address of the payer, where the format or the bank of an account of the file demands it. */
const debtorAddress = (
  debtor: PaymentFile.Debtor,
  payments: ReadonlyArray<PaymentFile.FilePayment>,
  format: Format,
): Partner.Address | undefined => {
  const accounts = [debtor, ...payments.flatMap(({ bankAccount }) => bankAccount ?? [])];
  return differenceOf(format).isAddressed || accounts.some(demandsAddress) ? debtor.address : undefined;
};

/** Writes the bytes of a payment file in a format; its payments are in one currency. */
export const writeIn =
  (format: Format) =>
  (file: PaymentFile.PaymentFile, payments: ReadonlyArray<PaymentFile.FilePayment>): Uint8Array => {
    const { id, createdAt, executionDate, debtor } = file;
    if (debtor === null) throw new Error("the file has no account that pays");
    const currency = PaymentFile.currencyOf(file);
    const sum = payments.reduce((total, { amount }) => total + BigInt(amount), 0n);
    const totals = [
      textElement("NbOfTxs", String(payments.length)),
      textElement("CtrlSum", Currency.formatAmount(sum, currency)),
    ];
    const fileId = PaymentFile.digitsOf(id);
    const { message, service } = differenceOf(format);
    const [level, chargeBearer] = service(currency);
    const account = byIban(debtor, format);
    const document = element(
      "CstmrCdtTrfInitn",
      element(
        "GrpHdr",
        textElement("MsgId", fileId),
        textElement("CreDtTm", dateTime(createdAt)),
        ...totals,
        partyElement("InitgPty", account.holder, undefined),
      ),
      element(
        "PmtInf",
        textElement("PmtInfId", fileId),
        textElement("PmtMtd", "TRF"),
        ...totals,
        level === null ? "" : element("PmtTpInf", element("SvcLvl", textElement("Cd", level))),
        dateElement(executionDate, format),
        partyElement("Dbtr", account.holder, debtorAddress(debtor, payments, format)),
        accountElement("DbtrAcct", account),
        debtorAgent(account, format),
        chargeBearer === null ? "" : textElement("ChrgBr", chargeBearer),
        ...payments.map((payment) => paymentElement(payment, format)),
      ),
    );
    return new TextEncoder().encode(
      `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}${message}">${document}</Document>\n`,
    );
  };
