import { Json } from "quittance";
import { describe, expect, it } from "vitest";

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
])("%j equals %j", (a, b) => {
  expect(Json.sameJson(a, b)).toBe(true);
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
])("%j does not equal %j", (a, b) => {
  expect(Json.sameJson(a, b)).toBe(false);
});

describe("canonical JSON", () => {
  it.each([
    [{ b: 1, a: [true, null, "x"] }, '{"a":[true,null,"x"],"b":1}'],
    [
      { "\u20ac": 1, "\r": 2, "1": 3, "\u0080": 4, "\u00f6": 5, "\ud83d\ude00": 6, "\ufb33": 7 },
      '{"\\r":2,"1":3,"\u0080":4,"\u00f6":5,"\u20ac":1,"\ud83d\ude00":6,"\ufb33":7}',
    ],
    [[333333333.3333333, 1e30, 4.5, 2e-3, 1e-27, -0], "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]"],
    [{ text: '\u20ac$\u000f\nA\'B"\\"/' }, '{"text":"\u20ac$\\u000f\\nA\'B\\"\\\\\\"/"}'],
    [{ a: undefined, b: {} }, '{"b":{}}'],
    [[undefined, 1], "[null,1]"],
  ])("of %j has its members in order and no white space", (value, text) => {
    expect(Json.canonicalJson(value)).toBe(text);
  });
});
