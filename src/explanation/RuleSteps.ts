/** An expression in the form of a trace: the steps of any sale, of which only those that are written, or agreed with the partner, have a value. */

import * as Constant from "../formula/Constant.ts";
import { type Expression, GRAMMAR, type Value } from "../formula/Expression.ts";
import { constantOf, type ParameterDefinition } from "../formula/Parameter.ts";
import type { ParametersInForce, PropertyDefinition } from "../formula/Property.ts";
import { declaredFormat, literal, parameter, show } from "../formula/Recorder.ts";
import type { Field } from "../formula/Shape.ts";
import type { Step } from "../formula/Step.ts";
import type { Entry, Shown } from "../formula/Trace.ts";

type Inner = ReadonlyArray<readonly [place: string, node: Expression]>;

/** The expressions in the fields of a node or of a record in it, by their places, in the order of the grammar. */
const expressionsIn = (
  part: Readonly<Record<string, unknown>>,
  fields: Readonly<Record<string, Field>>,
  around = "",
): Inner =>
  Object.entries(fields).flatMap(([name, shape]): Inner => {
    const value = part[name];
    const place = `${around}${name}`;
    if (shape.type === "expression") return value === undefined ? [] : [[place, value as Expression]];
    if (shape.type !== "expressions" && shape.type !== "records") return [];
    return (value as ReadonlyArray<Expression>).flatMap((item, index): Inner => {
      const at = `${place}.${index}`;
      return shape.type === "records" ? expressionsIn(item, shape.fields, `${at}.`) : [[at, item]];
    });
  });

/** The nodes that a node evaluates for the same sale, by their places in it; an aggregate evaluates its own for other sales. */
const innerOf = (node: Expression): Inner =>
  node.type === "aggregate" ? [] : expressionsIn(node, GRAMMAR[node.type]);

/** The values of which a node has one. */
const alternativesOf = (node: Expression): ReadonlyArray<Expression> => {
  switch (node.type) {
    case "case":
      return [...node.branches.map(({ then }) => then), node.else];
    case "lookup":
      return [...node.entries.map(({ value }) => value), node.default];
    case "band":
      return node.bands.map(({ value }) => value);
    case "min":
    case "max":
    case "coalesce":
      return node.operands;
    default:
      return [];
  }
};

const isRate = ({ type }: Value): boolean => type === "percent" || type === "basis_points";

/** How much a value says of the unit of all alternatives: a computed one most; a written number such as 0 fits any unit. */
const rank = (node: Expression): number => {
  if (node.type === "literal") return isRate(node.value) ? 1 : 0;
  const alternatives = alternativesOf(node);
  return alternatives.length === 0 ? 2 : Math.max(...alternatives.map(rank));
};

/** The place among values of the one that stands for all of them. */
const typical = (node: Expression): number => {
  const ranks = alternativesOf(node).map(rank);
  return ranks.indexOf(Math.max(...ranks));
};

/** The place of {@link typical}; null for the last value, which no condition leads to. */
const typicalCase = (node: Expression): number | null => {
  const index = typical(node);
  return index === alternativesOf(node).length - 1 ? null : index;
};

/** What an expression was checked against, and the values that its parameters have for a partner. */
export interface Declared {
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly parameters?: ReadonlyArray<ParameterDefinition>;
  readonly inForce?: ParametersInForce;
}

const definitionOf = ({ parameters = [] }: Declared, name: string): ParameterDefinition | undefined =>
  parameters.find((parameter) => parameter.name === name);

/** What measures and parts read of the detail of a step, in which nothing has a value but what is written or agreed. */
const detailOf = (node: Expression, declared: Declared): object => {
  const formatOf = (name: string) =>
    declaredFormat(declared.properties.find((property) => property.name === name));
  switch (node.type) {
    case "literal":
      return literal(node.value);
    case "property":
      return { name: node.name, raw: null, default_used: false, ...formatOf(node.name) };
    case "parameter": {
      const since = declared.inForce?.get(node.name)?.since ?? null;
      return parameter(node.name, { since }, definitionOf(declared, node.name));
    }
    case "attribute":
    case "variable":
      return { name: node.name };
    case "let":
      return { bindings: node.bindings.map(({ name }) => ({ name, value: null })) };
    case "min":
    case "max":
    case "coalesce":
    case "band":
      return { index: typical(node) };
    case "case":
    case "lookup":
      return { index: typicalCase(node) };
    case "aggregate":
      return {
        function: node.function,
        ...(node.value?.type === "property" ? formatOf(node.value.name) : {}),
      };
    default:
      return {};
  }
};

/** The value of a node, where it is written or agreed with the partner. */
const knownValue = (node: Expression, declared: Declared): Shown => {
  if (node.type === "literal") return show(Constant.fromValue(node.value));
  const agreed = node.type === "parameter" ? declared.inForce?.get(node.name) : undefined;
  const type = node.type === "parameter" ? definitionOf(declared, node.name)?.type : undefined;
  return agreed === undefined || type === undefined ? null : show(constantOf(type, agreed.value));
};

/** The steps of an expression, and the node of each. */
export interface RuleSteps {
  /** At its root the rounding of the whole. */
  readonly root: Step;
  readonly nodeOf: ReadonlyMap<Step, Expression>;
}

/** The steps of an expression that was checked against these declarations. */
export const ruleStepsOf = (expression: Expression, declared: Declared): RuleSteps => {
  const nodeOf = new Map<Step, Expression>();
  const visit = (node: Expression, path: string): Step => {
    const value = knownValue(node, declared);
    // The details are those that the readers of rules read, which the type of a trace cannot express.
    const entry = { path, type: node.type, value, detail: detailOf(node, declared) } as unknown as Entry;
    const step: Step = {
      entry,
      inner: innerOf(node).map(([place, inner]) => visit(inner, `${path}.${place}`)),
    };
    nodeOf.set(step, node);
    return step;
  };
  const inner = [visit(expression, "$")];
  const final = { path: "$", type: "final", value: null, detail: {} } as unknown as Entry;
  return { root: { entry: final, inner }, nodeOf };
};
