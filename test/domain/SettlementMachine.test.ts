/** Decisions of the settlement machine on drafts, reviews, write-offs and disputes. */
import type { Ids, Settlement } from "quittance";
import { describe, it } from "vitest";
import * as Scene from "./SettlementScene.ts";
import {
  approve,
  draft,
  given,
  group,
  HISTORY,
  MANUAL,
  POLICY,
  SELF_BILLED,
  SELF_BILLING,
  under,
  WRITE_OFF,
} from "./SettlementScene.ts";

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

describe("approving a draft", () => {
  it("stores the partner's present data, and queues the report for the worker", () => {
    given(draft())
      .when(approve())
      .then(Scene.APPROVED)
      .thenOutcome({ row: "T2", lines: { type: "none" }, tasks: ["make_report"] })
      .thenState({ status: { type: "awaiting_report" }, taxAmount: null, payableAmount: null });
  });

  it("stores the self-billing data and the tax of each group, which nothing changes afterwards", () => {
    given(draft())
      .when(
        approve({
          billingMode: "self_billing",
          selfBillingData: SELF_BILLING,
          assessment: Scene.assessed(1000n, 250n),
        }),
      )
      .then(Scene.selfBilled(group(1000, 250)))
      .thenState({ taxAmount: 250, payableAmount: 1250 });
  });

  it("stores no self-billing data for a partner that writes its own invoices", () => {
    given(draft())
      .when(approve({ selfBillingData: SELF_BILLING }))
      .then(Scene.APPROVED);
  });

  it("treats a partner without billing mode as one that writes its own invoices", () => {
    given(draft())
      .when(approve({ billingMode: null }))
      .then(Scene.APPROVED);
  });

  it("is possible in draft only", () => {
    given(...HISTORY.awaiting_report)
      .when(approve())
      .thenRefused("settlement_not_draft", "settlement_not_draft: the settlement is in awaiting_report");
  });

  it("is refused to the creator of the draft if the policy requires four eyes", () => {
    const fourEyes = under({ ...POLICY, fourEyes: true });
    fourEyes(draft())
      .when(approve({ person: "somebody" }))
      .thenRefused("four_eyes", "four_eyes: the creator of a draft may not approve it");
    fourEyes(draft()).when(approve()).then(Scene.APPROVED);
    given(draft())
      .when(approve({ person: "somebody" }))
      .then(Scene.APPROVED);
  });

  it("is refused for stale lines if the policy refuses stale drafts", () => {
    const fresh = under({ ...POLICY, staleDrafts: "refuse" });
    fresh(draft())
      .when(approve({ stale: true }))
      .thenRefused(
        "settlement_stale",
        "settlement_stale: the amounts due have changed since the draft; cancel the draft and create another",
      );
    fresh(draft()).when(approve()).then(Scene.APPROVED);
    given(draft())
      .when(approve({ stale: true }))
      .then(Scene.APPROVED);
  });

  it.each([
    ["total and tax", Scene.assessed(LARGEST - 1000n, 1_001n), Number(LARGEST - 1000n)],
    ["the base of a group", Scene.assessed(LARGEST + 1n, 0n), 1000],
    ["the tax", Scene.assessed(1000n, -LARGEST - 1n), 1000],
    [
      "the tax of a share",
      {
        ...Scene.assessed(1n, 0n),
        shares: [{ originId: "o" as never, base: 1n, tax: LARGEST + 1n }],
      },
      1000,
    ],
    [
      "the tax of a group",
      { ...Scene.assessed(1n, 0n), groups: [{ ...Scene.assessed(1n, LARGEST + 1n).groups[0] }] as never },
      1000,
    ],
  ])("is refused when %s exceeds the largest amount", (_name, assessment, total) => {
    given(draft(total))
      .when(approve({ assessment }))
      .thenRefused(
        "amount_too_large",
        "amount_too_large: total and tax exceed the largest amount; settle fewer commissions at once",
      );
  });

  it("accepts total and tax that together are the largest amount", () => {
    given(draft(Number(LARGEST - 1000n)))
      .when(approve({ assessment: Scene.assessed(LARGEST - 1000n, 1000n) }))
      .thenOutcome({ row: "T2" });
  });
});

describe("cancelling a draft", () => {
  it("releases its lines", () => {
    given(draft())
      .when({ type: "cancel" })
      .then({ type: "cancel_settlement" })
      .thenOutcome({ row: "T3", lines: { type: "release", cause: "draft_cancelled" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "draft_cancelled" } });
  });

  it("is refused after the approval", () => {
    given(...HISTORY.awaiting_payment)
      .when({ type: "cancel" })
      .thenRefused("settlement_not_draft", "settlement_not_draft: the settlement is in awaiting_payment");
  });
});

describe("the review of a negative settlement", () => {
  it("can require a credit note, which the worker creates for self-billing", () => {
    const command = Scene.review("issue_credit_note", { note: "agreed" });
    given(...HISTORY.negative_review)
      .when(command)
      .then({ type: "review_settlement", decision: "issue_credit_note", note: "agreed" })
      .thenOutcome({ row: "T9", tasks: [], lines: { type: "none" } })
      .thenState({ status: { type: "awaiting_credit_note" } });
    given(...SELF_BILLED.negative_review)
      .when(command)
      .thenOutcome({ row: "T9", tasks: ["make_credit_note"] });
  });

  it("can carry the debt forward, which releases the lines", () => {
    given(...HISTORY.negative_review)
      .when(Scene.review("carry_forward"))
      .then({ type: "review_settlement", decision: "carry_forward" })
      .thenOutcome({ row: "T10", lines: { type: "release", cause: "carried_forward" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "carried_forward" } });
  });

  it("can write the debt off, so that it is never claimed again", () => {
    given(...HISTORY.negative_review)
      .when(Scene.review("write_off"))
      .then({ type: "review_settlement", decision: "write_off" })
      .thenOutcome({ row: "T11", lines: { type: "settle", as: "written_off" }, tasks: [] })
      .thenState({ status: { type: "written_off" } });
  });

  it("is refused for a settlement that is not negative", () => {
    given(...HISTORY.awaiting_invoice)
      .when(Scene.review("write_off"))
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_invoice cannot be reviewed",
      );
  });
});

describe("writing off", () => {
  it.each([
    "awaiting_report",
    "negative_review",
    "awaiting_invoice",
    "awaiting_credit_note",
    "awaiting_payment",
    "payment_initiated",
    "disputed",
  ] as const)("settles the lines of a settlement in %s as written off", (state) => {
    given(...HISTORY[state])
      .when(WRITE_OFF)
      .then(Scene.WRITTEN_OFF)
      .thenOutcome({ row: "T19", lines: { type: "settle", as: "written_off" }, tasks: [] })
      .thenState({ status: { type: "written_off" } });
  });

  it("is refused for a draft, which is cancelled instead", () => {
    given(draft())
      .when(WRITE_OFF)
      .thenRefused("settlement_state", "settlement_state: a settlement in draft cannot be written off");
  });

  it.each(["paid", "written_off", "cancelled"] as const)("is refused in the state %s", (state) => {
    given(...HISTORY[state])
      .when(WRITE_OFF)
      .thenRefused("settlement_terminal", `settlement_terminal: the settlement has ended in ${state}`);
  });

  it("queues the credit note that cancels an issued invoice, or the invoice that cancels a credit note", () => {
    given(...SELF_BILLED.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: ["make_credit_note"] });
    given(...SELF_BILLED.credited)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: ["make_invoice"] });
    given(...SELF_BILLED.awaiting_invoice)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
  });

  it("queues no document if the policy has documents: manual, or if the partner writes the invoice", () => {
    MANUAL(...SELF_BILLED.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
    given(...HISTORY.awaiting_payment)
      .when(WRITE_OFF)
      .thenOutcome({ tasks: [] });
  });
});

describe("a dispute", () => {
  const resolve = (resolution: "upheld" | "rejected", note: string | null = "checked") =>
    Scene.resolve(resolution, note);

  it("interrupts a settlement between approval and payment", () => {
    given(...HISTORY.awaiting_invoice)
      .when(Scene.DISPUTE)
      .then({ type: "dispute_settlement", reason: "wrong", raised_by: "customer" })
      .thenOutcome({ row: "T20", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "disputed", resume: "awaiting_invoice" }, disputeReason: "wrong" });
  });

  it.each(["draft", "payment_initiated", "paid", "written_off", "disputed"] as const)(
    "is refused in %s",
    (state) => {
      given(...HISTORY[state])
        .when(Scene.DISPUTE)
        .thenRefused("settlement_state", `settlement_state: a settlement in ${state} cannot be disputed`);
    },
  );

  it.each(Object.keys(Scene.HISTORY) as ReadonlyArray<keyof typeof Scene.HISTORY>)(
    "%s is commented on by either side, at most 50 times each, and stays as it is",
    (state) => {
      const comment = (side: "partner" | "customer") => ({ ...Scene.COMMENT, side });
      const written = (side: "partner" | "customer") => ({
        ...{ type: "comment_settlement" as const, text: "one order is missing", side },
      });
      const full = Array.from({ length: 50 }, () => written("partner"));
      const before = given(...Scene.HISTORY[state]).state;
      for (const history of [full.slice(1), full.slice(1).map(() => written("customer"))])
        given(...Scene.HISTORY[state], ...history)
          .when(comment("partner"))
          .then(written("partner"))
          .thenOutcome({ row: "T33", lines: { type: "none" }, tasks: [] })
          .thenState(before === null ? {} : { status: before.status });
      given(...Scene.HISTORY[state], ...full)
        .when(comment("partner"))
        .thenRefused(
          "comment_limit",
          "comment_limit: the partner has made 50 comments and withdrawals of disputes, and no more are allowed",
        );
      given(...Scene.HISTORY[state], ...full)
        .when(comment("customer"))
        .then(written("customer"));
    },
  );

  it.each([
    ["partner", "partner"],
    ["customer", "customer"],
  ] as const)("raised by %s is withdrawn by the %s alone, which resumes its work", (raiser, side) => {
    const raised = { ...Scene.DISPUTED, raised_by: raiser };
    const before = [...SELF_BILLED.awaiting_invoice, raised] as const;
    given(...before)
      .when({ type: "withdraw_dispute", side })
      .then({ type: "withdraw_dispute" })
      .thenOutcome({ row: "T32", lines: { type: "none" }, tasks: ["make_invoice"] })
      .thenState({ status: { type: "awaiting_invoice" }, disputeReason: "wrong" });
    given(...before)
      .when({ type: "withdraw_dispute", side: side === "partner" ? "customer" : "partner" })
      .thenRefused("settlement_state", `settlement_state: only the ${side} can withdraw this dispute`);
  });

  it.each(["partner", "customer"] as const)(
    "of which nobody recorded the side is not withdrawn by the %s",
    (side) => {
      given(...SELF_BILLED.awaiting_invoice, { type: "dispute_settlement", reason: "wrong" })
        .when({ type: "withdraw_dispute", side })
        .thenRefused(
          "settlement_state",
          "settlement_state: who raised the dispute is not recorded, so it can only be resolved",
        );
    },
  );

  it("is withdrawn by a side that has made fewer than 50 comments and withdrawals", () => {
    const dispute = { ...Scene.DISPUTED, raised_by: "partner" as const };
    const rounds = (count: number) =>
      Array.from({ length: count }, () => [dispute, { type: "withdraw_dispute" as const }]).flat();
    given(...SELF_BILLED.awaiting_invoice, ...rounds(49), dispute)
      .when({ type: "withdraw_dispute", side: "partner" })
      .then({ type: "withdraw_dispute" });
    given(...SELF_BILLED.awaiting_invoice, ...rounds(50), dispute)
      .when({ type: "withdraw_dispute", side: "partner" })
      .thenRefused(
        "comment_limit",
        "comment_limit: the partner has made 50 comments and withdrawals of disputes, and no more are allowed",
      );
  });

  it("takes attachments into its events and state, of a dispute, its resolution and a comment, each once", () => {
    const [first, second, third] = ["a", "b", "c"].map((letter) => ({
      id: `00000000-0000-4000-8000-00000000000${letter}` as Ids.DocumentId,
      file_name: `${letter}.pdf`,
      byte_length: 8,
    })) as [Settlement.Attachment, Settlement.Attachment, Settlement.Attachment];
    const naming = (...files: ReadonlyArray<Settlement.Attachment>) => ({
      attached: { ids: files.map(({ id }) => id), files },
    });
    const raised = { ...Scene.DISPUTED, raised_by: "customer", attachments: [first, second] } as const;
    const resolved = { type: "resolve_dispute", resolution: "rejected", attachments: [third] } as const;
    const said = { type: "comment_settlement", text: "one order is missing", side: "partner" } as const;
    const ending = (resolution: "upheld" | "rejected", ...files: ReadonlyArray<Settlement.Attachment>) =>
      ({ type: "resolve_dispute", resolution, note: null, ...naming(...files) }) as const;
    given(...HISTORY.awaiting_payment)
      .when({ ...Scene.DISPUTE, ...naming(first, second) })
      .then(raised)
      .thenState({ attachments: [first.id, second.id] });
    given(...HISTORY.awaiting_payment, raised)
      .when(ending("rejected", third))
      .then(resolved)
      .thenState({ attachments: [first.id, second.id, third.id] });
    given(...HISTORY.awaiting_payment, Scene.DISPUTED)
      .when({ ...Scene.COMMENT, ...naming(first) })
      .then({ ...said, attachments: [first] })
      .thenState({ attachments: [first.id] });
    const used = "attachment_used: attachment_ids.1: another message has named this attachment";
    for (const command of [
      { ...Scene.COMMENT, ...naming(third, first) },
      ending("upheld", third, second),
      ending("rejected", third, second),
    ] as const)
      given(...HISTORY.awaiting_payment, raised)
        .when(command)
        .thenRefused("attachment_used", used);
    given(...HISTORY.awaiting_payment, { ...said, attachments: [first] })
      .when({ ...Scene.DISPUTE, ...naming(third, first) })
      .thenRefused("attachment_used", used);
  });

  it("that is upheld cancels the settlement and releases its lines", () => {
    given(...HISTORY.disputed)
      .when(resolve("upheld"))
      .then({ type: "resolve_dispute", resolution: "upheld", note: "checked" })
      .thenOutcome({ row: "T22", lines: { type: "release", cause: "dispute_upheld" }, tasks: [] })
      .thenState({ status: { type: "cancelled", cause: "dispute_upheld" } });
  });

  it("that is rejected restores the state that it interrupted", () => {
    given(...HISTORY.negative_review, Scene.DISPUTED)
      .when(resolve("rejected", null))
      .then({ type: "resolve_dispute", resolution: "rejected" })
      .thenOutcome({ row: "T21", lines: { type: "none" }, tasks: [] })
      .thenState({ status: { type: "negative_review" } });
  });

  it.each([
    ["awaiting_report", ["make_report"]],
    ["awaiting_invoice", ["make_invoice"]],
    ["awaiting_credit_note", ["make_credit_note"]],
    ["negative_review", []],
    ["awaiting_payment", []],
  ] as const)("that is rejected queues the work of %s again", (state, tasks) => {
    given(...SELF_BILLED[state], Scene.DISPUTED)
      .when(resolve("rejected"))
      .thenOutcome({ tasks });
    MANUAL(...SELF_BILLED[state], Scene.DISPUTED)
      .when(resolve("rejected"))
      .thenOutcome({ tasks: [] });
  });

  it("queues no document that the partner writes", () => {
    for (const state of ["awaiting_invoice", "awaiting_credit_note"] as const) {
      given(...HISTORY[state], Scene.DISPUTED)
        .when(resolve("rejected"))
        .thenOutcome({ tasks: [] });
    }
  });

  it("can be resolved once", () => {
    given(...HISTORY.awaiting_payment)
      .when(resolve("upheld"))
      .thenRefused(
        "settlement_state",
        "settlement_state: a settlement in awaiting_payment cannot have a dispute resolved",
      );
  });
});
