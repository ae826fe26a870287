import { Currency, PaymentFile, PayoutDetails } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { CREDITOR, payment } from "../payouts/Payers.ts";

const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");
const NOON = Date.parse("2026-04-02T12:00:00Z");

describe("the execution date of a payment file", () => {
  it("is the next business day", () =>
    expect(PaymentFile.defaultExecutionDate(EUR, NOON)).toBe("2026-04-07"));

  it("in another currency is the next day that is no Saturday or Sunday", () => {
    expect(PaymentFile.defaultExecutionDate(USD, NOON)).toBe("2026-04-03");
    expect(PaymentFile.executionDateProblem(USD, "2026-04-03", NOON)).toBe(null);
    expect(PaymentFile.executionDateProblem(USD, "2026-04-04", NOON)).toBe(
      "must not be a Saturday or Sunday; the next one is 2026-04-06",
    );
  });

  it.each([
    ["2026-04-01", null],
    ["2026-04-02", null],
    ["2026-03-31", "must not be in the past"],
    ["2026-04-03", "must be a business day of the euro area; the next one is 2026-04-07"],
    ["2026-04-05", "must be a business day of the euro area; the next one is 2026-04-07"],
    ["2027-04-02", null],
    ["2027-04-05", "must be within 365 days"],
  ])("%s: %s", (date, problem) => expect(PaymentFile.executionDateProblem(EUR, date, NOON)).toBe(problem));
});

describe("a reference in a statement", () => {
  it.each([
    ["0198b2a45c3d4e1f8a2b3c4d5e6f7a8b", "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b"],
    ["0198B2A45C3D4E1F8A2B3C4D5E6F7A8B", "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b"],
    ["0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b", "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b"],
    [" 0198b2a45c3d4e1f8a2b3c4d5e6f7a8b ", "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b"],
    ["NOTPROVIDED", null],
    ["0198b2a45c3d4e1f8a2b3c4d5e6f7a8", null],
    ["", null],
    [null, null],
  ])("%s is the reference %s", (text, uuid) => expect(PaymentFile.uuidOf(text)).toBe(uuid));

  it("has the digits of the payment's reference", () => {
    const { id } = payment();
    expect(PaymentFile.uuidOf(PaymentFile.digitsOf(id))).toBe(id);
  });
});

describe("a movement", () => {
  const own = payment({ amount: 1_250 });
  it.each([
    [{ amount: 1_250, currency: "EUR" }, CREDITOR.iban, null],
    [{ amount: 1_250, currency: "EUR" }, null, null],
    [{ amount: 1_250, currency: "EUR" }, "dk50 0040 0440 1162 43", null],
    [{ amount: 1_250, currency: "EUR" }, "DE02120300000000202051", "other_account"],
    [{ amount: 1_250, currency: "SEK" }, CREDITOR.iban, "other_currency"],
    [{ amount: 1_249, currency: "EUR" }, CREDITOR.iban, "other_amount"],
    [{ amount: null, currency: "EUR" }, CREDITOR.iban, "other_amount"],
  ])("of %j on %s matches no payment because: %s", (movement, iban, reason) =>
    expect(PaymentFile.mismatch(movement, own, iban, CREDITOR.iban)).toBe(reason),
  );
});

describe("a payment that waits for a file", () => {
  it("has the payable amount, the account of the approval, and the number of the invoice", () => {
    const settlement = {
      ...{ id: Build.fresh.settlement(), customerId: Build.fresh.customer() },
      ...{ payableAmount: 1_250, total: 1_000, currency: "EUR" as never, invoiceNumber: "HM-7" },
    };
    const reference = Build.fresh.payment();
    expect(PaymentFile.waitingPayment(settlement, reference, PayoutDetails.payeeOf(CREDITOR))).toMatchObject({
      id: reference,
      amount: 1_250,
      bankAccount: CREDITOR,
      remittance: "HM-7",
      fileId: null,
      isWaiting: true,
    });
    expect(
      PaymentFile.waitingPayment(
        { ...settlement, payableAmount: null, invoiceNumber: null },
        reference,
        PayoutDetails.payeeOf(CREDITOR),
      ),
    ).toMatchObject({ amount: 1_000, remittance: settlement.id });
  });
});
