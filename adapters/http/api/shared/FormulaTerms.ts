/** The fields that formulas and plans share, in their events and in their records. */
import { Schema } from "effect";
import { Parameter as Declared } from "quittance";
import { Currency, DateTime, Expression, optional, Version } from "./Field.ts";
import { shownFields } from "./Record.ts";

/** The expression of a view as text. */
export const text = Schema.String.annotations({
  description: "The expression in the text form of the formula language, laid out in lines.",
});

/** The versions of an expression in the order in which they were stated, with the dates from which they hold. */
export const versions = Schema.Array(
  Schema.Struct({
    number: Version,
    status: Schema.Literal("reached", "ahead", "withdrawn").annotations({
      description:
        "ahead until its date, which a caller set in the future; withdrawn where it never holds; otherwise reached.",
    }),
    effective_datetime: Schema.NullOr(DateTime).annotations({
      description: "From then on it replaces every version stated before it; null: from the start.",
    }),
    formula: Expression,
    formula_text: text,
    apply_share: Schema.Boolean.annotations({
      description:
        "True if the share of a credit multiplies what it pays: as it was stated, by default unless its expression reads credit_share outside of aggregates, or sellers_commission.",
    }),
  }).annotations({ identifier: "FormulaVersion" }),
);

/** What formulas and plans state in addition to their expression. */
const terms = {
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  start_datetime: DateTime,
  end_datetime: Schema.NullOr(DateTime),
};

/** The value of a parameter. */
export const Value = Schema.Union(Schema.String, Schema.Number, Schema.Boolean);

const declaration = shownFields(Declared.Definition);
const Parameter = Schema.Struct(declaration).annotations({ identifier: "Parameter" });

/** The declared parameters; absent where there are none. */
export const parameters = optional(Schema.Array(Parameter));

/** Values that were stated together: null withdraws that of the date. A date of null holds for all time. */
export const statement = {
  values: Schema.Record({ key: Schema.String, value: Schema.NullOr(Value) }),
  effective_datetime: Schema.NullOr(DateTime),
};

/** The parameters with the partner's values in the order of their dates, each with the number of its statement. */
export const timelines = optional(
  Schema.Array(
    Schema.Struct({
      ...declaration,
      values: Schema.Array(
        Schema.Struct({ number: Version, value: Value, effective_datetime: Schema.NullOr(DateTime) }),
      ),
    }).annotations({ identifier: "ParameterTimeline" }),
  ),
);

/** What was stated of the share of a credit. */
export const applyShare = Schema.Boolean.annotations({
  description:
    "Whether the share of a credit multiplies what the expression pays; absent where it follows from it.",
});

/** When amounts may be settled; absent where they are released at once. */
const release = optional(Schema.Literal("on_receipt"));

/** The fields of the creation of a formula or a plan. */
export const creation = {
  formula: Expression,
  apply_share: optional(applyShare),
  ...terms,
  currency: Currency,
  roles: optional(Schema.Array(Schema.String)),
  release,
  parameters,
};

const ahead = Schema.Literal(true).annotations({
  description: "The date was in the future, and a caller gave it.",
});

/** The versions that an event states after its own, and the numbers of those that it withdraws. */
export const laterVersions = {
  later_versions: optional(
    Schema.Array(
      Schema.Struct({
        formula: Expression,
        apply_share: optional(applyShare),
        effective_datetime: DateTime,
        ahead: optional(ahead),
      }),
    ).annotations({
      description:
        "Versions after the one of formula: of a new formula those of its plan; of an update the versions ahead that it keeps.",
    }),
  ),
  withdrawn_versions: optional(
    Schema.Array(Version).annotations({ description: "The numbers of the versions that never hold." }),
  ),
};

/** The fields that an update may change, null where it clears one. */
export const changes = {
  name: optional(terms.name),
  description: optional(terms.description),
  start_datetime: optional(terms.start_datetime),
  end_datetime: optional(terms.end_datetime),
  formula: optional(creation.formula),
  apply_share: creation.apply_share,
  effective_datetime: optional(DateTime),
  ahead: optional(ahead),
  parameters,
  ...laterVersions,
};

/** The fields of the record, with their present values. */
export const record = {
  currency: Currency,
  ...terms,
  expression: Expression,
  roles: Schema.Array(Schema.String),
  release,
  created_at: DateTime,
};
