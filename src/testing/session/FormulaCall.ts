/** Calls the services of commission formulas and plans for commands of the model. */
import { Effect, Either } from "effect";
import type * as Formula from "../../domain/Formula.ts";
import { AttributionId, NIL } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import type { Plan } from "../model/world/Plan.ts";
import * as PlanExpression from "../model/world/PlanExpression.ts";
import type { Harness } from "./Harness.ts";
import { owner } from "./Principals.ts";
import { type Failure, optionsOf, type ServiceCall } from "./ServiceCall.ts";

/** The type of a plan's expression in a request, also of expressions that the language refuses. */
const statementOf = (plan: Plan) =>
  PlanExpression.statementOf(plan) as Formula.Stated & { readonly applyShare?: boolean };

/** Simulates a formula. */
export const callSimulate = (
  { services: { formulas } }: Harness,
  command: Extract<Command, { type: "simulate" }>,
): ServiceCall => {
  const { plan, ...input } = command.input;
  const request = { ...input, ...statementOf(plan) };
  return Effect.map(formulas.simulate(command.principal, request), (results) => ({
    body: results.map(({ result }) =>
      Either.match(result, {
        onLeft: ({ code }) => ({ failed: code }),
        onRight: (amount) => ({ amount }),
      }),
    ),
  }));
};

type FormulaCommand = Extract<
  Command,
  {
    type:
      | "create_formula"
      | "update_formula"
      | "withdraw_formula_version"
      | "cancel_formula"
      | "set_formula_values";
  }
>;

/** Creates, updates or cancels a formula, or states values of its parameters. */
export const callFormulas = ({ services: { formulas } }: Harness, command: FormulaCommand): ServiceCall => {
  const options = optionsOf(command);
  if (command.type === "set_formula_values")
    return formulas.setParameters(command.principal, command.id, command.input, options);
  if (command.type === "withdraw_formula_version")
    return formulas.withdrawVersion(command.principal, command.id, command.number, options);
  if (command.type === "cancel_formula") {
    return formulas.cancel(command.principal, command.id, { reason: command.reason }, options);
  }
  if (command.type === "create_formula") {
    const { plan, ...input } = command.input;
    return formulas.create(command.principal, { ...input, ...statementOf(plan) }, options);
  }
  const { plan, ...input } = command.input;
  const stated = plan === undefined ? {} : statementOf(plan);
  return formulas.update(command.principal, command.id, { ...input, ...stated }, options);
};

type Assign = Extract<Command, { type: "assign" }>;

const momentOf = (text: string | null | undefined): number | null => (text == null ? null : Date.parse(text));

/** True if a formula was created with the start and end of an assignment, which a concurrent command may have changed since. */
const wasCreatedWith = (
  { storage }: Harness,
  formula: Formula.Formula,
  { startDatetime, endDatetime }: Assign["input"],
): Effect.Effect<boolean, Failure> =>
  Effect.map(storage.log(formula.customerId, "formula", formula.id), ([first]) => {
    const stated = first?.event.type === "create_commission_formula" ? first.event.assignment : undefined;
    return (
      stated !== undefined &&
      momentOf(stated.start_datetime) === (startDatetime ?? null) &&
      momentOf(stated.end_datetime) === (endDatetime ?? null)
    );
  });

/** The formulas that an assignment created or found, in the order of its partners. */
const assignedFormulas = (harness: Harness, { principal, id, input }: Assign): ServiceCall =>
  Effect.gen(function* () {
    const { customerId } = principal;
    if (customerId === null) return { results: [] };
    const formulas = yield* harness.storage.formulasBehindPlan(
      customerId,
      id,
      Number.MAX_SAFE_INTEGER,
      10_000,
    );
    const created = yield* Effect.filter(formulas, (formula) => wasCreatedWith(harness, formula, input));
    return {
      results: input.partnerIds.map((partnerId) => {
        const newest = created.findLast((candidate) => candidate.partnerId === partnerId);
        return { id: AttributionId.make(newest?.id ?? NIL) };
      }),
    };
  });

type PlanCommand = Extract<
  Command,
  {
    type:
      | "create_plan"
      | "update_plan"
      | "withdraw_plan_version"
      | "cancel_plan"
      | "assign"
      | "unassign"
      | "set_plan_values";
  }
>;

/** Creates, updates or cancels a plan, assigns it, ends an assignment, or states values for its partners. */
export const callPlans = (harness: Harness, command: PlanCommand): ServiceCall => {
  const { plans } = harness.services;
  const { principal } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "create_plan": {
      const { plan, ...input } = command.input;
      return plans.create(principal, { ...input, ...statementOf(plan) }, options);
    }
    case "update_plan": {
      const { plan, ...input } = command.input;
      const stated = plan === undefined ? {} : statementOf(plan);
      return plans.update(principal, command.id, { ...input, ...stated }, options);
    }
    case "withdraw_plan_version":
      return plans.withdrawVersion(principal, command.id, command.number, options);
    case "cancel_plan":
      return plans.cancel(principal, command.id, { reason: command.reason }, options);
    case "assign":
      return Effect.flatMap(plans.assign(principal, command.id, command.input, options), (result) =>
        Effect.map(assignedFormulas(harness, command), (found) => ({ ...result, ...found })),
      );
    case "unassign":
      return plans.unassign(principal, command.id, command.partnerId, command.input, options);
    case "set_plan_values": {
      const { id, partners, single } = command;
      const [first] = partners;
      if (!single || first === undefined) return plans.setParameters(principal, id, { partners }, options);
      const { partnerId, ...input } = first;
      return plans.setPartnerParameters(principal, id, partnerId, input, options);
    }
  }
};

const NO_TERMS = "0".repeat(64);
const READS_MAX = 50;

/** Reads terms and accepts them, with a wrong hash if the command says so. Reads them again if they changed in between. */
export const callAcceptance = (
  { services: { terms } }: Harness,
  command: Extract<Command, { type: "accept_terms" }>,
): ServiceCall => {
  const { principal, id, customerId, partnerId, name, reference, at, stale } = command;
  const moment = at === undefined ? {} : { at };
  const signature = reference === undefined ? {} : { reference };
  const read = stale
    ? Effect.succeed(NO_TERMS)
    : terms.read(owner(customerId), id, { partnerId, ...moment }).pipe(
        Effect.map(({ hash }) => hash),
        Effect.catchTag("Missing", () => Effect.succeed(NO_TERMS)),
      );
  return Effect.flatMap(read, (hash) =>
    terms.accept(principal, id, { partnerId, hash, name, ...moment, ...signature }, optionsOf(command)),
  ).pipe(
    Effect.retry({
      times: READS_MAX,
      while: (failure) => !stale && failure._tag === "Conflict" && failure.token === "terms_changed",
    }),
  );
};
