/** Payment files in each version of pain.001, against its definition, and what differs between the versions. */
import { Effect, Either } from "effect";
import type { PaymentFile } from "quittance";
import { SEPA_FORMATS, type SepaFormat, sepa, sepaWith } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { random } from "../support/Random.ts";
import { problemsOf } from "./Definition.ts";
import { CREDITOR, DEBTOR, file, payment, textOf } from "./Payers.ts";
import { bytesOf } from "./Statements.ts";

const OLD = "pain.001.001.03";
const NEW = "pain.001.001.09";

type Given = Partial<PaymentFile.PaymentFile>;

const write = (payments: ReadonlyArray<PaymentFile.BankPayment>, given: Given): string =>
  textOf(sepa, file(payments, given), payments);

const ADDRESS = {
  ...{ street: "Rue du Rhône 1", city: "Genève", region: "Genève" },
  ...{ postalCode: "1204", country: "CH" },
};
const SWISS = { beneficiaryName: "N", iban: "CH9300762011623852957", bic: "UBSWCHZH80A" };

/** A file of one payment that is the same each time, with everything that a file can have. */
const ONE = {
  id: "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8c" as PaymentFile.PaymentFile["id"],
  debtor: DEBTOR,
};
const PAYMENT = payment({ id: "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b" as PaymentFile.BankPayment["id"] });

/** It as it was written before there was a choice of versions. */
const WRITTEN = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr><MsgId>0198b2a45c3d4e1f8a2b3c4d5e6f7a8c</MsgId><CreDtTm>2026-01-01T00:00:00Z</CreDtTm><NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum><InitgPty><Nm>Havn + Mark GmbH</Nm></InitgPty></GrpHdr><PmtInf><PmtInfId>0198b2a45c3d4e1f8a2b3c4d5e6f7a8c</PmtInfId><PmtMtd>TRF</PmtMtd><NbOfTxs>1</NbOfTxs><CtrlSum>12.50</CtrlSum><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf><ReqdExctnDt><Dt>2026-01-05</Dt></ReqdExctnDt><Dbtr><Nm>Havn + Mark GmbH</Nm></Dbtr><DbtrAcct><Id><IBAN>DE02120300000000202051</IBAN></Id></DbtrAcct><DbtrAgt><FinInstnId><BICFI>BYLADEM1001</BICFI></FinInstnId></DbtrAgt><ChrgBr>SLEV</ChrgBr><CdtTrfTxInf><PmtId><EndToEndId>0198b2a45c3d4e1f8a2b3c4d5e6f7a8b</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt><CdtrAgt><FinInstnId><BICFI>NDEADKKK</BICFI></FinInstnId></CdtrAgt><Cdtr><Nm>Nordlys ApS</Nm></Cdtr><CdtrAcct><Id><IBAN>DK5000400440116243</IBAN></Id></CdtrAcct><RmtInf><Ustrd>HM-2026-000017</Ustrd></RmtInf></CdtTrfTxInf></PmtInf></CstmrCdtTrfInitn></Document>
`;

/** A file of version 09 in version 03, by what the two definitions call the same. */
const older = (text: string): string =>
  text
    .replace("xsd:pain.001.001.09", "xsd:pain.001.001.03")
    .replaceAll("BICFI>", "BIC>")
    .replace(/<ReqdExctnDt><Dt>(.*?)<\/Dt>/, "<ReqdExctnDt>$1");

describe("the version of a payment file", () => {
  it("is 09 where the file states none, and the bytes are those before there was a choice", () => {
    expect(write([PAYMENT], ONE)).toBe(WRITTEN);
    expect(write([PAYMENT], { ...ONE, format: NEW })).toBe(WRITTEN);
  });

  it("03 differs in the namespace, the name of a BIC and the execution date, and in nothing else", () => {
    expect(write([PAYMENT], { ...ONE, format: OLD })).toBe(older(WRITTEN));
    const debtor = { ...DEBTOR, ...SWISS, address: ADDRESS };
    const full = write([PAYMENT, payment({ id: ONE.id as never, bankAccount: SWISS })], { ...ONE, debtor });
    expect(full).toContain("<CtrySubDvsn>");
    const both = [PAYMENT, payment({ id: ONE.id as never, bankAccount: SWISS })];
    expect(write(both, { ...ONE, debtor, format: OLD })).toBe(older(full));
  });

  it("of new files is that of the option, 09 by default", () => {
    expect(SEPA_FORMATS).toEqual([OLD, NEW]);
    const providers = [sepa, sepaWith({}), sepaWith({ format: OLD })];
    expect(providers.map(({ files }) => files?.formats.map(({ name }) => name))).toEqual([
      [NEW],
      [NEW],
      [OLD],
    ]);
  });

  it("is that of the file, whatever the option is", () => {
    for (const format of SEPA_FORMATS) {
      const text = textOf(sepaWith({ format }), file([PAYMENT], { ...ONE, format: OLD }), [PAYMENT]);
      expect(text).toBe(older(WRITTEN));
    }
  });

  it("that is unknown is never replaced by another", () => {
    expect(() => write([PAYMENT], { ...ONE, format: "pain.001.001.11" })).toThrow("pain.001.001.11");
  });
});

const NAMES = ["Müller & Söhne", "//Slash//", "<script>'\"&", "x".repeat(200), "北京公司 Ltd", "a/", " b "];
const ACCOUNTS = [CREDITOR, SWISS, { ...CREDITOR, bic: "ndea dk kk" }, { ...CREDITOR, bic: "NDEADKK1XXX" }];

describe.each(SEPA_FORMATS)("a payment file in %s", (format) => {
  const decide = random(3);
  const choose = <A>(values: ReadonlyArray<A>): A => {
    const value = values[decide.integer(0, values.length - 1)];
    if (value === undefined) throw new Error("nothing to choose from");
    return value;
  };
  const written = Array.from({ length: 300 }, () => {
    const payments = Array.from({ length: decide.integer(1, 6) }, () =>
      payment({
        amount: choose([1, 100, 99_999_999_999, decide.integer(1, 1_000_000)]),
        bankAccount: { ...choose(ACCOUNTS), beneficiaryName: choose(NAMES) },
        remittance: choose([...NAMES, "HM-2026-000017"]),
      }),
    );
    const address = {
      ...{ street: choose(NAMES), city: choose(NAMES), region: choose(["", ...NAMES]) },
      ...{ postalCode: choose(["1204", "x".repeat(30)]), country: choose(["CH", "DE"]) },
    };
    const debtor = { ...choose([DEBTOR, SWISS]), beneficiaryName: choose(NAMES), address };
    return write(payments, { debtor, format });
  });

  it("has the elements, texts, counts and sums of its definition, and not those of the other", () => {
    for (const text of written) {
      expect(problemsOf(text, format)).toEqual([]);
      expect(text).toMatch(/^[\n\x20-\x7e]*$/);
      for (const other of SEPA_FORMATS) if (other !== format) expect(problemsOf(text, other)).not.toEqual([]);
    }
    expect(written.some((text) => text.includes("<CtrySubDvsn>"))).toBe(true);
  });

  it.each<[string, RegExp | string, string]>([
    ["an element at another place", /(<NbOfTxs>\d+<\/NbOfTxs>)(<CtrlSum>.*?<\/CtrlSum>)/, "$2$1"],
    ["a missing element", /<PmtMtd>TRF<\/PmtMtd>/, ""],
    ["an element twice", "<ChrgBr>SLEV</ChrgBr>", "<ChrgBr>SLEV</ChrgBr><ChrgBr>SLEV</ChrgBr>"],
    ["an unknown element", "<Cdtr>", "<UETR>1</UETR><Cdtr>"],
    ["an empty text", /<Nm>.*?<\/Nm>/, "<Nm></Nm>"],
    ["a name that is too long", /<Nm>.*?<\/Nm>/, `<Nm>${"x".repeat(71)}</Nm>`],
    ["a text that is too long", /<Ustrd>.*?<\/Ustrd>/, `<Ustrd>${"x".repeat(141)}</Ustrd>`],
    ["an id that is too long", /<EndToEndId>.*?<\/EndToEndId>/, `<EndToEndId>${"1".repeat(36)}</EndToEndId>`],
    ["a letter that is not exchanged", /<Nm>.*?<\/Nm>/, "<Nm>Ærø</Nm>"],
    ["another count", /<NbOfTxs>\d+/, "<NbOfTxs>7"],
    ["another sum", /<CtrlSum>\d+/, "<CtrlSum>7"],
    ["the BIC of the other version", /BIC(FI)?>/g, format === OLD ? "BICFI>" : "BIC>"],
    [
      "the date of the other version",
      /<ReqdExctnDt>.*?<\/ReqdExctnDt>/,
      `<ReqdExctnDt>${format === OLD ? "<Dt>2026-01-05</Dt>" : "2026-01-05"}</ReqdExctnDt>`,
    ],
    ["an amount without a currency", ' Ccy="EUR"', ""],
    ["an open element", "</Document>", ""],
  ])("with %s would be noticed", (_, found, replacement) => {
    const text = write([PAYMENT], { ...ONE, format });
    expect(text.replace(found, replacement)).not.toBe(text);
    expect(problemsOf(text.replace(found, replacement), format)).not.toEqual([]);
  });
});

describe("a BIC that version 03 does not take", () => {
  it.each(["NDEADK1K", "NDEADKKO", "NDEADK0KXXX"])("%s is left out of it, and written in 09", (bic) => {
    const payments = [payment({ bankAccount: { ...CREDITOR, bic } })];
    const debtor = { ...DEBTOR, iban: CREDITOR.iban, bic };
    const text = (format: SepaFormat) => write(payments, { debtor, format });
    expect(text(NEW).split(`<BICFI>${bic}</BICFI>`)).toHaveLength(3);
    expect(text(OLD)).not.toContain(bic);
    expect(text(OLD)).not.toContain("<CdtrAgt>");
    expect(text(OLD)).toContain(
      "<DbtrAgt><FinInstnId><Othr><Id>NOTPROVIDED</Id></Othr></FinInstnId></DbtrAgt>",
    );
    for (const format of SEPA_FORMATS) expect(problemsOf(text(format), format)).toEqual([]);
  });
});

const REFERENCE = "0198b2a45c3d4e1f8a2b3c4d5e6f7a8b";
const FILE = "0198b2a45c3d4e1f8a2b3c4d5e6f7a8c";

/** A report of the generation of version 03: the status of a batch without the payments that it accepts. */
const PAIN_002 = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><CstmrPmtStsRpt>
<GrpHdr><MsgId>R-7</MsgId><CreDtTm>2026-01-05T09:00:00.000+01:00</CreDtTm><DbtrAgt><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></DbtrAgt></GrpHdr>
<OrgnlGrpInfAndSts><OrgnlMsgId>${FILE}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.03</OrgnlMsgNmId><OrgnlCreDtTm>2026-01-01T00:00:00Z</OrgnlCreDtTm><OrgnlNbOfTxs>2</OrgnlNbOfTxs><OrgnlCtrlSum>25.00</OrgnlCtrlSum><GrpSts>PART</GrpSts></OrgnlGrpInfAndSts>
<OrgnlPmtInfAndSts><OrgnlPmtInfId>${FILE}</OrgnlPmtInfId><OrgnlNbOfTxs>2</OrgnlNbOfTxs><PmtInfSts>PART</PmtInfSts><NbOfTxsPerSts><DtldNbOfTxs>1</DtldNbOfTxs><DtldSts>RJCT</DtldSts></NbOfTxsPerSts>
<TxInfAndSts><StsId>1</StsId><OrgnlInstrId>NOTPROVIDED</OrgnlInstrId><OrgnlEndToEndId>${REFERENCE}</OrgnlEndToEndId><TxSts>RJCT</TxSts>
<StsRsnInf><Orgtr><Id><OrgId><BICOrBEI>BYLADEM1001</BICOrBEI></OrgId></Id></Orgtr><Rsn><Cd>AC01</Cd></Rsn></StsRsnInf>
<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">12.50</InstdAmt></Amt><ReqdExctnDt>2026-01-05</ReqdExctnDt><CdtrAgt><FinInstnId><BIC>NDEADKKK</BIC></FinInstnId></CdtrAgt><Cdtr><Nm>Nordlys ApS</Nm></Cdtr></OrgnlTxRef></TxInfAndSts>
</OrgnlPmtInfAndSts></CstmrPmtStsRpt></Document>`;

/** A statement of that generation: the status is a text, parties have no `Pty`, and details state their amount in `AmtDtls` alone. */
const CAMT_053 = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>S-1</MsgId><CreDtTm>2026-01-06T05:00:00+01:00</CreDtTm><MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn></GrpHdr>
<Stmt><Id>1</Id><ElctrncSeqNb>3</ElctrncSeqNb><CreDtTm>2026-01-06T05:00:00+01:00</CreDtTm><Acct><Id><IBAN>DE02120300000000202051</IBAN></Id><Ccy>EUR</Ccy><Svcr><FinInstnId><BIC>BYLADEM1001</BIC></FinInstnId></Svcr></Acct>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-05</Dt></Dt></Bal>
<Ntry><NtryRef>1</NtryRef><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-01-05</Dt></BookgDt><ValDt><Dt>2026-01-05</Dt></ValDt><AcctSvcrRef>B-1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>ICDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>
<NtryDtls><TxDtls><Refs><EndToEndId>${REFERENCE}</EndToEndId></Refs><AmtDtls><InstdAmt><Amt Ccy="EUR">12.50</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">12.50</Amt></TxAmt></AmtDtls><RltdPties><Cdtr><Nm>Nordlys ApS</Nm></Cdtr><CdtrAcct><Id><IBAN>DK5000400440116243</IBAN></Id></CdtrAcct></RltdPties><RltdAgts><CdtrAgt><FinInstnId><BIC>NDEADKKK</BIC></FinInstnId></CdtrAgt></RltdAgts></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="EUR">1.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>PDNG</Sts></Ntry>
</Stmt></BkToCstmrStmt></Document>`;

describe("a bank of the older generation", () => {
  const read = (text: string) => {
    const { files } = sepaWith({ format: OLD });
    if (files === null) throw new Error("SEPA reads messages of banks");
    return Effect.runPromise(Effect.map(Effect.either(files.read(bytesOf(text))), Either.getOrThrow));
  };
  const common = { endToEndId: REFERENCE, batch: null, amount: 1_250, currency: "EUR" };

  it("is understood when it rejects a payment in pain.002.001.03", async () => {
    expect(await read(PAIN_002)).toEqual({
      accounts: [
        {
          ...{ iban: null, isFinal: false },
          movements: [
            {
              ...common,
              ...{ direction: "rejected", bookingDate: null, bankReference: "R-7" },
              reason: expect.stringContaining("AC01"),
            },
          ],
        },
      ],
    });
  });

  it("is understood when it books a payment in camt.053.001.02", async () => {
    const booked = { direction: "debit", bookingDate: "2026-01-05", bankReference: "B-1", reason: null };
    expect(await read(CAMT_053)).toEqual({
      accounts: [{ iban: "DE02120300000000202051", isFinal: true, movements: [{ ...common, ...booked }] }],
    });
  });
});
