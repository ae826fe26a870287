/** The Swiss and the British form of pain.001, against their definitions. */
import { type PaymentFile, PaymentProvider } from "quittance";
import { files } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { problemsOf } from "./Definition.ts";
import { file, payment, textOf } from "./Payers.ts";

const SWISS = "pain.001.001.09.ch.03";
const BRITISH = "pain.001.001.09.gb";

const currency = (code: string) => code as PaymentFile.BankPayment["currency"];
const CHF = currency("CHF");
const GBP = currency("GBP");

const ADDRESS = { street: "Bahnhofstr. 1", city: "Zürich", region: "", postalCode: "8001", country: "CH" };
const STATED =
  "<PstlAdr><StrtNm>Bahnhofstr. 1</StrtNm><PstCd>8001</PstCd><TwnNm>Zurich</TwnNm><Ctry>CH</Ctry></PstlAdr>";
const ZURICH = { beneficiaryName: "Nordlys AG", iban: "CH9300762011623852957", bic: "" };
const VADUZ = { beneficiaryName: "Sydlys AG", iban: "LI21088100002324013AA", bic: "" };
const QR = { beneficiaryName: "Sydlys AG", iban: "CH4431999123000889012", bic: "" };
const LONDON = { beneficiaryName: "Harbour Ltd", iban: "GB29NWBK60161331926819", bic: "" };
const UK = {
  bankAccount: null,
  account: {
    type: "uk" as const,
    details: { sort_code: "200000", account_number: "55779911", holder: "Ærø Ltd" },
  },
};

const write = (
  format: typeof SWISS | typeof BRITISH,
  payments: ReadonlyArray<PaymentFile.FilePayment>,
  debtor: typeof ZURICH,
) => {
  const [{ currency: of } = { currency: CHF }] = payments;
  const given = { format, currency: of, debtor: { ...debtor, address: ADDRESS } };
  const text = textOf(files({ formats: [format] }), file(payments, given), payments);
  expect(problemsOf(text, format)).toEqual([]);
  return text;
};

describe("a Swiss payment file", () => {
  const pay = (of: PaymentFile.BankPayment["currency"], bankAccount = ZURICH): PaymentFile.FilePayment => ({
    ...payment({ currency: of, bankAccount }),
    address: ADDRESS,
  });

  it("in francs has structured addresses, names banks by their institution's id, and no service level", () => {
    const text = write(SWISS, [pay(CHF), pay(CHF, VADUZ)], ZURICH);
    expect(text.split(STATED)).toHaveLength(4);
    expect(text).toContain('<InstdAmt Ccy="CHF">12.50</InstdAmt>');
    expect(text).toContain(
      "<DbtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>CHBCC</Cd></ClrSysId><MmbId>00762</MmbId></ClrSysMmbId></FinInstnId></DbtrAgt>",
    );
    expect(text).not.toMatch(/PmtTpInf|ChrgBr|CdtrAgt/);
  });

  it("in euro is one by SEPA", () => {
    const text = write(SWISS, [pay(currency("EUR"))], { ...ZURICH, bic: "UBSWCHZH80A" });
    expect(text).toContain("<SvcLvl><Cd>SEPA</Cd></SvcLvl>");
    expect(text).toContain("<ChrgBr>SLEV</ChrgBr>");
    expect(text).toContain("<DbtrAgt><FinInstnId><BICFI>UBSWCHZH80A</BICFI></FinInstnId></DbtrAgt>");
  });
});

describe("a payment file for Faster Payments", () => {
  it("has sort codes with numbers of accounts, and IBANs", () => {
    const iban = payment({ currency: GBP, bankAccount: { ...LONDON, bic: "NWBKGB2L" } });
    const text = write(BRITISH, [payment({ ...UK, currency: GBP }), iban], LONDON);
    expect(text).toContain(
      "<CdtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>200000</MmbId></ClrSysMmbId></FinInstnId></CdtrAgt><Cdtr><Nm>AEro Ltd</Nm></Cdtr><CdtrAcct><Id><Othr><Id>55779911</Id><SchmeNm><Cd>BBAN</Cd></SchmeNm></Othr></Id></CdtrAcct>",
    );
    expect(text).toContain("<CdtrAgt><FinInstnId><BICFI>NWBKGB2L</BICFI></FinInstnId></CdtrAgt>");
    expect(text).toContain("<SvcLvl><Cd>URNS</Cd></SvcLvl>");
    expect(text).toContain(
      "<DbtrAgt><FinInstnId><ClrSysMmbId><ClrSysId><Cd>GBDSC</Cd></ClrSysId><MmbId>601613</MmbId></ClrSysMmbId></FinInstnId></DbtrAgt>",
    );
  });
});

const toIban = ({ iban, beneficiaryName: holder }: typeof ZURICH) => ({
  type: "iban" as const,
  details: { iban, holder },
});

describe("what a format pays", () => {
  it.each<[typeof SWISS | typeof BRITISH, PaymentProvider.Payment, string | null]>([
    [SWISS, { amount: 1, currency: CHF, account: toIban(ZURICH) }, null],
    [
      SWISS,
      { amount: 1, currency: CHF, account: toIban(LONDON) },
      "iban: payments in CHF go to accounts in Switzerland and Liechtenstein",
    ],
    [SWISS, { amount: 1, currency: currency("EUR"), account: toIban(LONDON) }, null],
    [
      SWISS,
      { amount: 1, currency: CHF, account: toIban(QR) },
      "iban: is a QR-IBAN, which takes only payments of QR-bills; state the ordinary IBAN of the account",
    ],
    [
      SWISS,
      { amount: 1, currency: GBP, account: toIban(ZURICH) },
      "the payout provider files does not pay to IBANs in GBP",
    ],
    [BRITISH, { amount: 100_000_000, currency: GBP, account: UK.account }, null],
    [
      BRITISH,
      { amount: 100_000_001, currency: GBP, account: UK.account },
      "Faster Payments pays at most 1,000,000.00 GBP at once",
    ],
    [
      BRITISH,
      { amount: 1, currency: GBP, account: toIban(ZURICH) },
      "iban: Faster Payments go to accounts in the United Kingdom",
    ],
  ])("%s, %j: %s", (format, paid, problem) =>
    expect(PaymentProvider.paymentProblem(files({ formats: [format] }), paid)).toBe(problem),
  );

  it.each([
    [SWISS, LONDON, "Swiss payment files pay from an account in Switzerland or Liechtenstein"],
    [SWISS, VADUZ, null],
    [BRITISH, ZURICH, "Faster Payments pays from an account in the United Kingdom"],
    [BRITISH, LONDON, null],
  ] as const)("%s from %j: %s", (name, debtor, problem) => {
    const [format] = files({ formats: [name] }).files?.formats ?? [];
    if (format === undefined) throw new Error("it has a format");
    expect(PaymentProvider.payerProblem(format, debtor)).toBe(problem);
  });
});
