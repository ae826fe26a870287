import { Schema } from "effect";
import { description, Parameters, Properties, readFolder, Values } from "./Plan.ts";

const Name = Schema.NonEmptyString;
const optional = <A, I>(field: Schema.Schema<A, I>) => Schema.optionalWith(field, { exact: true });

/** Who is directly above whom, in which role, from when to when; for all time when left out. */
const Link = Schema.Struct({
  partner: Name,
  upline: Name,
  role: Name,
  from: optional(Name),
  until: optional(Name),
});

/** A formula of a team: who earns by it, and for which role. */
const TeamFormula = Schema.Struct({
  name: Name,
  /** Sellers when left out. */
  roles: optional(Schema.NonEmptyArray(Name)),
  partners: Schema.NonEmptyArray(Name),
  parameters: Parameters,
  /** The values of partners for the parameters, by the name of the partner. */
  values: optional(Schema.Record({ key: Name, value: Values.from })),
  text: Name,
});

/** What one partner earns from a sale: as a seller when no role is stated, on the level that is stated. */
const Earned = Schema.Struct({
  partner: Name,
  role: optional(Name),
  level: optional(Schema.Int),
  /** In the smallest unit of the plan's currency. */
  amount: Schema.Int,
});

/** A sale, and everything that anybody earns from it, worked out by hand. */
const TeamSale = Schema.Struct({
  note: optional(Name),
  occurred_at: Name,
  /** The sellers, and whoever else is named with the sale; the first one is its partner. */
  credits: Schema.NonEmptyArray(
    Schema.Struct({ partner: Name, role: optional(Name), share: optional(Name) }),
  ),
  properties: Properties,
  earned: Schema.Array(Earned),
  working: Name,
});

/** A plan of the cookbook by which several people earn from one sale, as its file holds it; unknown keys are refused. */
export const TeamPlan = Schema.Struct({
  ...description,
  links: optional(Schema.NonEmptyArray(Link)),
  formulas: Schema.NonEmptyArray(TeamFormula),
  sales: Schema.NonEmptyArray(TeamSale),
});

/** A plan of the cookbook by which several people earn from one sale. */
export type TeamPlan = typeof TeamPlan.Type;

/** Every plan by which several people earn, by its file name without the extension, in the order of the names. */
export const readTeams = (): ReadonlyMap<string, TeamPlan> =>
  readFolder(new URL("teams/", import.meta.url), TeamPlan);
