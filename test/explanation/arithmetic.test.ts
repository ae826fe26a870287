import { expect, it } from "vitest";
import { number, orderValue, percent, property, sentencesOf } from "./sale.ts";

const units = property("units");
const tenPercent = { type: "multiply", operands: [percent(10), orderValue] };

it("writes every number as it was given, whatever its place", () => {
  expect(
    sentencesOf({ type: "multiply", operands: [percent(10), orderValue, number(100)] }).calculation,
  ).toBe("10 % of 12,345 (order value) × 100 = 123,450");
});

it.each(["units", "price", "days"])("writes a number as it was given, though it is named %s", (name) => {
  const sale = { declared: [{ name, type: "number", required: true }], properties: { [name]: 3 } } as const;
  const { calculation } = sentencesOf({ type: "multiply", operands: [property(name), number(5)] }, sale);
  expect(calculation).toBe(`3 (${name}) × 5 = 15`);
});

it("omits additions of 0 and multiplications by 1", () => {
  const half = { type: "multiply", operands: [percent(50), orderValue, number(1)] };
  expect(sentencesOf({ type: "add", operands: [half, number(0)] }).calculation).toBe(
    "50 % of 12,345 (order value) = 6,172.5, rounded to 6,173",
  );
});

it("states the amount without a limit when the limit applies", () => {
  const most = { type: "min", operands: [orderValue, number(10_000)] };
  expect(sentencesOf(most)).toEqual({
    calculation: "10,000",
    reasons: ["The most is 10,000; without this limit it would be 12,345 (order value)."],
  });
});

it("writes a negative term of a sum as a subtraction", () => {
  const sum = { type: "add", operands: [orderValue, number(100), number(-45)] };
  expect(sentencesOf(sum).calculation).toBe("12,345 (order value) + 100 − 45 = 12,400");
});

it("writes a sum of nothing but zeros as 0", () => {
  expect(sentencesOf({ type: "add", operands: [number(0), number(0)] }).calculation).toBe("0");
});

it("puts the subtrahend in parentheses when it is a sum or a difference", () => {
  const rest = { type: "subtract", left: orderValue, right: number(100) };
  expect(sentencesOf({ type: "subtract", left: orderValue, right: rest }).calculation).toBe(
    "12,345 (order value) − (12,345 (order value) − 100) = 100",
  );
});

it("omits a subtrahend of 0", () => {
  const difference = { type: "subtract", left: orderValue, right: number(0) };
  expect(sentencesOf(difference).calculation).toBe("12,345 (order value)");
});

it("keeps a minuend of 0, which shows that the amount is negated", () => {
  const negated = { type: "subtract", left: number(0), right: orderValue };
  expect(sentencesOf(negated).calculation).toBe("0 − 12,345 (order value) = −12,345");
});

it("omits a divisor of 1", () => {
  const quotient = { type: "divide", left: orderValue, right: number(1) };
  expect(sentencesOf(quotient).calculation).toBe("12,345 (order value)");
});

it("puts what a rate applies to in parentheses when it is a sum", () => {
  const base = { type: "add", operands: [orderValue, number(55)] };
  expect(sentencesOf({ type: "multiply", operands: [percent(10), base] }).calculation).toBe(
    "10 % of (12,345 (order value) + 55) = 1,240",
  );
});

it("writes a rate of a rate as a share of a share", () => {
  const rates = { type: "multiply", operands: [percent(10), percent(50), orderValue] };
  expect(sentencesOf(rates).calculation).toBe(
    "10 % of 50 % of 12,345 (order value) = 617.25, rounded to 617",
  );
});

it("states the amount without a lower limit when that limit applies", () => {
  const onePercent = { type: "multiply", operands: [percent(1), orderValue] };
  expect(sentencesOf({ type: "max", operands: [onePercent, number(500)] })).toEqual({
    calculation: "500",
    reasons: ["The least is 500; without this limit it would be 1 % of 12,345 (order value) = 123.45."],
  });
});

it.each([
  { type: "min", limit: 20_000 },
  { type: "max", limit: 12_345 },
])("omits a limit of $limit that changes nothing ($type)", ({ type, limit }) => {
  expect(sentencesOf({ type, operands: [orderValue, number(limit)] })).toEqual({
    calculation: "12,345 (order value)",
    reasons: [],
  });
});

it("names the other value where the lower of two calculations applies", () => {
  const price = { type: "multiply", operands: [units, number(250)] };
  expect(sentencesOf({ type: "min", operands: [orderValue, price] })).toEqual({
    calculation: "3 (units) × 250 = 750",
    reasons: ["750 is the lower value; the other is 12,345 (order value)."],
  });
});

it("names the other value where the higher of two calculations applies", () => {
  const price = { type: "multiply", operands: [units, number(250)] };
  expect(sentencesOf({ type: "max", operands: [orderValue, price] })).toEqual({
    calculation: "12,345 (order value)",
    reasons: ["12,345 is the higher value; the other is 3 (units) × 250 = 750."],
  });
});

it.each([
  { mode: "half_even", calculation: "10 % of 12,345 (order value), rounded, halves to even, to 1,234" },
  { mode: "down", calculation: "10 % of 12,345 (order value), rounded down to 1,234" },
])("states the mode of a rounding: $mode", ({ mode, calculation }) => {
  expect(sentencesOf({ type: "round", mode, operand: tenPercent }).calculation).toBe(calculation);
});

it("omits a rounding that changes nothing", () => {
  expect(sentencesOf({ type: "round", mode: "up", operand: orderValue }).calculation).toBe(
    "12,345 (order value)",
  );
});

it("puts a multiple of a rate in parentheses", () => {
  const rate = { type: "multiply", operands: [percent(10), number(2)] };
  expect(sentencesOf({ type: "multiply", operands: [rate, orderValue] }).calculation).toBe(
    "(10 % × 2) of 12,345 (order value) = 2,469",
  );
});

it.each([
  ["half_up", "rounded to −1,235"],
  ["half_down", "rounded, halves down, to −1,234"],
  ["half_even", "rounded, halves to even, to −1,234"],
  ["up", "rounded away from zero to −1,235"],
  ["down", "rounded towards zero to −1,234"],
  ["ceiling", "rounded up to −1,234"],
  ["floor", "rounded down to −1,235"],
])("names the rounding %s of a negative amount", (mode, expected) => {
  const negative = { type: "multiply", operands: [number(-1), tenPercent] };
  expect(sentencesOf({ type: "round", operand: negative, mode }).calculation).toBe(
    `−1 × 10 % of 12,345 (order value), ${expected}`,
  );
});

it("adds a default below zero, and takes it away, by its absolute value", () => {
  const fee = property("fee");
  expect(sentencesOf({ type: "add", operands: [orderValue, fee] }).calculation).toBe(
    "12,345 (order value) − 250 (fee, by default) = 12,095",
  );
  expect(sentencesOf({ type: "subtract", left: orderValue, right: fee }).calculation).toBe(
    "12,345 (order value) + 250 (fee, by default) = 12,595",
  );
});

it("states the result of a calculation that begins with the same number", () => {
  const declared = [{ name: "profit", type: "number", required: true }] as const;
  const nothing = { type: "multiply", operands: [property("profit"), number(3)] };
  const { calculation } = sentencesOf(nothing, { declared, properties: { profit: 0 } });
  expect(calculation).toBe("0 (profit) × 3 = 0");
});
