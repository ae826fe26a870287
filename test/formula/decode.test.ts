import { Either } from "effect";
import { decode, formatProblem, Limits } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { computed } from "../support/computed.ts";
import { expression, random } from "./RandomFormula.ts";

const problem = (input: unknown): string =>
  Either.match(decode(input), { onLeft: formatProblem, onRight: () => "accepted" });

const one = { type: "literal", value: { type: "number", value: 1 } };
const value = (type: string, content: unknown) => ({ type: "literal", value: { type, value: content } });
const parsed = (json: string): unknown => JSON.parse(json);

/** Expressions nested so many nodes deep, the innermost a literal. */
const nested = (depth: number): unknown => {
  let node: unknown = one;
  for (let level = 1; level < depth; level++) node = { type: "add", operands: [node] };
  return node;
};

describe("decode", () => {
  it("returns a value equal to the input, keys in the same order", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const r = random(seed);
      const input: unknown = parsed(JSON.stringify(expression(r, "number", r.integer(1, 6))));
      const decoded = decode(input);
      if (Either.isRight(decoded)) expect(JSON.stringify(decoded.right)).toBe(JSON.stringify(input));
      else expect(decoded.left.message).toMatch(/nodes|bytes/);
    }
    const reordered = '{"value":{"value":1,"type":"number"},"type":"literal"}';
    expect(JSON.stringify(Either.getOrThrow(decode(parsed(reordered))))).toBe(reordered);
  });

  it("returns a copy, and replaces -0 by 0", () => {
    const input = { type: "literal", value: { type: "number", value: -0 } };
    const decoded = Either.getOrThrow(decode(input));
    input.value.value = 7;
    expect(decoded).toStrictEqual({ type: "literal", value: { type: "number", value: 0 } });
  });

  it("ignores keys whose value is undefined", () => {
    expect(Either.getOrThrow(decode({ ...one, extra: undefined }))).toStrictEqual(one);
  });

  it("refuses every value that is not a node", () => {
    expect(problem(undefined)).toBe("$: must be a node, an object with a `type`, found nothing");
    expect(problem(null)).toBe("$: must be a node, an object with a `type`, found null");
    expect(problem([])).toBe("$: must be a node, an object with a `type`, found a list");
    expect(problem("amount * 2")).toBe("$: must be a node, an object with a `type`, found a string");
    expect(problem({})).toBe("$: lacks the key `type`, the name of a node");
    expect(problem({ type: 7 })).toBe("$: lacks the key `type`, the name of a node");
    expect(problem({ type: "power", left: one, right: one })).toMatch(
      /^\$\.type: `power` is not a node; known are /,
    );
    for (const name of ["__proto__", "constructor", "toString", "hasOwnProperty"])
      expect(problem({ type: name })).toMatch(/is not a node/);
  });

  it("names the path of the problem", () => {
    expect(problem({ type: "add", operands: [one, { type: "subtract", left: one }] })).toBe(
      "$.operands.1: lacks the key `right`",
    );
    expect(problem({ type: "add", operands: [one, { type: "not", operand: one, extra: 1 }] })).toBe(
      "$.operands.1: has an unknown key `extra`",
    );
    expect(problem({ type: "add", operands: one })).toBe("$.operands: must be a list, found an object");
    expect(problem({ type: "add", operands: [] })).toBe("$.operands: must not be empty");
    expect(problem({ type: "round", operand: one, mode: "bankers" })).toBe(
      "$.mode: must be one of half_up, half_down, half_even, up, down, ceiling, floor, found `bankers`",
    );
    expect(problem({ type: "property", name: "" })).toBe("$.name: must not be empty");
    expect(problem({ type: "not", operand: undefined })).toBe("$: lacks the key `operand`");
    expect(problem({ type: "band", input: one, bands: [{ type: "x", value: one }] })).toBe(
      "$.bands.0: has an unknown key `type`",
    );
    expect(problem({ ...one, ["x".repeat(40)]: 1 })).toBe(`$: has an unknown key \`${"x".repeat(40)}\``);
    expect(problem({ ...one, ["x".repeat(41)]: 1 })).toBe(`$: has an unknown key \`${"x".repeat(40)}…\``);
    expect(problem({ type: "property", name: 3 })).toBe("$.name: must be a text, found a number");
    expect(problem({ type: "attribute", name: "amount" })).toMatch(
      /^\$\.name: must be one of id, partner_id/,
    );
    expect(problem({ type: "band", input: one, bands: [{ up_to: 10, value: one }] })).toMatch(
      /^\$\.bands\.0\.up_to: must be a value such as/,
    );
    expect(problem({ type: "band", input: one, bands: [7] })).toBe(
      "$.bands.0: must be an object, found a number",
    );
    expect(
      problem({
        type: "band",
        input: one,
        bands: [{ up_to: { type: "date", value: "2026-01-01" }, value: one }, { value: one }],
      }),
    ).toBe("$.bands.0.up_to.type: must be one of number, percent, basis_points");
    expect(problem({ type: "let", bindings: [{ name: "net", value: { type: "literal" } }], body: one })).toBe(
      "$.bindings.0.value: lacks the key `value`",
    );
  });

  it("refuses values that are out of range or of another type", () => {
    expect(problem(value("number", "12"))).toBe("$.value.value: must be a number, found a string");
    expect(problem(value("number", null))).toBe("$.value.value: must be a number, found null");
    expect(problem(value("number", Number.NaN))).toBe("$.value.value: must be a finite number");
    expect(problem(parsed('{"type":"literal","value":{"type":"number","value":1e400}}'))).toBe(
      "$.value.value: must be a finite number",
    );
    expect(
      problem(parsed('{"type":"literal","value":{"type":"number","value":0.1234567890123456}}')),
    ).toMatch(/^\$\.value\.value: must have at most 15 significant digits/);
    expect(problem(value("percent", 1e16))).toBe("$.value.value: must lie between -10^15 and 10^15");
    expect(problem(value("basis_points", 1e-13))).toBe("$.value.value: must have at most 12 decimals");
    expect(problem(value("boolean", 1))).toBe("$.value.value: must be true or false, found a number");
    expect(problem(value("date", "2026-02-30"))).toMatch(/^\$\.value\.value: must be a date/);
    expect(problem(value("date", 0))).toBe("$.value.value: must be a text, found a number");
    expect(problem(value("money", 1))).toMatch(/^\$\.value\.type: must be one of number, percent/);
    expect(problem(value("__proto__", 1))).toMatch(/^\$\.value\.type: must be one of/);
    expect(problem({ type: "literal", value: { type: "number" } })).toBe("$.value: lacks the key `value`");
    expect(problem({ type: "literal", value: { type: "number", value: 1, unit: "EUR" } })).toBe(
      "$.value: has an unknown key `unit`",
    );
  });

  it("accepts texts that every store can hold, up to the length limit", () => {
    expect(problem(value("string", ""))).toBe("accepted");
    expect(problem(value("string", "é漢😀"))).toBe("accepted");
    expect(problem(value("string", "😀".repeat(Limits.CHARACTERS_MAX)))).toBe("accepted");
    expect(problem(value("string", "😀".repeat(Limits.CHARACTERS_MAX + 1)))).toBe(
      "$.value.value: must have at most 256 characters",
    );
    expect(problem(value("string", "x".repeat(100_000)))).toBe(
      "$.value.value: must have at most 256 characters",
    );
    for (const broken of ["a\u0000", "\ud800", "\udc00a", "\ud83d"])
      expect(problem(value("string", broken))).toBe(
        "$.value.value: must not contain U+0000 or half of a surrogate pair",
      );
    expect(
      problem({ type: "text_match", operator: "contains", operand: value("string", "a"), text: "" }),
    ).toBe("$.text: must not be empty");
  });

  it("refuses keys of Object.prototype and ignores inherited ones", () => {
    for (const key of ["__proto__", "constructor", "prototype", "toString"]) {
      const json = `{"type":"literal","value":{"type":"number","value":1},"${key}":{"type":"x"}}`;
      expect(problem(parsed(json))).toBe(`$: has an unknown key \`${key}\``);
      const inside = `{"type":"literal","value":{"type":"number","value":1,"${key}":1}}`;
      expect(problem(parsed(inside))).toBe(`$.value: has an unknown key \`${key}\``);
    }
    expect(problem(Object.create({ type: "literal", value: { type: "number", value: 1 } }))).toMatch(
      /lacks the key/,
    );
    expect(problem({ [`x${"y".repeat(5000)}`]: 1, ...one }).length).toBeLessThan(120);
  });

  it("accepts a formula at each limit and refuses one above it", () => {
    expect(problem(nested(Limits.DEPTH_MAX))).toBe("accepted");
    expect(problem(nested(Limits.DEPTH_MAX + 1))).toBe("$: the formula is nested deeper than 32 nodes");

    const wide = (items: number) => ({ type: "add", operands: Array.from({ length: items }, () => one) });
    expect(problem(wide(Limits.OPERANDS_MAX))).toBe("accepted");
    expect(problem(wide(Limits.OPERANDS_MAX + 1))).toBe("$.operands: must have at most 100 items");

    const count = (nodes: number) => ({
      type: "add",
      operands: Array.from({ length: 11 }, (_, index) => wide(index === 10 ? nodes - 912 : 90)),
    });
    expect(problem(count(Limits.NODES_MAX))).toBe("accepted");
    expect(problem(count(Limits.NODES_MAX + 1))).toBe("$: the formula has more than 1000 nodes");

    const bindings = (length: number) => ({
      type: "let",
      bindings: Array.from({ length }, (_, index) => ({ name: `n${index}`, value: one })),
      body: one,
    });
    expect(problem(bindings(Limits.BINDINGS_MAX))).toBe("accepted");
    expect(problem(bindings(Limits.BINDINGS_MAX + 1))).toBe("$.bindings: must have at most 32 items");

    const members = (length: number) => ({
      type: "in",
      operand: one,
      values: Array.from({ length }, (_, index) => ({ type: "number", value: index })),
    });
    expect(problem(members(Limits.ENTRIES_MAX))).toBe("accepted");
    expect(problem(members(Limits.ENTRIES_MAX + 1))).toBe("$.values: must have at most 1000 items");
  });

  it("counts the bytes of the formula as compact JSON exactly", () => {
    const texts = (lengths: ReadonlyArray<number>) => ({
      type: "in",
      operand: value("string", 'é\n"漢😀\u007f\u0080\u07ff\u0800\uffff\u{10000}'),
      values: lengths.map((length) => ({ type: "string", value: "x".repeat(length) })),
    });
    const size = (input: unknown): number => Buffer.byteLength(JSON.stringify(input));
    const lengths = [0];
    while (size(texts([...lengths, 200])) <= Limits.BYTES_MAX) lengths.push(200);
    const room = Limits.BYTES_MAX - size(texts(lengths));
    for (const excess of [-2, -1, 0, 1, 2]) {
      const input = texts([room + excess, ...lengths.slice(1)]);
      expect(size(input)).toBe(Limits.BYTES_MAX + excess);
      expect(problem(input)).toBe(
        excess <= 0 ? "accepted" : "$: the formula is larger than 65536 bytes of JSON",
      );
    }
  });

  it("returns quickly for hostile input", () => {
    const started = computed();
    let deep: unknown = one;
    for (let level = 0; level < 10_000; level++) deep = { type: "not", operand: deep };
    expect(problem(deep)).toBe("$: the formula is nested deeper than 32 nodes");
    let lists: unknown = [];
    for (let level = 0; level < 10_000; level++) lists = [lists];
    expect(problem({ type: "add", operands: lists })).toMatch(/^\$\.operands\.0: must be a node/);
    expect(problem({ type: "add", operands: Array.from({ length: 1_000_000 }, () => one) })).toBe(
      "$.operands: must have at most 100 items",
    );
    expect(problem(parsed(`{"type":"${"a".repeat(1_000_000)}"}`)).length).toBeLessThan(700);
    expect(computed() - started).toBeLessThan(2_000);
  });
});
