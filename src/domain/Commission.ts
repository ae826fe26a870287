/** Commissions: what one attribution earns under one formula, and how much of it is settled and due. */
import { Either, Schema } from "effect";
import type { Attribution } from "./Attribution.ts";
import type { Currency } from "./Currency.ts";
import { type Entry, event, KeptText } from "./Event.ts";
import { key, optionalKey } from "./Field.ts";
import { covers, type Formula, parametersVersionAt, paysRole, versionAt } from "./Formula.ts";
import {
  type AttributionId,
  type CommissionId,
  type CustomerId,
  type FormulaId,
  type PartnerId,
  SettlementId,
  type WorkspaceId,
} from "./Ids.ts";
import { type Lines, type Quantities, releasedAmount, SettlementStatus, staysInRange } from "./Ledger.ts";
import { Amount } from "./Money.ts";
import * as Receipt from "./Receipt.ts";
import * as SettledElsewhere from "./SettledElsewhere.ts";
import { DateTime, DateTimeText, type Timestamp } from "./Timestamp.ts";

/** Why an amount changed: the command that changed it. */
export const Cause = Schema.Literal(
  "formula_updated",
  "formula_cancelled",
  "attribution_cancelled",
  "recomputed",
);
export type Cause = typeof Cause.Type;

/** Why a line was released without being settled. */
export const ReleaseCause = Schema.Literal("draft_cancelled", "carried_forward", "dispute_upheld");
export type ReleaseCause = typeof ReleaseCause.Type;

/** Why an amount could not be computed. */
export const ComputationError = Schema.Struct({ code: KeptText, message: KeptText });
export type ComputationError = typeof ComputationError.Type;

/** The number of an expression version, from 1; null where no expression was evaluated. */
const Version = Schema.NullOr(Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 1 } }));

const line = { settlement_id: SettlementId, amount: Amount };

/** An amount, and what it was computed by; no number of values where no stated value of a parameter was used. */
const computed = {
  amount: Amount,
  formula_version: Version,
  parameters_version: Schema.optionalWith(
    Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 1 } }),
    { exact: true },
  ),
};

/** The release in the first event of a commission; absent where its amount is released at once. */
const release = Schema.optionalWith(Schema.Literal("on_receipt"), { exact: true });

/** What can happen to a commission, named as in the interface. */
export const CommissionEvent = Schema.Union(
  event("create_commission", { ...computed, release }),
  event("update_commission", { ...computed, cause: Cause }),
  event("fail_commission_computation", { ...ComputationError.fields, release }),
  event("update_received", { received: Schema.Number, of: Schema.Number }),
  event("settle_elsewhere", {
    amount: Amount,
    at: DateTimeText,
    // What was settled elsewhere stays, with its reference there.
    reference: Schema.optionalWith(KeptText, { exact: true }),
  }),
  event("reserve_commission", line),
  event("release_commission", { ...line, cause: ReleaseCause }),
  event("settle_commission", { ...line, kind: Schema.Literal("paid", "written_off") }),
  event("reopen_commission", line),
);
export type CommissionEvent = typeof CommissionEvent.Type;

/**
 * What responses state of the present state: what is stored, and what follows from it. What is released and what waits is absent
 * where the whole amount is released at once.
 */
export const Shown = Schema.Struct({
  createdAt: key(DateTime, "created_at", "When the commission was computed first."),
  computedAmount: key(Schema.NullOr(Amount), "computed_amount", "Null until an amount is computed."),
  settlementStatus: key(SettlementStatus, "settlement_status", "Follows from the amounts."),
  settledAmount: key(
    Amount,
    "settled_amount",
    "The sum of its lines in settlements that were paid or written off.",
  ),
  pendingAmount: key(Amount, "pending_amount", "Its line in the open settlement."),
  dueAmount: key(Amount, "due_amount", "What the next settlement pays."),
  releasedAmount: optionalKey(Amount, "released_amount", "The part that the buyer's payments release."),
  waitingAmount: optionalKey(Amount, "waiting_amount", "The part that waits for the buyer."),
  formulaVersion: key(
    Version,
    "formula_version",
    "The expression version, from 1, under which the amount last changed; null until an amount is computed.",
  ),
  parametersVersion: optionalKey(
    Schema.Number.annotations({ jsonSchema: { type: "integer", minimum: 1 } }),
    "parameters_version",
    "The last statement of parameter values that the amount was computed by; absent where it was computed by none.",
  ),
  computationError: key(
    Schema.NullOr(ComputationError),
    "computation_error",
    "Why the amount could not be computed; null where it could.",
  ),
});
type Shown = typeof Shown.Type;

/** The present state: the fold of the events. */
export interface View
  extends Quantities,
    Lines,
    Pick<Shown, "createdAt" | "formulaVersion" | "computationError"> {
  /** The one open settlement that holds it. */
  readonly openSettlementId: SettlementId | null;
  /** The number of its lines in paid and written-off settlements, and one more if it was settled elsewhere. */
  readonly settledLineCount: number;
  /** The number, from 1, of the last statement of parameter values that the amount was computed by; null if by none. */
  readonly parametersVersion: number | null;
  /** What the buyer has paid, where the amount waits for it; null where the amount is released at once. */
  readonly receipt: Receipt.Paid | null;
}

/** A commission: identity and present state. */
export interface Commission extends View {
  readonly id: CommissionId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  readonly currency: Currency;
  /** The date that its attribution counts for. */
  readonly occurredAt: Timestamp;
}

/** True if a formula pays a credit of a sale of its partner and schema at a date. */
export const pays = (formula: Formula, credited: Pick<Attribution, "credit" | "occurredAt">): boolean =>
  formula.status === "active" && paysRole(formula, credited) && covers(formula, credited.occurredAt);

/** True if an attribution earns a commission under a formula. */
export const isEarned = (attribution: Attribution, formula: Formula): boolean =>
  attribution.status === "confirmed" &&
  attribution.customerId === formula.customerId &&
  attribution.workspaceId === formula.workspaceId &&
  attribution.partnerId === formula.partnerId &&
  attribution.schemaId === formula.schemaId &&
  pays(formula, attribution);

/** The identity of a commission, taken from its attribution and its formula. */
export const identity = (id: CommissionId, attribution: Attribution, formula: Formula) => ({
  id,
  customerId: attribution.customerId,
  workspaceId: attribution.workspaceId,
  partnerId: attribution.partnerId,
  attributionId: attribution.id,
  formulaId: formula.id,
  currency: formula.currency,
  occurredAt: attribution.occurredAt,
});

/** Evaluates one version (1-based) of a formula on an attribution. */
export type Evaluate = (
  formula: Formula,
  version: number,
  attribution: Attribution,
) => Either.Either<Amount, ComputationError>;

/** The rule that decides a commission's amount. */
export type Basis = "evaluated" | "attribution_cancelled" | "formula_cancelled" | "outside_window";

/** The rule that decides the amount for an attribution and a formula; under every rule but `evaluated` it is 0. */
export const basis = (attribution: Attribution, formula: Formula): Basis =>
  attribution.status === "cancelled"
    ? "attribution_cancelled"
    : formula.status === "cancelled"
      ? "formula_cancelled"
      : covers(formula, attribution.occurredAt)
        ? "evaluated"
        : "outside_window";

/** The command that caused a change of amount; the same whichever service stores it. */
export const causeOf = (decided: Basis): Cause =>
  decided === "attribution_cancelled" || decided === "formula_cancelled" ? decided : "formula_updated";

/** The outcome of computing an amount; `formulaVersion` is null when a rule forces it to 0. */
export type Outcome = Either.Either<
  {
    readonly amount: Amount;
    readonly formulaVersion: number | null;
    /** Null where no stated value of a parameter was used. */
    readonly parametersVersion: number | null;
  },
  ComputationError
>;

/** The outcome under every rule that forces an amount to 0. */
export const FORCED: Outcome = Either.right({ amount: 0, formulaVersion: null, parametersVersion: null });

/** The amount for an attribution and a formula: a function of the two and of nothing else. */
export const compute = (attribution: Attribution, formula: Formula, evaluate: Evaluate): Outcome => {
  if (basis(attribution, formula) !== "evaluated") return FORCED;
  const formulaVersion = versionAt(formula, attribution.occurredAt);
  return Either.map(evaluate(formula, formulaVersion, attribution), (amount) => ({
    amount,
    formulaVersion,
    parametersVersion: parametersVersionAt(formula, formulaVersion, attribution.occurredAt),
  }));
};

const DUE_OVERFLOW: ComputationError = {
  code: "OVERFLOW",
  message: "the difference to what is settled exceeds the largest amount",
};

/** The state with another amount or receipt, and what then waits. */
const withWaiting = <State extends Pick<View, "computedAmount" | "receipt">>(
  state: State,
): State & Pick<View, "waitingAmount"> => ({
  ...state,
  waitingAmount: state.receipt === null ? null : Receipt.waitingOf(state.computedAmount ?? 0, state.receipt),
});

const refuseOutOfRange = (state: View | null, outcome: Outcome): Outcome =>
  Either.flatMap(outcome, (computed) =>
    state === null ||
    staysInRange(releasedAmount(withWaiting({ ...state, computedAmount: computed.amount })), state)
      ? Either.right(computed)
      : Either.left(DUE_OVERFLOW),
  );

/**
 * The events that bring a commission to a computed outcome: none when nothing changes.
 * The first success is `create_commission`; a failure keeps the last good amount.
 */
export const revise = (state: View | null, outcome: Outcome, cause: Cause): ReadonlyArray<CommissionEvent> =>
  Either.match(refuseOutOfRange(state, outcome), {
    onLeft: ({ code, message }) =>
      state?.computationError?.code === code && state.computationError.message === message
        ? []
        : [{ type: "fail_commission_computation", code, message }],
    onRight: ({ amount, formulaVersion, parametersVersion }) => {
      const by = formulaVersion === null && state !== null ? state : { formulaVersion, parametersVersion };
      const revised = {
        amount,
        formula_version: by.formulaVersion,
        ...(by.parametersVersion === null ? {} : { parameters_version: by.parametersVersion }),
      };
      if (state === null || state.computedAmount === null) return [{ type: "create_commission", ...revised }];
      return state.computedAmount === amount && state.computationError === null
        ? []
        : [{ type: "update_commission", ...revised, cause }];
    },
  });

const receive = (paid: Receipt.Stated): CommissionEvent => ({
  type: "update_received",
  received: paid.received,
  of: paid.of,
});

/** What the sale of a new commission brings with it. */
export interface Begun {
  /** What was stated of its buyer before; null where nothing was. */
  readonly receipt: Receipt.Receipt | null;
  /** When all that it earns was settled elsewhere; null where it was not. */
  readonly settledElsewhere: SettledElsewhere.SettledElsewhere | null;
}

/**
 * The first events of a commission: its outcome, and what was stated of its sale before, where its amount waits for receipts, or
 * that the amount was settled elsewhere. An amount that could not be computed was not settled.
 */
export const begin = (
  outcome: Outcome,
  { release }: Pick<Formula, "release">,
  { receipt: stated, settledElsewhere }: Begun,
): ReadonlyArray<CommissionEvent> => {
  const events = revise(null, outcome, "formula_updated");
  if (settledElsewhere !== null)
    return events.flatMap(
      (first): ReadonlyArray<CommissionEvent> => [
        first,
        ...(first.type === "create_commission"
          ? [
              {
                type: "settle_elsewhere",
                amount: first.amount,
                ...SettledElsewhere.stated(settledElsewhere),
              } as const,
            ]
          : []),
      ],
    );
  if (release === null) return events;
  return [
    ...events.map((first) => ({ ...first, release }) as CommissionEvent),
    ...(stated === null ? [] : [receive(stated)]),
  ];
};

/**
 * The event of a statement of its sale; none where the amount is released at once, or as much of as much was paid before. Refused
 * where what is due would exceed the largest amount.
 */
export const updateReceived = (
  state: View,
  stated: Receipt.Stated,
): Either.Either<ReadonlyArray<CommissionEvent>, ComputationError> =>
  state.receipt === null || Receipt.isSame(state.receipt, stated)
    ? Either.right([])
    : staysInRange(releasedAmount(withWaiting({ ...state, receipt: stated })), state)
      ? Either.right([receive(stated)])
      : Either.left(DUE_OVERFLOW);

/** The events that may be the second one of a new commission. */
const BROUGHT: ReadonlySet<CommissionEvent["type"] | undefined> = new Set([
  "update_received",
  "settle_elsewhere",
]);

/** True if entries are those of a new commission: one, and what its sale brings with it. */
export const areFirst = (entries: ReadonlyArray<Entry<CommissionEvent>>): boolean =>
  entries.length === 1 || (entries.length === 2 && BROUGHT.has(entries[1]?.event.type));

const initial = (at: Timestamp): View => ({
  computedAmount: null,
  waitingAmount: null,
  receipt: null,
  paidAmount: 0,
  paidNegative: 0,
  writtenOffPositive: 0,
  writtenOffNegative: 0,
  pendingAmount: 0,
  openSettlementId: null,
  settledLineCount: 0,
  formulaVersion: null,
  parametersVersion: null,
  computationError: null,
  createdAt: at,
});

/** The state that the first event begins with. */
const begun = (at: Timestamp, event: CommissionEvent): View =>
  "release" in event && event.release !== undefined
    ? withWaiting({ ...initial(at), receipt: Receipt.NOTHING_STATED })
    : initial(at);

/** The sums once a line has been paid, or with sign −1 once its payment has been returned. */
const paid = ({ paidAmount, paidNegative }: View, amount: Amount, sign: 1 | -1 = 1) => ({
  paidAmount: paidAmount + sign * amount,
  paidNegative: paidNegative + sign * Math.min(0, amount),
});

const writtenOff = ({ writtenOffPositive, writtenOffNegative }: View, amount: Amount) => ({
  writtenOffPositive: writtenOffPositive + Math.max(0, amount),
  writtenOffNegative: writtenOffNegative + Math.min(0, amount),
});

/** The state after one more entry. */
export const evolve = (before: View | null, { at, event }: Entry<CommissionEvent>): View => {
  const state = before ?? begun(at, event);
  switch (event.type) {
    case "create_commission":
    case "update_commission":
      return withWaiting({
        ...state,
        computedAmount: event.amount,
        formulaVersion: event.formula_version,
        parametersVersion: event.parameters_version ?? null,
        computationError: null,
      });
    case "fail_commission_computation":
      return { ...state, computationError: { code: event.code, message: event.message } };
    case "update_received":
      return withWaiting({ ...state, receipt: { received: event.received, of: event.of } });
    case "settle_elsewhere":
      return {
        ...state,
        settledLineCount: state.settledLineCount + 1,
        ...paid(state, event.amount),
      };
    case "reserve_commission":
      return { ...state, pendingAmount: event.amount, openSettlementId: event.settlement_id };
    case "release_commission":
      return { ...state, pendingAmount: 0, openSettlementId: null };
    case "settle_commission":
      return {
        ...state,
        pendingAmount: 0,
        openSettlementId: null,
        settledLineCount: state.settledLineCount + 1,
        ...(event.kind === "paid" ? paid(state, event.amount) : writtenOff(state, event.amount)),
      };
    case "reopen_commission":
      return {
        ...state,
        ...paid(state, event.amount, -1),
        pendingAmount: event.amount,
        openSettlementId: event.settlement_id,
        settledLineCount: state.settledLineCount - 1,
      };
  }
};
