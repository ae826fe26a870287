import { Schema } from "effect";
import { Checked } from "quittance";
import { describe, expect, it } from "vitest";

const schema = Schema.Struct({ a: Schema.Number });
const other = Schema.Struct({ a: Schema.Number });

describe("a value that a decoder marks", () => {
  it("counts as valid for that schema and for no other", () => {
    const value = Checked.mark({ a: 1 }, schema);
    expect(Checked.isMarked(value, schema)).toBe(true);
    expect(Checked.isMarked(value, other)).toBe(false);
    expect(Checked.isMarked({ a: 1 }, schema)).toBe(false);
  });

  it("has the same visible fields, and its copies are not marked", () => {
    const value = Checked.mark({ a: 1 }, schema);
    expect(JSON.stringify(value)).toBe('{"a":1}');
    expect(Reflect.ownKeys({ ...value })).toEqual(["a"]);
    expect(Checked.isMarked({ ...value }, schema)).toBe(false);
  });

  it("can be marked by another decoder as well", () => {
    const value = Checked.mark(Checked.mark({ a: 1 }, schema), other);
    expect(Checked.isMarked(value, other)).toBe(true);
  });

  it.each([undefined, null, 1, "text"])("is always an object: %j is returned unmarked", (value) => {
    expect(Checked.mark(value, schema)).toBe(value);
    expect(Checked.isMarked(value, schema)).toBe(false);
  });
});
