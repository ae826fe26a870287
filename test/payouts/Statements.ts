/** Bank statements as three kinds of bank write them. The amounts are texts of euro, as a bank prints them. */

/** One transaction of a statement. */
export interface Transaction {
  readonly endToEndId: string;
  /** In cents. */
  readonly amount: number;
  readonly isCredit?: boolean;
  readonly reason?: string;
  readonly currency?: string;
  readonly bankReference?: string;
}

const euros = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;

const amount = ({ amount: cents, currency = "EUR" }: Pick<Transaction, "amount" | "currency">): string =>
  `<Amt Ccy="${currency}">${euros(cents)}</Amt>`;

const indicator = ({ isCredit = false }: Pick<Transaction, "isCredit">): string =>
  `<CdtDbtInd>${isCredit ? "CRDT" : "DBIT"}</CdtDbtInd>`;

export const IBAN = "DE02120300000000202051";

interface Batch {
  readonly fileId?: string;
  readonly iban?: string;
  /** True if the single transactions are listed. */
  readonly hasDetails?: boolean;
  readonly count?: number;
  readonly bankReference?: string;
  /** The amount of the entry, in cents; the sum of the transactions by default. */
  readonly booked?: number;
}

/** A German bank: camt.053.001.08, a file is one entry with its sum, and its transactions in the details. */
export const batchBooked = (
  transactions: ReadonlyArray<Transaction>,
  { fileId = "F", iban = IBAN, hasDetails = true, count, bankReference = "B1", booked }: Batch = {},
): string => {
  const sum = booked ?? transactions.reduce((total, transaction) => total + transaction.amount, 0);
  const details = transactions.map(
    (transaction) => `
          <TxDtls>
            <Refs><MsgId>${fileId}</MsgId><PmtInfId>${fileId}</PmtInfId><EndToEndId>${transaction.endToEndId}</EndToEndId></Refs>
            ${amount(transaction)}
            ${indicator(transaction)}
          </TxDtls>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- a statement of a day -->
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <BkToCstmrStmt>
    <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-01-06T06:00:00+01:00</CreDtTm></GrpHdr>
    <Stmt>
      <Id>S1</Id>
      <Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
      <Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
      <Ntry>
        <Amt Ccy="EUR">${euros(sum)}</Amt>
        <CdtDbtInd>DBIT</CdtDbtInd>
        <Sts><Cd>BOOK</Cd></Sts>
        <BookgDt><Dt>2026-01-05</Dt></BookgDt>
        <ValDt><Dt>2026-01-05</Dt></ValDt>
        <AcctSvcrRef>${bankReference}</AcctSvcrRef>
        <BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
        <NtryDtls>
          <Btch><PmtInfId>${fileId}</PmtInfId><NbOfTxs>${count ?? transactions.length}</NbOfTxs></Btch>${hasDetails ? details.join("") : ""}
        </NtryDtls>
      </Ntry>
    </Stmt>
  </BkToCstmrStmt>
</Document>`;
};

/** How banks state the file of a batch that they book as a sum, inside `NtryDtls`. */
export const SUM_STYLES: Readonly<
  Record<string, (fileId: string, transactions: ReadonlyArray<Transaction>) => string>
> = {
  "the batch's PmtInfId, without a number": (fileId) => `<Btch><PmtInfId>${fileId}</PmtInfId></Btch>`,
  "the batch's MsgId": (fileId, { length }) =>
    `<Btch><MsgId>${fileId}</MsgId><NbOfTxs>${length}</NbOfTxs></Btch>`,
  "the PmtInfId of its only transaction": (fileId) =>
    `<TxDtls><Refs><PmtInfId>${fileId}</PmtInfId></Refs></TxDtls>`,
  "the MsgId of its only transaction, whose end-to-end id is not provided": (fileId) =>
    `<TxDtls><Refs><MsgId>${fileId}</MsgId><EndToEndId>NOTPROVIDED</EndToEndId></Refs></TxDtls>`,
  "the PmtInfId of each transaction, without end-to-end ids": (fileId, transactions) =>
    transactions
      .map(
        (transaction) => `<TxDtls><Refs><PmtInfId>${fileId}</PmtInfId></Refs>${amount(transaction)}</TxDtls>`,
      )
      .join(""),
  "an end-to-end id": (fileId) => `<TxDtls><Refs><EndToEndId>${fileId}</EndToEndId></Refs></TxDtls>`,
};

/** A statement that books a file as a sum. */
export const summed = (
  style: string,
  fileId: string,
  transactions: ReadonlyArray<Transaction>,
  given: Pick<Batch, "booked"> = {},
): string =>
  batchBooked(transactions, given).replace(
    /<NtryDtls>[\s\S]*<\/NtryDtls>/,
    `<NtryDtls>${SUM_STYLES[style]?.(fileId, transactions)}</NtryDtls>`,
  );

/** A Dutch bank: camt.053.001.02, an entry for each transaction, amounts in the entry alone, elements with a prefix. */
export const single = (transactions: ReadonlyArray<Transaction>, iban: string | null = IBAN): string => {
  const entries = transactions.map(
    (transaction, index) => `
      <ns2:Ntry>
        <ns2:NtryRef>${index + 1}</ns2:NtryRef>
        <ns2:Amt Ccy="${transaction.currency ?? "EUR"}">${euros(transaction.amount)}</ns2:Amt>
        <ns2:CdtDbtInd>${transaction.isCredit === true ? "CRDT" : "DBIT"}</ns2:CdtDbtInd>
        <ns2:Sts>BOOK</ns2:Sts>
        <ns2:BookgDt><ns2:Dt>2026-01-05</ns2:Dt></ns2:BookgDt>
        <ns2:AcctSvcrRef>${transaction.bankReference ?? `NL-${transaction.endToEndId}`}</ns2:AcctSvcrRef>
        <ns2:NtryDtls><ns2:TxDtls>
          <ns2:Refs><ns2:EndToEndId>${transaction.endToEndId.toUpperCase()}</ns2:EndToEndId></ns2:Refs>
          <ns2:RmtInf><ns2:Ustrd>D&#233;cembre &amp; janvier</ns2:Ustrd></ns2:RmtInf>
        </ns2:TxDtls></ns2:NtryDtls>
      </ns2:Ntry>`,
  );
  const account = iban === null ? "" : `<ns2:Acct><ns2:Id><ns2:IBAN>${iban}</ns2:IBAN></ns2:Id></ns2:Acct>`;
  return `<?xml version='1.0' encoding='UTF-8'?><ns2:Document xmlns:ns2="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><ns2:BkToCstmrStmt><ns2:GrpHdr/><ns2:Stmt>${account}${entries.join("")}
    </ns2:Stmt></ns2:BkToCstmrStmt></ns2:Document>`;
};

/** A Nordic bank: camt.054.001.08 in ISO 8859-1, amounts in `AmtDtls`, returns with their reason, pending entries too. */
export const withReturns = (
  transactions: ReadonlyArray<Transaction>,
  pending: ReadonlyArray<Transaction> = [],
): Uint8Array => {
  const entry = (status: string) => (transaction: Transaction) =>
    `
      <Ntry>
        ${amount(transaction)}
        ${indicator(transaction)}
        <Sts><Cd>${status}</Cd></Sts>
        <BookgDt><DtTm>2026-01-07T10:11:12</DtTm></BookgDt>
        <NtryDtls><TxDtls>
          <Refs><AcctSvcrRef>${transaction.bankReference ?? `N-${transaction.isCredit === true ? "C" : "D"}`}</AcctSvcrRef><EndToEndId>${transaction.endToEndId}</EndToEndId></Refs>
          <AmtDtls><InstdAmt>${amount(transaction)}</InstdAmt><TxAmt>${amount(transaction)}</TxAmt></AmtDtls>
          <RltdPties><Cdtr><Pty><Nm>Søren Ærø</Nm></Pty></Cdtr></RltdPties>${
            transaction.reason === undefined
              ? ""
              : `<RtrInf><Rsn><Cd>${transaction.reason}</Cd></Rsn><AddtlInf>Account closed</AddtlInf></RtrInf>`
          }
        </TxDtls></NtryDtls>
      </Ntry>`;
  const text = `<?xml version="1.0" encoding="ISO-8859-1"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.054.001.08"><BkToCstmrDbtCdtNtfctn><GrpHdr><MsgId>1</MsgId></GrpHdr>
    <Ntfctn><Id>1</Id><Acct><Id><IBAN>${IBAN}</IBAN></Id></Acct>${transactions.map(entry("BOOK")).join("")}${pending.map(entry("PDNG")).join("")}
    </Ntfctn></BkToCstmrDbtCdtNtfctn></Document>`;
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
};

/** What a bank says about a file in a status report. */
export interface Report {
  readonly version?: "03" | "10";
  readonly fileId: string;
  readonly group?: string;
  readonly batch?: string;
  /** With their status. */
  readonly transactions?: ReadonlyArray<{
    readonly endToEndId: string;
    readonly status: string;
    readonly uetr?: string;
  }>;
  readonly reason?: string;
}

/** A status report (pain.002) about a payment file. */
export const statusReport = ({
  version = "03",
  fileId,
  group = "PART",
  batch,
  transactions = [],
  reason = "AC04",
}: Report): string => {
  const why = `<StsRsnInf><Orgtr><Nm>Bank</Nm></Orgtr><Rsn><Cd>${reason}</Cd></Rsn><AddtlInf>Account closed</AddtlInf></StsRsnInf>`;
  const single = transactions.map(
    ({ endToEndId, status, uetr }) => `
        <TxInfAndSts><StsId>1</StsId>${endToEndId === "" ? "" : `<OrgnlEndToEndId>${endToEndId}</OrgnlEndToEndId>`}${uetr === undefined ? "" : `<OrgnlUETR>${uetr}</OrgnlUETR>`}
          <TxSts>${status}</TxSts>${status === "RJCT" ? why : ""}
          <OrgnlTxRef><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt></OrgnlTxRef>
        </TxInfAndSts>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.${version}">
  <CstmrPmtStsRpt>
    <GrpHdr><MsgId>R1</MsgId><CreDtTm>2026-01-02T10:00:00</CreDtTm></GrpHdr>
    <OrgnlGrpInfAndSts><OrgnlMsgId>${fileId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
      <GrpSts>${group}</GrpSts>${group === "RJCT" ? why : ""}</OrgnlGrpInfAndSts>${
        batch === undefined && transactions.length === 0
          ? ""
          : `
    <OrgnlPmtInfAndSts><OrgnlPmtInfId>${fileId}</OrgnlPmtInfId>${batch === undefined ? "" : `<PmtInfSts>${batch}</PmtInfSts>${batch === "RJCT" ? why : ""}`}${single.join("")}
    </OrgnlPmtInfAndSts>`
      }
  </CstmrPmtStsRpt>
</Document>`;
};

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
