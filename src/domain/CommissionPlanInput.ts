/** What the commands on commission plans take. */
import { Schema } from "effect";
import { formulaDryRun, key, means, optional, optionalKey } from "./Field.ts";
import * as Formula from "./FormulaInput.ts";
import { PartnerId } from "./Ids.ts";
import { ASSIGNED_MAX } from "./Limits.ts";
import * as Parameter from "./Parameter.ts";
import { DateTime } from "./Timestamp.ts";

const { partnerId: _, values: __, dryRun: ___, ...fieldsWithoutPartner } = Formula.Create.fields;

/** What creating a plan takes: what a formula takes, without a partner. */
export const Create = Schema.Struct(fieldsWithoutPartner);
export type Create = typeof Create.Type;

/** What updating a plan takes. */
export const Update = Formula.Update;
export type Update = typeof Update.Type;

/** What cancelling a plan takes. */
export const Cancel = Formula.Cancel;
export type Cancel = typeof Cancel.Type;

/**
 * What assigning partners takes: 1 to 1,000 of them, the bounds of the assignment, of which an absent one follows the plan, and
 * with `parameters` the first values of these partners, which hold for all time.
 */
export const Assign = Schema.Struct({
  partnerIds: key(
    Schema.Array(PartnerId).pipe(
      Schema.filter(
        ({ length }) => (length >= 1 && length <= ASSIGNED_MAX) || `must have 1 to ${ASSIGNED_MAX} partners`,
        { jsonSchema: { minItems: 1, maxItems: ASSIGNED_MAX } },
      ),
    ),
    "partner_ids",
    "The partners, 1 to 1,000, all of the same workspace.",
  ),
  startDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "start_datetime",
    "Inclusive: the assignment begins at this moment. Null or absent: it begins with the plan.",
  ),
  endDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "end_datetime",
    "Exclusive: the assignment ends before this moment. Null or absent: it ends with the plan.",
  ),
  parameters: optional(
    Parameter.FirstValues,
    "The first values of the plan's parameters for these partners, by name, which hold for all time unless a later statement has a date. Parameters without a default need one.",
  ),
  dryRun: formulaDryRun,
});
export type Assign = typeof Assign.Type;

/** What stating values for many partners takes: up to 1,000 statements, in their order. */
export const SetParameters = Schema.Struct({
  partners: Schema.Array(
    Schema.Struct({
      partnerId: key(PartnerId, "partner_id", "A partner that has the plan."),
      ...Parameter.SetValues.fields,
    }),
  ).pipe(
    Schema.filter(
      ({ length }) => (length >= 1 && length <= ASSIGNED_MAX) || `must have 1 to ${ASSIGNED_MAX} items`,
      { jsonSchema: { minItems: 1, maxItems: ASSIGNED_MAX } },
    ),
    means("Statements of values, 1 to 1,000, in their order."),
  ),
});
export type SetParameters = typeof SetParameters.Type;

/** What unassigning a partner takes: when the assignment ends, now unless stated. */
export const Unassign = Schema.Struct({
  endDatetime: optionalKey(
    Schema.NullOr(DateTime),
    "end_datetime",
    "Exclusive: attributions that occurred before this moment still earn; by default now. At or before the start, the assignment is withdrawn.",
  ),
});
export type Unassign = typeof Unassign.Type;
