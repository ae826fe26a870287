/** An expression in the form of a trace: the steps of any sale, of which only those that are written have a value. */
import * as Constant from "../formula/Constant.ts";
import type { Expression } from "../formula/Expression.ts";
import type { PropertyDefinition } from "../formula/Property.ts";
import { declaredFormat, literal, show } from "../formula/Recorder.ts";
import type { Step } from "../formula/Step.ts";
import type { Entry } from "../formula/Trace.ts";

type Inner = ReadonlyArray<readonly [place: string, node: Expression]>;

const each = (place: string, nodes: ReadonlyArray<Expression>): Inner =>
  nodes.map((node, index) => [`${place}.${index}`, node]);

/** The nodes that a node evaluates for the same sale, by their places in it. */
const innerOf = (node: Expression): Inner => {
  switch (node.type) {
    case "literal":
    case "attribute":
    case "property":
    case "parameter":
    case "variable":
    case "aggregate":
      return [];
    case "let":
      return [
        ...node.bindings.map(({ value }, index) => [`bindings.${index}.value`, value] as const),
        ["body", node.body],
      ];
    case "subtract":
    case "divide":
    case "compare":
      return [
        ["left", node.left],
        ["right", node.right],
      ];
    case "date_difference":
      return [
        ["from", node.from],
        ["to", node.to],
      ];
    case "band":
      return [
        ["input", node.input],
        ...node.bands.map(({ value }, index) => [`bands.${index}.value`, value] as const),
      ];
    case "graduated":
      return [
        ["amount", node.amount],
        ...(node.offset === undefined ? [] : [["offset", node.offset] as const]),
        ...node.tiers.flatMap(({ rate, flat }, index) => [
          [`tiers.${index}.rate`, rate] as const,
          ...(flat === undefined ? [] : [[`tiers.${index}.flat`, flat] as const]),
        ]),
      ];
    case "case":
      return [
        ...node.branches.flatMap(({ when, then }, index) => [
          [`branches.${index}.when`, when] as const,
          [`branches.${index}.then`, then] as const,
        ]),
        ["else", node.else],
      ];
    case "lookup":
      return [
        ["key", node.key],
        ...node.entries.map(({ value }, index) => [`entries.${index}.value`, value] as const),
        ["default", node.default],
      ];
    default:
      return "operands" in node ? each("operands", node.operands) : [["operand", node.operand]];
  }
};

/** The place among values of the one that stands for all of them: the first that is computed, because a written one fits any. */
const typical = (nodes: ReadonlyArray<Expression>): number =>
  Math.max(
    0,
    nodes.findIndex(({ type }) => type !== "literal"),
  );

/** What measures and parts read of the detail of a step, which has no values. */
const detailOf = (node: Expression, properties: ReadonlyArray<PropertyDefinition>): object => {
  const formatOf = (name: string) => declaredFormat(properties.find((property) => property.name === name));
  switch (node.type) {
    case "literal":
      return literal(node.value);
    case "property":
      return { name: node.name, raw: null, default_used: false, ...formatOf(node.name) };
    case "attribute":
    case "parameter":
    case "variable":
      return { name: node.name };
    case "let":
      return { bindings: node.bindings.map(({ name }) => ({ name, value: null })) };
    case "min":
    case "max":
    case "coalesce":
      return { index: typical(node.operands) };
    case "band":
      return { index: typical(node.bands.map(({ value }) => value)) };
    case "case":
      return { index: typical(node.branches.map(({ then }) => then)) };
    case "lookup":
      return { index: typical(node.entries.map(({ value }) => value)) };
    case "aggregate":
      return {
        function: node.function,
        ...(node.value?.type === "property" ? formatOf(node.value.name) : {}),
      };
    default:
      return {};
  }
};

/** The steps of an expression, and the node of each. */
export interface RuleSteps {
  /** At its root the rounding of the whole. */
  readonly root: Step;
  readonly nodeOf: ReadonlyMap<Step, Expression>;
}

/** The steps of an expression that was checked against these properties. */
export const ruleStepsOf = (
  expression: Expression,
  properties: ReadonlyArray<PropertyDefinition>,
): RuleSteps => {
  const nodeOf = new Map<Step, Expression>();
  const visit = (node: Expression, path: string): Step => {
    const value = node.type === "literal" ? show(Constant.fromValue(node.value)) : null;
    // The details are those that the readers of rules read, which the type of a trace cannot express.
    const entry = { path, type: node.type, value, detail: detailOf(node, properties) } as unknown as Entry;
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
