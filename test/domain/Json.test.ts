import { Json } from "quittance";
import { expect, it } from "vitest";

it.each([
  [1, 1],
  ["a", "a"],
  [null, null],
  [
    { a: 1, b: [1, { c: null }] },
    { b: [1, { c: null }], a: 1 },
  ],
  [[], []],
  [{}, {}],
])("%j equals %j", (one, other) => {
  expect(Json.sameJson(one, other)).toBe(true);
});

it.each([
  [1, 2],
  [1, "1"],
  [null, {}],
  [{}, null],
  [{}, []],
  [[], {}],
  [
    [1, 2],
    [2, 1],
  ],
  [[1], [1, 2]],
  [[1, 2], [1]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { a: 1, b: 1 }],
  [{ a: 1, b: 1 }, { a: 1 }],
  [{ a: undefined }, { b: undefined }],
  [{ a: [1] }, { a: { 0: 1 } }],
  ["a", ["a"]],
])("%j does not equal %j", (one, other) => {
  expect(Json.sameJson(one, other)).toBe(false);
});
