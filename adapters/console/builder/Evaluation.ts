/** A formula on sample sales, computed in the page by the engine's own language. */
import {
  type Compiled,
  type Explanation,
  evaluate,
  explain,
  type Facts,
  type ParametersInForce,
  type PropertyDefinition,
  type PropertyValue,
  totalsBefore,
} from "quittance/formula";
import { unitsOf } from "../format/Money.ts";

/** One sale. Its values are texts as typed; an empty one is absent. */
export interface Sample {
  readonly date: string;
  readonly values: Readonly<Record<string, string>>;
  /** What the sellers below earn from it, in units of the currency; absent and empty where nothing is typed. */
  readonly sellers?: string;
}

/** What samples have: the properties of their schema, and values of parameters. */
export interface Tried {
  readonly properties: ReadonlyArray<PropertyDefinition>;
  readonly tried: ParametersInForce;
  /** The currency of what sellers earn; null where the formula does not read it. */
  readonly sellersIn: string | null;
}

const NIL = "00000000-0000-0000-0000-000000000000";

/** The value of a property as typed; a text says what is wrong with it. */
const readValue = (
  { name, type }: PropertyDefinition,
  text: string,
): PropertyValue | { readonly problem: string } => {
  switch (type) {
    case "string":
      return text;
    case "boolean":
      return text === "true";
    case "number": {
      const value = Number(text);
      return text.trim() === "" || !Number.isFinite(value) || Math.abs(value) > 1e15
        ? { problem: `${name}: must be a number` }
        : value;
    }
  }
};

/** What the sellers of a sample earn, where the formula reads it. */
const readSellers = (
  { sellers = "" }: Sample,
  { sellersIn }: Tried,
): Pick<Facts, "sellersCommission"> | { readonly problem: string } => {
  if (sellersIn === null) return {};
  if (sellers.trim() === "") return { problem: "what the sellers earn: is required" };
  // What sellers earn from a refund is negative.
  const [, sign, digits = ""] = /^\s*([-−]?)(.*)$/.exec(sellers) ?? [];
  const amount = unitsOf(digits, sellersIn);
  return amount === null
    ? { problem: "what the sellers earn: must be an amount" }
    : { sellersCommission: BigInt(sign === "" ? amount : -amount) };
};

/** The facts of a sample, or what is wrong with it. */
export const factsOf = (
  sample: Sample,
  basis: Tried,
  arrival: number,
): Facts | { readonly problem: string } => {
  const { date, values } = sample;
  const { properties, tried } = basis;
  const read: Record<string, PropertyValue> = {};
  for (const property of properties) {
    const text = values[property.name] ?? "";
    if (text === "") {
      if (property.required) return { problem: `${property.name}: is required` };
      continue;
    }
    const value = readValue(property, text);
    if (typeof value === "object") return value;
    read[property.name] = value;
  }
  const occurredAt = Date.parse(date.length === 10 ? `${date}T12:00:00Z` : date);
  if (Number.isNaN(occurredAt)) return { problem: "date: must be a date" };
  const ofSellers = readSellers(sample, basis);
  if ("problem" in ofSellers) return ofSellers;
  return {
    id: NIL,
    partnerId: NIL,
    customerId: NIL,
    workspaceId: NIL,
    schemaId: NIL,
    agentId: null,
    createdAt: occurredAt + arrival,
    occurredAt,
    properties: read,
    parameters: tried,
    ...ofSellers,
  };
};

/** The amount of a sample with its derivation, or what is wrong. */
export type Outcome = { readonly explanation: Explanation } | { readonly problem: string };

/** Every sample in order of arrival, each with those before it as its history. */
export const evaluateAll = (
  compiled: Compiled,
  samples: ReadonlyArray<Sample>,
  basis: Tried,
): ReadonlyArray<Outcome> => {
  const history: Array<Facts> = [];
  return samples.map((sample, index) => {
    const facts = factsOf(sample, basis, index);
    if ("problem" in facts) return facts;
    const explanation = explain(compiled, facts, { history: [...history] });
    history.push(facts);
    return { explanation };
  });
};

const amountIn = (result: Explanation["result"]): number | null =>
  result._tag === "Right" ? result.right : null;

/** The amount of an outcome; null where there is none. */
export const amountOf = (outcome: Outcome | undefined): number | null =>
  outcome === undefined || "problem" in outcome ? null : amountIn(outcome.explanation.result);

/** True where a formula reads what sellers earn, and nobody knows it of a sale. */
export const lacksSellers = ({ readsSellers }: Compiled, { sellersCommission }: Facts): boolean =>
  readsSellers && sellersCommission === undefined;

/** The amount of a sale after earlier sales, without a derivation, which takes many times as long; null where there is none. */
export const amountAfter = (
  compiled: Compiled,
  history: ReadonlyArray<Facts>,
  facts: Facts,
): number | null =>
  lacksSellers(compiled, facts)
    ? null
    : amountIn(evaluate(compiled, facts, totalsBefore(compiled.aggregates, history, facts)));

/** The points of a curve. */
const POINTS = 121;

/** Amounts of a sample while one number of it goes from 0 to twice its largest value among the samples. */
export const curveOf = (
  compiled: Compiled,
  {
    samples,
    chosen,
    basis,
  }: { readonly samples: ReadonlyArray<Sample>; readonly chosen: number; readonly basis: Tried },
  varied: string,
): { readonly positions: ReadonlyArray<number>; readonly amounts: ReadonlyArray<number> } => {
  const values = samples.map((sample) => Math.abs(Number(sample.values[varied] ?? 0)) || 0);
  const end = 2 * Math.max(1, ...values);
  const history = samples
    .slice(0, chosen)
    .map((sample, index) => factsOf(sample, basis, index))
    .filter((facts): facts is Facts => !("problem" in facts));
  const base = samples[chosen];
  const positions: Array<number> = [];
  const amounts: Array<number> = [];
  for (let index = 0; base !== undefined && index < POINTS; index++) {
    const at = Number(((end * index) / (POINTS - 1)).toPrecision(6));
    const facts = factsOf({ ...base, values: { ...base.values, [varied]: String(at) } }, basis, chosen);
    if ("problem" in facts) break;
    const amount = amountAfter(compiled, history, facts);
    if (amount === null) break;
    positions.push(at);
    amounts.push(amount);
  }
  return { positions, amounts };
};
