/** Parts of bank messages in XML: what all styles share. */
import type { Message, Order, Payment } from "./Order.ts";
import { euro } from "./Order.ts";

const ENCODINGS = {
  "UTF-8": null,
  "ISO-8859-1": [],
  "windows-1250": [
    ["Ę", 0xca],
    ["Ś", 0x8c],
    ["ą", 0xb9],
  ],
} as const;
type Encoding = keyof typeof ENCODINGS;

/** The bytes of a text in an encoding. */
export const encode = (text: string, encoding: Encoding): Uint8Array => {
  const letters = ENCODINGS[encoding];
  if (letters === null) return new TextEncoder().encode(text);
  const codes = new Map<string, number>(letters as ReadonlyArray<readonly [string, number]>);
  return Uint8Array.from(text, (character) => {
    const code = codes.get(character) ?? character.charCodeAt(0);
    if (code > 255) throw new Error(`${encoding} has no ${character}`);
    return code;
  });
};

/** Text in XML. */
export const escapeXml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** An amount of a currency. */
export const amount = (cents: number, currency = "EUR", text = euro(cents)): string =>
  `<Amt Ccy="${currency}">${text}</Amt>`;

/** The direction of a booking. */
export const debit = "<CdtDbtInd>DBIT</CdtDbtInd>";
export const credit = "<CdtDbtInd>CRDT</CdtDbtInd>";

/** A day of booking and value. */
export const dates = (day: string): string =>
  `<BookgDt><Dt>${day}</Dt></BookgDt><ValDt><Dt>${day}</Dt></ValDt>`;

/** The status of a booked entry, before version 04 and since. */
export const BOOKED = { old: "<Sts>BOOK</Sts>", new: "<Sts><Cd>BOOK</Cd></Sts>" } as const;

interface Report {
  /** `053.001.08`, for example. */
  readonly version: string;
  readonly entries: ReadonlyArray<string>;
  /** What identifies the account; its IBAN by default. */
  readonly account?: string;
  readonly currency?: string;
  readonly encoding?: Encoding;
  readonly fileName?: string;
}

/** A statement (camt.053) or a notification (camt.054) of the account of an order. */
export const camt = (
  { iban }: Order,
  { version, entries, account, currency = "EUR", encoding = "UTF-8", fileName = "camt.xml" }: Report,
): Message => {
  const isStatement = version.startsWith("053");
  const [body, report] = isStatement ? ["BkToCstmrStmt", "Stmt"] : ["BkToCstmrDbtCdtNtfctn", "Ntfctn"];
  const balance = `<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp>${amount(1_000_000, currency)}${credit}<Dt><Dt>2026-01-05</Dt></Dt></Bal>`;
  const text = `<?xml version="1.0" encoding="${encoding}"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${version}"><${body}>
<GrpHdr><MsgId>STMT1</MsgId><CreDtTm>2026-01-06T05:00:00+01:00</CreDtTm></GrpHdr>
<${report}><Id>1</Id><ElctrncSeqNb>7</ElctrncSeqNb><CreDtTm>2026-01-06T05:00:00+01:00</CreDtTm>
<Acct><Id>${account ?? `<IBAN>${iban}</IBAN>`}</Id><Ccy>${currency}</Ccy></Acct>${isStatement ? balance : ""}
${entries.join("\n")}
</${report}></${body}></Document>`;
  return { fileName, bytes: encode(text, encoding) };
};

/** An entry of other business: a fee, or the transfer of somebody else. */
export const otherEntry = (status: string, words: string, currency = "EUR"): string =>
  `<Ntry>${amount(395, currency)}${debit}${status}${dates("2026-01-05")}<AcctSvcrRef>FEE-1</AcctSvcrRef><AddtlNtryInf>${escapeXml(words)}</AddtlNtryInf></Ntry>`;

interface StatusReport {
  readonly namespace: string;
  readonly group?: string;
  readonly batch?: string;
  readonly transactions: ReadonlyArray<Payment>;
  readonly code: string;
  readonly words: string;
}

/** A status report (pain.002) about an order, of rejected payments. */
export const pain002 = (
  { format, messageId, batchId }: Order,
  { namespace, group = "PART", batch = "PART", transactions, code, words }: StatusReport,
): Message => {
  const why = `<StsRsnInf><Orgtr><Id><OrgId><AnyBIC>BANKXXXX</AnyBIC></OrgId></Id></Orgtr><Rsn><Cd>${code}</Cd></Rsn><AddtlInf>${escapeXml(words)}</AddtlInf></StsRsnInf>`;
  const each = transactions.map(
    ({ endToEndId, cents, name }) => `
<TxInfAndSts><StsId>S</StsId><OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId><TxSts>RJCT</TxSts>${why}
<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${euro(cents)}</InstdAmt></Amt><Cdtr><Nm>${escapeXml(name)}</Nm></Cdtr></OrgnlTxRef></TxInfAndSts>`,
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="${namespace}"><CstmrPmtStsRpt>
<GrpHdr><MsgId>PSR-1</MsgId><CreDtTm>2026-01-05T09:00:00</CreDtTm></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${messageId}</OrgnlMsgId><OrgnlMsgNmId>${format}</OrgnlMsgNmId><GrpSts>${group}</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${batchId}</OrgnlPmtInfId><PmtInfSts>${batch}</PmtInfSts>${each.join("")}</OrgnlPmtInfAndSts>
</CstmrPmtStsRpt></Document>`;
  return { fileName: "pain002.xml", bytes: new TextEncoder().encode(text) };
};

/** A statement of SWIFT (MT940) of the account of an order: entries with their texts, each from its fields 61 and 86. */
export const mt940 = (
  account: string,
  entries: ReadonlyArray<readonly [entry: string, text: string]>,
  { currency = "EUR", encoding = "UTF-8" as Encoding, header = "" } = {},
): Message => {
  const lines = [
    ...[`${header}:20:STARTUMS`, `:25:${account}`, ":28C:00005/001", `:60F:C260102${currency}10000,00`],
    ...entries.flatMap(([entry, text]) => [`:61:${entry}`, `:86:${text}`]),
    ...[`:62F:C260105${currency}9000,00`, "-", ""],
  ];
  return { fileName: "mt940.sta", bytes: encode(lines.join("\r\n"), encoding) };
};

/** A text in lines of a length, as SWIFT breaks it wherever a line ends. */
export const wrap = (text: string, length: number): string =>
  (text.match(new RegExp(`.{1,${length}}`, "gs")) ?? []).join("\r\n");

/** A text in subfields of 27 characters after a separator, from `?20` on, as German and Polish banks divide it. */
export const subfields = (text: string, separator: string): string =>
  (text.match(/.{1,27}/gs) ?? []).map((part, index) => `${separator}${20 + index}${part}`).join("");
