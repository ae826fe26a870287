/** Prints docs/cookbook.md: every formula of `examples/formulas`, with its cases. */
import { readFileSync } from "node:fs";
import type { Case, Plan } from "../../examples/formulas/Plan.ts";
import { code, fenced, filled, json, table } from "./Markdown.ts";
import { money, plans } from "./Plans.ts";

/** Where the page lies. */
export const file = "docs/cookbook.md";

const isValue = (input: object): boolean =>
  "value" in input && !("value" in input && typeof input.value === "object");

/** The kinds of nodes in an expression, without those of values. */
const kindsIn = (input: unknown): ReadonlyArray<string> => {
  if (typeof input !== "object" || input === null) return [];
  const own = "type" in input && typeof input.type === "string" && !isValue(input) ? [input.type] : [];
  return [...new Set([...own, ...Object.values(input).flatMap(kindsIn)])];
};

const index = (): string => {
  const simplestFirst = [...plans].sort(
    ([, a], [, b]) => JSON.stringify(a.expression).length - JSON.stringify(b.expression).length,
  );
  const shown = new Map<string, Array<string>>();
  for (const [name, plan] of simplestFirst)
    for (const kind of kindsIn(plan.expression)) shown.set(kind, [...(shown.get(kind) ?? []), name]);
  return table(
    ["Node", "Formulas, the simplest first"],
    [...shown]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, names]) => [
        code(kind),
        names
          .slice(0, 6)
          .map((name) => `[${name}](#${name})`)
          .join(", ") + (names.length > 6 ? ` and ${names.length - 6} more` : ""),
      ]),
  );
};

const source = ({ name, url, note }: Plan["source"]): string =>
  `Source: ${url === undefined ? name : `[${name}](${url})`}.${note === undefined ? "" : ` ${note}`}`;

const properties = (plan: Plan): string =>
  table(
    ["Property", "Type", "Required", "Default"],
    plan.schema.properties.map((property) => [
      code(property.name),
      property.type,
      property.required ? "yes" : "no",
      property.default === undefined ? "" : code(JSON.stringify(property.default)),
    ]),
  );

const sale = (sold: Case): string =>
  [
    ...Object.entries(sold.properties).map(([name, value]) => `${name} ${code(String(value))}`),
    ...(sold.created_at === undefined ? [] : [`on ${code(sold.created_at)}`]),
    ...(sold.agent_id === undefined ? [] : ["by an agent"]),
  ].join(", ");

const cases = (plan: Plan): string =>
  table(
    ["Sale", "Commission", "How it comes about"],
    plan.cases.map((sold) => [
      sale(sold),
      money(sold.expected, plan.currency),
      `${sold.working}${sold.note === undefined ? "" : ` *(${sold.note})*`}`,
    ]),
  );

const section = (name: string, plan: Plan): string =>
  [
    `<a id="${name}"></a>\n\n### ${plan.title}`,
    plan.summary,
    source(plan.source),
    properties(plan),
    cases(plan),
    `<details><summary>The formula, in ${plan.currency}: <code>examples/formulas/${name}.json</code></summary>`,
    fenced("json", json(plan.expression)),
    "</details>",
  ].join("\n\n");

/** The page: the template with the index and every formula. */
export const print = (): string => {
  const parts: Readonly<Record<string, () => string>> = {
    count: () => String(plans.size),
    index,
    plans: () => [...plans].map(([name, plan]) => section(name, plan)).join("\n\n"),
  };
  return filled(readFileSync(new URL("./cookbook.md", import.meta.url), "utf8"), (name) => parts[name]?.());
};
