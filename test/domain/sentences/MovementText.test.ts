import { Currency, MovementText } from "quittance";
import { describe, expect, it } from "vitest";

const EUR = Currency.Currency.make("EUR");

const sale: MovementText.EarnedSubject = {
  type: "earned",
  schemaName: "Sale",
  occurredOn: "2026-01-10",
  externalReference: "order-1027",
  cause: null,
  cancelReason: null,
  ...{ part: null, replaces: null, replacedBy: null, receipt: null, settledElsewhere: null },
};

const payment: MovementText.SettledSubject = {
  type: "paid",
  total: 120_000,
  taxAmount: 30_000,
  isNothingDue: false,
  documentNumber: "HM-2026-000001",
  documentKind: "invoice",
  isSelfBilled: true,
  paymentReference: "9f0190a6-88f1-7412-9b3d-06a7f1c8e206",
  bankReference: null,
  paidAt: null,
  reason: null,
};

const adjusted = (fields: Partial<MovementText.EarnedSubject>): MovementText.EarnedSubject => ({
  ...{ ...sale, type: "adjusted", cause: "formula_updated" },
  ...fields,
});

const of = (
  subject: MovementText.Subject,
  earned: number,
  settled: number,
  currency = EUR,
  waiting = 0,
): string =>
  MovementText.sentence(
    subject,
    { earned: BigInt(earned), settled: BigInt(settled), waiting: BigInt(waiting) },
    currency,
  );

describe("the sentence of a movement", () => {
  it("says when a sale was settled in another system, and under which reference", () => {
    const settled = (reference: string | null) =>
      of(
        {
          ...{ ...sale, type: "settled_elsewhere" },
          settledElsewhere: { at: Date.UTC(2026, 0, 12), reference },
        },
        0,
        100,
      );
    expect(settled(null)).toBe("Sale of 10 January 2026: settled in another system on 12 January 2026");
    expect(settled("PO-7")).toBe(
      "Sale of 10 January 2026: settled in another system on 12 January 2026, reference PO-7",
    );
  });

  it("says which part of the sale is the partner's, with a correction and without names", () => {
    const seller = { role: "seller", share: "0.6", depth: 0, sellers: [] };
    const manager = { role: "manager", share: "0.4", depth: 2, sellers: [{ name: null, share: "0.4" }] };
    expect(of({ ...sale, part: seller }, 1_200, 0)).toBe(
      "Sale of 10 January 2026, as seller, 60 % of the sale",
    );
    const replaces = { attributionId: "a" as never, occurredOn: "2026-01-05" };
    expect(of({ ...sale, part: manager, replaces }, 1_200, 0)).toBe(
      "Sale of 10 January 2026, as manager of a seller below you (40 % of the sale), level 2, correction of order-1027 of 5 January 2026",
    );
    expect(of(adjusted({ part: manager }), 1_200, 0)).toBe(of(adjusted({}), 1_200, 0));
    expect(of(MovementText.forBooks({ ...sale, part: manager }), 1_200, 0)).toBe(
      "Sale of 10 January 2026, as manager, level 2",
    );
    expect(of(MovementText.forBooks({ ...sale, part: seller }), 1_200, 0)).toBe(
      "Sale of 10 January 2026, as seller, 60 % of the sale",
    );
  });

  it("says what waits for the buyer, and that the buyer has paid", () => {
    expect(of(sale, 1_200, 0, EUR, 1_200)).toBe(
      "Sale of 10 January 2026; 12.00 EUR of it waits for the buyer",
    );
    const receipt = { received: 500, of: 1_000 };
    const received: MovementText.EarnedSubject = { ...sale, type: "received", receipt };
    expect(of(received, 0, 0, EUR, -500)).toBe("Sale of 10 January 2026: the buyer has paid 500 of 1,000");
    expect(of(received, 0, 0, EUR, 500)).toBe(
      "Sale of 10 January 2026: a payment of the buyer was taken back, 500 of 1,000 is paid",
    );
  });

  it("names the sale that earned an amount, and the reason for a change", () => {
    expect(of(sale, 1_200, 0)).toBe("Sale of 10 January 2026");
    expect(of(adjusted({}), 10, 0)).toBe(
      "Sale of 10 January 2026 recalculated: its commission formula changed",
    );
    expect(of(adjusted({ cause: "formula_cancelled" }), -10, 0)).toBe(
      "Sale of 10 January 2026 recalculated: its commission formula was cancelled",
    );
    expect(of(adjusted({ cause: "recomputed" }), 10, 0)).toBe(
      "Sale of 10 January 2026 recalculated: earlier ones that count for it changed",
    );
    expect(of(adjusted({ cause: "attribution_cancelled", cancelReason: "goods returned" }), -1_200, 0)).toBe(
      "Sale of 10 January 2026 cancelled: goods returned",
    );
    expect(of(adjusted({ cause: "attribution_cancelled" }), -1_200, 0)).toBe(
      "Sale of 10 January 2026 cancelled",
    );
  });

  it("names a sale that was replaced, and the one that replaces it, as a pair", () => {
    const other = {
      attributionId: "0198c1d2-aaaa-7abc-8def-000000000001" as never,
      occurredOn: "2026-01-12",
    };
    expect(of({ ...sale, replaces: other }, 1_000, 0)).toBe(
      "Sale of 10 January 2026, correction of order-1027 of 12 January 2026",
    );
    expect(of({ ...sale, replaces: other, externalReference: null }, 1_000, 0)).toBe(
      "Sale of 10 January 2026, correction of Sale of 12 January 2026",
    );
    const cancelled = { cause: "attribution_cancelled", cancelReason: "a part was refunded" } as const;
    expect(of(adjusted({ ...cancelled, replacedBy: other }), -1_200, 0)).toBe(
      "Sale of 10 January 2026 replaced by a corrected one: a part was refunded",
    );
    expect(of(adjusted({ cause: "formula_updated", replaces: other }), 10, 0)).toBe(
      "Sale of 10 January 2026 recalculated: its commission formula changed",
    );
  });

  it("names the gross payment, its tax and its document", () => {
    expect(of(payment, 0, 120_000)).toBe(
      "Paid 1,500.00 EUR including 300.00 EUR tax: invoice HM-2026-000001",
    );
    expect(of({ ...payment, taxAmount: null, documentNumber: null }, 0, 120_000)).toBe("Paid 1,200.00 EUR");
    expect(
      of(
        { ...payment, taxAmount: 0, paidAt: Date.UTC(2026, 1, 3), bankReference: "2026-0203-118" },
        0,
        120_000,
      ),
    ).toBe(
      "Paid 1,200.00 EUR: invoice HM-2026-000001, paid on 3 February 2026, bank reference 2026-0203-118",
    );
    expect(
      of({ ...payment, taxAmount: null, documentNumber: null }, 0, 120_000, Currency.Currency.make("JPY")),
    ).toBe("Paid 120,000 JPY");
  });

  it("names a refund, a write-off and a return", () => {
    expect(
      of(
        { ...payment, total: -1_000, taxAmount: -250, documentKind: "credit_note", documentNumber: "CN-1" },
        0,
        -1_000,
      ),
    ).toBe("Refund of 12.50 EUR including 2.50 EUR tax received: credit note CN-1");
    expect(of({ ...payment, type: "written_off" }, 0, 120_000)).toBe(
      "Written off 1,200.00 EUR: invoice HM-2026-000001",
    );
    expect(of({ ...payment, type: "payment_returned", reason: "account closed" }, 0, -120_000)).toBe(
      "Payment of 1,500.00 EUR including 300.00 EUR tax returned: invoice HM-2026-000001, account closed",
    );
    expect(of({ ...payment, total: 0, taxAmount: 0, isNothingDue: true }, 0, 0)).toBe(
      "Settled without payment: nothing was to be paid",
    );
  });

  it("states net and tax apart where their signs differ, because the tax is no part of the payment", () => {
    const corrected = { ...payment, total: 5_000, taxAmount: -1_900, documentNumber: null };
    expect(of(corrected, 0, 5_000)).toBe("Paid 31.00 EUR (50.00 EUR net, −19.00 EUR tax)");
    expect(of({ ...corrected, type: "payment_returned" }, 0, -5_000)).toBe(
      "Payment of 31.00 EUR (50.00 EUR net, −19.00 EUR tax) returned",
    );
    expect(of({ ...corrected, total: 10_000, taxAmount: -22_500 }, 0, 10_000)).toBe(
      "Refund of 125.00 EUR (100.00 EUR net, −225.00 EUR tax) received",
    );
    expect(of({ ...corrected, total: -10_000, taxAmount: 22_500 }, 0, -10_000)).toBe(
      "Paid 125.00 EUR (−100.00 EUR net, 225.00 EUR tax)",
    );
    expect(of({ ...corrected, total: 0, taxAmount: 1_900 }, 0, 0)).toBe(
      "Paid 19.00 EUR including 19.00 EUR tax",
    );
  });

  it("states which part of an event changes nothing", () => {
    expect(of(adjusted({ cause: "attribution_cancelled" }), -1_000, -1_000)).toBe(
      "Sale of 10 January 2026 cancelled; no change, because 10.00 EUR was written off before",
    );
    expect(of(adjusted({}), 1_500, 1_000)).toBe(
      "Sale of 10 January 2026 recalculated: its commission formula changed; 10.00 EUR of it was written off before",
    );
    expect(of({ ...payment, total: 500, taxAmount: null, documentNumber: null }, 0, 0)).toBe(
      "Paid 5.00 EUR; no change, because 5.00 EUR was written off before",
    );
    expect(of({ ...payment, type: "written_off", total: 500, documentNumber: null }, 0, 200)).toBe(
      "Written off 5.00 EUR; 3.00 EUR of it was no longer due",
    );
  });
});

describe("the reference of a movement", () => {
  it("is that of the sale, of the document, or of the payment", () => {
    expect(MovementText.referenceOf(sale)).toBe("order-1027");
    expect(MovementText.referenceOf({ ...sale, externalReference: null })).toBeNull();
    expect(MovementText.referenceOf(payment)).toBe("HM-2026-000001");
    expect(MovementText.referenceOf({ ...payment, documentNumber: null })).toBe(payment.paymentReference);
  });
});
