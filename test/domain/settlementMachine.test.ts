import { Either } from "effect";
import { type Ids, Settlement, SettlementMachine } from "quittance";
import { describe, expect, it } from "vitest";

const { decide, TRANSITIONS, DEFAULT_POLICY } = SettlementMachine;

const REFERENCE = "00000000-0000-7000-8000-000000000009" as Ids.PaymentReference;
const OTHER_REFERENCE = "00000000-0000-7000-8000-000000000010" as Ids.PaymentReference;
const DOCUMENT = "00000000-0000-7000-8000-000000000011" as Ids.DocumentId;
const ELSEWHERE = "00000000-0000-7000-8000-000000000012" as Ids.CommissionId;

const PAY = { type: "mark_as_paid", now: 0, paidAt: null, bankReference: null, note: null } as const;

const UNDOCUMENTED = {
  reportReference: null,
  reportNumber: null,
  invoiceReference: null,
  invoiceNumber: null,
  invoiceDate: null,
  dueDate: null,
  creditNoteReference: null,
  creditNoteNumber: null,
  creditNoteDate: null,
  uploads: [],
} satisfies Partial<Settlement.View>;

const view = (status: Settlement.Status, changes: Partial<Settlement.View> = {}): Settlement.View => ({
  status,
  currency: "EUR" as Settlement.View["currency"],
  total: 1000,
  lineCount: 1,
  createdBy: "maker",
  approval:
    status.type === "draft"
      ? null
      : { billingMode: "partner_billing", partnerName: "P", selfBillingData: null },
  approvedAt: status.type === "draft" ? null : 0,
  taxAmount: null,
  payableAmount: null,
  disputeReason: null,
  disputedAt: null,
  reconciliationStatus: "unreconciled",
  ...UNDOCUMENTED,
  documentProblem: null,
  paymentReference: status.type === "payment_initiated" || status.type === "paid" ? REFERENCE : null,
  attempt: 0,
  paidAt: null,
  bankReference: null,
  createdAt: 0,
  ...changes,
});

const STATUSES: ReadonlyArray<Settlement.Status> = [
  { type: "draft" },
  { type: "awaiting_report" },
  { type: "negative_review" },
  { type: "awaiting_invoice" },
  { type: "awaiting_credit_note" },
  { type: "awaiting_payment" },
  { type: "payment_initiated" },
  { type: "disputed", resume: "awaiting_payment" },
  { type: "paid", method: "webhook" },
  { type: "written_off" },
  { type: "cancelled", cause: "draft_cancelled" },
];

const COMMANDS: ReadonlyArray<SettlementMachine.SettlementCommand> = [
  {
    type: "approve",
    principalId: "approver",
    stale: false,
    partnerName: "P",
    billingMode: null,
    selfBillingData: null,
  },
  { type: "cancel" },
  { type: "link_report", documentId: DOCUMENT, origin: "upload", facts: {} },
  { type: "link_invoice", documentId: DOCUMENT, origin: "upload", facts: {} },
  { type: "link_credit_note", documentId: DOCUMENT, origin: "upload", facts: {} },
  { type: "review", decision: "issue_credit_note", note: null },
  { type: "review", decision: "carry_forward", note: null },
  { type: "review", decision: "write_off", note: "n" },
  PAY,
  { type: "initiate_payment", paymentReference: OTHER_REFERENCE, ibanValid: true },
  { type: "confirm_payment", paymentReference: REFERENCE, bankReference: null },
  { type: "fail_payment", paymentReference: REFERENCE, reason: "closed" },
  { type: "return_payment", paymentReference: REFERENCE, reason: "returned", elsewhere: [] },
  { type: "write_off" },
  { type: "dispute", reason: "wrong" },
  { type: "resolve_dispute", resolution: "upheld", note: null },
  { type: "resolve_dispute", resolution: "rejected", note: null },
  { type: "reconcile", reconciled: true },
];

const policy: SettlementMachine.Policy = { ...DEFAULT_POLICY, payouts: true };

const rowsOf = (state: Settlement.View, command: SettlementMachine.SettlementCommand) =>
  TRANSITIONS.filter(({ from, command: name }) => name === command.type && from.includes(state.status.type));

describe("the settlement machine", () => {
  it("numbers its rows T1 to T27, each once", () => {
    expect(TRANSITIONS.map(({ row }) => row)).toEqual(
      Array.from({ length: 27 }, (_, index) => `T${index + 1}`),
    );
  });

  const cases = STATUSES.flatMap((status) => COMMANDS.map((command) => ({ status, command })));
  for (const total of [1000, 0, -1000]) {
    it.each(cases)(
      `takes only rows of the table, total ${total}: $status.type, $command.type`,
      ({ status, command }) => {
        const state = view(status, { total });
        const decided = decide(state, command, policy);
        if (Either.isLeft(decided)) return expect(decided.left.message).toContain(`${token(decided)}: `);
        const { row, events, lines } = decided.right;
        const after = events.reduce<Settlement.View>(
          (before, event) => Settlement.evolve(before, { at: 5, actor: "a", event }),
          state,
        );
        if (row === null) return expect({ ...after, status }).toEqual(state);
        const transition = rowsOf(state, command).find((candidate) => candidate.row === row);
        expect(transition).toBeDefined();
        expect(transition?.lines).toEqual(lines);
        expect(transition?.events).toContain(events[0]?.type);
        const resumed = status.type === "disputed" ? status.resume : null;
        expect(after.status.type).toBe(transition?.to === "resume" ? resumed : transition?.to);
      },
    );
  }

  it("takes every row with some state and command", () => {
    const taken = new Set<string | null>(["T1"]);
    const states = [
      ...STATUSES.flatMap((status) => [1000, 0, -1000].map((total) => view(status, { total }))),
      view({ type: "cancelled", cause: "dispute_upheld" }, { invoiceReference: DOCUMENT }),
      view({ type: "awaiting_invoice" }, { approval: selfBilled }),
      view({ type: "awaiting_payment" }, { uploads: ["report", "invoice", "credit_note"] }),
    ];
    const commands = [
      ...COMMANDS,
      { type: "link_invoice", documentId: DOCUMENT, origin: "worker", facts: {} } as const,
    ];
    for (const state of states) {
      for (const command of commands) {
        const decided = decide(state, command, policy);
        if (Either.isRight(decided)) taken.add(decided.right.row);
      }
    }
    expect(TRANSITIONS.map(({ row }) => row).filter((row) => !taken.has(row))).toEqual([]);
  });
});

const selfBilled: NonNullable<Settlement.View["approval"]> = {
  billingMode: "self_billing",
  partnerName: "Nordlys",
  selfBillingData: {
    legalName: "Nordlys ApS",
    address: { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" },
    vatNumber: "DK12345678",
    paymentTermsDays: 30,
    bankAccount: { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
    taxConfig: { treatment: "standard", label: "VAT", rateBps: 2500 },
  },
};

const token = (decided: ReturnType<typeof decide>): string | null =>
  Either.isLeft(decided) ? (decided.left._tag === "Conflict" ? decided.left.token : "invalid") : null;

describe("refusals", () => {
  it.each([
    ["approve", { type: "paid", method: "manual" }, COMMANDS[0], "settlement_not_draft"],
    ["cancel", { type: "awaiting_report" }, { type: "cancel" }, "settlement_not_draft"],
    ["mark as paid", { type: "awaiting_invoice" }, PAY, "settlement_state"],
    ["write off a draft", { type: "draft" }, { type: "write_off" }, "settlement_state"],
    ["write off again", { type: "written_off" }, { type: "write_off" }, "settlement_terminal"],
    [
      "write off what is paid",
      { type: "paid", method: "manual" },
      { type: "write_off" },
      "settlement_terminal",
    ],
    ["dispute a draft", { type: "draft" }, { type: "dispute", reason: "r" }, "settlement_state"],
    [
      "dispute money in flight",
      { type: "payment_initiated" },
      { type: "dispute", reason: "r" },
      "settlement_state",
    ],
  ] as const)("%s", (_name, status, command, expected) => {
    if (command === undefined) throw new Error("no command");
    expect(token(decide(view(status), command, policy))).toBe(expected);
  });

  it("keeps the maker from approving under four eyes, and anybody from approving a stale draft when refused", () => {
    const approve = {
      ...COMMANDS[0],
      principalId: "maker",
      stale: true,
    } as SettlementMachine.SettlementCommand;
    expect(token(decide(view({ type: "draft" }), approve, policy))).toBe(null);
    expect(token(decide(view({ type: "draft" }), approve, { ...policy, fourEyes: true }))).toBe("four_eyes");
    expect(token(decide(view({ type: "draft" }), approve, { ...policy, staleDrafts: "refuse" }))).toBe(
      "settlement_stale",
    );
  });

  it("refuses payouts without provider, without anything to pay, and without a valid IBAN", () => {
    const pay = { type: "initiate_payment", paymentReference: REFERENCE, ibanValid: true } as const;
    const state = view({ type: "awaiting_payment" });
    expect(token(decide(state, pay, { ...policy, payouts: false }))).toBe("payout_unavailable");
    expect(token(decide({ ...state, total: -1 }, pay, policy))).toBe("payout_unavailable");
    expect(token(decide(state, { ...pay, ibanValid: false }, policy))).toBe("payout_unavailable");
  });

  it("takes no upload where the worker makes the document, unless documents are manual", () => {
    const upload = { type: "link_invoice", documentId: DOCUMENT, origin: "upload", facts: {} } as const;
    const state = view({ type: "awaiting_invoice" }, { approval: selfBilled });
    expect(token(decide(state, upload, policy))).toBe("billing_mode");
    expect(token(decide(state, upload, { ...policy, documents: "manual" }))).toBe(null);
    expect(token(decide(view({ type: "awaiting_invoice" }), { ...upload, origin: "worker" }, policy))).toBe(
      "billing_mode",
    );
  });
});

describe("payment facts that come too late", () => {
  const events = (state: Settlement.View, command: SettlementMachine.SettlementCommand) =>
    Either.map(decide(state, command, policy), (decided) => decided.events.map(({ type }) => type));

  it("are recorded and change nothing", () => {
    const paid = view({ type: "paid", method: "manual" });
    expect(
      events(paid, { type: "confirm_payment", paymentReference: REFERENCE, bankReference: null }),
    ).toEqual(Either.right(["payment_anomaly"]));
    expect(events(paid, { type: "fail_payment", paymentReference: REFERENCE, reason: "r" })).toEqual(
      Either.right(["payment_anomaly"]),
    );
    const reconciled = view({ type: "paid", method: "webhook" }, { reconciliationStatus: "reconciled" });
    const back = { type: "return_payment", paymentReference: REFERENCE, reason: "r", elsewhere: [] } as const;
    expect(events(reconciled, back)).toEqual(Either.right(["payment_anomaly"]));
    const confirmed = view({ type: "paid", method: "webhook" });
    expect(events(confirmed, { ...back, elsewhere: [ELSEWHERE] })).toEqual(Either.right(["payment_anomaly"]));
    expect(events(confirmed, { ...back, paymentReference: OTHER_REFERENCE })).toEqual(
      Either.right(["payment_anomaly"]),
    );
  });

  it("are nothing new when they repeat what is known", () => {
    const confirmed = view({ type: "paid", method: "webhook" });
    expect(
      events(confirmed, { type: "confirm_payment", paymentReference: REFERENCE, bankReference: null }),
    ).toEqual(Either.right([]));
  });
});

describe("tax", () => {
  it("is rounded once, half away from zero, and mirrored for credit notes", () => {
    const data = { ...selfBilled.selfBillingData } as Parameters<typeof SettlementMachine.taxOf>[1];
    expect(SettlementMachine.taxOf(1002, data)).toBe(251n);
    expect(SettlementMachine.taxOf(-1002, data)).toBe(-251n);
    expect(SettlementMachine.taxOf(1002, null)).toBe(null);
  });
});
