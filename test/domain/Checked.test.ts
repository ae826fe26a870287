import { Schema } from "effect";
import { Checked } from "quittance";
import { describe, expect, it } from "vitest";

const schema = Schema.Struct({ a: Schema.Number });
const other = Schema.Struct({ a: Schema.Number });

describe("a value that a decoder marks", () => {
  it("is known to satisfy that schema, and no other", () => {
    const value = Checked.mark({ a: 1 }, schema);
    expect(Checked.isMarked(value, schema)).toBe(true);
    expect(Checked.isMarked(value, other)).toBe(false);
    expect(Checked.isMarked({ a: 1 }, schema)).toBe(false);
  });

  it("looks as before, and its copies carry no mark", () => {
    const value = Checked.mark({ a: 1 }, schema);
    expect(JSON.stringify(value)).toBe('{"a":1}');
    expect(Reflect.ownKeys({ ...value })).toEqual(["a"]);
    expect(Checked.isMarked({ ...value }, schema)).toBe(false);
  });

  it("may be marked again, by another decoder", () => {
    const value = Checked.mark(Checked.mark({ a: 1 }, schema), other);
    expect(Checked.isMarked(value, other)).toBe(true);
  });

  it.each([undefined, null, 1, "text"])("is an object: %j passes unmarked", (value) => {
    expect(Checked.mark(value, schema)).toBe(value);
    expect(Checked.isMarked(value, schema)).toBe(false);
  });
});
