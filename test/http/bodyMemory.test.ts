/** The memory of bodies: what a request holds, and a body that takes a multiple of its size. */
import { describe, expect, it } from "vitest";
import * as BodyMemory from "../../adapters/http/transport/BodyMemory.ts";

const KIB = 1024;
const FREE = 64 * KIB;

describe("a body that takes four times its size", () => {
  it("is counted four times", () => {
    const memory = BodyMemory.make(1_000 * KIB);
    const first = memory(4);
    expect(first.add(FREE + 100 * KIB)).toBe(true);
    const second = memory();
    expect([second.add(FREE + 600 * KIB), memory().add(FREE + 1)]).toEqual([true, false]);
    first.release();
    expect(memory(4).add(FREE + 100 * KIB)).toBe(true);
  });

  it("has all of the memory where four times its size is more than there is, and only when it is alone", () => {
    const memory = BodyMemory.make(1_000 * KIB);
    const other = memory();
    other.add(FREE + 1);
    expect(memory(4).add(FREE + 900 * KIB)).toBe(false);
    other.release();
    const large = memory(4);
    expect([large.add(FREE + 500 * KIB), large.add(400 * KIB)]).toEqual([true, true]);
    expect(memory().add(FREE + 1)).toBe(false);
    expect(large.add(101 * KIB)).toBe(false);
  });
});
