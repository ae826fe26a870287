/** Values of parameters that a trial has in place of those of every partner. */
import { Either, Schema } from "effect";
import {
  type Expression,
  type ParameterDefinition,
  parameterProblem,
  parametersOf,
} from "../formula/index.ts";
import { PARAMETERS_MAX } from "./Limits.ts";
import {
  checkValues,
  type FirstValues,
  firstStatements,
  NAME_PROBLEM,
  Name,
  type Parametrized,
  prune,
} from "./Parameter.ts";
import { type Invalid, invalid } from "./Refusal.ts";

/** The type of a value; a text that is a date is one, because a text of that form is seldom meant as another. */
const typeOf = (value: FirstValues[string]): ParameterDefinition["type"] => {
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "boolean";
  return parameterProblem("date", value) === null ? "date" : "string";
};

/** The declarations of values that no plan declares: each parameter has the type of its value. */
export const declare = (
  values: FirstValues,
  field: string,
): Either.Either<ReadonlyArray<ParameterDefinition>, Invalid> => {
  const definitions = Object.entries(values).map(([name, value]) => ({ name, type: typeOf(value) }));
  if (definitions.length > PARAMETERS_MAX)
    return Either.left(invalid(field, `must have at most ${PARAMETERS_MAX} parameters`));
  const misnamed = definitions.find(({ name }) => !Schema.is(Name)(name));
  return misnamed === undefined
    ? Either.map(checkValues(definitions, values, field), () => definitions)
    : Either.left(invalid(`${field}.${misnamed.name}`, NAME_PROBLEM));
};

/** The values that are given for names which are not among the declared ones. */
const undeclared = (declared: ReadonlyArray<ParameterDefinition>, values: FirstValues): FirstValues =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => declared.every((definition) => definition.name !== name)),
  );

/**
 * What the draft of a change declares: the parameters of the plan, and those that its expression reads, the plan does not have,
 * and a value is given for.
 */
export const declareChange = (
  declared: ReadonlyArray<ParameterDefinition>,
  expression: Expression | null,
  values: FirstValues,
  field: string,
): Either.Either<ReadonlyArray<ParameterDefinition>, Invalid> =>
  Either.gen(function* () {
    const read: ReadonlySet<string> = expression === null ? new Set() : parametersOf(expression);
    const own = yield* declare(undeclared(declared, values), field);
    const definitions = [...declared, ...own.filter(({ name }) => read.has(name))];
    yield* checkValues(definitions, values, field);
    return definitions;
  });

/**
 * A formula whose partner has these values at all times, in place of everything that is stated for their names. Parameters that
 * it does not have are those of a draft.
 */
export const replaceValues = <One extends Parametrized>(formula: One, values: FirstValues): One => {
  const others = formula.parameters.filter(({ name }) => !Object.hasOwn(values, name));
  const added = Either.getOrThrow(declare(undeclared(formula.parameters, values), "parameters"));
  return {
    ...formula,
    parameters: [...formula.parameters, ...added],
    parameterValues: [...firstStatements(values), ...prune(formula.parameterValues, others)],
  };
};
