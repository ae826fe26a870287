import type { Settlement, SettlementMachine } from "quittance";
import { Decider } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { reviewOf } from "../../src/domain/TaxReview.ts";
import * as Scene from "./SettlementScene.ts";

const { given, under, POLICY, HISTORY, review } = Scene;

type Event = Settlement.SettlementEvent;

/** An approval whose policy knows the rate of tax on the partner's invoices. */
const knowing = (invoice_tax_bps: number): Event =>
  ({
    ...Scene.APPROVED,
    stored: { partner_name: "Nordlys", self_billing_data: null, tax_groups: [], invoice_tax_bps },
  }) as Event;

const awaitingInvoice = (rate: number): ReadonlyArray<Event> => [
  Scene.draft(),
  knowing(rate),
  Scene.report(),
];
const stating = (taxAmount: number) => Scene.link("invoice", "upload", { taxAmount });
const linked = (event: Partial<Settlement.SettlementEventOf<"link_invoice">> = {}): Event => ({
  type: "link_invoice",
  invoice_reference: Scene.DOCUMENT,
  stored: { tax_amount: 300, uploaded: true },
  ...event,
});
const held: ReadonlyArray<Event> = [...awaitingInvoice(2_500), linked(Scene.TAX_TO_REVIEW)];
const heldCreditNote: ReadonlyArray<Event> = [
  ...HISTORY.awaiting_credit_note,
  { ...Scene.creditNote(-300), tax_review: { tax_amount: -300, expected_tax_amount: -250 } } as Event,
];

describe("a stated tax needs an approver", () => {
  it.each<
    readonly [total: number, stated: number | null, rate: number | "unknown", expected: number | null | false]
  >([
    [1_000, 250, 2_500, false],
    [1_000, 251, 2_500, false],
    [1_000, 249, 2_500, false],
    [1_000, 252, 2_500, 250],
    [1_000, 248, 2_500, 250],
    [1_000, 0, 2_500, 250],
    [1_000, null, 2_500, false],
    [1_000, 0, 0, false],
    [1_000, 1, 0, false],
    [1_000, 2, 0, 0],
    [999, 77, 775, false],
    [1_000, 0, "unknown", false],
    [1_000, null, "unknown", false],
    [1_000, 1, "unknown", null],
    [-1_000, -250, 2_500, false],
    [-1_000, -252, 2_500, -250],
    [-1_000, -1, "unknown", null],
    [Number.MAX_SAFE_INTEGER - 1, 1, 10_000, Number.MAX_SAFE_INTEGER - 1],
  ])("of a total of %d, %s at the rate %s: %s", (total, stated, rate, expected) => {
    expect(reviewOf(total, stated, rate)).toEqual(
      expected === false ? null : { taxAmount: stated, expectedTaxAmount: expected },
    );
  });
});

describe("an uploaded document", () => {
  it("with the tax of the known rate can be paid at once", () => {
    given(...awaitingInvoice(2_500))
      .when(stating(250))
      .then(linked({ stored: { tax_amount: 250, uploaded: true } }))
      .thenState({ taxReview: null, taxAmount: 250, payableAmount: 1_250 });
  });

  it("with another tax waits in awaiting_payment for an approver", () => {
    given(...awaitingInvoice(2_500))
      .when(stating(300))
      .then(linked(Scene.TAX_TO_REVIEW))
      .thenState({
        status: { type: "awaiting_payment" },
        ...{ taxAmount: 300, payableAmount: 1_300 },
        taxReview: { taxAmount: 300, expectedTaxAmount: 250, uploadedBy: Decider.ACTOR },
      });
  });

  it("with any tax waits while no rate is known", () => {
    given(...HISTORY.awaiting_invoice)
      .when(stating(300))
      .then(linked({ tax_review: { tax_amount: 300, expected_tax_amount: null } }));
    given(...HISTORY.awaiting_invoice)
      .when(stating(0))
      .then(linked({ stored: { tax_amount: 0, uploaded: true } }));
  });

  it("that replaces one under review is reviewed by its own tax", () => {
    given(...held)
      .when(stating(250))
      .thenState({ taxReview: null, payableAmount: 1_250 });
    given(...held)
      .when(stating(400))
      .thenState({ taxReview: { taxAmount: 400, expectedTaxAmount: 250, uploadedBy: Decider.ACTOR } });
    given(...held, Scene.reviewed("accept_tax"))
      .when(stating(300))
      .thenState({ taxReview: { taxAmount: 300, expectedTaxAmount: 250, uploadedBy: Decider.ACTOR } });
  });

  it("of a self-billed settlement has the service's tax, and no review", () => {
    given(...Scene.SELF_BILLED.awaiting_invoice)
      .when(Scene.link("invoice", "worker"))
      .thenState({ taxReview: null });
  });

  it("of a settlement that has ended is not reviewed", () => {
    given(...HISTORY.disputed, { type: "resolve_dispute", resolution: "upheld" })
      .when(Scene.link("credit_note", "upload", { taxAmount: 900 }))
      .thenState({ taxReview: null, creditNoteReference: Scene.DOCUMENT });
  });
});

describe("a settlement whose tax is under review", () => {
  const REFUSED =
    "tax_review: the document states 3.00 EUR tax; 25 % of the total of 10.00 EUR is 2.50 EUR; an approver has to accept the tax first";

  it.each<SettlementMachine.SettlementCommand>([Scene.PAY, Scene.INITIATE])(
    "is not paid, and the refusal says why: $type",
    (command) => {
      given(...held)
        .when(command)
        .thenRefused("tax_review", REFUSED);
    },
  );

  it("says so without a known rate, too", () => {
    given(...HISTORY.awaiting_invoice, linked({ tax_review: { tax_amount: 300, expected_tax_amount: null } }))
      .when(Scene.PAY)
      .thenRefused(
        "tax_review",
        "tax_review: the document states 3.00 EUR tax, and the settlement policy had no rate for it at the approval; an approver has to accept the tax first",
      );
  });

  it("stays under review through a dispute, and ends with a write-off or an upheld one", () => {
    const disputed = [...held, Scene.DISPUTED];
    given(...disputed)
      .when(Scene.resolve("rejected"))
      .thenState({ status: { type: "awaiting_payment" } });
    given(...disputed, { type: "resolve_dispute", resolution: "rejected" })
      .when(Scene.PAY)
      .thenRefused("tax_review", REFUSED);
    given(...disputed)
      .when(Scene.resolve("upheld"))
      .thenState({ taxReview: null });
    given(...held)
      .when(Scene.WRITE_OFF)
      .thenState({ taxReview: null });
  });

  it("can be paid after an approver has accepted the tax", () => {
    given(...held)
      .when(review("accept_tax", { note: "as agreed" }))
      .then({ type: "review_settlement", decision: "accept_tax", note: "as agreed" })
      .thenOutcome({ row: "T29", tasks: [], lines: { type: "none" } })
      .thenState({ status: { type: "awaiting_payment" }, taxReview: null, payableAmount: 1_300 });
    given(...held, Scene.reviewed("accept_tax"))
      .when(Scene.PAY)
      .thenState({ status: { type: "paid", method: "manual" } });
  });

  it("waits for another document after an approver has refused the tax", () => {
    given(...held)
      .when(review("refuse_tax"))
      .then({ type: "review_settlement", decision: "refuse_tax" })
      .thenOutcome({ row: "T30", tasks: [], lines: { type: "none" } })
      .thenState({
        status: { type: "awaiting_invoice" },
        ...{ taxReview: null, taxAmount: null, payableAmount: null, dueDate: null, uploads: [] },
        ...{ invoiceReference: null, invoiceNumber: null, invoiceDate: null },
      });
    given(...heldCreditNote)
      .when(review("refuse_tax"))
      .thenOutcome({ row: "T30a" })
      .thenState({ status: { type: "awaiting_credit_note" }, creditNoteReference: null });
    given(...held, Scene.reviewed("refuse_tax"))
      .when(stating(250))
      .thenOutcome({ row: "T8" })
      .thenState({ status: { type: "awaiting_payment" }, payableAmount: 1_250 });
  });

  it("needs no counterpart of a refused document when it is written off", () => {
    given(...held, Scene.reviewed("refuse_tax"))
      .when(Scene.WRITE_OFF)
      .thenOutcome({ tasks: [] });
  });

  it("is accepted by another person than the creator and the uploader, where two are needed", () => {
    const strict = under({ ...POLICY, fourEyes: true });
    const message = "four_eyes: who created the draft or uploaded the document may not accept its tax";
    strict(...held)
      .when(review("accept_tax", { person: Decider.ACTOR }))
      .thenRefused("four_eyes", message);
    strict(...held)
      .when(review("accept_tax", { person: "approver" }))
      .thenState({ taxReview: null });
    // Whoever uploaded it may refuse it.
    strict(...held)
      .when(review("refuse_tax", { person: Decider.ACTOR }))
      .thenState({ status: { type: "awaiting_invoice" } });
    given(...held)
      .when(review("accept_tax", { person: Decider.ACTOR }))
      .thenState({ taxReview: null });
  });
});

describe("without a tax under review", () => {
  it.each(["accept_tax", "refuse_tax"] as const)("there is nothing to decide: %s", (decision) => {
    given(...HISTORY.awaiting_payment)
      .when(review(decision))
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot be reviewed",
      );
    given(...HISTORY.negative_review)
      .when(review(decision))
      .thenRefused("settlement_state");
  });

  it("and with one, the review of a negative settlement is not due", () => {
    given(...held)
      .when(review("write_off"))
      .thenRefused("settlement_state");
  });
});
