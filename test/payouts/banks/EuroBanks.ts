/** The styles of banks in Germany, Austria, the Netherlands, Belgium, France, Spain and Italy. Written for these tests. */
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

const GERMAN = {
  beneficiaryName: "Müller & Söhne GmbH",
  iban: "DE02120300000000202051",
  bic: "BYLADEM1001",
};

const GERMAN_STATUS = "urn:iso:std:iso:20022:tech:xsd:pain.002.003.03";
const STATUS = (version: string) => `urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}`;

/** Germany: a report in the national version, then one entry of the rest without its payments. */
const germany: Bank = {
  name: "DE: a sum without payments",
  account: GERMAN,
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const back = having(order, "returned").map(
      ({
        endToEndId,
        cents,
        name,
      }) => `<Ntry>${amount(cents)}${credit}${BOOKED.new}${dates("2026-01-07")}<AcctSvcrRef>RET-${endToEndId.slice(20)}</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>RRTN</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+159+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs>${amount(cents)}${credit}<RltdPties><Dbtr><Pty><Nm>${escapeXml(name)}</Nm></Pty></Dbtr></RltdPties><RmtInf><Ustrd>SVWZ+RETURE KONTO ERLOSCHEN</Ustrd></RmtInf>
<RtrInf><Rsn><Cd>AC04</Cd></Rsn><AddtlInf>KONTO AUFGELÖST</AddtlInf></RtrInf></TxDtls></NtryDtls></Ntry>`,
    );
    const batch = `<Ntry>${amount(sumOf(rest))}${debit}${BOOKED.new}${dates("2026-01-05")}<AcctSvcrRef>2026010512345678</AcctSvcrRef>
<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn><Prtry><Cd>NTRF+191+00931</Cd><Issr>DK</Issr></Prtry></BkTxCd>
<NtryDtls><Btch><PmtInfId>${order.batchId}</PmtInfId><NbOfTxs>${rest.length}</NbOfTxs></Btch></NtryDtls><AddtlNtryInf>SEPA-Sammelüberweisung</AddtlNtryInf></Ntry>`;
    return [
      pain002(order, {
        ...{ namespace: GERMAN_STATUS, transactions: having(order, "rejected") },
        ...{ code: "AC01", words: "IBAN ungültig" },
      }),
      camt(order, {
        version: "053.001.08",
        entries: [batch, otherEntry(BOOKED.new, "Entgelt für Sammelüberweisung")],
      }),
      camt(order, { version: "053.001.08", entries: back }),
    ];
  },
};

/** Germany, SWIFT: the sum by its customer reference, in divided text; returns with the purpose "RETURE". */
const germanySwift: Bank = {
  name: "DE: SWIFT, a sum by KREF",
  account: GERMAN,
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const text = (code: string, name: string, purpose: string) =>
      wrap(`${code}?00${name}?109310${subfields(purpose, "?")}`, 65);
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "BE04", words: "Creditor address missing" },
      }),
      mt940(
        "12030000/0000202051",
        [
          [
            `2601050105D${swift(sumOf(rest))}NMSCNONREF//12345`,
            text("191", "SAMMEL-UEBERWEISUNG", `KREF+${order.batchId}`),
          ],
          ["2601050105DR3,95NCHGNONREF", text("808", "ENTGELT", "KONTOFÜHRUNG")],
        ],
        { encoding: "ISO-8859-1" },
      ),
      mt940(
        `${order.iban}`,
        having(order, "returned").map(({ endToEndId, cents }) => [
          `2601070107C${swift(cents)}NRTINONREF//R${endToEndId.slice(24)}`,
          text("159", "RETOURE", `EREF+${endToEndId}SVWZ+RETURE: KONTO ERLOSCHEN`),
        ]),
        { encoding: "ISO-8859-1" },
      ),
    ];
  },
};

/** Austria: the message id at the batch, without a number; its payments without end-to-end ids. */
const austria: Bank = {
  name: "AT: a sum by MsgId, payments NOTPROVIDED",
  account: { beneficiaryName: "Österreichische Märkte AG", iban: "AT611904300234573201", bic: "BKAUATWW" },
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const details = rest.map(
      ({ cents, name }) =>
        `<TxDtls><Refs><PmtInfId>${order.batchId}</PmtInfId><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${amount(cents)}${debit}<RltdPties><Cdtr><Pty><Nm>${escapeXml(name)}</Nm></Pty></Cdtr></RltdPties></TxDtls>`,
    );
    const batch = `<Ntry>${amount(sumOf(rest))}${debit}${BOOKED.new}${dates("2026-01-05")}<AcctSvcrRef>201112601050001</AcctSvcrRef><NtryDtls><Btch><MsgId>${order.messageId}</MsgId></Btch>${details.join("")}</NtryDtls></Ntry>`;
    const back = having(order, "returned").map(
      ({ endToEndId, cents }) =>
        `<Ntry>${amount(cents)}${credit}${BOOKED.new}${dates("2026-01-08")}<NtryDtls><TxDtls><Refs><AcctSvcrRef>AT${endToEndId.slice(22)}</AcctSvcrRef><EndToEndId>${endToEndId}</EndToEndId></Refs><AmtDtls><TxAmt>${amount(cents)}</TxAmt></AmtDtls><RtrInf><Rsn><Cd>MD07</Cd></Rsn></RtrInf><AddtlTxInf>Kontoinhaber verstorben</AddtlTxInf></TxDtls></NtryDtls></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: STATUS("10"), transactions: having(order, "rejected") },
        ...{ code: "RC01", words: "BIC ungültig" },
      }),
      camt(order, { version: "053.001.08", entries: [batch] }),
      camt(order, { version: "053.001.08", entries: back }),
    ];
  },
};

/** Zeros before an amount, up to 18 characters. */
const padded = (cents: number): string => euro(cents).padStart(18, "0");

/** The Netherlands: zeros before amounts, the batch's id in a field of fixed length, a detail without references. */
const netherlands: Bank = {
  name: "NL: a sum by a padded PmtInfId",
  account: { beneficiaryName: "Bloemen B.V.", iban: "NL91ABNA0417164300", bic: "ABNANL2A" },
  format: "pain.001.001.03",
  answer: (order) => {
    const batch = (payments: ReadonlyArray<Payment>) =>
      `<Ntry>${amount(0, "EUR", padded(sumOf(payments)))}${debit}<RvslInd>false</RvslInd>${BOOKED.old}${dates("2026-01-05")}<BkTxCd><Prtry><Cd>526</Cd><Issr>ABNAMRO</Issr></Prtry></BkTxCd>
<NtryDtls><Btch><PmtInfId>${order.batchId.padEnd(35)}</PmtInfId></Btch><TxDtls><BkTxCd><Prtry><Cd>526</Cd></Prtry></BkTxCd><Purp><Cd>SALA</Cd></Purp></TxDtls></NtryDtls></Ntry>`;
    const back = having(order, "returned").map(
      ({ endToEndId, cents, remittance }) =>
        `<Ntry>${amount(0, "EUR", padded(cents))}${credit}${BOOKED.old}${dates("2026-01-07")}<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><AmtDtls><TxAmt>${amount(0, "EUR", padded(cents))}</TxAmt></AmtDtls><RmtInf><Ustrd>${remittance}</Ustrd></RmtInf><RtrInf><Rsn><Cd>MS03</Cd></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "AG01", words: "Rekening geblokkeerd" },
      }),
      camt(order, { version: "053.001.02", entries: [batch(accepted(order))] }),
      camt(order, { version: "053.001.02", entries: back }),
    ];
  },
};

/** The Netherlands, SWIFT: labels between slashes, the batch by its PREF and number. */
const netherlandsSwift: Bank = {
  ...netherlands,
  name: "NL: SWIFT, a sum by PREF and NRTX",
  answer: (order) => {
    const rest = accepted(order);
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "AG01", words: "Rekening geblokkeerd" },
      }),
      mt940(
        `${order.iban} EUR`,
        [
          [
            `2601050105D${swift(sumOf(rest))}N526NONREF`,
            wrap(
              `/PREF/${order.batchId}//NRTX/${String(rest.length).padStart(7, "0")}//PIND/BATCH-BOOKING/`,
              65,
            ),
          ],
        ],
        { header: ":940:\r\n" },
      ),
      mt940(
        `${order.iban} EUR`,
        having(order, "returned").map(({ endToEndId, cents, name, iban }) => [
          `2601070107C${swift(cents)}N541EREF`,
          wrap(`/EREF/${endToEndId}/RTRN/MS03//ORDP//NAME/${name}/ACCW/${iban},NDEADKKK/`, 65),
        ]),
      ),
    ];
  },
};

/** Belgium: a notification of each payment, then the statement with all of them in one entry. */
const belgium: Bank = {
  name: "BE: notifications, then an entry of all payments",
  account: { beneficiaryName: "Marché Couvert SRL", iban: "BE68539007547034", bic: "GKCCBEBB" },
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const details = (payment: Payment, status: string, direction: string) =>
      `<TxDtls><Refs><AcctSvcrRef>${status}${payment.endToEndId.slice(20)}</AcctSvcrRef><InstrId>${payment.endToEndId.slice(0, 12)}</InstrId><EndToEndId>${payment.endToEndId}</EndToEndId></Refs><AmtDtls><TxAmt>${amount(payment.cents)}</TxAmt></AmtDtls>${direction}<RmtInf><Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>RF18539007547034</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>`;
    const notified = rest.map(
      (payment) =>
        `<Ntry>${amount(payment.cents)}${debit}${BOOKED.new}<BookgDt><DtTm>2026-01-05T11:00:00</DtTm></BookgDt><NtryDtls>${details(payment, "N", debit)}</NtryDtls></Ntry>`,
    );
    const stated = `<Ntry>${amount(sumOf(rest))}${debit}${BOOKED.new}${dates("2026-01-05")}<NtryDtls>${rest.map((payment) => details(payment, "S", debit)).join("")}</NtryDtls></Ntry>`;
    const back = having(order, "returned").map(
      (payment) =>
        `<Ntry>${amount(payment.cents)}${credit}${BOOKED.new}${dates("2026-01-09")}<NtryDtls>${details(payment, "R", credit)}</NtryDtls><AddtlNtryInf>COMPTE BENEFICIAIRE CLOTURE</AddtlNtryInf></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: STATUS("10"), transactions: having(order, "rejected") },
        ...{ code: "BE05", words: "Initiating party unknown" },
      }),
      camt(order, { version: "054.001.08", entries: notified }),
      camt(order, { version: "053.001.08", entries: [stated] }),
      camt(order, { version: "053.001.08", entries: back }),
    ];
  },
};

/** France: the whole file is booked, with one detail; what is rejected comes back the same day, in an old encoding. */
const france: Bank = {
  name: "FR: a sum of everything, rejections as credits",
  account: {
    beneficiaryName: "Société Générale des Marchés",
    iban: "FR7630006000011234567890189",
    bic: "AGRIFRPP",
  },
  format: "pain.001.001.09",
  answer: (order) => {
    const batch = `<Ntry><NtryRef>1</NtryRef>${amount(sumOf(order.payments))}${debit}${BOOKED.old}${dates("2026-01-05")}<AcctSvcrRef>VSE260105</AcctSvcrRef><BkTxCd><Prtry><Cd>05</Cd><Issr>CFONB</Issr></Prtry></BkTxCd>
<NtryDtls><TxDtls><Refs><MsgId>${order.messageId}</MsgId><PmtInfId>${order.batchId}</PmtInfId><EndToEndId>NOTPROVIDED</EndToEndId></Refs><AmtDtls><TxAmt>${amount(sumOf(order.payments))}</TxAmt></AmtDtls></TxDtls></NtryDtls><AddtlNtryInf>VIREMENTS SEPA ÉMIS</AddtlNtryInf></Ntry>`;
    const back = (payment: Payment, reference: string, words: string) =>
      `<Ntry><NtryRef>${reference}</NtryRef>${amount(payment.cents)}${credit}${BOOKED.old}${dates("2026-01-06")}<AcctSvcrRef>${reference}${payment.endToEndId.slice(20)}</AcctSvcrRef><NtryDtls><TxDtls><Refs><MsgId>${order.messageId}</MsgId><EndToEndId>${payment.endToEndId}</EndToEndId></Refs><AmtDtls><InstdAmt>${amount(payment.cents)}</InstdAmt><TxAmt>${amount(payment.cents)}</TxAmt></AmtDtls><RtrInf><OrgnlBkTxCd><Prtry><Cd>05</Cd></Prtry></OrgnlBkTxCd><Rsn><Prtry>${words}</Prtry></Rsn></RtrInf></TxDtls></NtryDtls></Ntry>`;
    const rejected = having(order, "rejected").map((payment) => back(payment, "RJ", "REJET: BIC ERRONÉ"));
    const returned = having(order, "returned").map((payment) => back(payment, "RT", "COMPTE CLÔTURÉ"));
    const encoding = "ISO-8859-1";
    return [
      camt(order, { version: "053.001.02", entries: [batch, ...rejected], encoding }),
      camt(order, { version: "054.001.02", entries: returned, encoding }),
      camt(order, { version: "053.001.02", entries: returned, encoding }),
    ];
  },
};

/** Spain: an entry for each payment, with its commission in the amount; returns name the payment in their text alone. */
const spain: Bank = {
  name: "ES: charges in each entry, returns by their text",
  account: { beneficiaryName: "Mercado Peñíscola S.L.", iban: "ES9121000418450200051332", bic: "CAIXESBB" },
  format: "pain.001.001.09",
  answer: (order) => {
    const charge = 40;
    const entries = accepted(order).map(
      (
        { endToEndId, cents },
        index,
      ) => `<Ntry><NtryRef>${index}</NtryRef>${amount(cents + charge)}${debit}${BOOKED.new}${dates("2026-01-05")}<Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">${euro(charge)}</TtlChrgsAndTaxAmt></Chrgs>
<NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId.toUpperCase()}</EndToEndId><TxId>TX${index}</TxId></Refs>${amount(cents + charge)}${debit}<AmtDtls><InstdAmt>${amount(cents)}</InstdAmt></AmtDtls></TxDtls></NtryDtls></Ntry>`,
    );
    const back = having(order, "returned").map(
      ({ endToEndId, cents }, index) =>
        `<Ntry><NtryRef>D${index}</NtryRef>${amount(cents)}${credit}${BOOKED.new}${dates("2026-01-08")}<NtryDtls><TxDtls><Refs><EndToEndId>NOTPROVIDED</EndToEndId></Refs>${amount(cents)}${credit}<RmtInf><Ustrd>DEVOLUCIÓN TRANSFERENCIA REF ${endToEndId.toUpperCase()} CUENTA CANCELADA</Ustrd></RmtInf></TxDtls></NtryDtls><AddtlNtryInf>Cuenta cancelada</AddtlNtryInf></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: STATUS("03"), transactions: having(order, "rejected") },
        ...{ code: "MS03", words: "Motivo no especificado" },
      }),
      camt(order, {
        version: "053.001.08",
        entries: [...entries, otherEntry(BOOKED.new, "Comisión de mantenimiento")],
      }),
      camt(order, { version: "053.001.08", entries: back }),
    ];
  },
};

/** Italy: the sum with its payments, which have end-to-end ids and no amounts. */
const italy: Bank = {
  name: "IT: payments without amounts in a sum",
  account: { beneficiaryName: "Mercato Città S.p.A.", iban: "IT60X0542811101000000123456", bic: "BPMOIT22" },
  format: "pain.001.001.09",
  answer: (order) => {
    const rest = accepted(order);
    const details = rest.map(
      ({ endToEndId }) =>
        `<TxDtls><Refs><PmtInfId>${order.batchId}</PmtInfId><EndToEndId>${endToEndId}</EndToEndId><TxId>${endToEndId.slice(0, 20)}</TxId></Refs></TxDtls>`,
    );
    const batch = `<Ntry>${amount(sumOf(rest))}${debit}${BOOKED.new}${dates("2026-01-05")}<AcctSvcrRef>CBI1</AcctSvcrRef><NtryDtls><Btch><MsgId>${order.messageId}</MsgId><PmtInfId>${order.batchId}</PmtInfId><NbOfTxs>${rest.length}</NbOfTxs></Btch>${details.join("")}</NtryDtls><AddtlNtryInf>Disposizioni di pagamento — bonifici</AddtlNtryInf></Ntry>`;
    const back = having(order, "returned").map(
      ({ endToEndId, cents }) =>
        `<Ntry>${amount(cents)}${credit}<RvslInd>false</RvslInd>${BOOKED.new}${dates("2026-01-08")}<AcctSvcrRef>ST${endToEndId.slice(20)}</AcctSvcrRef><NtryDtls><TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><RtrInf><Rsn><Cd>AC06</Cd></Rsn><AddtlInf>Conto bloccato</AddtlInf><AddtlInf>Non è possibile</AddtlInf></RtrInf></TxDtls></NtryDtls></Ntry>`,
    );
    return [
      pain002(order, {
        ...{ namespace: STATUS("10"), transactions: having(order, "rejected") },
        ...{ code: "AC04", words: "Conto estinto" },
      }),
      camt(order, { version: "053.001.08", entries: [batch] }),
      camt(order, { version: "053.001.08", entries: back }),
    ];
  },
};

/** The styles of banks whose accounts are in euro. */
export const euroBanks: ReadonlyArray<Bank> = [
  germany,
  germanySwift,
  austria,
  netherlands,
  netherlandsSwift,
  belgium,
  france,
  spain,
  italy,
];
