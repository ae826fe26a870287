/** Commission formulas: what a partner earns for the attributions of one schema, from when to when, by which expression. */
import { Either, Schema } from "effect";
import { type Expression, TEXT_BYTES_MAX } from "../formula/index.ts";
import { Currency } from "./Currency.ts";
import type { Entry, ErasureEvent } from "./Event.ts";
import { formulaDryRun, key, means, optional, optionalKey, Reason } from "./Field.ts";
import { type CustomerId, type FormulaId, PartnerId, type PlanId, SchemaId, WorkspaceId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { DESCRIPTION_MAX, NAME_MAX } from "./Limits.ts";
import { conflict, type Invalid, invalid, type Refusal } from "./Refusal.ts";
import { Text } from "./Text.ts";
import { DateTime, format, type Timestamp } from "./Timestamp.ts";

/** An expression and the date from which it replaces the ones stated before. The first has null: it holds for all time. */
export interface ExpressionVersion {
  readonly expression: Expression;
  readonly effectiveDatetime: Timestamp | null;
}

/** What assigns a formula to a partner by a commission plan. */
export interface Assignment {
  readonly planId: PlanId;
  /** The number of the plan's events that the formula has applied. */
  readonly planRevision: number;
  /** The plan's window at that revision. */
  readonly planStartDatetime: Timestamp;
  readonly planEndDatetime: Timestamp | null;
  /**
   * The assignment's own bounds; null follows the plan. The formula's window is the intersection of the two. Equal bounds
   * mean that the assignment was withdrawn.
   */
  readonly startDatetime: Timestamp | null;
  readonly endDatetime: Timestamp | null;
}

/** An assignment in an event; dates are ISO text. */
export interface EventAssignment {
  readonly plan_id: PlanId;
  readonly plan_revision: number;
  readonly plan_start_datetime: string;
  readonly plan_end_datetime: string | null;
  readonly start_datetime: string | null;
  readonly end_datetime: string | null;
}

/** An expression version in an event, after the first one. */
export interface EventVersion {
  readonly formula: Expression;
  readonly effective_datetime: string;
}

/** The fields of a creation event. */
export interface EventTerms {
  readonly formula: Expression;
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string | null;
  readonly currency: Currency;
}

/** The fields of an update event. An absent field did not change; null means cleared. Dates are ISO text. */
export interface FormulaChanges extends Partial<Omit<EventTerms, "currency">> {
  readonly effective_datetime?: string;
}

/** What can happen to a formula, named as in the interface. */
export type FormulaEvent =
  | ({
      readonly type: "create_commission_formula";
      /** The versions that the plan of an assignment has beside its first. */
      readonly later_versions?: ReadonlyArray<EventVersion>;
      readonly assignment?: EventAssignment;
    } & EventTerms)
  | ({
      readonly type: "update_commission_formula";
      /** The assignment after the event; absent where it is unchanged, or the formula has none. */
      readonly assignment?: EventAssignment;
    } & FormulaChanges)
  | {
      readonly type: "cancel_commission_formula";
      readonly reason: string;
      readonly assignment?: EventAssignment;
    }
  | ErasureEvent;

/** What a formula states: by which expression it pays, from when to when. */
export interface Terms {
  readonly currency: Currency;
  readonly name: string;
  readonly description: string | null;
  /** Inclusive. */
  readonly startDatetime: Timestamp;
  /** Exclusive; null means no end. After the start; only the window of an assignment may be empty, and then it equals it. */
  readonly endDatetime: Timestamp | null;
  /** In the order in which they were stated; never empty. */
  readonly versions: readonly [ExpressionVersion, ...ReadonlyArray<ExpressionVersion>];
  readonly status: "active" | "cancelled";
  readonly cancelReason: string | null;
  readonly createdAt: Timestamp;
}

/** The present state: the fold of the events. */
export interface View extends Terms {
  /** Null unless a commission plan assigned the formula. */
  readonly assignment: Assignment | null;
}

/** A formula: identity and present state. */
export interface Formula extends View {
  readonly id: FormulaId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

/**
 * An expression of a caller. The type is a help for programmers: at run time it is any value until the formula language decodes
 * it, which the services do. OpenAPI refers to it as `Expression`.
 */
export const ExpressionInput = Schema.Unknown.annotations({
  jsonSchema: { $ref: "#/components/schemas/Expression" },
}) as Schema.Schema<unknown> as Schema.Schema<Expression>;

/** An expression in the text form of the formula language, before it is read. */
export const ExpressionText = Schema.String.annotations({
  jsonSchema: { type: "string", minLength: 1, maxLength: TEXT_BYTES_MAX },
});

/** How a request states an expression: as nodes or as text, never both. The formula language reads and type-checks it. */
export const stated = {
  expression: optional(
    ExpressionInput,
    "What an attribution earns, as nodes of the formula language; or as text in expression_text.",
  ),
  expressionText: optionalKey(
    ExpressionText,
    "expression_text",
    "The expression in the text form of the formula language, such as amount * 10 %, at most 128 KiB of UTF-8. It is stored as nodes.",
  ),
};

/** The fields of {@link stated} in a request. */
export type Stated = { readonly expression?: Expression; readonly expressionText?: string };

const NAME = "A name for people.";
const START = "Inclusive: attributions that occurred at this moment or later earn.";

const description = optional(Schema.NullOr(Text(0, DESCRIPTION_MAX)), "A note for people; has no effect.");
const endDatetime = optionalKey(
  Schema.NullOr(DateTime),
  "end_datetime",
  "Exclusive: attributions that occurred before this moment earn. Null or absent: no end.",
);

/** What creating a formula takes. It states an expression. */
export const Create = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  schemaId: key(SchemaId, "schema_id", "The attribution schema, of the same workspace."),
  name: Text(1, NAME_MAX).pipe(means(NAME)),
  description,
  startDatetime: key(DateTime, "start_datetime", START),
  endDatetime,
  currency: Currency.pipe(means("The currency of the amounts that the expression gives.")),
  ...stated,
  dryRun: formulaDryRun,
});
export type Create = typeof Create.Type;

/**
 * What updating a formula takes. Absent leaves a field unchanged; null clears `endDatetime` and `description` and
 * leaves `name`, `startDatetime` and `effectiveDatetime` as if absent. `expression` may not be null.
 */
export const Update = Schema.Struct({
  name: optional(Schema.NullOr(Text(1, NAME_MAX)), NAME),
  description,
  startDatetime: optionalKey(Schema.NullOr(DateTime), "start_datetime", START),
  endDatetime,
  ...stated,
  effectiveDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "effective_datetime",
    "Inclusive: the new expression applies to attributions that occurred at this moment or later. Not in the future; by default now, or 1 ms after the newest attribution when that is later.",
  ),
});
export type Update = typeof Update.Type;

/** What cancelling a formula takes. */
export const Cancel = Schema.Struct({ reason: Reason });
export type Cancel = typeof Cancel.Type;

const checkDates = (start: Timestamp, end: Timestamp | null): Either.Either<void, Invalid> =>
  end === null || start < end
    ? Either.void
    : Either.left(invalid("end_datetime", "must be after start_datetime"));

/** The terms of a new formula or plan whose expression has been checked. */
export const encodeTerms = (
  request: Pick<Create, "name" | "description" | "startDatetime" | "endDatetime" | "currency">,
  expression: Expression,
): Either.Either<EventTerms, Invalid> => {
  const end = request.endDatetime ?? null;
  return Either.map(checkDates(request.startDatetime, end), () => ({
    formula: expression,
    name: request.name,
    description: request.description ?? null,
    start_datetime: format(request.startDatetime),
    end_datetime: end === null ? null : format(end),
    currency: request.currency,
  }));
};

/** The first event of a formula whose expression has been checked. */
export const create = (request: Create, expression: Expression): Either.Either<FormulaEvent, Invalid> =>
  Either.map(encodeTerms(request, expression), (terms) => ({ type: "create_commission_formula", ...terms }));

const latest = (view: Terms): ExpressionVersion =>
  view.versions[view.versions.length - 1] ?? view.versions[0];

/** The expression a formula shows: the one stated last. */
export const currentExpression = (view: Terms): Expression => latest(view).expression;

const expressionChange = (
  view: Terms,
  expression: Expression,
  effective: Timestamp,
): Pick<FormulaChanges, "formula" | "effective_datetime"> => {
  const last = latest(view);
  const repeats =
    sameJson(last.expression, expression) &&
    (last.effectiveDatetime === null || effective >= last.effectiveDatetime);
  return repeats ? {} : { formula: expression, effective_datetime: format(effective) };
};

/** Whether a request states an expression, in either form. */
export const statesExpression = ({ expression, expressionText }: Stated): boolean =>
  expression !== undefined || expressionText !== undefined;

/** Accepts an update that does not contradict itself, whatever formula it is for. */
export const checkUpdate = (request: Update): Either.Either<void, Invalid> =>
  request.effectiveDatetime != null && !statesExpression(request)
    ? Either.left(invalid("effective_datetime", "is allowed only together with an expression"))
    : request.startDatetime == null || request.endDatetime === undefined
      ? Either.void
      : checkDates(request.startDatetime, request.endDatetime);

/**
 * What an update that {@link checkUpdate} accepts changes; no field when nothing does. `expression`, when present, has been
 * checked; without an effective date it holds from `holdsFrom` on. A given date later than `now` is refused: a change is
 * planned with a second formula.
 */
export const changesOf = (
  view: Terms,
  request: Update,
  expression: Expression | null,
  now: Timestamp,
  holdsFrom: Timestamp,
): Either.Either<FormulaChanges, Invalid> => {
  const effective = request.effectiveDatetime ?? null;
  if (effective !== null && effective > now) {
    return Either.left(invalid("effective_datetime", "must not be later than now"));
  }
  const start = request.startDatetime ?? view.startDatetime;
  const end = request.endDatetime === undefined ? view.endDatetime : request.endDatetime;
  return Either.map(checkDates(start, end), () => ({
    ...(request.name != null && request.name !== view.name ? { name: request.name } : {}),
    ...(request.description !== undefined && request.description !== view.description
      ? { description: request.description }
      : {}),
    ...(start === view.startDatetime ? {} : { start_datetime: format(start) }),
    ...(end === view.endDatetime ? {} : { end_datetime: end === null ? null : format(end) }),
    ...(expression === null ? {} : expressionChange(view, expression, effective ?? holdsFrom)),
  }));
};

/**
 * The event of an update of a formula that belongs to no plan, or none when nothing changes; see {@link changesOf}. Without
 * an effective date an expression holds from `now` on, or from 1 ms after the newest attribution of the partner and schema
 * (null: there is none) where that is later, so that it rewrites nothing.
 */
export const update = (
  view: View,
  request: Update,
  expression: Expression | null,
  now: Timestamp,
  newest: Timestamp | null,
): Either.Either<ReadonlyArray<FormulaEvent>, Refusal> =>
  Either.flatMap(
    changesOf(view, request, expression, now, Math.max(now, (newest ?? now - 1) + 1)),
    (changes) =>
      view.status === "cancelled"
        ? Either.left(conflict("formula_cancelled", "a cancelled formula cannot be changed"))
        : Either.right(
            Object.keys(changes).length === 0 ? [] : [{ type: "update_commission_formula", ...changes }],
          ),
  );

/** The date from which the expression of an update holds; null when no event states one. */
export const effectiveDatetimeOf = (events: ReadonlyArray<FormulaEvent>): Timestamp | null => {
  for (const event of events) {
    if (event.type === "update_commission_formula" && event.effective_datetime !== undefined)
      return Date.parse(event.effective_datetime);
  }
  return null;
};

/** The cancellation: every commission of the formula becomes 0. A formula that is already cancelled does not change. */
export const cancel = (view: View, reason: string): ReadonlyArray<FormulaEvent> =>
  view.status === "cancelled" ? [] : [{ type: "cancel_commission_formula", reason }];

const parseEnd = (end: string | null): Timestamp | null => (end === null ? null : Date.parse(end));

const assignmentOf = (stated: EventAssignment): Assignment => ({
  planId: stated.plan_id,
  planRevision: stated.plan_revision,
  planStartDatetime: Date.parse(stated.plan_start_datetime),
  planEndDatetime: parseEnd(stated.plan_end_datetime),
  startDatetime: parseEnd(stated.start_datetime),
  endDatetime: parseEnd(stated.end_datetime),
});

const assignmentField = (stated: EventAssignment | undefined): { readonly assignment?: Assignment } =>
  stated === undefined ? {} : { assignment: assignmentOf(stated) };

const versionOf = ({ formula, effective_datetime }: EventVersion): ExpressionVersion => ({
  expression: formula,
  effectiveDatetime: Date.parse(effective_datetime),
});

/** The terms after an update. */
const changedTerms = (
  { name, description, start_datetime, end_datetime, formula, effective_datetime }: FormulaChanges,
  versions: View["versions"],
): Partial<Terms> => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(start_datetime === undefined ? {} : { startDatetime: Date.parse(start_datetime) }),
  ...(end_datetime === undefined ? {} : { endDatetime: parseEnd(end_datetime) }),
  ...(formula === undefined || effective_datetime === undefined
    ? {}
    : { versions: [...versions, versionOf({ formula, effective_datetime })] }),
});

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<FormulaEvent>): View => {
  if (event.type === "create_commission_formula") {
    return {
      currency: event.currency,
      name: event.name,
      description: event.description,
      startDatetime: Date.parse(event.start_datetime),
      endDatetime: parseEnd(event.end_datetime),
      versions: [
        { expression: event.formula, effectiveDatetime: null },
        ...(event.later_versions ?? []).map(versionOf),
      ],
      status: "active",
      cancelReason: null,
      createdAt: at,
      assignment: event.assignment === undefined ? null : assignmentOf(event.assignment),
    };
  }
  if (state === null) throw new Error("a formula's log begins with create_commission_formula");
  if (event.type === "erase_personal_data") return state;
  return event.type === "cancel_commission_formula"
    ? { ...state, status: "cancelled", cancelReason: event.reason, ...assignmentField(event.assignment) }
    : { ...state, ...changedTerms(event, state.versions), ...assignmentField(event.assignment) };
};

/** Whether a moment is in the formula's window, start included, end not. */
export const covers = (view: Pick<Terms, "startDatetime" | "endDatetime">, moment: Timestamp): boolean =>
  view.startDatetime <= moment && (view.endDatetime === null || moment < view.endDatetime);

/** The 1-based number of the version that holds at a moment: the last stated whose date is not after it. */
export const versionAt = (view: Terms, moment: Timestamp): number => {
  for (let index = view.versions.length - 1; index > 0; index--) {
    const effective = view.versions[index]?.effectiveDatetime ?? null;
    if (effective !== null && effective <= moment) return index + 1;
  }
  return 1;
};

/** The dates of attributions (`occurredAt`) whose commissions a change of formula may affect; start inclusive, end exclusive or null. */
export interface Span {
  readonly from: Timestamp;
  readonly to: Timestamp | null;
}

const later = (one: Timestamp | null, other: Timestamp | null): Timestamp | null =>
  one === null || other === null ? null : Math.max(one, other);

const spanOf = (from: Timestamp, to: Timestamp | null): Span | null =>
  to !== null && to <= from ? null : { from, to };

/**
 * The attribution dates whose commissions must be computed again when a formula goes from one state to another, any number
 * of events later; null when there are none.
 */
export const affectedSpan = (before: Terms | null, after: Terms): Span | null => {
  if (before === null) return spanOf(after.startDatetime, after.endDatetime);
  const from = Math.min(before.startDatetime, after.startDatetime);
  const to = later(before.endDatetime, after.endDatetime);
  const isMoved =
    before.status !== after.status ||
    before.startDatetime !== after.startDatetime ||
    before.endDatetime !== after.endDatetime;
  if (isMoved) return spanOf(from, to);
  const added = after.versions.slice(before.versions.length);
  if (added.length === 0) return null;
  const effective = Math.min(...added.map(({ effectiveDatetime }) => effectiveDatetime ?? from));
  return spanOf(Math.max(from, effective), to);
};
