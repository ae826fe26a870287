/** Bugs of the settlement's way: transitions, documents, payments. */
import { type Bug, bug } from "./Bug.ts";

const TABLE = "src/domain/SettlementTable.ts";
const MACHINE = "src/domain/SettlementMachine.ts";
const SETTLEMENT = "src/domain/Settlement.ts";

/** See the file. */
export const settlementBugs: ReadonlyArray<Bug> = [
  bug(
    "a write-off releases the lines",
    "M2",
    TABLE,
    'const WRITTEN_OFF: LineEffect = { type: "settle", as: "written_off" };',
    'const WRITTEN_OFF: LineEffect = { type: "release", cause: "carried_forward" };',
  ),
  bug(
    "lines settle at approval",
    "M2",
    TABLE,
    '    "approve_settlement",\n  ]),',
    '    "approve_settlement",\n  ], PAID),',
  ),
  bug("a cancelled draft keeps its commissions", "M4", TABLE, 'release("draft_cancelled")),', "NONE),"),
  bug(
    "a carried forward settlement counts as written off",
    "model",
    SETTLEMENT,
    'return { type: "cancelled", cause: "carried_forward" };',
    'return { type: "written_off" };',
  ),
  bug("nothing due waits for an invoice", "S3", SETTLEMENT, "total > 0\n    ?", "total >= 0\n    ?"),
  bug(
    "a rejected dispute resumes before the payment, whatever it halted",
    "S1",
    SETTLEMENT,
    "{ type: status.resume } : status",
    '{ type: "awaiting_payment" } : status',
  ),
  bug(
    "a failed payment keeps its reference",
    "model",
    SETTLEMENT,
    "paymentReference: null,\n        paidAt: null,",
    "paidAt: null,",
  ),
  bug(
    "reconciling leaves the status as it was",
    "model",
    SETTLEMENT,
    'return { ...state, reconciliationStatus: "reconciled" };',
    "return state;",
  ),
  bug(
    "a payment in flight can be disputed",
    "model",
    SETTLEMENT,
    '  "awaiting_payment",\n] as const',
    '  "awaiting_payment",\n  "payment_initiated",\n] as const',
  ),
  bug(
    "a draft can be written off",
    "model",
    MACHINE,
    "if (APPROVED_AND_OPEN.includes(state.status.type)) return take",
    'if (state.status.type === "draft" || APPROVED_AND_OPEN.includes(state.status.type)) return take',
  ),
  bug(
    "an ended settlement can be written off",
    "model",
    MACHINE,
    "if (APPROVED_AND_OPEN.includes(state.status.type)) return take",
    'if (state.status.type !== "draft") return take',
  ),
  bug(
    "a disputed settlement can be marked as paid",
    "S1",
    MACHINE,
    '{ awaiting_payment: "T13", payment_initiated: "T16" }',
    '{ awaiting_payment: "T13", disputed: "T13", payment_initiated: "T16" }',
  ),
  bug(
    "a reconciled payment is returned",
    "model",
    MACHINE,
    'state.reconciliationStatus === "unreconciled" &&',
    "",
  ),
  bug(
    "a payment is returned although another settlement holds its commission",
    "model",
    MACHINE,
    "reference === state.paymentReference &&\n    elsewhere.length === 0",
    "reference === state.paymentReference",
  ),
  bug(
    "a fact of an earlier attempt is taken for this one",
    "model",
    MACHINE,
    'state.status.type === "payment_initiated" && state.paymentReference === reference',
    'state.status.type === "payment_initiated"',
  ),
  bug("every attempt is the first", "model", MACHINE, "attempt: state.attempt + 1", "attempt: 1"),
  bug("four eyes are not asked for", "model", MACHINE, "policy.fourEyes && ", "false && "),
  bug(
    "a stale draft is approved against the policy",
    "model",
    MACHINE,
    'policy.staleDrafts === "refuse" && command.stale',
    "false",
  ),
  bug(
    "self-billing data is read from the partner too late",
    "model",
    MACHINE,
    'self_billing_data: billingMode === "self_billing" ? command.selfBillingData : null',
    "self_billing_data: null",
  ),
  bug("nobody is told to make the report", "model", MACHINE, '["make_report"],\n  );', "[],\n  );"),
  bug(
    "nobody is told to make the invoice that a dispute has held up",
    "model",
    MACHINE,
    'return selfBilled(state) ? ["make_invoice"] : [];\n    case "awaiting_credit_note"',
    'return [];\n    case "awaiting_credit_note"',
  ),
  bug(
    "a caller hands in what a worker makes",
    "model",
    MACHINE,
    '? !selfBilled(state) : selfBilled(state) && documents === "auto")',
    "? !selfBilled(state) : false)",
  ),
  bug("an upload replaces what the service made", "model", MACHINE, "state.uploads.includes(kind)", "true"),
  bug(
    "the tax of an uploaded credit note has the sign of an invoice's",
    "model",
    MACHINE,
    "state.total < 0 ? 0 - stated : stated",
    "stated",
  ),
  bug(
    "a payment may be dated any time before the approval",
    "model",
    MACHINE,
    "paidAt < earliest",
    "paidAt < 0",
  ),
  bug(
    "a document that replaces another leaves its dates",
    "model",
    SETTLEMENT,
    "invoiceDate: event.invoice_date ?? null",
    "invoiceDate: event.invoice_date ?? state.invoiceDate",
  ),
  bug(
    "a payment reported twice is taken twice",
    "model",
    "src/services/Payments.ts",
    "{ idempotency },",
    "{},",
  ),
  bug("a refund is sent as a payout", "model", MACHINE, "state.total <= 0", "state.total === 0"),
  {
    name: "one payment reference for every attempt",
    by: "commands",
    caughtBy: "M10",
    edits: [
      {
        file: "src/services/Settlements.ts",
        find: "Effect.map(ids.next, (reference) => ({",
        replace: "Effect.map(Effect.succeed(settlement.id as string), (reference) => ({",
      },
      {
        file: "adapters/memory/Commit.ts",
        find: 'claim(work, work.store.payments, event.payment_reference, route, "payment_reference");',
        replace: "work.journal.set(work.store.payments, event.payment_reference, route);",
      },
    ],
  },
  {
    name: "a paid settlement goes back to its payment when it is reconciled",
    by: "commands",
    caughtBy: "S4",
    edits: [
      {
        file: SETTLEMENT,
        find: 'return { ...state, reconciliationStatus: "reconciled" };',
        replace:
          'return { ...state, status: { type: "awaiting_payment" }, reconciliationStatus: "reconciled" };',
      },
    ],
  },
];
