/** Turns intents about parameters into declarations, values, and the commands that state them. */

import type { SetValues } from "../../domain/Parameter.ts";
import type { ParameterDefinition, ParameterValue } from "../../formula/index.ts";
import type { Command, FormulaChange, PlanRequest } from "../model/Command.ts";
import { PARAMETER_TYPES, type Plan, type PlanParameter, readsOf } from "../model/world/Plan.ts";
import { DAY } from "../model/world/Time.ts";
import { firstValues, type Statement } from "../model/world/Values.ts";
import type { Formula, SharedPlan, Terms, World } from "../model/world/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";

const RATES = [0.1, 0.07, 0.125, -0.1, 1, 0, -0, 0.333] as const;
const BONUSES = [0, 100, -2.5, 0.5, 1000, 90] as const;

const DATES = ["2024-02-29", "2025-11-27", "2026-01-31", "2030-06-01", "1999-12-31"] as const;

const chooseValue = (name: string, pick: number): ParameterValue => {
  switch (name) {
    case "rate":
      return choose(RATES, pick);
    case "bonus":
      return choose(BONUSES, pick);
    case "vip":
      return pick % 2 === 0;
    case "joined_on":
      return choose(DATES, pick);
    default:
      return choose(["north", "south"], pick);
  }
};

/** What an expression reads in addition to numbers, most of the time nothing. */
const chooseOtherReads = (pick: number): ReadonlyArray<PlanParameter> =>
  choose<ReadonlyArray<PlanParameter>>([[], ["vip"], [], ["joined_on"], ["vip", "joined_on"]], pick >> 5);

/** An expression that reads parameters. */
export const chooseReadingPlan = (pick: number): Plan =>
  choose<Plan>(
    [
      { type: "by_values", reads: ["rate", ...chooseOtherReads(pick)] },
      { type: "by_values", reads: ["rate", "bonus"] },
      { type: "by_values", reads: ["bonus", ...chooseOtherReads(pick)] },
      {
        ...{ type: "accumulating", share: 100, of: choose(["sum", "count"], pick >> 2), grouped: false },
        ...{ window: choose(["month", "lifetime", "anniversary"], pick >> 3), rated: true },
      },
    ],
    pick,
  );

/** Declarations of what an expression reads, some of them with a default, and perhaps of a text that nothing reads. */
const declare = (plan: Plan, needsDefaults: boolean, pick: number): ReadonlyArray<ParameterDefinition> => [
  ...readsOf(plan).map(
    (name, index): ParameterDefinition => ({
      ...{ name, type: PARAMETER_TYPES[name] },
      ...(needsDefaults || ((pick >> index) & 1) === 1 ? { default: chooseValue(name, pick >> 3) } : {}),
      ...(pick % 5 === 0 && PARAMETER_TYPES[name] === "number" ? { format: "percent" } : {}),
    }),
  ),
  ...(pick % 3 === 0 ? ([{ name: "region", type: "string", default: "north" }] as const) : []),
];

/** First values: one for each parameter without a default, and some of the others. */
export const chooseFirstValues = (
  parameters: ReadonlyArray<ParameterDefinition>,
  pick: number,
): { readonly [name: string]: ParameterValue } =>
  Object.fromEntries(
    parameters
      .filter((parameter, index) => parameter.default === undefined || ((pick >> index) & 1) === 1)
      .map(({ name }, index) => [name, chooseValue(name, pick >> (index + 2))]),
  );

type Parametrized = Pick<PlanRequest, "plan" | "parameters"> & {
  readonly values: { readonly [name: string]: ParameterValue };
};

/** An expression that reads parameters, their declarations, and first values; one of them is wrong when not `eligible`. */
export const chooseParametrized = (eligible: boolean, pick: number, other: number): Parametrized => {
  const plan = chooseReadingPlan(pick);
  const parameters = declare(plan, false, other);
  const values = chooseFirstValues(parameters, other >> 1);
  if (eligible) return { plan, parameters, values };
  return choose<Parametrized>(
    [
      { plan, parameters, values: {} },
      { plan, parameters, values: { ...values, nowhere: 1 } },
      { plan, parameters, values: { ...values, [readsOf(plan)[0] ?? ""]: "much" } },
      { plan, parameters: [], values: {} },
      { plan, parameters: [...parameters, ...parameters], values },
      { plan, parameters: [{ name: "rate", type: "number", default: "much" }], values },
      { plan, parameters: [{ name: "two words", type: "number", default: 1 }], values },
      { plan, parameters: [{ name: "bonus", type: "string", format: "percent", default: "" }], values },
    ],
    other,
  );
};

/** A change of the declarations of a formula or plan, perhaps with an expression that reads them. */
export const chooseDeclarations = (
  { parameters, versions }: Pick<Terms, "parameters" | "versions">,
  eligible: boolean,
  [what, value]: readonly [number, number],
): FormulaChange => {
  const plan = chooseReadingPlan(value);
  const isDeclared = ({ name }: ParameterDefinition) =>
    parameters.some((parameter) => parameter.name === name);
  const added = declare(plan, true, value >> 3).filter(
    (parameterDefinition) => !isDeclared(parameterDefinition),
  );
  const read: ReadonlyArray<string> = versions.flatMap((version) => readsOf(version.plan));
  const [first] = parameters;
  if (!eligible)
    return choose<FormulaChange>(
      [
        { plan },
        { parameters: [] },
        { parameters: [...parameters, { name: "quota", type: "number" }] },
        { parameters: first === undefined ? [] : [{ ...first, default: 17 }, ...parameters.slice(1)] },
        { parameters: first === undefined ? [] : [{ ...first, type: "boolean" }, ...parameters.slice(1)] },
      ],
      what,
    );
  return choose<FormulaChange>(
    [
      { plan, parameters: [...parameters, ...added] },
      { parameters: [...parameters, ...added] },
      { parameters: parameters.filter(({ name }) => read.includes(name)) },
      {
        parameters: parameters.map((parameter) =>
          parameter.type === "number" ? { ...parameter, format: "count" } : parameter,
        ),
      },
    ],
    what,
  );
};

/** What a request states: values of a date or from now on, or the withdrawal of what was stated for a date. */
const chooseStatement = (
  { world, intent: { eligible } }: ChoiceContext,
  { parameters, parameterValues }: Pick<Formula, "parameters" | "parameterValues">,
  [what, value, date]: readonly [number, number, number],
): SetValues => {
  const dates = parameterValues.flatMap(({ effectiveDatetime: at }) => (at === null ? [] : [at]));
  const names = parameters.map(({ name }) => name);
  const name = chooseIfAny(names, value) ?? "nowhere";
  const past = chooseIfAny(dates, date);
  const sales = world.attributions.flatMap(({ occurredAt }) => [occurredAt, occurredAt + 1]);
  const at = choose([world.now, ...dates, ...sales, world.now - 31 * DAY, world.now + DAY, 0], date);
  const stated: Statement["values"] = {
    [name]: chooseValue(name, value >> 2),
    ...(value % 3 === 0 ? { [names[0] ?? name]: chooseValue(names[0] ?? name, value >> 4) } : {}),
  };
  if (!eligible)
    return choose<SetValues>(
      [
        { values: { [name]: null } },
        { values: { ...stated, nowhere: 1 } },
        { values: { ...stated, [name]: true }, effectiveDatetime: at },
        { values: { ...stated, [name]: null }, effectiveDatetime: at },
      ],
      what,
    );
  if (what % 4 === 0 && past !== undefined) return { values: { [name]: null }, effectiveDatetime: past };
  return what % 4 === 1 ? { values: stated } : { values: stated, effectiveDatetime: at };
};

const hasParameters = ({ parameters, cancelReason }: Terms, eligible: boolean): boolean =>
  !eligible || (parameters.length > 0 && cancelReason === null);

const chooseForFormula = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const formula = chooseIfAny(
    world.formulas.filter(
      (candidate) => hasParameters(candidate, eligible) && (!eligible || candidate.assignment === null),
    ),
    picks[1],
  );
  if (formula === undefined) return null;
  return {
    type: "set_formula_values",
    ...callerFor(context, formula),
    id: formula.id,
    input: chooseStatement(context, formula, [picks[2], picks[3], picks[2] + picks[3]]),
  };
};

const chooseForPlan = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const assigned = (plan: SharedPlan) =>
    world.formulas.filter(({ assignment }) => assignment?.planId === plan.id);
  const plan = chooseIfAny(
    world.plans.filter(
      (sharedPlan) => hasParameters(sharedPlan, eligible) && (!eligible || assigned(sharedPlan).length > 0),
    ),
    picks[1],
  );
  if (plan === undefined) return null;
  const own = assigned(plan);
  const single = picks[0] % 2 === 0;
  const count = single ? 1 : 1 + (picks[2] % 3);
  const partners = Array.from({ length: count }, (_, index) => {
    const formula = chooseIfAny(own, picks[3] + index * picks[0]);
    const any = chooseIfAny(world.partners, picks[3])?.id;
    const partnerId = eligible || picks[2] % 5 > 0 ? (formula?.partnerId ?? any) : any;
    const stated = formula ?? { parameters: plan.parameters, parameterValues: [] };
    const pick = [picks[2] + index, picks[3] + index, picks[2] + picks[3] * (index + 1)] as const;
    return partnerId === undefined ? [] : [{ partnerId, ...chooseStatement(context, stated, pick) }];
  }).flat();
  if (partners.length === 0) return null;
  const caller = callerFor(context, { ...plan, partnerId: null });
  return { type: "set_plan_values", ...caller, id: plan.id, single, partners };
};

/** A statement of values, for a formula or for partners of a plan; null where nothing has parameters. */
export const chooseSetValues = (context: ChoiceContext): Command | null =>
  context.intent.picks[0] % 3 === 0
    ? (chooseForFormula(context) ?? chooseForPlan(context))
    : (chooseForPlan(context) ?? chooseForFormula(context));

/** The first values of an assignment: mostly those that the partner has in the plan already, where it has. */
export const chooseAssignedValues = (
  { formulas }: World,
  { id, parameters }: SharedPlan,
  partnerIds: ReadonlyArray<string>,
  pick: number,
): { readonly parameters?: { readonly [name: string]: ParameterValue } } => {
  if (parameters.length === 0 || pick % 5 === 0) return {};
  const known = formulas.find(
    ({ assignment, partnerId }) => assignment?.planId === id && partnerIds.includes(partnerId),
  );
  if (known === undefined || pick % 4 === 0) return { parameters: chooseFirstValues(parameters, pick >> 1) };
  const entries = Object.entries(firstValues(known.parameterValues));
  return {
    parameters: Object.fromEntries(
      entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
  };
};
