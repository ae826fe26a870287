/**
 * The terms of a plan for one partner: by which rule every sale is paid, from when to when. Their hash says exactly what is
 * agreed, and nothing of how it is worded.
 */
import { Schema } from "effect";
import {
  type Expression,
  type ParameterDefinition,
  type ParametersInForce,
  type ParameterValue,
  type PropertyDefinition,
  parametersOf,
} from "../formula/index.ts";
import { isWithdrawn } from "./CommissionPlan.ts";
import type { Currency } from "./Currency.ts";
import { key, optional } from "./Field.ts";
import { fingerprint } from "./Fingerprint.ts";
import { type Formula, statedRoles, statedShare, versionAt } from "./Formula.ts";
import { type FormulaId, PartnerId, type PlanId, type SchemaId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import * as Parameter from "./Parameter.ts";
import { DateTime, format, type Timestamp } from "./Timestamp.ts";

/** Whose terms, and at which moment; by default now. */
export const Query = Schema.Struct({
  partnerId: key(PartnerId, "partner_id", "The partner whose terms these are."),
  at: optional(DateTime, "The moment whose terms are asked for; now by default."),
});
export type Query = typeof Query.Type;

type Values = Readonly<Record<string, ParameterValue | null>>;

/** The rule of a partner's sales in one span of time. */
export interface Span {
  readonly planId: PlanId;
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
  readonly formulaId: FormulaId;
  readonly currency: Currency;
  /** The roles of the credits that are paid; absent for the seller alone. */
  readonly roles?: ReadonlyArray<string>;
  /** The 1-based number of the plan's version. */
  readonly formulaVersion: number;
  readonly expression: Expression;
  /** What was stated of the share of a credit; absent where it follows from the expression. */
  readonly applyShare?: boolean;
  /** The partner's values of the parameters that the expression reads, by name; absent where it reads none. */
  readonly values?: Values;
  /** What the plan declares of its parameters, and since when the partner has each value. */
  readonly parameters: ReadonlyArray<ParameterDefinition>;
  readonly inForce: ParametersInForce;
  /** The window of the partner's assignment; the end is exclusive, null without one. */
  readonly startDatetime: Timestamp;
  readonly endDatetime: Timestamp | null;
  /** The part of the window in which this rule holds; the end is exclusive, null without one. */
  readonly fromDatetime: Timestamp;
  readonly untilDatetime: Timestamp | null;
}

/** The properties of the sales, as the schema defines them. */
export interface Sales {
  readonly id: SchemaId;
  readonly properties: ReadonlyArray<PropertyDefinition>;
}

/** What decides the amounts of sales of a schema: an expression, and the partner's values of the parameters that it reads. */
type Rule = Pick<Span, "currency" | "roles" | "expression" | "applyShare" | "values">;

/** What a formula pays by at a moment: a version of its expression, and the partner's values of what that reads. */
export const ruleAt = (
  formula: Formula,
  at: Timestamp,
): Rule & Pick<Span, "formulaVersion" | "parameters" | "inForce"> => {
  const formulaVersion = versionAt(formula, at);
  const { expression, applyShare } = formula.versions[formulaVersion - 1] ?? formula.versions[0];
  const inForce = Parameter.valuesAt(formula, at);
  const values: Values = Object.fromEntries(
    [...parametersOf(expression)].map((name) => [name, inForce.get(name)?.value ?? null]),
  );
  const { currency, parameters } = formula;
  const read = Object.keys(values).length === 0 ? {} : { values };
  const ofRoles = statedRoles(formula.roles);
  const ofShare = applyShare === undefined ? {} : { applyShare };
  return { formulaVersion, currency, ...ofRoles, expression, ...ofShare, parameters, inForce, ...read };
};

/** The spans of one assignment in order of time; none of a formula without a plan, or of an assignment that never was. */
const spansOfFormula = (formula: Formula): ReadonlyArray<Span> => {
  const { assignment, startDatetime, endDatetime } = formula;
  if (assignment === null || formula.status === "cancelled" || isWithdrawn(assignment)) return [];
  if (endDatetime !== null && endDatetime <= startDatetime) return [];
  const starts = [...formula.versions, ...formula.parameterValues].flatMap(({ effectiveDatetime: at }) =>
    at !== null && at > startDatetime && (endDatetime === null || at < endDatetime) ? [at] : [],
  );
  const rules = [startDatetime, ...new Set(starts)]
    .sort((a, b) => a - b)
    .map((fromDatetime) => ({ fromDatetime, ...ruleAt(formula, fromDatetime) }));
  const begins = rules.filter(({ formulaVersion, values = {} }, index) => {
    const before = rules[index - 1];
    return before?.formulaVersion !== formulaVersion || !sameJson(before.values ?? {}, values);
  });
  return begins.map((rule, index) => ({
    planId: assignment.planId,
    partnerId: formula.partnerId,
    schemaId: formula.schemaId,
    formulaId: formula.id,
    ...rule,
    startDatetime,
    endDatetime,
    untilDatetime: begins[index + 1]?.fromDatetime ?? endDatetime,
  }));
};

/** The spans of a partner's assignments to a plan, in order of time. The formulas have applied every event of the plan. */
export const spansOf = (formulas: ReadonlyArray<Formula>): ReadonlyArray<Span> =>
  formulas.flatMap(spansOfFormula).sort((a, b) => a.fromDatetime - b.fromDatetime);

/** The span in force at a moment, else the next one that begins; undefined after the last. */
export const spanAt = <One extends Span>(spans: ReadonlyArray<One>, at: Timestamp): One | undefined =>
  spans.find(({ untilDatetime }) => untilDatetime === null || at < untilDatetime);

/** By which rule sales are paid: everything that decides an amount. */
const ruleOf = ({ currency, roles, values, ...payment }: Rule, { id, properties }: Sales) => ({
  ...{ currency, expression: payment.expression },
  ...statedShare(payment),
  ...(roles === undefined ? {} : { roles }),
  ...(values === undefined ? {} : { values }),
  schema: { id, properties },
});

/** The hash of the rule alone, whenever it holds: SHA-256 of its canonical JSON, in hexadecimal. */
export const ruleHash = (rule: Rule, sales: Sales): string => fingerprint(ruleOf(rule, sales));

/**
 * The hash of the terms: SHA-256 of the canonical JSON of rule and dates, in hexadecimal. It does not depend on the name of the
 * plan, on a language, or on when a later version takes over.
 */
export const hashOf = (span: Span, sales: Sales): string =>
  fingerprint({
    ...ruleOf(span, sales),
    start_datetime: format(span.startDatetime),
    end_datetime: span.endDatetime === null ? null : format(span.endDatetime),
    from_datetime: format(span.fromDatetime),
  });
