import { readdirSync, readFileSync } from "node:fs";
import { Either, Schema } from "effect";
import {
  type Compiled,
  check,
  compile,
  decode,
  type Facts,
  FORMATS,
  PARAMETER_TYPES,
  type ParametersInForce,
  type Problem,
} from "quittance/formula";

const Amount = Schema.Number.pipe(Schema.int());

const Property = Schema.Struct({
  name: Schema.NonEmptyString,
  type: Schema.Literal("string", "number", "boolean"),
  required: Schema.Boolean,
  default: Schema.optionalWith(Schema.Union(Schema.String, Schema.Number, Schema.Boolean), { exact: true }),
});

const Value = Schema.Union(Schema.String, Schema.Number, Schema.Boolean);

const Parameter = Schema.Struct({
  name: Schema.NonEmptyString,
  type: Schema.Literal(...PARAMETER_TYPES),
  default: Schema.optionalWith(Value, { exact: true }),
  format: Schema.optionalWith(Schema.Literal(...FORMATS), { exact: true }),
});

/** The values that the partner has for all parameters of the plan, by name. */
export const Values = Schema.optionalWith(Schema.Record({ key: Schema.String, value: Value }), {
  exact: true,
});

export const Properties = Schema.Record({
  key: Schema.String,
  value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
});

/** One sale (or refund) and the commission it earns, worked out by hand. */
export const Case = Schema.Struct({
  /** What the case shows, when the working does not show it. */
  note: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  properties: Properties,
  parameters: Values,
  /** RFC 3339; {@link defaultCreatedAt} when left out. */
  created_at: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  /** Absent from the attribution when left out. */
  agent_id: Schema.optionalWith(Schema.UUID, { exact: true }),
  /** In the smallest unit of the plan's currency. */
  expected: Amount,
  working: Schema.NonEmptyString,
});

/** One case of a plan. */
export type Case = typeof Case.Type;

/** What describes a plan, whoever earns by it. */
export const description = {
  title: Schema.NonEmptyString,
  summary: Schema.NonEmptyString,
  /** Where such a plan is published, or that it is common practice. */
  source: Schema.Struct({
    name: Schema.NonEmptyString,
    url: Schema.optionalWith(Schema.String.pipe(Schema.pattern(/^https?:\/\/\S+$/)), { exact: true }),
    note: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  }),
  schema: Schema.Struct({ properties: Schema.NonEmptyArray(Property) }),
  /** ISO 4217. */
  currency: Schema.String.pipe(Schema.pattern(/^[A-Z]{3}$/)),
};

/** The parameters of a plan. */
export const Parameters = Schema.optionalWith(Schema.NonEmptyArray(Parameter), { exact: true });

/** The fields that every plan of one partner has. */
const plan = {
  ...description,
  parameters: Parameters,
  /** Left to `decode` of the formula language. */
  expression: Schema.Unknown,
};

/** A plan of the cookbook that looks at one sale alone, as its file holds it; unknown keys are refused. */
export const Plan = Schema.Struct({ ...plan, cases: Schema.NonEmptyArray(Case) });

/** A plan of the cookbook that looks at one sale alone. */
export type Plan = typeof Plan.Type;

/** One sale of a sequence and the commission it earns after the ones before it, worked out by hand. */
export const Step = Schema.Struct({
  note: Case.fields.note,
  /** How many such sales arrive one after another, each with this commission; one when left out. */
  times: Schema.optionalWith(Schema.Int.pipe(Schema.between(2, 1000)), { exact: true }),
  /** When the sale happened, RFC 3339; it may arrive long after that. */
  occurred_at: Schema.NonEmptyString,
  properties: Properties,
  expected: Amount,
  working: Schema.NonEmptyString,
});

/** One sale of a sequence. */
export type Step = typeof Step.Type;

/** Sales of one partner in the order in which they arrive. */
export const Sequence = Schema.Struct({
  title: Schema.NonEmptyString,
  parameters: Values,
  steps: Schema.NonEmptyArray(Step),
});

/** Sales of one partner in the order in which they arrive. */
export type Sequence = typeof Sequence.Type;

/** A plan of the cookbook that depends on earlier sales, or on when a sale happened. */
export const AccumulatingPlan = Schema.Struct({ ...plan, sequences: Schema.NonEmptyArray(Sequence) });

/** A plan of the cookbook that depends on earlier sales, or on when a sale happened. */
export type AccumulatingPlan = typeof AccumulatingPlan.Type;

/** The date of a case that states none. */
export const defaultCreatedAt = "2026-01-15T12:00:00Z";

const folder = new URL(".", import.meta.url);

/** The files of a folder by their names without the extension, in the order of the names. */
export const readFolder = <A, I>(from: URL, schema: Schema.Schema<A, I>): ReadonlyMap<string, A> => {
  const parse = Schema.decodeUnknownSync(Schema.parseJson(schema), { onExcessProperty: "error" });
  return new Map(
    readdirSync(from)
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => [file.slice(0, -".json".length), parse(readFileSync(new URL(file, from), "utf8"))]),
  );
};

/** Every plan that looks at one sale alone by its file name without the extension, in the order of the names. */
export const readAll = (): ReadonlyMap<string, Plan> => readFolder(folder, Plan);

/** Every plan that accumulates by its file name without the extension, in the order of the names. */
export const readAccumulating = (): ReadonlyMap<string, AccumulatingPlan> =>
  readFolder(new URL("accumulating/", folder), AccumulatingPlan);

/** The plan's formula, decoded, checked against the plan's schema and compiled. */
export const prepare = (
  plan: Pick<Plan, "expression" | "schema" | "parameters">,
): Either.Either<Compiled, Problem> =>
  decode(plan.expression).pipe(
    Either.flatMap((expression) => check(expression, plan.schema.properties, plan.parameters)),
    Either.map(compile),
  );

const nil = "00000000-0000-0000-0000-000000000000";

/** The ids that no plan reads. */
const ids = { id: nil, partnerId: nil, customerId: nil, workspaceId: nil, schemaId: nil };

/** The values of a partner for all time. */
const valuesOf = (given: Case["parameters"] = {}): ParametersInForce =>
  new Map(Object.entries(given).map(([name, value]) => [name, { value, since: null }]));

/** What the formula sees of a case; the ids that no plan reads are the nil UUID. */
export const facts = (sale: Case): Facts => ({
  ...ids,
  agentId: sale.agent_id ?? null,
  createdAt: Date.parse(sale.created_at ?? defaultCreatedAt),
  occurredAt: Date.parse(sale.created_at ?? defaultCreatedAt),
  properties: sale.properties,
  parameters: valuesOf(sale.parameters),
});

/** A step of a sequence as it arrives: what the formula sees of it, and of the sales before it in the order of their arrival. */
export interface Arrival {
  readonly step: Step;
  readonly facts: Facts;
  readonly history: ReadonlyArray<Facts>;
}

/** Every sale of a sequence in the order of arrival; a step of several `times` arrives so often. */
export const arrivals = ({ steps, parameters }: Sequence): ReadonlyArray<Arrival> => {
  const began = Date.parse("2030-01-01T00:00:00Z");
  const all = steps.flatMap((step) => Array.from({ length: step.times ?? 1 }, () => step));
  const seen = all.map(
    (step, index): Facts => ({
      ...ids,
      agentId: null,
      createdAt: began + index,
      occurredAt: Date.parse(step.occurred_at),
      properties: step.properties,
      parameters: valuesOf(parameters),
    }),
  );
  return all.map((step, index) => ({ step, facts: seen[index] as Facts, history: seen.slice(0, index) }));
};
