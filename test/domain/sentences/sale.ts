/** The sentences on one sale, for the tests of what they consist of. */
import { Either } from "effect";
import { check, compile, decode, explain, type Facts } from "quittance/formula";
import { derivation } from "../../../src/domain/sentences/Derivation.ts";
import { type Step, stepsOf } from "../../../src/formula/Step.ts";

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
interface Sale {
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

/** The last step of an expression that is evaluated for a sale. */
export const stepOf = (expression: object, { declared, properties }: Sale = ORDER): Step => {
  const checked = Either.getOrThrow(
    Either.flatMap(decode(expression), (decoded) => check(decoded, declared)),
  );
  const [root] = stepsOf(explain(compile(checked), { ...SALE, properties }).trace);
  if (root === undefined) throw new Error("there is no trace");
  return root;
};

/** The sentences on a sale with an order value of 12345 and three units. */
export const sentencesOf = (expression: object) => {
  const { calculation, reasons } = derivation(stepOf(expression));
  return { calculation, reasons };
};
