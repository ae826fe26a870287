/** Prints docs/cookbook.md: every formula of `examples/formulas`, with its cases. */
import { readFileSync } from "node:fs";
import { Either, Schema } from "effect";
import { CalendarDate, Currency, Explanation } from "quittance";
import { decode, explain, type Facts, print as printText } from "quittance/formula";
import {
  type AccumulatingPlan,
  arrivals,
  type Case,
  facts,
  type Plan,
  prepare,
  type Sequence,
  type Step,
} from "../../examples/formulas/Plan.ts";
import { code, fenced, filled, json, table } from "./Markdown.ts";
import { accumulatingPlans, money, plans } from "./Plans.ts";
import * as teams from "./teams.ts";

/** The path of the page. */
export const file = "docs/cookbook.md";

const isValue = (input: object): boolean =>
  "value" in input && !("value" in input && typeof input.value === "object");

/** The windows of aggregates, as the index names them. */
const windowName = ({ window }: { readonly window: unknown }): string => {
  const { type, unit } = window as { readonly type: string; readonly unit?: string };
  const article = type === "anniversary" ? "an" : "a";
  return `${code("aggregate")} over ${article} ${type} ${unit ?? "window"}`;
};

/** The kinds of nodes in an expression as the index names them, without values and windows. */
const kindsIn = (input: unknown): ReadonlyArray<string> => {
  if (typeof input !== "object" || input === null) return [];
  if ("window" in input) {
    const { window, ...rest } = input;
    const own = [windowName({ window }), ...Object.values(rest).flatMap(kindsIn)];
    return [...new Set(own)];
  }
  const own = "type" in input && typeof input.type === "string" && !isValue(input) ? [code(input.type)] : [];
  return [...new Set([...own, ...Object.values(input).flatMap(kindsIn)])];
};

const index = (): string => {
  const simplestFirst = [...plans, ...accumulatingPlans].sort(
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
        kind,
        names
          .slice(0, 6)
          .map((name) => `[${name}](#${name})`)
          .join(", ") + (names.length > 6 ? ` and ${names.length - 6} more` : ""),
      ]),
  );
};

const source = ({ name, url, note }: Plan["source"]): string =>
  `Source: ${url === undefined ? name : `[${name}](${url})`}.${note === undefined ? "" : ` ${note}`}`;

const properties = (plan: Pick<Plan, "schema">): string =>
  table(
    ["Property", "Type", "Required", "Default"],
    plan.schema.properties.map((property) => [
      code(property.name),
      property.type,
      property.required ? "yes" : "no",
      property.default === undefined ? "" : code(JSON.stringify(property.default)),
    ]),
  );

const values = (sold: Case | Step): ReadonlyArray<string> =>
  Object.entries(sold.properties).map(([name, value]) => `${name} ${code(String(value))}`);

const working = (sold: Case | Step): string =>
  `${sold.working}${sold.note === undefined ? "" : ` *(${sold.note})*`}`;

const sale = (sold: Case): string =>
  [
    ...values(sold),
    ...(sold.created_at === undefined ? [] : [`on ${code(sold.created_at)}`]),
    ...(sold.agent_id === undefined ? [] : ["by an agent"]),
  ].join(", ");

const cases = (plan: Plan): string =>
  table(
    ["Sale", "Commission", "How it comes about"],
    plan.cases.map((sold) => [sale(sold), money(sold.expected, plan.currency), working(sold)]),
  );

/** The day of a step; with the time of day where the case depends on it. */
const moment = (occurredAt: string): string => code(occurredAt.replace(/T12:00:00Z$/, ""));

const step = (sold: Step, currency: string): ReadonlyArray<string> => [
  moment(sold.occurred_at),
  [...values(sold), ...(sold.times === undefined ? [] : [`${sold.times} times`])].join(", "),
  `${money(sold.expected, currency)}${sold.times === undefined ? "" : " each"}`,
  working(sold),
];

const sequence = (plan: AccumulatingPlan, shown: Sequence): string => {
  const total = arrivals(shown).reduce((sum, arrival) => sum + arrival.step.expected, 0);
  return `**${shown.title}**, in the order of arrival, ${money(total, plan.currency)} in all:\n\n${table(
    ["Occurred on", "Sale", "Commission", "How it comes about"],
    shown.steps.map((sold) => step(sold, plan.currency)),
  )}`;
};

/** The sentences that a partner reads about a sale. */
const sentences = (plan: Plan | AccumulatingPlan, sold: Facts, history: ReadonlyArray<Facts>): string => {
  const explanation = explain(Either.getOrThrow(prepare(plan)), sold, { history });
  const text = Explanation.sentences({
    currency: Schema.decodeSync(Currency.Currency)(plan.currency),
    occurredOn: CalendarDate.dateOf(sold.occurredAt),
    formula: {
      name: plan.title,
      startDatetime: 0,
      endDatetime: null,
      versions: [{ expression: Either.getOrThrow(decode(plan.expression)), effectiveDatetime: null }],
    },
    basis: "evaluated",
    formulaVersion: 1,
    explanation,
  });
  return text
    .split("\n")
    .map((line) => `> ${line}`)
    .join("<br>\n");
};

/** The explanation of the last sale that the section shows. */
const explained = (plan: Plan | AccumulatingPlan): string => {
  const intro = "The explanation that the partner gets for the last of these sales:";
  if ("cases" in plan) {
    const last = plan.cases.at(-1) ?? plan.cases[0];
    return `${intro}\n\n${sentences(plan, facts(last), [])}`;
  }
  const shown = plan.sequences.at(-1) ?? plan.sequences[0];
  const last = arrivals(shown).at(-1);
  return last === undefined ? "" : `${intro}\n\n${sentences(plan, last.facts, last.history)}`;
};

const section = (name: string, plan: Plan | AccumulatingPlan): string =>
  [
    `<a id="${name}"></a>\n\n### ${plan.title}`,
    plan.summary,
    source(plan.source),
    fenced("formula", text(plan)),
    properties(plan),
    ...("cases" in plan ? [cases(plan)] : plan.sequences.map((shown) => sequence(plan, shown))),
    explained(plan),
    `<details><summary>The same in nodes, for ${plan.currency}: <code>${path(name, plan)}</code></summary>`,
    fenced("json", json(plan.expression)),
    "</details>",
  ].join("\n\n");

const text = (plan: Plan | AccumulatingPlan): string => printText(Either.getOrThrow(decode(plan.expression)));

const path = (name: string, plan: Plan | AccumulatingPlan): string =>
  `examples/formulas/${"cases" in plan ? "" : "accumulating/"}${name}.json`;

/** The page: the template with the index and every formula. */
export const print = (): string => {
  const parts: Readonly<Record<string, () => string>> = {
    count: () => String(plans.size + accumulatingPlans.size + teams.teams.size),
    index,
    plans: () => [...plans].map(([name, plan]) => section(name, plan)).join("\n\n"),
    teams: () => teams.print(source),
    accumulating: () => [...accumulatingPlans].map(([name, plan]) => section(name, plan)).join("\n\n"),
  };
  return filled(readFileSync(new URL("./cookbook.md", import.meta.url), "utf8"), (name) => parts[name]?.());
};
