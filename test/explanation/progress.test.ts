/** How far a partner has come in the tiers or bands of its plan. */
import { explanationOf, progressOf } from "quittance/explanation";
import { describe, expect, it } from "vitest";
import { number, orderValue, percent, type Sale, traceOf } from "./sale.ts";

const MONEY: Sale = {
  declared: [
    { name: "order_value", type: "number", required: true, format: "money_minor" },
    { name: "before", type: "number", required: true, format: "money_minor" },
  ],
  properties: { order_value: 3_000, before: 4_000 },
};

const progress = (expression: object, sale: Sale = MONEY) => {
  const explanation = explanationOf(traceOf(expression, sale), 2);
  if (explanation === null) throw new Error("there is a trace");
  return progressOf(explanation);
};

const up = (value: number) => ({ type: "number", value });
const TIERS = [
  { up_to: up(5_000), rate: percent(5) },
  { up_to: up(10_000), rate: percent(7) },
  { rate: percent(8) },
];
const tiers = {
  type: "graduated",
  amount: orderValue,
  offset: { type: "property", name: "before" },
  tiers: TIERS,
};

describe("the progress of a partner", () => {
  it("in tiers is what was counted with the sale, and what is missing to the next tier", () => {
    expect(progress(tiers)).toEqual({
      position: { value: "7000", unit: "money" },
      limit: { value: "10000", unit: "money" },
      missing: { value: "3000", unit: "money" },
      rate: { value: "0.07", unit: "share" },
    });
  });

  it("in the last tier misses nothing", () => {
    const sale = { ...MONEY, properties: { order_value: 3_000, before: 40_000 } };
    expect(progress(tiers, sale)).toMatchObject({
      position: { value: "43000" },
      limit: null,
      missing: null,
      rate: { value: "0.08" },
    });
  });

  it("in bands is the number that chooses one", () => {
    const band = {
      type: "band",
      input: orderValue,
      bands: [{ up_to: up(5_000), value: percent(5) }, { value: percent(6) }],
    };
    expect(progress({ type: "multiply", operands: [orderValue, band] })).toMatchObject({
      position: { value: "3000" },
      limit: { value: "5000" },
      missing: { value: "2000" },
      rate: { value: "0.05", unit: "share" },
    });
  });

  it("is none without tiers, and after a refund", () => {
    expect(progress({ type: "multiply", operands: [orderValue, percent(10)] })).toBeNull();
    expect(progress(number(5))).toBeNull();
    const refund = { ...MONEY, properties: { order_value: -5_000, before: 4_000 } };
    expect(progress(tiers, refund)).toBeNull();
  });
});
