/** Commission formulas: what a partner earns for the attributions of one schema, from when to when, by which expression. */
import { Either, Schema } from "effect";
import { creditOf, type Expression, type ParameterDefinition, SELLER } from "../formula/index.ts";
import type { Currency } from "./Currency.ts";
import type { Entry, ErasureEvent } from "./Event.ts";
import {
  changeVersions,
  paymentOf,
  type Statement,
  statedShare,
  stateVersion,
  type VersionChanges,
  type Versions,
  withdrawVersion,
} from "./ExpressionVersion.ts";
import { key, NAME, SHOWN_MEANING } from "./Field.ts";
import { type Create, checkWindow, type Update } from "./FormulaInput.ts";
import {
  type CustomerId,
  type FormulaId,
  type PartnerId,
  PlanId,
  type SchemaId,
  type WorkspaceId,
} from "./Ids.ts";
import { Count } from "./Money.ts";
import { checkRoles } from "./Override.ts";
import * as Parameter from "./Parameter.ts";
import { statedRelease } from "./Receipt.ts";
import { type Conflict, conflict, type Invalid, type Refusal } from "./Refusal.ts";
import { DateTime, format, type Timestamp } from "./Timestamp.ts";

export * from "./ExpressionVersion.ts";
export * from "./FormulaInput.ts";

const PLAN_END = "Exclusive; null without an end.";
const OWN =
  "A bound of the assignment itself; null follows the plan. Equal bounds mean that it was withdrawn.";

/** What assigns a formula to a partner by a commission plan: its events, its record and its responses have these fields. */
export const Assignment = Schema.Struct({
  planId: key(PlanId, "plan_id", "The plan."),
  planRevision: key(Count, "plan_revision", "The number of the plan's events that the formula has applied."),
  planStartDatetime: key(DateTime, "plan_start_datetime", "The start of the plan's window at that revision."),
  planEndDatetime: key(Schema.NullOr(DateTime), "plan_end_datetime", PLAN_END),
  startDatetime: key(Schema.NullOr(DateTime), "start_datetime", OWN),
  endDatetime: key(Schema.NullOr(DateTime), "end_datetime", OWN),
}).annotations({
  [NAME]: "PlanAssignment",
  [SHOWN_MEANING]:
    "How a plan assigned a formula: the plan's window at the revision that the formula has reached, and the assignment's own bounds, null where they follow the plan.",
});
export type Assignment = typeof Assignment.Type;

/** An assignment in an event. */
export type EventAssignment = typeof Assignment.Encoded;

/** An assignment as events state it. */
export const encodeAssignment = Schema.encodeSync(Assignment);

const decodeAssignment = Schema.decodeSync(Assignment);

/** The fields of a creation event. */
export interface EventTerms {
  readonly formula: Expression;
  /** Absent where it follows from the expression. */
  readonly apply_share?: boolean;
  readonly name: string;
  readonly description: string | null;
  readonly start_datetime: string;
  readonly end_datetime: string | null;
  readonly currency: Currency;
  /** Absent where it is the seller alone. */
  readonly roles?: ReadonlyArray<string>;
  /** Absent where amounts are released at once. */
  readonly release?: "on_receipt";
  /** Absent where none are declared. */
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
}

/** The fields of an update event. An absent field did not change; null means cleared. Dates are ISO text. */
export interface FormulaChanges
  extends Partial<Omit<EventTerms, "currency" | "roles" | "release">>,
    VersionChanges {}

/** What can happen to a formula, named as in the interface. */
export type FormulaEvent =
  | ({
      readonly type: "create_commission_formula";
      /** What was stated for the partner; absent where nothing was. */
      readonly parameter_values?: ReadonlyArray<Parameter.EventStatement>;
      readonly assignment?: EventAssignment;
    } & Pick<VersionChanges, "later_versions" | "withdrawn_versions"> &
      EventTerms)
  | ({
      readonly type: "update_commission_formula";
      /** The assignment after the event; absent where it is unchanged, or the formula has none. */
      readonly assignment?: EventAssignment;
    } & FormulaChanges)
  | ({ readonly type: "set_parameter_values" } & Parameter.EventStatement)
  | {
      readonly type: "cancel_commission_formula";
      readonly reason: string;
      readonly assignment?: EventAssignment;
    }
  | ErasureEvent;

/** What a formula states: by which expression it pays, from when to when. */
export interface Terms {
  readonly currency: Currency;
  /** The roles of the credits that it pays; null for the seller alone. */
  readonly roles: ReadonlyArray<string> | null;
  /** Null where amounts are released at once. */
  readonly release: "on_receipt" | null;
  readonly name: string;
  readonly description: string | null;
  /** Inclusive. */
  readonly startDatetime: Timestamp;
  /** Exclusive; null means no end. After the start; only the window of an assignment may be empty, and then it equals it. */
  readonly endDatetime: Timestamp | null;
  readonly versions: Versions;
  /** The parameters that its expressions may read, in the order in which they were declared. */
  readonly parameters: ReadonlyArray<ParameterDefinition>;
  readonly status: "active" | "cancelled";
  readonly cancelReason: string | null;
  readonly createdAt: Timestamp;
}

/** The present state: the fold of the events. */
export interface View extends Terms {
  /** Null unless a commission plan assigned the formula. */
  readonly assignment: Assignment | null;
  /** What was stated for the partner, in the order in which it was stated. The formulas of one plan and partner state the same. */
  readonly parameterValues: ReadonlyArray<Parameter.Statement>;
}

/** A formula: identity and present state. */
export interface Formula extends View {
  readonly id: FormulaId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

/** Roles as events state them: nothing for the seller alone. */
export const statedRoles = (
  roles: ReadonlyArray<string> | null | undefined,
): { readonly roles?: ReadonlyArray<string> } =>
  roles == null || (roles.length === 1 && roles[0] === SELLER) ? {} : { roles };

/** The roles of the credits that a formula or plan pays. */
export const rolesOf = ({ roles }: Pick<Terms, "roles">): ReadonlyArray<string> => roles ?? [SELLER];

/** True if a formula pays the credit of an attribution. */
export const paysRole = (
  formula: Pick<Terms, "roles">,
  attribution: Parameters<typeof creditOf>[0],
): boolean => rolesOf(formula).includes(creditOf(attribution).role);

/** The terms of a new formula or plan whose expression has been checked. */
export const encodeTerms = (
  request: Pick<
    Create,
    | "name"
    | "description"
    | "startDatetime"
    | "endDatetime"
    | "currency"
    | "roles"
    | "release"
    | "parameters"
    | "applyShare"
    | "expressionText"
  >,
  expression: Expression,
): Either.Either<EventTerms, Invalid> => {
  const end = request.endDatetime ?? null;
  const roles = checkRoles(request.roles, expression, request);
  return Either.map(Either.andThen(roles, checkWindow(request.startDatetime, end)), () => ({
    formula: expression,
    ...statedShare({ ...request, expression }),
    name: request.name,
    description: request.description ?? null,
    start_datetime: format(request.startDatetime),
    end_datetime: end === null ? null : format(end),
    currency: request.currency,
    ...statedRoles(request.roles),
    ...statedRelease(request.release),
    ...(request.parameters === undefined || request.parameters.length === 0
      ? {}
      : { parameters: Parameter.storedDeclarations(request.parameters) }),
  }));
};

/** The first event of a formula whose expression has been checked. */
export const create = (request: Create, expression: Expression): Either.Either<FormulaEvent, Invalid> =>
  Either.gen(function* () {
    const { parameters = [], values = {} } = request;
    const terms = yield* encodeTerms(request, expression);
    yield* Parameter.checkFirstValues(parameters, values, "values");
    const statements = Parameter.firstStatements(values).map(Parameter.encodeStatement);
    return {
      type: "create_commission_formula",
      ...terms,
      ...(statements.length === 0 ? {} : { parameter_values: statements }),
    };
  });

/** The expressions that a request leaves in force: those stated, and the one that it states. */
const expressionsOf = (view: Terms, stated: Expression | null): ReadonlyArray<Expression> => [
  ...view.versions.map(({ expression }) => expression),
  ...(stated === null ? [] : [stated]),
];

/** The refusal of changing what is cancelled. */
export const cancelledConflict = (what: "formula" | "plan"): Conflict =>
  conflict(`${what}_cancelled`, `a cancelled ${what} cannot be changed`);

/** What is changed and when, from when an expression without a date holds, and whether a partner has the formula. */
export interface ChangeMoment {
  readonly what: "formula" | "plan";
  readonly now: Timestamp;
  readonly holdsFrom: Timestamp;
  readonly isUsed: boolean;
}

const statementOf = (
  { effectiveDatetime = null, versionsAhead = null, applyShare }: Update,
  expression: Expression,
  holdsFrom: Timestamp,
): Statement => ({
  ...{ expression, holdsFrom, versionsAhead, given: effectiveDatetime },
  ...(applyShare === undefined ? {} : { applyShare }),
});

/**
 * What an update that {@link checkUpdate} accepts changes; no field when nothing does. `expression`, when present, has been
 * checked; without an effective date it holds from `holdsFrom` on. A day has been replaced by its first instant.
 */
export const changesOf = (
  view: Terms,
  request: Update,
  expression: Expression | null,
  { what, now, holdsFrom, isUsed }: ChangeMoment,
): Either.Either<FormulaChanges, Refusal> =>
  Either.gen(function* () {
    const start = request.startDatetime ?? view.startDatetime;
    const end = request.endDatetime === undefined ? view.endDatetime : request.endDatetime;
    const { parameters = view.parameters } = request;
    yield* checkWindow(start, end);
    if (expression !== null) yield* checkRoles(view.roles, expression, request);
    yield* Parameter.checkDeclarations(view.parameters, parameters, expressionsOf(view, expression), isUsed);
    if (view.status === "cancelled") return yield* Either.left(cancelledConflict(what));
    const ofVersions =
      expression === null ? {} : yield* stateVersion(view, statementOf(request, expression, holdsFrom), now);
    return {
      ...(request.name != null && request.name !== view.name ? { name: request.name } : {}),
      ...(request.description !== undefined && request.description !== view.description
        ? { description: request.description }
        : {}),
      ...(start === view.startDatetime ? {} : { start_datetime: format(start) }),
      ...(end === view.endDatetime ? {} : { end_datetime: end === null ? null : format(end) }),
      ...(Parameter.sameDeclarations(parameters, view.parameters)
        ? {}
        : { parameters: Parameter.storedDeclarations(parameters) }),
      ...ofVersions,
    };
  });

/** The event of changes; none when nothing changes. */
const eventOf = (changes: FormulaChanges): ReadonlyArray<FormulaEvent> =>
  Object.keys(changes).length === 0 ? [] : [{ type: "update_commission_formula", ...changes }];

/**
 * The event of an update of a formula that belongs to no plan, or none when nothing changes; see {@link changesOf}. Without
 * an effective date an expression holds from `now` on, or from 1 ms after the newest attribution of the partner and schema
 * (null: there is none) where that is later, so that it rewrites nothing.
 */
export const update = (
  view: View,
  request: Update,
  expression: Expression | null,
  { now, newest }: { readonly now: Timestamp; readonly newest: Timestamp | null },
): Either.Either<ReadonlyArray<FormulaEvent>, Refusal> =>
  Either.map(
    changesOf(view, request, expression, {
      what: "formula",
      now,
      holdsFrom: Math.max(now, (newest ?? now - 1) + 1),
      isUsed: true,
    }),
    eventOf,
  );

/** What withdrawing a version of a formula or plan changes; see {@link withdrawVersion}. */
export const withdrawalOf = (
  view: Terms,
  number: number,
  { what, now }: Pick<ChangeMoment, "what" | "now">,
): Either.Either<VersionChanges, Refusal> =>
  Either.flatMap(withdrawVersion(view, number, now), (changes) =>
    view.status === "cancelled" ? Either.left(cancelledConflict(what)) : Either.right(changes),
  );

/** The event that withdraws a version of a formula that belongs to no plan; none when it is withdrawn already. */
export const withdraw = (
  view: View,
  number: number,
  now: Timestamp,
): Either.Either<ReadonlyArray<FormulaEvent>, Refusal> =>
  Either.map(withdrawalOf(view, number, { what: "formula", now }), eventOf);

/** The event that states values of parameters, or none when nothing changes; see {@link Parameter.stateValues}. */
export const setValues = (
  view: View,
  request: Parameter.SetValues,
  now: Timestamp,
): Either.Either<ReadonlyArray<FormulaEvent>, Refusal> =>
  view.status === "cancelled"
    ? Either.left(cancelledConflict("formula"))
    : Either.map(Parameter.stateValues(view, request, now), (statement) =>
        statement === null ? [] : [{ type: "set_parameter_values", ...statement }],
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

const assignmentField = (stated: EventAssignment | undefined): { readonly assignment?: Assignment } =>
  stated === undefined ? {} : { assignment: decodeAssignment(stated) };

/** The terms after an update. */
const changedTerms = (
  { name, description, start_datetime, end_datetime, parameters, ...changes }: FormulaChanges,
  versions: View["versions"],
): Partial<Terms> => ({
  ...(name === undefined ? {} : { name }),
  ...(description === undefined ? {} : { description }),
  ...(start_datetime === undefined ? {} : { startDatetime: Date.parse(start_datetime) }),
  ...(end_datetime === undefined ? {} : { endDatetime: parseEnd(end_datetime) }),
  ...(parameters === undefined ? {} : { parameters }),
  versions: changeVersions(versions, changes),
});

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<FormulaEvent>): View => {
  if (event.type === "create_commission_formula") {
    return {
      currency: event.currency,
      roles: event.roles ?? null,
      release: event.release ?? null,
      name: event.name,
      description: event.description,
      startDatetime: Date.parse(event.start_datetime),
      endDatetime: parseEnd(event.end_datetime),
      versions: changeVersions([{ ...paymentOf(event), effectiveDatetime: null }], event),
      status: "active",
      cancelReason: null,
      createdAt: at,
      assignment: event.assignment === undefined ? null : decodeAssignment(event.assignment),
      parameters: event.parameters ?? [],
      parameterValues: (event.parameter_values ?? []).map(Parameter.statementOf),
    };
  }
  if (state === null) throw new Error("a formula's log begins with create_commission_formula");
  if (event.type === "erase_personal_data") return state;
  if (event.type === "set_parameter_values")
    return { ...state, parameterValues: [...state.parameterValues, Parameter.statementOf(event)] };
  return event.type === "cancel_commission_formula"
    ? { ...state, status: "cancelled", cancelReason: event.reason, ...assignmentField(event.assignment) }
    : {
        ...state,
        ...changedTerms(event, state.versions),
        ...(event.parameters === undefined
          ? {}
          : { parameterValues: Parameter.prune(state.parameterValues, event.parameters) }),
        ...assignmentField(event.assignment),
      };
};

/** True if a moment is in the formula's window, start included, end not. */
export const covers = (view: Pick<Terms, "startDatetime" | "endDatetime">, moment: Timestamp): boolean =>
  view.startDatetime <= moment && (view.endDatetime === null || moment < view.endDatetime);

/** The number of the last statement of values that a version of the formula (from 1) uses at a moment; null when it uses none. */
export const parametersVersionAt = (view: View, version: number, moment: Timestamp): number | null => {
  const expression = view.versions[version - 1]?.expression;
  return expression === undefined ? null : Parameter.versionAt(view, expression, moment);
};
