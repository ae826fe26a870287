/** The styles of banks in Switzerland, Denmark and Poland, where accounts have other currencies. Written for these tests. */
import { accepted, type Bank, euro, having, type Payment, sumOf, swift } from "./Order.ts";
import {
  amount,
  BOOKED,
  camt,
  credit,
  dates,
  debit,
  escapeXml,
  mt940,
  otherEntry,
  pain002,
  subfields,
  wrap,
} from "./Writing.ts";

const STATUS = (version: string) => `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}`;

/** Cents of another currency at a rate in ten-thousandths. */
const at = (cents: number, rate: number): number => Math.round((cents * rate) / 10_000);

const FRANC = 9_375;

/** Switzerland: an account in francs; the sum with its payments, whose euro are next to the francs. */
const switzerland: Bank = {
  name: "CH: francs, with the euro of each payment",
  account: { beneficiaryName: "Zürcher Märkte AG", iban: "CH9300762011623852957", bic: "UBSWCHZH80A" },
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const details = (payment: Payment, rate: number, direction: string) =>
      `<TxDtls><Refs><MsgId>${order.messageId}</MsgId><AcctSvcrRef>CH-${direction === debit ? "D" : "C"}${payment.endToEndId.slice(20)}</AcctSvcrRef><PmtInfId>${order.batchId}</PmtInfId><InstrId>${payment.endToEndId.slice(0, 16)}</InstrId><EndToEndId>${payment.endToEndId}</EndToEndId></Refs>${amount(at(payment.cents, rate), "CHF")}${direction}<AmtDtls><InstdAmt>${amount(payment.cents)}</InstdAmt><TxAmt>${amount(at(payment.cents, rate), "CHF")}<CcyXchg><SrcCcy>EUR</SrcCcy><TrgtCcy>CHF</TrgtCcy><XchgRate>${rate / 10_000}</XchgRate></CcyXchg></TxAmt></AmtDtls>`;
    const sum = rest.reduce((total, { cents }) => total + at(cents, FRANC), 0);
    const batch = `<Ntry><NtryRef>CH93</NtryRef>${amount(sum + 30, "CHF")}${debit}<RvslInd>false</RvslInd>${BOOKED.new}${dates("2026-01-05")}<AcctSvcrRef>20260105001</AcctSvcrRef><Chrgs><TtlChrgsAndTaxAmt Ccy="CHF">0.30</TtlChrgsAndTaxAmt></Chrgs>
<NtryDtls><Btch><MsgId>${order.messageId}</MsgId><PmtInfId>${order.batchId}</PmtInfId><NbOfTxs>${rest.length}</NbOfTxs><TtlAmt Ccy="CHF">${euro(sum)}</TtlAmt>${debit}</Btch>${rest.map((payment) => `${details(payment, FRANC, debit)}</TxDtls>`).join("")}</NtryDtls></Ntry>`;
    const back = having(order, "returned").map(
      (payment) =>
        `<Ntry>${amount(at(payment.cents, 9_290), "CHF")}${credit}<RvslInd>false</RvslInd>${BOOKED.new}${dates("2026-01-08")}<AcctSvcrRef>RET${payment.endToEndId.slice(20)}</AcctSvcrRef><NtryDtls>${details(payment, 9_290, credit)}<RtrInf><Rsn><Cd>AC03</Cd></Rsn><AddtlInf>Konto ungültig</AddtlInf></RtrInf></TxDtls></NtryDtls></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: "http://www.six-interbank-clearing.com/de/pain.002.001.03.ch.02.xsd" },
        ...{ transactions: having(order, "rejected"), code: "CH16", words: "Element nicht erlaubt" },
      }),
      camt(order, { version: "054.001.08", entries: [batch], currency: "CHF" }),
      camt(order, {
        version: "053.001.08",
        entries: [batch, otherEntry(BOOKED.new, "Spesen", "CHF")],
        currency: "CHF",
      }),
      camt(order, { version: "053.001.08", entries: back, currency: "CHF" }),
    ];
  },
};

const KRONE = 74_600;

/** Denmark: an account in kroner under a number of its own; the euro are at the entry, and details have ids of the bank. */
const denmark: Bank = {
  name: "DK: kroner, with the euro at the entry",
  account: { beneficiaryName: "Ærø Fødevarer ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  format: "pain.001.001.09",
  answer: (order) => {
    const account = "<Othr><Id>00400440116243</Id></Othr>";
    const entry = (payment: Payment, direction: string, day: string, words: string) =>
      `<Ntry>${amount(at(payment.cents, KRONE), "DKK")}${direction}${BOOKED.old}${dates(day)}<AcctSvcrRef>${direction === debit ? "D" : "C"}${payment.endToEndId.slice(18)}</AcctSvcrRef><AmtDtls><InstdAmt>${amount(payment.cents)}</InstdAmt><TxAmt>${amount(at(payment.cents, KRONE), "DKK")}</TxAmt></AmtDtls><NtryDtls><TxDtls><Refs><EndToEndId>${payment.endToEndId}</EndToEndId><UETR>0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b</UETR></Refs></TxDtls></NtryDtls><AddtlNtryInf>${escapeXml(words)}</AddtlNtryInf></Ntry>`;
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "AC01", words: "Ukendt kontonummer" },
      }),
      camt(order, {
        ...{ version: "053.001.02", account, currency: "DKK" },
        entries: accepted(order).map((payment) => entry(payment, debit, "2026-01-05", payment.name)),
      }),
      camt(order, {
        ...{ version: "053.001.02", account, currency: "DKK" },
        entries: having(order, "returned").map((payment) =>
          entry(payment, credit, "2026-01-08", "Returneret: kontoen er opgjort"),
        ),
      }),
    ];
  },
};

/** Denmark, one sum in kroner: its euro are at the entry, and the only detail has an id of the bank. */
const denmarkSum: Bank = {
  ...denmark,
  name: "DK: a sum in kroner, a detail with a UETR of the bank",
  answer: (order) => {
    const [report, , returns] = denmark.answer(order);
    const rest = accepted(order);
    const batch = `<Ntry>${amount(at(sumOf(rest), KRONE), "DKK")}${debit}${BOOKED.new}${dates("2026-01-05")}<AcctSvcrRef>DKB1</AcctSvcrRef><AmtDtls><InstdAmt>${amount(sumOf(rest))}</InstdAmt></AmtDtls><NtryDtls><Btch><PmtInfId>${order.batchId.toUpperCase()}</PmtInfId></Btch><TxDtls><Refs><EndToEndId>LB-2026-1</EndToEndId><UETR>0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b</UETR></Refs></TxDtls></NtryDtls></Ntry>`;
    return [
      ...(report === undefined ? [] : [report]),
      camt(order, { version: "053.001.08", entries: [batch], currency: "DKK" }),
      ...(returns === undefined ? [] : [returns]),
    ];
  },
};

/** Denmark, SWIFT: amounts in kroner, with the original amount after a code word. */
const denmarkSwift: Bank = {
  ...denmark,
  name: "DK: SWIFT, kroner with OCMT",
  answer: (order) => {
    const [report] = denmark.answer(order);
    const entry = (payment: Payment, mark: string, day: string, words: string) =>
      [
        `2601${day}01${day}${mark}${swift(at(payment.cents, KRONE))}NTRF${payment.endToEndId.slice(0, 16)}//${mark}${payment.endToEndId.slice(20)}`,
        wrap(
          `/OCMT/EUR${swift(payment.cents)}/EXCH/7,46/${words} ${payment.endToEndId.toUpperCase()} ${payment.name}`,
          65,
        ),
      ] as const;
    return [
      ...(report === undefined ? [] : [report]),
      mt940(
        "00400440116243",
        accepted(order).map((payment) => entry(payment, "D", "05", "OVERFØRSEL")),
        { currency: "DKK", encoding: "ISO-8859-1" },
      ),
      mt940(
        "00400440116243",
        having(order, "returned").map((payment) => entry(payment, "C", "08", "RETUR KONTO OPGJORT")),
        { currency: "DKK", encoding: "ISO-8859-1" },
      ),
    ];
  },
};

const POLISH = {
  beneficiaryName: "Żółty Targ Sp. z o.o.",
  iban: "PL61109010140000071219812874",
  bic: "WBKPPLPP",
};

/** Poland: an account in złoty, Windows-1250, the euro as the counter value. */
const poland: Bank = {
  name: "PL: złoty, the euro as TxAmt",
  account: POLISH,
  format: "pain.001.001.09",
  answer: (order) => {
    const rate = 43_125;
    const entry = (payment: Payment, direction: string, day: string, words: string) =>
      `<Ntry>${amount(at(payment.cents, rate), "PLN")}${direction}${BOOKED.old}${dates(day)}<AcctSvcrRef>${direction === debit ? "D" : "C"}${payment.endToEndId.slice(18)}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${payment.endToEndId}</EndToEndId></Refs>${amount(at(payment.cents, rate), "PLN")}<AmtDtls><TxAmt>${amount(payment.cents)}</TxAmt></AmtDtls><AddtlTxInf>${words}</AddtlTxInf></TxDtls></NtryDtls></Ntry>`;
    const style = { version: "053.001.02", currency: "PLN", encoding: "windows-1250" } as const;
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "AG02", words: "Nieprawidłowy kod" },
      }),
      camt(order, {
        ...style,
        entries: accepted(order).map((payment) => entry(payment, debit, "2026-01-05", "PRZELEW")),
      }),
      camt(order, {
        ...style,
        entries: having(order, "returned").map((payment) =>
          entry(payment, credit, "2026-01-08", "RACHUNEK ZAMKNIĘTY"),
        ),
      }),
    ];
  },
};

/** Poland, SWIFT: an account in euro, text in subfields after `<`, the letter of the currency in each entry. */
const polandSwift: Bank = {
  name: "PL: SWIFT, subfields after <",
  account: POLISH,
  format: "pain.001.001.09",
  answer: (order) => {
    const [report] = poland.answer(order);
    const entry = (payment: Payment, mark: string, day: string, code: string, words: string) =>
      [
        `2601${day}01${day}${mark}R${swift(payment.cents)}S073NONREF//BR26${payment.endToEndId.slice(20)}${mark}`,
        `${code}<00${words}<10${payment.endToEndId.slice(0, 5)}${subfields(`${payment.endToEndId} ${payment.remittance}`, "<")}<32${payment.name.slice(0, 27)}<38${payment.iban}`,
      ] as const;
    return [
      ...(report === undefined ? [] : [report]),
      mt940(
        `/${order.iban}`,
        accepted(order).map((payment) => entry(payment, "D", "05", "073", "PRZELEW SEPA")),
      ),
      mt940(
        `/${order.iban}`,
        having(order, "returned").map((payment) => entry(payment, "C", "08", "076", "ZWROT PRZELEWU")),
      ),
    ];
  },
};

/** The styles of banks whose accounts may have other currencies. */
export const otherBanks: ReadonlyArray<Bank> = [
  switzerland,
  denmark,
  denmarkSum,
  denmarkSwift,
  poland,
  polandSwift,
];
