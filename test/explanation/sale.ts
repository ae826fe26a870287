/** The sentences on one sale, for the tests of what they consist of. */
import { Either } from "effect";
import { explanationOf, type Language, sentencesOf as print, wordsIn } from "quittance/explanation";
import { check, compile, decode, explain, type Facts, type Trace } from "quittance/formula";

const SALE: Omit<Facts, "properties"> = {
  id: "1",
  partnerId: "2",
  customerId: "3",
  workspaceId: "4",
  schemaId: "5",
  agentId: null,
  createdAt: 0,
  occurredAt: 0,
};

/** The properties of a sale, and how its schema declares them. */
export interface Sale {
  readonly declared: Parameters<typeof check>[1];
  readonly properties: Facts["properties"];
}

const ORDER: Sale = {
  declared: [
    { name: "order_value", type: "number", required: true },
    { name: "units", type: "number", required: true },
    { name: "tier", type: "string", required: true },
    { name: "country", type: "string", required: true },
    { name: "own_rate", type: "number", required: false },
    { name: "fee", type: "number", required: false, default: -250 },
  ],
  properties: { order_value: 12_345, units: 3, tier: "7", country: "DK" },
};

export const property = (name: string) => ({ type: "property", name });
export const orderValue = property("order_value");
export const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
export const percent = (value: number) => ({ type: "literal", value: { type: "percent", value } });
export const text = (value: string) => ({ type: "literal", value: { type: "string", value } });

/** The trace of an expression that is evaluated for a sale, after others with these order values. */
export const traceOf = (
  expression: object,
  { declared, properties }: Sale = ORDER,
  earlier: ReadonlyArray<number> = [],
): Trace => {
  const history = earlier.map((order_value) => ({ ...SALE, properties: { ...properties, order_value } }));
  const checked = Either.getOrThrow(
    Either.flatMap(decode(expression), (decoded) => check(decoded, declared)),
  );
  return explain(compile(checked), { ...SALE, properties }, { history }).trace;
};

/** The sentences on a sale, by default with an order value of 12345 and three units, in a currency with two decimals. */
export const sentencesOf = (expression: object, sale: Sale = ORDER, language: Language = "en") => {
  const explanation = explanationOf(traceOf(expression, sale), 2);
  if (explanation === null) throw new Error("there is no trace");
  const { calculation, reasons } = print(explanation, wordsIn(language), { currency: "EUR", decimals: 2 });
  return { calculation, reasons };
};
