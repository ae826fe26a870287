/** What starting a trial of a plan and adopting its draft take. */
import { Either, Schema } from "effect";
import { type Expression, readsSellers, SELLER } from "../formula/index.ts";
import { checkDates } from "./Attribution.ts";
import { CalendarDate } from "./CalendarDate.ts";
import * as Credit from "./Credit.ts";
import { Currency } from "./Currency.ts";
import { effectiveDate } from "./EffectiveDate.ts";
import { distinct, field, key, means, optional, optionalKey, required, SHOWN_MEANING } from "./Field.ts";
import * as Formula from "./Formula.ts";
import { PartnerId, PlanId, SchemaId, WorkspaceId } from "./Ids.ts";
import { ROLES_MAX, TRIAL_ADDED_MAX, TRIAL_DAYS_MAX, TRIAL_PARTNERS_MAX } from "./Limits.ts";
import { StatedAmount } from "./Money.ts";
import { sellersMissing } from "./Override.ts";
import * as Parameter from "./Parameter.ts";
import { PropertyBag } from "./Properties.ts";
import { Release, statedRelease } from "./Receipt.ts";
import { type Invalid, invalid, within } from "./Refusal.ts";
import { DAY, DateTime, DateTimeSince1970 } from "./Timestamp.ts";

/** A sale that did not happen. */
const Added = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner of the sale; one of partner_ids if these are given."),
  properties: PropertyBag,
  occurredAt: key(DateTimeSince1970, "occurred_at", "When the sale occurs: not before from, and before to."),
  occurredOn: optionalKey(
    CalendarDate,
    "occurred_on",
    "The calendar day that it counts for; by default that of occurred_at in the time zone of the workspace.",
  ),
  credit: optional(Credit.Sample, "The partner's part of the sale; by default all of it, as its seller."),
  sellersCommission: optionalKey(
    StatedAmount,
    "sellers_commission",
    "What the sellers below earn from the sale, in the smallest unit; a draft or plan that pays the role of the credit by sellers_commission needs it.",
  ),
});

/**
 * What starting a trial takes: a plan and the expression that it would have instead, by default its own; or the workspace,
 * schema, currency and expression of a draft that is no plan yet. `from` is inclusive and `to` exclusive.
 */
export const Start = Schema.Struct({
  planId: optionalKey(
    PlanId,
    "plan_id",
    "The plan to try. Excludes workspace_id, schema_id, currency, roles and release.",
  ),
  workspaceId: optionalKey(
    WorkspaceId,
    "workspace_id",
    "The workspace of a draft that is no plan yet; a plan has its own.",
  ),
  schemaId: optionalKey(
    SchemaId,
    "schema_id",
    "The schema of a draft that is no plan yet; a plan has its own.",
  ),
  currency: optional(Currency, "The currency of a draft that is no plan yet; a plan has its own."),
  roles: optional(
    distinct(Credit.Role, ROLES_MAX, "roles"),
    'The roles of the credits that a draft pays which is no plan yet, 1 to 20; ["seller"] by default. A plan has its own.',
  ),
  release: optional(
    Release,
    "When a draft that is no plan yet releases what it gives: at_once (the default), or on_receipt, as far as buyers have paid. A plan has its own.",
  ),
  ...Formula.stated,
  applyShare: Formula.applyShare,
  partnerIds: optionalKey(
    Schema.NullOr(distinct(PartnerId, TRIAL_PARTNERS_MAX, "ids")),
    "partner_ids",
    "The partners whose sales are tried, 1 to 1,000 of the workspace; by default every partner.",
  ),
  from: DateTime.pipe(means("Inclusive: the sales that occurred at this moment or later.")),
  to: DateTime.pipe(
    means("Exclusive: the sales that occurred before this moment; at most 3,660 days after from."),
  ),
  parameters: optional(
    Parameter.FirstValues,
    "Values that the draft has in place of those of every partner, at all times. A name that the plan does not declare is a parameter of the draft, which its expression has to read.",
  ),
  add: optional(
    Schema.Array(Added).pipe(
      Schema.filter(
        ({ length }) => length <= TRIAL_ADDED_MAX || `must have at most ${TRIAL_ADDED_MAX} sales`,
        { jsonSchema: { maxItems: TRIAL_ADDED_MAX } },
      ),
    ),
    "Sales that did not happen, at most 1,000; each arrives when it occurs, on both sides.",
  ),
});
export type Start = typeof Start.Type;

/**
 * What making the draft of a trial the next version of its plan takes: from when it holds, by default from now, and the
 * declarations of the plan after it, by default those that it has.
 */
export const Adopt = Schema.Struct({
  ...effectiveDate(
    "Inclusive: the draft applies to attributions that occurred at this moment or later, which may be in the future; by default from now on.",
  ),
  versionsAhead: Formula.versionsAhead,
  parameters: Formula.Update.fields.parameters,
});
export type Adopt = typeof Adopt.Type;

/** What a trial tries besides an expression. */
export const Terms = Schema.Struct({
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace of the sales."),
  schemaId: key(SchemaId, "schema_id", "The schema of the sales."),
  ...required({
    planId: field(
      Schema.NullOr(PlanId),
      "plan_id",
      "Null: a draft that is no plan yet, compared with every formula of the schema and currency.",
    ),
  }),
  currency: Currency,
  roles: Schema.optionalWith(
    Schema.Array(Schema.String).annotations({
      [SHOWN_MEANING]:
        "The roles of the credits that a draft pays which is no plan yet; absent of a plan, which has its own, and where it is the seller alone.",
    }),
    { exact: true },
  ),
  release: Schema.optionalWith(
    Schema.Literal("on_receipt").annotations({
      [SHOWN_MEANING]:
        "Of a draft that is no plan yet: absent where it releases at once. A plan has its own.",
    }),
    { exact: true },
  ),
  parameters: Parameter.FirstValues.annotations({
    [SHOWN_MEANING]: "The values that the draft has in place of those of every partner.",
  }),
});
export type Terms = typeof Terms.Type;

/** The terms of a draft that is no plan yet. */
export type DraftTerms = Omit<Terms, "planId" | "parameters">;

/** Which plan a trial is of, or the terms of a draft. */
export type Subject = { readonly planId: PlanId } | DraftTerms;

/** What a request tries. A plan brings its own workspace, schema and currency. */
export const subjectOf = (request: Start): Either.Either<Subject, Invalid> => {
  const { planId, ...terms } = request;
  if (request.applyShare !== undefined && !Formula.statesExpression(request))
    return Either.left(invalid("apply_share", "is allowed only together with an expression"));
  const { workspaceId, schemaId, currency, roles, release } = terms;
  if (planId !== undefined) {
    const stated = (["workspace_id", "schema_id", "currency", "roles", "release"] as const).find(
      (_, index) => [workspaceId, schemaId, currency, roles, release][index] !== undefined,
    );
    return stated === undefined
      ? Either.right({ planId })
      : Either.left(invalid(stated, "must not be given together with plan_id: it is that of the plan"));
  }
  if (workspaceId === undefined) return Either.left(invalid("workspace_id", "is required without plan_id"));
  if (schemaId === undefined) return Either.left(invalid("schema_id", "is required without plan_id"));
  return currency === undefined
    ? Either.left(invalid("currency", "is required without plan_id"))
    : Either.right({
        ...{ workspaceId, schemaId, currency },
        ...Formula.statedRoles(roles),
        ...statedRelease(release),
      });
};

/** Accepts a span that holds some time, and added sales that occurred in it, to partners of the trial. */
export const checkStart = ({
  from,
  to,
  add = [],
  partnerIds = null,
}: Start): Either.Either<void, Invalid> => {
  if (from >= to) return Either.left(invalid("to", "must be after from"));
  if (to - from > TRIAL_DAYS_MAX * DAY)
    return Either.left(invalid("to", `must be at most ${TRIAL_DAYS_MAX} days after from`));
  const outside = add.findIndex(({ occurredAt }) => occurredAt < from || occurredAt >= to);
  if (outside >= 0)
    return Either.left(
      invalid(`add.${outside}.occurred_at`, "must not be before from, and must be before to"),
    );
  for (const [index, { occurredOn, occurredAt }] of add.entries()) {
    const day = occurredOn === undefined ? Either.void : checkDates({ occurredOn }, occurredAt);
    if (Either.isLeft(day)) return Either.left(within(`add.${index}`, day.left));
  }
  const foreign =
    partnerIds === null ? -1 : add.findIndex(({ partnerId }) => !partnerIds.includes(partnerId));
  return foreign < 0
    ? Either.void
    : Either.left(invalid(`add.${foreign}.partner_id`, "must be one of partner_ids"));
};

/** Accepts added sales that state what their sellers earn, where one of the expressions pays them by it. */
export const checkSellers = (
  { add = [] }: Start,
  roles: ReadonlyArray<string> | null,
  expressions: ReadonlyArray<Expression>,
): Either.Either<void, Invalid> => {
  const without = expressions.some(readsSellers)
    ? add.findIndex(
        ({ credit, sellersCommission }) =>
          sellersCommission === undefined && Formula.rolesOf({ roles }).includes(credit?.role ?? SELLER),
      )
    : -1;
  return without < 0 ? Either.void : Either.left(sellersMissing(`add.${without}`));
};
