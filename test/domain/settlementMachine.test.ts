import { Either } from "effect";
import { type Ids, Settlement, SettlementMachine, type Tax } from "quittance";
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
const UNTAXED: Tax.Assessment = { takenBack: [], shares: [], groups: [], tax: 0n };

const view = (status: Settlement.Status, changes: Partial<Settlement.View> = {}): Settlement.View => ({
  status,
  currency: "EUR" as Settlement.View["currency"],
  total: 1000,
  lineCount: 1,
  createdBy: "maker",
  approval:
    status.type === "draft"
      ? null
      : { billingMode: "partner_billing", partnerName: "P", selfBillingData: null, taxGroups: [] },
  approvedAt: status.type === "draft" ? null : 0,
  taxAmount: null,
  payableAmount: null,
  paidAfterWriteOff: false,
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
    assessment: UNTAXED,
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
  it("numbers its rows T1 to T27, each once, three of them with a second case", () => {
    const rows = TRANSITIONS.map(({ row }) => row);
    expect(rows.filter((row) => !row.endsWith("a"))).toEqual(
      Array.from({ length: 27 }, (_, index) => `T${index + 1}`),
    );
    expect(rows.filter((row) => row.endsWith("a"))).toEqual(["T7a", "T23a", "T24a"]);
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
        const to = transition?.to === "same" ? status.type : transition?.to;
        expect(after.status.type).toBe(to === "resume" ? resumed : to);
      },
    );
  }

  it("takes every row with some state and command", () => {
    const taken = new Set<string | null>(["T1"]);
    const states = [
      ...STATUSES.flatMap((status) => [1000, 0, -1000].map((total) => view(status, { total }))),
      view({ type: "cancelled", cause: "dispute_upheld" }, { invoiceReference: DOCUMENT }),
      view({ type: "awaiting_invoice" }, { approval: selfBilled }),
      view({ type: "awaiting_invoice" }, { approval: selfBilled, taxAmount: -1000, payableAmount: 0 }),
      view({ type: "written_off" }, { creditNoteReference: DOCUMENT }),
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
  taxGroups: [],
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
    const upload = {
      type: "link_invoice",
      documentId: DOCUMENT,
      origin: "upload",
      facts: {},
    } as const;
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

const decidedOf = (state: Settlement.View, command: SettlementMachine.SettlementCommand, manual = false) => {
  const decided = decide(state, command, manual ? { ...policy, documents: "manual" } : policy);
  if (Either.isLeft(decided)) throw new Error(decided.left.message);
  const after = decided.right.events.reduce<Settlement.View>(
    (before, event) => Settlement.evolve(before, { at: 5, actor: "a", event }),
    state,
  );
  return { ...decided.right, after };
};

const report = { type: "link_report", documentId: DOCUMENT, facts: {}, origin: "worker" } as const;
const group = (base: number, tax: number, rateBps: number | null): Tax.TaxGroup => ({
  treatment: rateBps === null ? "exempt" : "standard",
  label: "VAT",
  rateBps,
  base,
  tax,
});

/** A self-billed settlement with groups, after its approval. */
const approvedWith = (
  taxGroups: ReadonlyArray<Tax.TaxGroup>,
  type: "awaiting_report" | "awaiting_payment",
) => {
  const total = taxGroups.reduce((sum, { base }) => sum + base, 0);
  const taxAmount = taxGroups.reduce((sum, { tax }) => sum + tax, 0);
  const approval = { ...selfBilled, taxGroups };
  return view({ type }, { total, taxAmount, payableAmount: total + taxAmount, approval });
};

describe("tax", () => {
  const approve = (assessment: Tax.Assessment) =>
    ({
      ...COMMANDS[0],
      billingMode: "self_billing",
      selfBillingData: selfBilled.selfBillingData,
      assessment,
    }) as SettlementMachine.SettlementCommand;
  const assessed = (base: bigint, tax: bigint): Tax.Assessment => ({
    takenBack: [],
    shares: [],
    groups: [{ treatment: "standard", label: "VAT", rateBps: 2500, base, tax }],
    tax,
  });

  it("is fixed by the approval, with the payable", () => {
    const { after } = decidedOf(view({ type: "draft" }), approve(assessed(1000n, 250n)));
    expect([after.taxAmount, after.payableAmount]).toEqual([250, 1250]);
    expect(after.approval?.taxGroups).toEqual([group(1000, 250, 2500)]);
    const linked = decidedOf(
      { ...after, status: { type: "awaiting_invoice" } },
      { type: "link_invoice", documentId: DOCUMENT, facts: {}, origin: "worker" },
    );
    expect([linked.after.taxAmount, linked.after.payableAmount]).toEqual([250, 1250]);
  });

  it("is the whole total's where the log is older than the groups", () => {
    const event: Settlement.SettlementEvent = {
      type: "approve_settlement",
      billing_mode: "self_billing",
      stored: { partner_name: "Nordlys", self_billing_data: selfBilled.selfBillingData },
    };
    const after = Settlement.evolve(view({ type: "draft" }, { total: 1002 }), { at: 5, actor: "a", event });
    expect(after.approval?.taxGroups).toEqual([group(1002, 251, 2500)]);
    expect([after.taxAmount, after.payableAmount]).toEqual([251, 1253]);
  });

  const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

  it.each([
    ["total and tax", assessed(LARGEST - 1000n, 1_001n), Number(LARGEST - 1000n)],
    ["a group", assessed(LARGEST + 1n, 0n), 1000],
    ["the tax", assessed(1000n, -LARGEST - 1n), 1000],
  ])("refuses an approval whose %s exceeds the largest amount", (_name, assessment, total) => {
    const draft = view({ type: "draft" }, { total });
    expect(token(decide(draft, approve(assessment), policy))).toBe("amount_too_large");
  });

  it("takes the largest amount itself", () => {
    const draft = view({ type: "draft" }, { total: Number(LARGEST - 1000n) });
    expect(token(decide(draft, approve(assessed(LARGEST - 1000n, 1000n)), policy))).toBe(null);
  });

  it.each([
    ["payable > 0", [group(1000, 250, 2500)], "T4", "awaiting_invoice"],
    [
      "payable < 0 of a positive total",
      [group(1000, 0, null), group(-900, -225, 2500)],
      "T5",
      "negative_review",
    ],
    [
      "payable > 0 of a negative total",
      [group(-1000, 0, null), group(900, 225, 2500)],
      "T4",
      "awaiting_invoice",
    ],
    [
      "payable = 0 with groups that balance",
      [group(1000, 0, null), group(-800, -200, 2500)],
      "T4",
      "awaiting_invoice",
    ],
    ["payable = 0 without a base", [group(0, 0, 2500)], "T6", "paid"],
  ] as const)("%s decides where the report leads", (_name, groups, row, type) => {
    const decided = decidedOf(approvedWith(groups, "awaiting_report"), report);
    expect([decided.row, decided.after.status.type]).toEqual([row, type]);
    expect(decided.tasks).toEqual(type === "awaiting_invoice" ? ["make_invoice"] : []);
  });

  it("ends in nothing due with the invoice where the groups balance", () => {
    const groups = [group(1000, 0, null), group(-800, -200, 2500)];
    const waiting = decidedOf(approvedWith(groups, "awaiting_report"), report).after;
    for (const origin of ["worker", "upload"] as const) {
      const command = { type: "link_invoice", documentId: DOCUMENT, facts: {}, origin } as const;
      const { row, after, lines } = decidedOf(waiting, command, origin === "upload");
      expect(row).toBe("T7a");
      expect(lines).toEqual({ type: "settle", as: "paid" });
      expect([after.status, after.paidAt]).toEqual([{ type: "paid", method: "nothing_due" }, 5]);
    }
  });

  it("decides by the payable whether a payment can be initiated", () => {
    const pay = { type: "initiate_payment", paymentReference: REFERENCE, ibanValid: true } as const;
    const owed = approvedWith([group(1000, 0, null), group(-900, -225, 2500)], "awaiting_payment");
    expect(token(decide(owed, pay, policy))).toBe("payout_unavailable");
    const due = approvedWith([group(-1000, 0, null), group(900, 225, 2500)], "awaiting_payment");
    expect(token(decide(due, pay, policy))).toBe(null);
  });
});

describe("documents of settlements that end without payment", () => {
  const invoiced = (changes: Partial<Settlement.View> = {}) => ({
    ...approvedWith([group(1000, 250, 2500)], "awaiting_payment"),
    invoiceReference: DOCUMENT,
    ...changes,
  });
  const credited = { ...invoiced({ invoiceReference: null, creditNoteReference: DOCUMENT }) };
  const link = (kind: "invoice" | "credit_note", origin: "worker" | "upload" = "worker") =>
    ({ type: `link_${kind}`, documentId: DOCUMENT, facts: {}, origin }) as const;
  const writeOff = { type: "write_off" } as const;

  it("get the counterpart of what was issued, from the worker", () => {
    const writtenOff = decidedOf(invoiced(), writeOff);
    expect(writtenOff.tasks).toEqual(["make_credit_note"]);
    const { row, after } = decidedOf(writtenOff.after, link("credit_note"));
    expect([row, after.status.type, after.creditNoteReference]).toEqual(["T24", "written_off", DOCUMENT]);
    expect([after.taxAmount, after.payableAmount]).toEqual([250, 1250]);
    const given = decidedOf(credited, writeOff);
    expect(given.tasks).toEqual(["make_invoice"]);
    expect(decidedOf(given.after, link("invoice")).row).toBe("T24a");
  });

  it("need nothing where nothing, or both, was issued", () => {
    const bare = invoiced({ invoiceReference: null });
    expect(decidedOf(bare, writeOff).tasks).toEqual([]);
    const both = decidedOf(invoiced(), writeOff).after;
    const done = decidedOf(both, link("credit_note")).after;
    expect(token(decide(done, link("credit_note"), policy))).toBe("settlement_state");
    expect(token(decide(done, link("invoice"), policy))).toBe("settlement_state");
  });

  it("wait for the final failure of a payment in flight, and for nothing once it is confirmed", () => {
    const paying = invoiced({ status: { type: "payment_initiated" }, paymentReference: REFERENCE });
    const { after, tasks } = decidedOf(paying, writeOff);
    expect(tasks).toEqual([]);
    expect(token(decide(after, link("credit_note"), policy))).toBe("settlement_state");
    const other = decidedOf(after, { type: "fail_payment", paymentReference: OTHER_REFERENCE, reason: "r" });
    expect([other.tasks, other.after]).toEqual([[], after]);
    const failed = decidedOf(after, { type: "fail_payment", paymentReference: REFERENCE, reason: "r" });
    expect(failed.events.map(({ type }) => type)).toEqual(["payment_anomaly"]);
    expect(failed.tasks).toEqual(["make_credit_note"]);
    expect(decidedOf(failed.after, link("credit_note")).row).toBe("T24");
    const confirmed = decidedOf(after, {
      type: "confirm_payment",
      paymentReference: REFERENCE,
      bankReference: null,
    });
    expect(confirmed.tasks).toEqual([]);
    expect(token(decide(confirmed.after, link("credit_note"), policy))).toBe("settlement_state");
    const late = { type: "fail_payment", paymentReference: REFERENCE, reason: "r" } as const;
    expect(decidedOf(confirmed.after, late).tasks).toEqual([]);
    const back = { type: "return_payment", paymentReference: REFERENCE, reason: "r", elsewhere: [] } as const;
    expect(decidedOf(confirmed.after, back).tasks).toEqual(["make_credit_note"]);
  });

  it("are the caller's to upload with documents manual, and an upload that nobody waits for with partner billing", () => {
    const manual = decidedOf(invoiced(), writeOff, true);
    expect(manual.tasks).toEqual([]);
    expect(decidedOf(manual.after, link("credit_note", "upload"), true).row).toBe("T24");
    expect(token(decide(manual.after, link("credit_note", "upload"), policy))).toBe("billing_mode");
    const approval = { ...selfBilled, billingMode: "partner_billing", taxGroups: [] } as const;
    const theirs = decidedOf(invoiced({ approval }), writeOff);
    expect(theirs.tasks).toEqual([]);
    expect(decidedOf(theirs.after, link("credit_note", "upload")).row).toBe("T24");
  });
});

describe("work with documents manual", () => {
  it("leaves out documents and nothing else", () => {
    const due = approvedWith([group(1000, 250, 2500)], "awaiting_payment");
    const pay = { type: "initiate_payment", paymentReference: REFERENCE, ibanValid: true } as const;
    expect(decidedOf(due, pay, true).tasks).toEqual(["send_payment"]);
    expect(
      decidedOf(view({ type: "draft" }), COMMANDS[0] as SettlementMachine.SettlementCommand, true).tasks,
    ).toEqual([]);
  });
});
