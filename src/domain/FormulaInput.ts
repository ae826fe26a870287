/** What creating, changing and cancelling commission formulas and plans takes. */
import { Either, Schema } from "effect";
import { type Expression, TEXT_BYTES_MAX } from "../formula/index.ts";
import { Role } from "./Credit.ts";
import { Currency } from "./Currency.ts";
import { checkEffectiveDate, effectiveDate } from "./EffectiveDate.ts";
import { VERSIONS_AHEAD } from "./ExpressionVersion.ts";
import { distinct, formulaDryRun, key, means, optional, optionalKey, Reason } from "./Field.ts";
import { PartnerId, SchemaId, WorkspaceId } from "./Ids.ts";
import { DESCRIPTION_MAX, NAME_MAX, ROLES_MAX } from "./Limits.ts";
import * as Parameter from "./Parameter.ts";
import { Release } from "./Receipt.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";
import { DateTime, type Timestamp } from "./Timestamp.ts";

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

/** What a request says of the share of a credit, beside an expression. */
export const applyShare = optionalKey(
  Schema.Boolean,
  "apply_share",
  "Whether the share of a credit multiplies what the expression pays, before it is rounded. By default it does, unless the expression reads credit_share outside of aggregates, or sellers_commission.",
);

const NAME = "A name for people.";
const START = "Inclusive: attributions that occurred at this moment or later earn.";

const description = optional(Schema.NullOr(Text(0, DESCRIPTION_MAX)), "A note for people; has no effect.");
const endDatetime = optionalKey(
  Schema.NullOr(DateTime),
  "end_datetime",
  "Exclusive: attributions that occurred before this moment earn. Null or absent: no end.",
);

/** The parameters that a request declares. */
const declared = {
  parameters: optional(
    Parameter.Declarations,
    "The parameters that the expression may read as plan.name: names with a value for each partner. In a change: all of them after it. A new one needs a default where partners have the formula, types and defaults never change, and one that no expression reads may be left out.",
  ),
};

/** What creating a formula takes. It states an expression, and with `values` the first values of its parameters. */
export const Create = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner."),
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  schemaId: key(SchemaId, "schema_id", "The attribution schema, of the same workspace."),
  name: Text(1, NAME_MAX).pipe(means(NAME)),
  description,
  startDatetime: key(DateTime, "start_datetime", START),
  endDatetime,
  currency: Currency.pipe(means("The currency of the amounts that the expression gives.")),
  roles: optional(
    distinct(Role, ROLES_MAX, "roles"),
    'The roles of the credits that it pays, 1 to 20; ["seller"] by default. They never change. A sale that nobody else earns from has the role seller.',
  ),
  release: optional(
    Release,
    "When amounts may be settled: at_once (the default), or on_receipt, as far as the buyer has paid the sale. It never changes.",
  ),
  ...stated,
  applyShare,
  ...declared,
  values: optional(
    Parameter.FirstValues,
    "The values of the parameters by name, which hold for all time unless a later statement has a date. Parameters without a default need one.",
  ),
  dryRun: formulaDryRun,
});
export type Create = typeof Create.Type;

/** What a request says of the versions ahead that its expression would replace. */
export const versionsAhead = optionalKey(
  Schema.NullOr(Schema.Literal(...VERSIONS_AHEAD)),
  "versions_ahead",
  "Needed where versions with a date in the future, not before that of the new expression, would be replaced: keep states them again after it, withdraw withdraws them.",
);

/**
 * What updating a formula takes. Absent leaves a field unchanged; null clears `endDatetime` and `description` and
 * leaves `name`, `startDatetime`, `versionsAhead` and the effective date as if absent. `expression` may not be null.
 * `parameters` are all declarations after the update.
 */
export const Update = Schema.Struct({
  name: optional(Schema.NullOr(Text(1, NAME_MAX)), NAME),
  description,
  startDatetime: optionalKey(Schema.NullOr(DateTime), "start_datetime", START),
  endDatetime,
  ...stated,
  applyShare,
  ...declared,
  ...effectiveDate(
    "Inclusive: the new expression applies to attributions that occurred at this moment or later. In the past it changes earlier amounts; in the future the version is ahead until then. By default now, or 1 ms after the newest attribution when that is later.",
  ),
  versionsAhead,
});
export type Update = typeof Update.Type;

/** What cancelling a formula takes. */
export const Cancel = Schema.Struct({ reason: Reason });
export type Cancel = typeof Cancel.Type;

/** True if a request states an expression, in either form. */
export const statesExpression = ({ expression, expressionText }: Stated): boolean =>
  expression !== undefined || expressionText !== undefined;

/** Accepts a window that ends after its start. */
export const checkWindow = (start: Timestamp, end: Timestamp | null): Either.Either<void, Invalid> =>
  end === null || start < end
    ? Either.void
    : Either.left(invalid("end_datetime", "must be after start_datetime"));

/** Accepts an update that does not contradict itself, whatever formula it is for. */
export const checkUpdate = (request: Update): Either.Either<void, Invalid> => {
  const { effectiveDatetime, effectiveOn, versionsAhead, applyShare } = request;
  const needing = {
    apply_share: applyShare,
    effective_datetime: effectiveDatetime,
    effective_on: effectiveOn,
    versions_ahead: versionsAhead,
  };
  const [field] = Object.entries(needing).find(([, value]) => value != null) ?? [];
  if (field !== undefined && !statesExpression(request))
    return Either.left(invalid(field, "is allowed only together with an expression"));
  return Either.flatMap(checkEffectiveDate(request), () =>
    request.startDatetime == null || request.endDatetime === undefined
      ? Either.void
      : checkWindow(request.startDatetime, request.endDatetime),
  );
};
