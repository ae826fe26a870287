/**
 * Payment files against the rules of pain.001.001.09 and of the SEPA credit transfer: data types of ISO 20022 by their name,
 * rules of the scheme by their attribute (AT-…). The file is read back by an XML parser that the writer does not use.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { Iban, type PaymentFile, PaymentProvider, PayoutDetails } from "quittance";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { random } from "../support/Random.ts";
import { CREDITOR, DEBTOR, file, payment, textOf } from "./Payers.ts";

type Node = { readonly [name: string]: Node } & string;

const write = (
  payments: ReadonlyArray<PaymentFile.BankPayment>,
  given: Partial<PaymentFile.PaymentFile> = {},
) => {
  const text = textOf(sepa, file(payments, given), payments);
  expect(XMLValidator.validate(text)).toBe(true);
  const parser = new XMLParser({
    ignoreAttributes: false,
    parseTagValue: false,
    isArray: (name) => name === "CdtTrfTxInf",
  });
  const document = parser.parse(text).Document;
  const { GrpHdr: header, PmtInf: instruction } = document.CstmrCdtTrfInitn;
  return {
    text,
    document,
    header,
    instruction,
    transactions: instruction.CdtTrfTxInf as ReadonlyArray<Node>,
  };
};

const LATIN = /^[A-Za-z0-9/\-?:().,'+ ]*$/;

/** The order of the elements of each type in the schema. */
const SEQUENCES: Readonly<Record<string, ReadonlyArray<string>>> = {
  GroupHeader85: ["MsgId", "CreDtTm", "NbOfTxs", "CtrlSum", "InitgPty"],
  PaymentInstruction30: [
    "PmtInfId",
    "PmtMtd",
    "NbOfTxs",
    "CtrlSum",
    "PmtTpInf",
    "ReqdExctnDt",
    "Dbtr",
    "DbtrAcct",
    "DbtrAgt",
    "ChrgBr",
    "CdtTrfTxInf",
  ],
  CreditTransferTransaction34: ["PmtId", "Amt", "CdtrAgt", "Cdtr", "CdtrAcct", "RmtInf"],
};

/** Names in many scripts, and characters that a bank does not accept. */
const NAMES = [
  "Nordlys ApS",
  "Müller & Söhne GmbH",
  "Ægir Þórðarson",
  "Łukasz Żółć",
  "Αθήνα Α.Ε.",
  "ООО Ромашка",
  "北京公司",
  "//Slash//",
  "<script>'\"&",
  "x".repeat(200),
  "🦔",
  "  spaced\tout  ",
];

describe("a payment file", () => {
  const decide = random(1);
  const many = NAMES.flatMap((name, index) =>
    [1, 100, 99_999_999_999, decide.integer(1, 1_000_000)].map((amount) =>
      payment({
        amount,
        bankAccount: { ...CREDITOR, beneficiaryName: name },
        remittance: NAMES[index] ?? "",
      }),
    ),
  );
  const { text, document, header, instruction, transactions } = write(many);

  it("has the namespace and the elements of each type in their order", () => {
    expect(document["@_xmlns"]).toBe("urn:iso:std:iso:20022:tech:xsd:pain.001.001.09");
    expect(Object.keys(header)).toEqual(SEQUENCES.GroupHeader85);
    expect(Object.keys(instruction)).toEqual(SEQUENCES.PaymentInstruction30);
    for (const transaction of transactions)
      expect(Object.keys(transaction)).toEqual(SEQUENCES.CreditTransferTransaction34);
  });

  it("NbOfTxs and CtrlSum: are those of the transactions, at both levels", () => {
    const sum = transactions.reduce((total, { Amt }) => {
      const [units = "", cents = ""] = String(Amt?.InstdAmt?.["#text"]).split(".");
      expect([units.length > 0, cents.length]).toEqual([true, 2]);
      return total + BigInt(units) * 100n + BigInt(cents);
    }, 0n);
    expect(sum).toBe(many.reduce((total, { amount }) => total + BigInt(amount), 0n));
    const written = `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`;
    for (const totals of [header, instruction])
      expect([totals.NbOfTxs, totals.CtrlSum]).toEqual([String(many.length), written]);
  });

  it("AT-T002: each amount is in euro, with two decimals, from 0.01 to 999999999.99", () => {
    for (const { Amt } of transactions) {
      const { "@_Ccy": currency, "#text": amount } = (Amt?.InstdAmt ?? {}) as Record<string, unknown>;
      expect(currency).toBe("EUR");
      expect(amount).toMatch(/^\d{1,9}\.\d{2}$/);
    }
  });

  it("AT-T014, Max35Text: the end-to-end id is the 32 digits of the reference, and occurs once", () => {
    const ids = transactions.map(({ PmtId }) => String(PmtId?.EndToEndId));
    expect(ids).toEqual(many.map(({ id }) => id.replaceAll("-", "")));
    expect(new Set(ids).size).toBe(many.length);
    for (const id of [...ids, header.MsgId, instruction.PmtInfId]) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });

  it("has no UETR, which the customer-to-bank guidelines of the scheme leave out", () => {
    for (const { PmtId } of transactions) expect(Object.keys(PmtId ?? {})).toEqual(["EndToEndId"]);
  });

  it("AT-D001, AT-D002, AT-C001, AT-C002: accounts and banks are without spaces and in capitals", () => {
    const spaced = { beneficiaryName: "N", iban: "dk50 0040 0440 1162 43", bic: "ndea dk kk" };
    const { instruction, transactions } = write([payment({ bankAccount: spaced })], {
      debtor: { ...DEBTOR, iban: "DE02 1203 0000 0000 2020 51" },
    });
    expect(instruction.DbtrAcct.Id.IBAN).toBe("DE02120300000000202051");
    expect(instruction.DbtrAgt.FinInstnId.BICFI).toBe("BYLADEM1001");
    expect(transactions[0]?.CdtrAcct?.Id?.IBAN).toBe("DK5000400440116243");
    expect(transactions[0]?.CdtrAgt?.FinInstnId?.BICFI).toBe("NDEADKKK");
  });

  it("AT-P001, AT-E001, AT-T009: names have 1 to 70 and remittances 1 to 140 Latin characters", () => {
    const names = [header.InitgPty.Nm, instruction.Dbtr.Nm, ...transactions.map(({ Cdtr }) => Cdtr?.Nm)];
    for (const name of names.map(String)) {
      expect(name).toMatch(LATIN);
      expect(name).toMatch(/^[^/ ].{0,69}$/);
      expect(name).not.toMatch(/\/\/|\/$/);
    }
    for (const { RmtInf } of transactions) expect(String(RmtInf?.Ustrd)).toMatch(/^.{1,140}$/);
    const written = transactions.filter((_, index) => index % 4 === 0).map(({ Cdtr }) => String(Cdtr?.Nm));
    expect(written.slice(0, 9)).toEqual([
      "Nordlys ApS",
      "Muller + Sohne GmbH",
      "AEgir THordarson",
      "Lukasz Zolc",
      "Athina A.E.",
      "OOO Romashka",
      "....",
      "Slash",
      ".script.'.+",
    ]);
  });

  it("AT-T001, AT-T013: is a SEPA credit transfer with shared charges on its execution date", () => {
    expect([instruction.PmtMtd, instruction.PmtTpInf.SvcLvl.Cd, instruction.ChrgBr]).toEqual([
      "TRF",
      "SEPA",
      "SLEV",
    ]);
    expect(instruction.ReqdExctnDt).toEqual({ Dt: "2026-01-05" });
    expect(header.CreDtTm).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it("AT-P004: has the payer's address where a bank outside the EEA takes part, and only there", () => {
    const address = {
      ...{ street: "Rue du Rhône 1", city: "Genève" },
      ...{ region: "", postalCode: "1204", country: "CH" },
    };
    const debtor = { ...DEBTOR, address };
    const addressOf = (bankAccount: PaymentFile.BankPayment["bankAccount"], payer = debtor) =>
      write([payment(), payment({ bankAccount })], { debtor: payer }).instruction.Dbtr.PstlAdr;
    const written = { StrtNm: "Rue du Rhone 1", PstCd: "1204", TwnNm: "Geneve", Ctry: "CH" };
    for (const [iban, bic] of [
      ["CH9300762011623852957", "UBSWCHZH80A"],
      ["GB29NWBK60161331926819", "NWBKGB2L"],
      ["MC5811222000010123456789030", "CMCIMCM1"],
      ["SM86U0322509800000000270100", "MAOISMSM"],
      ["GB29NWBK60161331926819", "NWBKJESH"],
    ] as const)
      expect([iban, addressOf({ beneficiaryName: "N", iban, bic })]).toEqual([iban, written]);
    expect(addressOf(CREDITOR)).toBe(undefined);
    const swiss = { iban: "CH9300762011623852957", bic: "UBSWCHZH80A" };
    const region = { ...address, region: "Genève" };
    expect(addressOf(CREDITOR, { ...debtor, ...swiss, address: region })).toEqual({
      ...{ StrtNm: "Rue du Rhone 1", PstCd: "1204", TwnNm: "Geneve" },
      ...{ CtrySubDvsn: "Geneve", Ctry: "CH" },
    });
    // A file that was created before the address was recorded.
    const { address: _, ...old } = debtor;
    expect(write([payment({ bankAccount: { ...CREDITOR, ...swiss } })], { debtor: old }).text).not.toContain(
      "PstlAdr",
    );
  });

  it("has the same bytes each time, in ASCII", () => {
    const same = file(many);
    expect(textOf(sepa, same, many)).toEqual(textOf(sepa, same, many));
    expect(text).toMatch(/^[\n\x20-\x7e]*$/);
  });
});

const accountProblem = (account: typeof CREDITOR): string | null =>
  PaymentProvider.payoutProblem(sepa, PayoutDetails.payeeOf(account));

describe("an account that SEPA does not reach", () => {
  it.each([
    ["AE070331234567890123456", "BBMEAEAD", "AE"],
    ["BR1800360305000010009795493C1", "CEFXBRSP", "BR"],
    ["TR330006100519786457841326", "TCZBTR2A", "TR"],
    ["IL620108000000099999999", "LUMIILIT", "IL"],
    ["FR1420041010050500013M02606", "CEPANCNM", "NC"],
    ["fo62 6460 0001 6316 34", "FIFBFOTX", "FO"],
    ["DK5000400440116243", "NDEADKKK", null],
    ["CH9300762011623852957", "UBSWCHZH80A", null],
    ["GB29NWBK60161331926819", "NWBKGB2L", null],
    ["FR1420041010050500013M02606", "CEPAREMM", null],
    ["MC5811222000010123456789030", "CMCIMCM1", null],
    ["RS35260005601001611379", "RZBSRSBG", null],
  ])("%s at %s: %s", (iban, bic, country) => {
    expect(Iban.accountProblem({ iban, bic })).toBe(null);
    expect(accountProblem({ beneficiaryName: "N", iban, bic })).toBe(
      country === null
        ? null
        : `SEPA does not reach accounts in ${country}: pay outside Quittance and mark the settlement as paid`,
    );
  });
});

describe("a name", () => {
  const problem =
    "banks exchange names in Latin letters, and beneficiary_name has none: write it as the bank of the account does, in Latin letters";
  it.each([
    ["北京公司", problem],
    ["🦔", problem],
    ["شركة", problem],
    ["北京公司 Ltd", null],
    ["Αθήνα Α.Ε.", null],
    ["ООО Ромашка", null],
    ["1 & 1", null],
    ["株式会社7", problem],
  ])("%s: %s", (beneficiaryName, expected) =>
    expect(accountProblem({ ...CREDITOR, beneficiaryName })).toBe(expected),
  );
});

describe("a payment that SEPA cannot make", () => {
  it.each([
    ["SEK", 100, "the payout provider sepa does not pay to IBANs in SEK"],
    ["EUR", 100_000_000_000, "SEPA pays at most 999,999,999.99 EUR at once"],
    ["EUR", 99_999_999_999, null],
  ])("in %s of %i: %s", (currency, amount, problem) => {
    const account = PayoutDetails.payeeOf(CREDITOR);
    const payment = { currency: currency as never, amount, account };
    expect(PaymentProvider.paymentProblem(sepa, payment)).toBe(problem);
  });

  it.each([
    [
      "uk",
      { sort_code: "200000", account_number: "55779911", holder: "A" },
      "accounts in the United Kingdom",
    ],
    ["custom", { wallet: "w-1" }, "custom accounts"],
  ] as const)("to an account of type %s", (type, details, name) => {
    const problem = `the payout provider sepa does not pay to ${name}`;
    expect(PaymentProvider.payoutProblem(sepa, { type, details })).toBe(problem);
  });
});
