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

/** The progress after a sale that followed others of these values in the same month. */
const progress = (expression: object, sale: Sale = MONEY, earlier: ReadonlyArray<number> = []) => {
  const explanation = explanationOf(traceOf(expression, sale, earlier), 2);
  if (explanation === null) throw new Error("there is a trace");
  return progressOf(explanation);
};

const up = (value: number) => ({ type: "number", value });
const TIERS = [
  { up_to: up(5_000), rate: percent(5) },
  { up_to: up(10_000), rate: percent(7) },
  { rate: percent(8) },
];
const salesOfMonth = {
  ...{ type: "aggregate", function: "sum", value: orderValue },
  window: { type: "calendar", unit: "month" },
};
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
      days: null,
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

  it("in tiers that count earlier sales says which days it counts", () => {
    const counting = { ...tiers, offset: salesOfMonth };
    expect(progress(counting, MONEY, [1_500, 1_000])).toMatchObject({
      position: { value: "5500" },
      limit: { value: "10000" },
      missing: { value: "4500" },
      days: ["1970-01-01", "1970-01-31"],
    });
  });

  it("in bands is the number of sales that chooses one, also by way of variables", () => {
    const month = { type: "calendar", unit: "month" };
    const bandOf = (input: object) => ({
      type: "band",
      input,
      bands: [
        { up_to: up(2), value: percent(5) },
        { up_to: up(4), value: percent(6) },
        { value: percent(8) },
      ],
    });
    const count = { type: "aggregate", function: "count", window: month };
    const variable = (name: string) => ({ type: "variable", name });
    const counted = { type: "multiply", operands: [orderValue, bandOf(count)] };
    const bindings = [
      { name: "before_it", value: count },
      { name: "with_it", value: { type: "add", operands: [variable("before_it"), number(1)] } },
    ];
    const body = { type: "multiply", operands: [orderValue, bandOf(variable("with_it"))] };
    expect(progress(counted, MONEY, [1, 1, 1])).toMatchObject({
      position: { value: "3" },
      limit: { value: "4" },
      missing: { value: "1" },
      rate: { value: "0.06", unit: "share" },
      days: ["1970-01-01", "1970-01-31"],
    });
    expect(progress({ type: "let", bindings, body }, MONEY, [1, 1])).toMatchObject({
      position: { value: "3" },
      missing: { value: "1" },
      days: ["1970-01-01", "1970-01-31"],
    });
  });

  it("is none in tiers and bands of a single sale, which nobody comes further in", () => {
    const { offset: _, ...single } = tiers;
    expect(progress(single)).toBeNull();
    const band = {
      type: "band",
      input: orderValue,
      bands: [{ up_to: up(5_000), value: percent(5) }, { value: percent(6) }],
    };
    expect(progress({ type: "multiply", operands: [orderValue, band] })).toBeNull();
  });

  it("is none without tiers, and after a refund", () => {
    expect(progress({ type: "multiply", operands: [orderValue, percent(10)] })).toBeNull();
    expect(progress(number(5))).toBeNull();
    const refund = { ...MONEY, properties: { order_value: -5_000, before: 4_000 } };
    expect(progress(tiers, refund)).toBeNull();
  });
});
