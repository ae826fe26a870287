/** Decides commands on settlements by the transition table, and gives the reason of a refusal. */
import { Either } from "effect";
import type { DocumentKind } from "./Document.ts";
import type { PaymentReference } from "./Ids.ts";
import { type Conflict, conflict, type Invalid } from "./Refusal.ts";
import { evolve } from "./Settlement.ts";
import type {
  Policy,
  SettlementCommand,
  SettlementCommandOf,
  SettlementCommandType,
} from "./SettlementCommand.ts";
import { type SettlementEvent, type SettlementEventOf, withoutNulls, writeEvent } from "./SettlementEvent.ts";
import { problemOf } from "./SettlementProblem.ts";
import { type LineEffect, NONE, STEPS, type Step } from "./SettlementTable.ts";
import { counterpartTasks, type StatusType, type Task, type View, workIn } from "./SettlementView.ts";

export * from "./SettlementCommand.ts";
export * from "./SettlementTable.ts";
export type { Task } from "./SettlementView.ts";

/** What an accepted command leads to: events, the effect on the lines, and work for the worker. */
export interface Decided {
  /** The table's row; null when the command is accepted without a transition. */
  readonly row: string | null;
  readonly events: ReadonlyArray<SettlementEvent>;
  readonly lines: LineEffect;
  readonly tasks: ReadonlyArray<Task>;
}

type Decision = Either.Either<Decided, Conflict | Invalid>;

const UNCHANGED: Decision = Either.right({ row: null, events: [], lines: NONE, tasks: [] });

const refuse = ({ status, erasedAt }: View, action: string): Decision => {
  const state = erasedAt === null ? `in ${status.type}` : "whose personal data was erased";
  return Either.left(conflict("settlement_state", `a settlement ${state} cannot ${action}`));
};

const refuseUnlessDraft = (state: View): Decision =>
  Either.left(conflict("settlement_not_draft", `the settlement is in ${state.status.type}`));

const stateAfter = (state: View, events: ReadonlyArray<SettlementEvent>): View =>
  events.reduce<View>((before, event) => evolve(before, { at: 0, actor: "", event }), state);

const targetOf = ({ to }: Step, { status }: View): StatusType => {
  if (to === "same") return status.type;
  if (to !== "resume") return to;
  return status.type === "disputed" ? status.resume : status.type;
};

const take = (step: Step, state: View, command: SettlementCommand): Decided => {
  const events = step.events.map((type) => writeEvent(type, state, command));
  const tasks = step.to === "same" ? [] : workIn(targetOf(step, state), stateAfter(state, events));
  return { row: step.row, events, lines: step.lines, tasks };
};

/** Records an event that moves no state. */
const record = (event: SettlementEvent, tasks: ReadonlyArray<Task> = []): Decision =>
  Either.right({ row: null, events: [event], lines: NONE, tasks });

/** Records a message about a payment that fits no row; after a write-off it may request the missing document. */
const recordAnomaly = (
  state: View,
  message: Omit<SettlementEventOf<"payment_anomaly">, "type">,
): Decision => {
  const event: SettlementEvent = { type: "payment_anomaly", ...message };
  return record(event, counterpartTasks(stateAfter(state, [event])));
};

const LINKED = {
  report: "reportReference",
  invoice: "invoiceReference",
  credit_note: "creditNoteReference",
} as const satisfies Record<DocumentKind, keyof View>;

/** Records a document problem once, until it changes. A document that exists, or is no longer needed, has none. */
const failDocument = (
  state: View,
  { kind, code, message }: SettlementCommandOf<"fail_document">,
): Decision => {
  const known = state.documentProblem;
  const isWanted = state.approval !== null && state.status.type !== "paid" && state[LINKED[kind]] === null;
  const isKnown = known?.kind === kind && known.code === code && known.message === message;
  return isWanted && !isKnown ? record({ type: "fail_document", kind, code, message }) : UNCHANGED;
};

const isConfirmed = ({ status, paymentReference }: View, reference: PaymentReference): boolean =>
  status.type === "paid" && status.method === "webhook" && paymentReference === reference;

const NOT_HANDED_OVER =
  "the payment was not handed over to a bank in a payment file; discard a file that no bank has, and wait for the report of a provider";

type Decide<Command> = { decide(state: View, command: Command): Decision }["decide"];

type DefaultDecisions = { readonly [Type in SettlementCommandType]: Decide<SettlementCommandOf<Type>> };

/** The result of a command for which no row of the table applies. */
const DEFAULT_DECISIONS: DefaultDecisions = {
  approve: refuseUnlessDraft,
  cancel: refuseUnlessDraft,
  link_report: (state) => refuse(state, "take a report"),
  link_invoice: (state) => refuse(state, "take an invoice"),
  link_credit_note: (state) => refuse(state, "take a credit note"),
  fail_document: failDocument,
  review: (state) => refuse(state, "be reviewed"),
  mark_as_paid: (state) => refuse(state, "be marked as paid"),
  choose_payout_account: (state) => refuse(state, "choose a payout account"),
  initiate_payment: (state) => refuse(state, "initiate a payment"),
  confirm_payment: (state, { paymentReference, bankReference, amounts }) =>
    isConfirmed(state, paymentReference)
      ? UNCHANGED
      : recordAnomaly(state, {
          kind: "confirmed",
          payment_reference: paymentReference,
          ...withoutNulls({ bank_reference: bankReference }),
          ...amounts,
        }),
  hand_over_payment: (state) => refuse(state, "hand its payment over"),
  fail_payment: (state, { paymentReference }) => {
    if (paymentReference !== null)
      return recordAnomaly(state, { kind: "failed", payment_reference: paymentReference });
    return state.status.type === "payment_initiated"
      ? Either.left(conflict("settlement_state", NOT_HANDED_OVER))
      : refuse(state, "fail its payment");
  },
  return_payment: (state, { paymentReference }) =>
    paymentReference === null
      ? refuse(state, "return its payment")
      : recordAnomaly(state, { kind: "returned", payment_reference: paymentReference }),
  write_off: (state) =>
    state.status.type === "draft"
      ? refuse(state, "be written off")
      : Either.left(conflict("settlement_terminal", `the settlement has ended in ${state.status.type}`)),
  dispute: (state) => refuse(state, "be disputed"),
  withdraw_dispute: (state) => refuse(state, "have a dispute withdrawn"),
  comment: (state) => refuse(state, "take a comment"),
  resolve_dispute: (state) => refuse(state, "have a dispute resolved"),
  reconcile: (state) =>
    state.status.type === "paid" && state.erasedAt === null ? UNCHANGED : refuse(state, "be reconciled"),
};

/** The result of the guards: true, false when one of them does not apply, or the first conflict. */
const check = ({ guards }: Step, state: View, command: SettlementCommand, policy: Policy) => {
  for (const guard of guards) {
    const verdict = guard.check(state, command, policy);
    if (verdict !== true) return verdict;
  }
  return true;
};

const transition = (state: View, command: SettlementCommand, policy: Policy): Decision => {
  const problem = problemOf(state, command);
  if (problem !== null) return Either.left(problem);
  // Without the data of the partner, nobody can be paid and no document drawn.
  const steps = state.erasedAt === null ? STEPS : [];
  for (const step of steps) {
    if (step.command !== command.type || !step.from.includes(state.status.type)) continue;
    const verdict = check(step, state, command, policy);
    if (verdict === true) return Either.right(take(step, state, command));
    if (verdict !== false) return Either.left(verdict);
  }
  const otherwise: Decide<SettlementCommand> = DEFAULT_DECISIONS[command.type];
  return otherwise(state, command);
};

/** True if a task creates a document; with documents `manual` the caller does that. */
const IS_DOCUMENT_TASK: Readonly<Record<Task, boolean>> = {
  make_report: true,
  make_invoice: true,
  make_credit_note: true,
  send_payment: false,
};

/**
 * What a command leads to in a state, or why it is refused. The first row of the state and command whose guards hold
 * gives the event, the effect on the lines and the state whose work follows. With documents `manual`, the tasks that
 * create documents are left out, and no other.
 */
export const decide = (state: View, command: SettlementCommand, policy: Policy): Decision =>
  Either.map(transition(state, command, policy), (decided) =>
    policy.documents === "auto"
      ? decided
      : { ...decided, tasks: decided.tasks.filter((task) => !IS_DOCUMENT_TASK[task]) },
  );
