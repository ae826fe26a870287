import { readdirSync, readFileSync } from "node:fs";
import { Either, Schema } from "effect";
import { type Compiled, check, compile, decode, type Facts, type Problem } from "quittance/formula";

const Amount = Schema.Number.pipe(Schema.int());

const Property = Schema.Struct({
  name: Schema.NonEmptyString,
  type: Schema.Literal("string", "number", "boolean"),
  required: Schema.Boolean,
  default: Schema.optionalWith(Schema.Union(Schema.String, Schema.Number, Schema.Boolean), { exact: true }),
});

/** One sale (or refund) and the commission it earns, worked out by hand. */
export const Case = Schema.Struct({
  /** What the case shows, when the working does not say it already. */
  note: Schema.optionalWith(Schema.NonEmptyString, { exact: true }),
  properties: Schema.Record({
    key: Schema.String,
    value: Schema.Union(Schema.String, Schema.Number, Schema.Boolean),
  }),
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

/** A plan of the cookbook as its file holds it; unknown keys are refused. */
export const Plan = Schema.Struct({
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
  /** Left to `decode` of the formula language. */
  expression: Schema.Unknown,
  cases: Schema.NonEmptyArray(Case),
});

/** A plan of the cookbook. */
export type Plan = typeof Plan.Type;

/** When a case happens that does not say it. */
export const defaultCreatedAt = "2026-01-15T12:00:00Z";

const folder = new URL(".", import.meta.url);

const parse = Schema.decodeUnknownSync(Schema.parseJson(Plan), { onExcessProperty: "error" });

/** Every plan of this folder by its file name without the extension, in the order of the names. */
export const readAll = (): ReadonlyMap<string, Plan> =>
  new Map(
    readdirSync(folder)
      .filter((file) => file.endsWith(".json"))
      .sort()
      .map((file) => [file.slice(0, -".json".length), parse(readFileSync(new URL(file, folder), "utf8"))]),
  );

/** The plan's formula, decoded, checked against the plan's schema and compiled. */
export const prepare = (plan: Plan): Either.Either<Compiled, Problem> =>
  decode(plan.expression).pipe(
    Either.flatMap((expression) => check(expression, plan.schema.properties)),
    Either.map(compile),
  );

const nil = "00000000-0000-0000-0000-000000000000";

/** What the formula sees of a case; the ids that no plan reads are the nil UUID. */
export const facts = (sale: Case): Facts => ({
  id: nil,
  partnerId: nil,
  customerId: nil,
  workspaceId: nil,
  schemaId: nil,
  agentId: sale.agent_id ?? null,
  createdAt: Date.parse(sale.created_at ?? defaultCreatedAt),
  properties: sale.properties,
});
