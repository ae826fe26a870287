/** The words of the pages for each reader, in every state and for every event. */
import {
  ConflictError,
  ForbiddenError,
  InternalError,
  UnauthorizedError,
  UnavailableError,
} from "quittance/client";
import { describe, expect, it } from "vitest";
import type { Action, ActionsOf, Subject } from "../../adapters/console/actions/Action.ts";
import { payeeActions } from "../../adapters/console/actions/PayeeActions.tsx";
import { teamActions } from "../../adapters/console/actions/TeamActions.tsx";
import type {
  EventOf,
  EventType,
  LogEvent,
  Partner,
  PayoutAccount,
  Settlement,
} from "../../adapters/console/api/Records.ts";
import { failureWords } from "../../adapters/console/api/Refusal.ts";
import { TO_PAY } from "../../adapters/console/settling/ManyActions.ts";
import {
  eInvoiceReasons,
  PAYEE_E_INVOICES,
  TEAM_E_INVOICES,
} from "../../adapters/console/words/EInvoiceWords.ts";
import { eventWords } from "../../adapters/console/words/EventWords.ts";
import { PAYEE_STATES } from "../../adapters/console/words/PayeeStates.ts";
import { PAYEE } from "../../adapters/console/words/PayeeWords.ts";
import { stateIn } from "../../adapters/console/words/States.ts";
import { TEAM } from "../../adapters/console/words/TeamWords.ts";

const ID = "01890a5d-ac96-774b-bcce-b302099a8057";

const SETTLEMENT: Settlement = {
  ...{ id: ID, customerId: ID, workspaceId: ID, partnerId: ID, currency: "EUR", events: [], lines: [] },
  status: { type: "draft" },
  ...{ total: 10_000, taxAmount: 1_900, payableAmount: 11_900, billingMode: null, stale: false },
  taxReview: null,
  ...{ disputeReason: "one order is missing", disputedAt: null, reconciliationStatus: "unreconciled" },
  ...{ reportReference: null, reportNumber: null, invoiceReference: null, invoiceNumber: null },
  ...{ invoiceDate: null, dueDate: "2026-03-01", creditNoteReference: null, creditNoteNumber: null },
  ...{ creditNoteDate: null, documentProblem: null, eInvoiceProblems: [], paymentReference: null },
  ...{ paymentFileStatus: null, paymentHandedOverAt: null, paymentOverdue: false },
  ...{ paidAt: null, bankReference: null, fee: null, received: null, createdAt: "2026-02-01T10:00:00.000Z" },
};

const STATUSES: ReadonlyArray<Settlement["status"]> = [
  ...(["draft", "awaiting_report", "negative_review", "awaiting_invoice"] as const).map((type) => ({ type })),
  ...(["awaiting_credit_note", "awaiting_payment", "payment_initiated"] as const).map((type) => ({ type })),
  { type: "disputed", resume: "awaiting_payment" },
  ...(["manual", "webhook", "nothing_due"] as const).map((method) => ({ type: "paid", method }) as const),
  { type: "written_off" },
  ...(["draft_cancelled", "carried_forward", "dispute_upheld"] as const).map(
    (cause) => ({ type: "cancelled", cause }) as const,
  ),
];

const problem: Settlement["documentProblem"] = {
  kind: "invoice",
  code: "missing_font",
  message: "the name has characters without a font; add one",
};

const taxReview: Settlement["taxReview"] = {
  taxAmount: 1_900,
  expectedTaxAmount: null,
  message: "the document states 19.00 EUR tax, and the settlement policy had no rate for it at the approval",
};

/** Settlements in every state, of both signs and both kinds of billing, with and without what else the words depend on. */
const SETTLEMENTS: ReadonlyArray<Settlement> = STATUSES.flatMap((status) =>
  [10_000, -10_000].flatMap((total) =>
    (["self_billing", "partner_billing", null] as const).flatMap((billingMode) =>
      ([null, "awaited", "created", "handed_over"] as const).flatMap((paymentFileStatus) =>
        [false, true].map((isOdd) => ({
          ...SETTLEMENT,
          ...{ status, total, payableAmount: isOdd ? null : total, billingMode },
          paymentFileStatus: status.type === "payment_initiated" ? paymentFileStatus : null,
          paymentHandedOverAt: paymentFileStatus === "handed_over" ? "2026-02-05T10:00:00.000Z" : null,
          paymentOverdue: isOdd && paymentFileStatus === "handed_over",
          ...{ stale: isOdd && status.type === "draft", documentProblem: isOdd ? problem : null },
          ...{ invoiceReference: isOdd ? ID : null, dueDate: isOdd ? null : "2026-03-01" },
          taxReview: isOdd && status.type === "awaiting_payment" ? taxReview : null,
        })),
      ),
    ),
  ),
);

const payment = { payment_reference: ID };
const reason = { reason: "one order is missing" };
const formula = { type: "aggregate", function: "count", window: { type: "lifetime" } } as const;
const terms = { name: "Tiers", description: null, currency: "EUR", formula };
const window = { start_datetime: "2026-01-01T00:00:00.000Z", end_datetime: null };
const amount = { settlement_id: ID, amount: 1_200 };

/** Events of every type, each with what its words depend on. */
const EVENTS: { readonly [Type in EventType]: ReadonlyArray<Omit<EventOf<Type>, "type">> } = {
  create_attribution: [{ properties: { order_value: 10, first_order: true } }],
  cancel_attribution: [reason, { ...reason, replaced_by: "0190a6e2-4b10-7c02-9f3d-18e6b4a7d204" }],
  recredit_attribution: [reason],
  state_received: [{ received: 500, of: 1_000 }],
  create_commission_plan: [{ ...terms, ...window }],
  update_commission_plan: [{}, { formula: terms.formula }],
  cancel_commission_plan: [reason],
  create_commission_formula: [{ ...terms, ...window }],
  update_commission_formula: [{}, { formula: terms.formula }],
  set_parameter_values: [
    { values: { rate: 7, is_senior: true }, effective_datetime: null },
    { values: { rate: null }, effective_datetime: "2026-03-01T00:00:00.000Z" },
  ],
  cancel_commission_formula: [reason],
  create_commission: [{ amount: 1_200, formula_version: 1 }],
  update_commission: (
    ["formula_updated", "formula_cancelled", "attribution_cancelled", "recomputed"] as const
  ).map((cause) => ({ amount: 0, formula_version: 1, cause })),
  fail_commission_computation: [{ code: "amount_out_of_range", message: "the amount is too large" }],
  update_received: [{ received: 500, of: 1_000 }],
  settle_elsewhere: [
    { amount: 1_200, at: "2025-11-30T00:00:00.000Z" },
    { amount: 1_200, at: "2025-11-30T00:00:00.000Z", reference: "payout 7" },
  ],
  reserve_commission: [amount],
  release_commission: (["draft_cancelled", "carried_forward", "dispute_upheld"] as const).map((cause) => ({
    ...amount,
    cause,
  })),
  settle_commission: [
    { ...amount, kind: "paid" },
    { ...amount, kind: "written_off" },
  ],
  reopen_commission: [amount],
  create_settlement: [{ total: 1_200, line_count: 1 }],
  approve_settlement: [{ billing_mode: "self_billing" }, { billing_mode: "partner_billing" }],
  cancel_settlement: [{}],
  link_report: [{ report_reference: ID }, { report_reference: ID, report_number: "R-1" }],
  link_invoice: [
    { invoice_reference: ID },
    { invoice_reference: ID, tax_review: { tax_amount: 1_900, expected_tax_amount: null } },
  ],
  link_credit_note: [{ credit_note_reference: ID }],
  review_settlement: (
    ["issue_credit_note", "carry_forward", "write_off", "accept_tax", "refuse_tax"] as const
  ).map((decision) => ({ decision })),
  choose_payout_account: [{ account_id: ID, account_type: "uk", details: { account_number: "…9911" } }],
  initiate_payment: [{ ...payment, attempt: 2 }],
  hand_over_payment: [{ ...payment, payment_file_id: ID, execution_date: "2026-02-06" }],
  confirm_payment: [
    { ...payment, bank_reference: "B-1" },
    { ...payment, fee: { amount: 150, currency: "EUR" }, received: { amount: 26_940, currency: "USD" } },
  ],
  fail_payment: [{ ...payment, ...reason }],
  return_payment: [{ ...payment, ...reason }],
  mark_as_paid: [{ bank_reference: "B-1" }],
  write_off_settlement: [{}, reason],
  dispute_settlement: [reason, { ...reason, commission_ids: [ID, ID], raised_by: "partner" as const }],
  withdraw_dispute: [{}],
  comment_settlement: [
    { text: "one order is missing", side: "partner" as const },
    { text: "it is in the next settlement", side: "customer" as const, person: "dana" },
  ],
  resolve_dispute: [{ resolution: "upheld" }, { resolution: "rejected" }],
  reconcile_settlement: [{}],
  unreconcile_settlement: [{}],
  fail_document: [problem],
  payment_anomaly: (["confirmed", "failed", "returned"] as const).map((kind) => ({ ...payment, kind })),
  erase_personal_data: [
    { erased_from: "record", sequences: [1] },
    { erased_from: "feed", sequences: [1] },
  ],
};

const events: ReadonlyArray<LogEvent> = Object.entries(EVENTS).flatMap(([type, found]) =>
  found.map((fields) => ({ type, ...fields }) as LogEvent),
);

const FAILURES: ReadonlyArray<unknown> = [
  new UnauthorizedError("the key is not valid"),
  new ForbiddenError("the credential lacks the scope settlements:write"),
  ...[
    ...["settlement_state", "settlement_terminal", "amount_too_large", "billing_mode", "busy", "new"],
    ...["tax_review", "upload_limit", "comment_limit"],
  ].map((token) => new ConflictError(token, `${token}: approve needs draft, the settlement is paid`)),
  new InternalError("a bug"),
  new UnavailableError("the server cannot be reached", { status: 0 }),
];

const sentencesOf = (words: typeof TEAM, actionsOf: ActionsOf): ReadonlyArray<string> => [
  ...Object.values(words.states),
  ...Object.values(words.billing),
  ...Object.values(words.claimBilling),
  ...[words.payable, words.noCommissions],
  ...SETTLEMENTS.flatMap((settlement) => [
    words.stateOf(settlement).words,
    ...words.remarksOn(settlement).map((remark) => remark.words),
    words.nextStep(settlement),
    ...words
      .problemsOf(settlement, "The IBAN has a wrong check digit.")
      .flatMap(({ title, text }) => [title, text]),
    ...[true, false].flatMap((isOneConfirmed) =>
      Object.values(words.noAccount(settlement, isOneConfirmed) ?? {}),
    ),
    ...actionsOf({ settlement, partner: undefined }).flatMap((action: Action) => [
      action.words,
      ...(action.send === undefined ? [] : [action.send]),
      ...action.consequence({ settlement, partner: undefined }),
    ]),
  ]),
  ...events.map((event) => eventWords(words.events, event, "EUR")),
  ...FAILURES.map((failure) => failureWords(words.failures, failure)).flatMap(({ title, text }) => [
    title,
    text,
  ]),
];

/** What the team does, names of others, and names of states: words that are not said to the payee. */
const OF_THE_TEAM =
  /\b(approv|confirm|decid|dispute|uph[eo]ld|reject|reconcil|initiat|draft|review|writ(e|ten) off|give[ns]? up|carr(y|ied) forward|partner|colleague|administrator|reload it|payable|provider)/i;

/** The requests to pay that a payee sees only when it owes money. */
const PAYS = /\b(pay|transfer)\b/i;

describe("the words for the payee", () => {
  const said = [...new Set(sentencesOf(PAYEE, payeeActions))];

  it("never ask the payee to do what the team does", () => {
    expect(said.filter((sentence) => OF_THE_TEAM.test(sentence))).toEqual([]);
  });

  it("ask the payee to pay only where it owes the amount", () => {
    const asking = said.filter(
      (sentence) => PAYS.test(sentence) && !/\bwe (can(not)? )?pay\b/i.test(sentence),
    );
    expect(
      asking.filter((sentence) => !/\bback\b|We receive your invoice and pay it/.test(sentence)),
    ).toEqual([]);
    for (const settlement of SETTLEMENTS.filter(({ total }) => total > 0))
      expect(PAYEE.nextStep(settlement).replace(/\bwe pay\b/gi, "")).not.toMatch(PAYS);
  });

  it("say everything in other words than those for the team that acts", () => {
    for (const settlement of SETTLEMENTS) {
      const next = PAYEE.nextStep(settlement);
      if (settlement.status.type !== "paid") expect(next).not.toBe(TEAM.nextStep(settlement));
    }
  });
});

describe("the states", () => {
  it("move by themselves for both readers alike", () => {
    const isMoving = (words: typeof TEAM, settlement: Settlement) =>
      words.stateOf(settlement).family === "moving";
    const approved = SETTLEMENTS.filter(({ billingMode }) => billingMode !== null);
    for (const settlement of approved)
      expect([settlement.status.type, isMoving(PAYEE, settlement)]).toEqual([
        settlement.status.type,
        isMoving(TEAM, settlement),
      ]);
    expect([
      ...new Set(
        approved
          .filter((each) => isMoving(TEAM, each))
          .map(({ status, ...each }) => `${status.type} ${each.billingMode}`),
      ),
    ]).toEqual([
      ...["awaiting_report self_billing", "awaiting_report partner_billing", "awaiting_invoice self_billing"],
      ...["awaiting_credit_note self_billing", "payment_initiated self_billing"],
      "payment_initiated partner_billing",
    ]);
  });

  it("that wait for the payee have a task for it, and no end has one", () => {
    for (const settlement of SETTLEMENTS) {
      const { family } = PAYEE.stateOf(settlement);
      const { tasks } = stateIn(PAYEE_STATES, settlement);
      if (family === "waiting")
        expect([settlement.status.type, tasks.length]).toEqual([settlement.status.type, 1]);
      if (family === "done" || family === "stopped") expect(tasks).toEqual([]);
    }
  });

  it("say that there is no account where the team can choose one, and to the payee until the end", () => {
    const missing = (words: typeof TEAM) =>
      STATUSES.filter((status) => words.noAccount({ ...SETTLEMENT, status }) !== null).map(
        ({ type }) => type,
      );
    const later = ["awaiting_report", "awaiting_invoice", "awaiting_payment", "payment_initiated"];
    expect(missing(TEAM)).toEqual(later);
    expect(missing(PAYEE).toSorted()).toEqual(
      [...later, "draft", "negative_review", "awaiting_credit_note", "disputed"].toSorted(),
    );
  });
});

describe("the words for the team", () => {
  it("are found by the list of words that the payee is not told", () => {
    const said = sentencesOf(TEAM, teamActions);
    expect(said.filter((sentence) => OF_THE_TEAM.test(sentence)).length).toBeGreaterThan(50);
  });
});

describe("every sentence", () => {
  it("is complete", () => {
    for (const sentence of [...sentencesOf(TEAM, teamActions), ...sentencesOf(PAYEE, payeeActions)]) {
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object|\bInvalid Date\b|_/);
      expect(sentence.trim()).not.toBe("");
    }
  });
});

describe("a tax that needs an approver", () => {
  const settlement: Settlement = {
    ...SETTLEMENT,
    ...{ status: { type: "awaiting_payment" }, billingMode: "partner_billing", invoiceReference: ID },
    taxReview,
  };
  const subject = { settlement, partner: undefined };

  it("is said to the team with its reason, and to the payee as a check", () => {
    expect(TEAM.stateOf(settlement).words).toBe("Tax to accept");
    expect(TEAM.problemsOf(settlement, null)).toEqual([
      {
        title: "The tax needs an approver",
        text: "The document states €19.00 tax. The policy had no rate for documents of the partner when the settlement was approved.",
      },
    ]);
    expect(PAYEE.stateOf(settlement).words).toBe("To be paid");
    expect(PAYEE.nextStep(settlement)).toContain("We check the tax");
    expect(PAYEE.problemsOf(settlement, null)).toEqual([]);
  });

  it("is accepted or refused before anything is paid", () => {
    const ids = (actionsOf: ActionsOf) => actionsOf(subject).map(({ id }) => id);
    expect(ids(teamActions)).toEqual(["review-tax", "upload-invoice", "dispute", "write-off"]);
    expect(teamActions(subject)[0]).toMatchObject({ scope: "settlements:approve", isMain: true });
    expect(ids(payeeActions)).toEqual(["upload-invoice", "dispute"]);
    const accepted = { ...subject, settlement: { ...settlement, taxReview: null } };
    expect(teamActions(accepted).map(({ id }) => id)).toContain("mark-as-paid");
  });
});

describe("a settlement to pay", () => {
  const toPay: Settlement = { ...SETTLEMENT, status: { type: "awaiting_payment" } };
  const ids = (subject: Subject) => teamActions(subject).map(({ id }) => id);
  const account = {
    ...{ id: ID, type: "iban", details: { iban: "DE…3000" }, status: "confirmed" },
  } as unknown as PayoutAccount;
  const own = { name: "Cairn" } as Partner;
  const billed = { ...own, selfBillingData: {} } as Partner;

  it.each<readonly [string, Subject, boolean]>([
    [
      "an account",
      { settlement: { ...toPay, payoutAccount: account }, partner: own, accounts: [account] },
      true,
    ],
    [
      "an account that was retired",
      { settlement: { ...toPay, payoutAccount: account }, partner: own, accounts: [] },
      false,
    ],
    ["no account at its approval", { settlement: { ...toPay, payoutAccount: null }, partner: own }, false],
    [
      "none stated, of a partner without billing data",
      { settlement: { ...toPay, billingMode: "partner_billing" }, partner: own },
      false,
    ],
    [
      "the bank account of its billing data",
      { settlement: { ...toPay, billingMode: "self_billing" }, partner: billed },
      true,
    ],
  ])("with %s is offered to the bank only where that can pay it", (_, subject, isOffered) => {
    expect(ids(subject).includes("initiate-payment")).toBe(isOffered);
    expect(ids(subject)).toContain("mark-as-paid");
    if (subject.accounts === undefined) expect(TO_PAY.applies(subject)).toBe(isOffered);
  });

  it("says tax only where some is stated", () => {
    const stops = (settlement: Settlement) =>
      teamActions({ settlement, partner: undefined })
        .find(({ id }) => id === "dispute")
        ?.consequence({ settlement, partner: undefined })[0];
    expect(stops(toPay)).toBe("The settlement of €119.00 with tax stops until the dispute is resolved.");
    expect(stops({ ...toPay, taxAmount: null, payableAmount: 10_000 })).toBe(
      "The settlement of €100.00 stops until the dispute is resolved.",
    );
    expect(stops({ ...toPay, taxAmount: null, payableAmount: null })).toContain("of €100.00 net stops");
  });
});

describe("a claim to decide on", () => {
  const settlement: Settlement = {
    ...SETTLEMENT,
    ...{ status: { type: "negative_review" }, billingMode: "self_billing" },
    ...{ total: -10_000, taxAmount: -1_900, payableAmount: -11_900 },
  };

  it("is decided on in one way, and named by one amount", () => {
    const actions = teamActions({ settlement, partner: undefined });
    expect(actions.map(({ id }) => id)).toEqual(["review", "dispute"]);
    const said = actions.flatMap(({ consequence }) => consequence({ settlement, partner: undefined }));
    expect(said[0]).toBe("the partner owes €119.00, of it €100.00 net. Choose what happens with it.");
    expect(said[1]).toBe("The claim of €119.00 with tax stops until the dispute is resolved.");
  });

  it("gets a credit note, whoever writes it", () => {
    for (const words of [TEAM, PAYEE])
      for (const who of Object.values(words.claimBilling)) expect(who).toMatch(/credit note/);
  });
});

describe("a payment", () => {
  const initiated = (paymentFileStatus: Settlement["paymentFileStatus"]): Settlement => ({
    ...SETTLEMENT,
    ...{ status: { type: "payment_initiated" }, billingMode: "self_billing", paymentFileStatus },
  });
  const stateOf = (settlement: Settlement) =>
    [TEAM, PAYEE]
      .map((words) => `${words.stateOf(settlement).words}. ${words.nextStep(settlement)}`)
      .join(" ");
  const mainOf = (settlement: Settlement) =>
    teamActions({ settlement, partner: undefined }).find(({ isMain }) => isMain)?.words;

  it.each([
    ["awaited", "Payment initiated, no bank file yet"],
    ["created", "Payment initiated, bank file to hand over"],
  ] as const)("whose bank file is %s waits, and is not confirmed by the main button", (status, team) => {
    expect(stateOf(initiated(status))).not.toContain("on its way");
    expect(TEAM.stateOf(initiated(status)).words).toBe(team);
    expect(PAYEE.stateOf(initiated(status)).words).toBe("Payment started, in preparation");
    expect(mainOf(initiated(status))).toBeUndefined();
  });

  it("is on its way once its bank file was handed over", () => {
    expect(stateOf(initiated("handed_over"))).toContain("on its way");
    expect(mainOf(initiated("handed_over"))).toBe("Confirm payment");
  });

  it("that the bank has says since when, and that it is not booked; only then a person can fail it", () => {
    const handedOver: Settlement = {
      ...initiated("handed_over"),
      paymentHandedOverAt: "2026-02-05T10:00:00.000Z",
    };
    const overdue = { ...handedOver, paymentOverdue: true };
    expect(TEAM.nextStep(handedOver)).toMatch(/handed over to the bank on .*5.*2026.*not booked yet/);
    expect(TEAM.nextStep(handedOver)).not.toContain("ask the bank");
    expect(TEAM.remarksOn(handedOver)).toEqual([]);
    expect(TEAM.nextStep(overdue)).toContain("ask the bank");
    expect(TEAM.remarksOn(overdue)).toEqual([{ words: "Not booked by the bank", family: "waiting" }]);
    expect(PAYEE.remarksOn(overdue)).toEqual([]);
    const ids = (settlement: Settlement) =>
      teamActions({ settlement, partner: undefined }).map(({ id }) => id);
    expect(ids(handedOver)).toContain("fail-payment");
    for (const status of [null, "awaited", "created"] as const)
      expect(ids(initiated(status))).not.toContain("fail-payment");
  });

  it("by a provider is initiated, and confirmed by the provider", () => {
    expect(stateOf(initiated(null))).not.toContain("on its way");
    expect(mainOf(initiated(null))).toBeUndefined();
  });
});

describe("why there is no e-invoice", () => {
  it.each([
    [
      "e_invoice_unavailable: BR-DE-2: partner.self_billing_data.contact is required by XRechnung; PEPPOL-EN16931-R010: billing_profile.electronic_address is required",
      [
        "The partner's contact for questions about invoices is required by XRechnung (rule BR-DE-2).",
        "partner",
      ],
      ["Your company's address for e-invoices is required (rule PEPPOL-EN16931-R010).", "company"],
    ],
    [
      "e_invoice_unavailable: BR-O-11: settlement.lines must not have lines beside others; settle them apart; XML-2.2: billing_profile.address.street must not contain control characters",
      ["The lines must not have lines beside others; settle them apart (rule BR-O-11).", null],
      ["Your company's street must not contain control characters (rule XML-2.2).", "company"],
    ],
    [
      "e_invoice_unavailable: BR-CL-04: settlement.currency BGN is not in the code list of the rules",
      ["BGN is not in the code list of the rules (rule BR-CL-04).", null],
    ],
    [
      "e_invoice_unavailable: this invoice was uploaded; e-invoices are created for documents that the service issues",
      ["This invoice was uploaded; e-invoices are created for documents that the service issues.", null],
    ],
  ])("is a sentence for each rule: %s", (message, ...reasons) => {
    expect(eInvoiceReasons(TEAM_E_INVOICES, message)).toEqual(reasons.map(([text, at]) => ({ text, at })));
  });

  it.each([
    [
      "e_invoice_unavailable: BR-DE-2: partner.self_billing_data.contact is required by XRechnung; PEPPOL-EN16931-R010: billing_profile.electronic_address is required",
      "Contact for questions about invoices: we do not have yours, which rule BR-DE-2 requires. Tell us, and your next documents state it.",
      "Address for e-invoices: we have not stated ours, which rule PEPPOL-EN16931-R010 requires. Ask us for it, and your next documents state it.",
    ],
    [
      "e_invoice_unavailable: BR-CO-09: partner.self_billing_data.vat_number must begin with a country; XML-2.2: billing_profile.address.street must not contain control characters",
      "VAT number: what we have of yours is not as rule BR-CO-09 requires. Tell us what is right, and your next documents state it.",
      "Street: what we have stated of ours is not as rule XML-2.2 requires. Ask us to change it, and your next documents state it.",
    ],
    [
      "e_invoice_unavailable: BR-O-11: settlement.lines must not have lines beside others; settle them apart",
      "The amounts of this document do not fit into an e-invoice (rule BR-O-11).",
    ],
    [
      "e_invoice_unavailable: there was no billing profile when this invoice was issued, or it is older than e-invoices",
      "It was issued before we made e-invoices, or elsewhere.",
    ],
  ])("is the partner's own sentence, which can be translated: %s", (message, ...texts) => {
    expect(eInvoiceReasons(PAYEE_E_INVOICES, message)).toEqual(texts.map((text) => ({ text, at: null })));
  });
});
