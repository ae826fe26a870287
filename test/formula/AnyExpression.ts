import type { Expression } from "quittance/formula";
import { GRAMMAR } from "../../src/formula/Expression.ts";
import { isKind, KINDS, WINDOWS } from "../../src/formula/Grammar.ts";
import type { Field, Shape } from "../../src/formula/Shape.ts";
import type { Random } from "./RandomFormula.ts";

/** Names that a text form must not confuse with anything of its own. */
export const NAMES: ReadonlyArray<string> = [
  ...["amount", "a", "b", "rate_2", "_", "earnings_before_interest_and_taxes_of_the_year"],
  ...["order total", "net sum", " ", "a=b", "x;y", "#", "1st", "a.b", '"', "[", "]", "`", "\\", "\\n", "]\\"],
  ...["sum", "count", "least", "earlier", "by", "where", "month", "days", "from", "to", "of", "up", "plus"],
  ...[
    "sale",
    "plan",
    "true",
    "if",
    "not",
    "bp",
    "in",
    "min",
    "tiers",
    "date",
    "else",
    "Else",
    "this",
    "ever",
  ],
  ...[
    "größe",
    "日本",
    "שלום",
    "e\u0301",
    "\u0301x",
    "😀",
    "\ufe0f",
    "\u202e",
    "\u200b",
    "\n",
    "\t",
    "\u00a0",
    "\u3164",
  ],
];

const DATES = ["2026-01-31", "2024-02-29T23:59:59.999Z", "2025-12-31T22:00:00-03:00", "0001-01-01"];

const NUMBERS = [0, 1, -1, 100, -20, 12.5, 0.05, 1e15, -1e15, 1e-12, 123456789012.345, 0.000001, 7.5];

/** How much of a formula may still be made, so that it stays within the limits. */
interface Budget {
  nodes: number;
}

const value = (r: Random, isNumeric: boolean): unknown => {
  const type = isNumeric
    ? r.pick(["number", "percent", "basis_points"])
    : r.pick(["number", "percent", "basis_points", "string", "boolean", "date"]);
  if (type === "string") return { type, value: r.pick(["", "EU", ...NAMES]) };
  if (type === "boolean") return { type, value: r.chance(0.5) };
  return { type, value: type === "date" ? r.pick(DATES) : r.pick(NUMBERS) };
};

const fields = (
  r: Random,
  shapes: Readonly<Record<string, Field>>,
  depth: number,
  budget: Budget,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(shapes).flatMap(([name, shape]) =>
      shape.optional && r.chance(0.5) ? [] : [[name, filled(r, shape, depth, budget)]],
    ),
  );

const length = (r: Random): number => r.pick([1, 1, 2, 2, 3]);

const filled = (r: Random, shape: Shape, depth: number, budget: Budget): unknown => {
  switch (shape.type) {
    case "expression":
      return node(r, depth - 1, budget);
    case "expressions":
      return r.list(1, length(r), () => node(r, depth - 1, budget));
    case "value":
      return value(r, false);
    case "values":
      return r.list(1, 3, () => value(r, false));
    case "numeric_value":
      return value(r, true);
    case "text":
      return r.pick(NAMES);
    case "identifier":
      return r.pick(["quota", "rate_2", "_", "of", "else", "count", "earlier", "If"]);
    case "texts":
      return r.list(1, 2, () => r.pick(NAMES));
    case "integer":
      return r.integer(shape.minimum, Math.min(shape.maximum, 40));
    case "window": {
      const type = r.pick(Object.keys(WINDOWS) as ReadonlyArray<keyof typeof WINDOWS>);
      return { type, ...fields(r, WINDOWS[type], depth, budget) };
    }
    case "choice":
      return r.pick(shape.choices);
    case "records":
      return r.list(1, length(r), () => fields(r, shape.fields, depth, budget));
  }
};

/** Makes only the last row open, and gives a value to every aggregate but a count, as the checker requires. */
const amended = (made: Record<string, unknown>, r: Random, depth: number, budget: Budget): unknown => {
  for (const list of [made.bands, made.tiers])
    if (Array.isArray(list))
      for (const [index, row] of list.entries()) {
        if (index === list.length - 1) delete row.up_to;
        else row.up_to ??= value(r, true);
      }
  if (made.type === "aggregate") {
    if (made.function === "count") delete made.value;
    else made.value ??= node(r, depth - 1, budget);
  }
  return made;
};

const node = (r: Random, depth: number, budget: Budget): unknown => {
  budget.nodes -= 1;
  const kinds = KINDS.filter(isKind);
  const leaves = kinds.filter((kind) =>
    ["literal", "attribute", "property", "parameter", "variable"].includes(kind),
  );
  const type = r.pick(depth <= 0 || budget.nodes <= 0 ? leaves : kinds);
  return amended({ type, ...fields(r, GRAMMAR[type], depth, budget) }, r, depth, budget);
};

/**
 * Any expression that can be written: every kind of node with every field that its shape allows, whatever its type. It is made
 * from the grammar, so that a new node is part of it.
 */
export const anyExpression = (r: Random, depth: number): Expression =>
  // The shapes are those of `Expression`.
  node(r, depth, { nodes: 200 }) as Expression;
