import { expect, it } from "vitest";
import { type Arrival, compareArrivals, nextArrival } from "../../src/domain/Accumulation.ts";
import { AttributionId } from "../../src/domain/Ids.ts";

const arrival = (createdAt: number, id: string): Arrival => ({ createdAt, id: AttributionId.make(id) });

const LAST = arrival(1_000, "00000000-03e8-7000-8000-00000000000f");
const SMALLER = AttributionId.make("00000000-03e8-7000-8000-000000000001");
const GREATER = AttributionId.make("00000000-03e8-7000-8000-0000000000ff");

it("takes the moment of the clock where that is later than the last arrival", () => {
  expect(nextArrival(LAST, 2_000, () => SMALLER)).toEqual({ createdAt: 2_000, id: SMALLER });
  expect(nextArrival(null, 5, () => SMALLER)).toEqual({ createdAt: 5, id: SMALLER });
});

it("keeps the moment of the last arrival where the clock is not later, and decides by the id", () => {
  expect(nextArrival(LAST, 1_000, () => GREATER)).toEqual({ createdAt: 1_000, id: GREATER });
  expect(nextArrival(LAST, 900, () => SMALLER)).toEqual({
    createdAt: 1_000,
    id: "00000000-03e8-7000-8000-000000000010",
  });
});

it("is after the last arrival for a thousand attributions of one moment, and never ahead of it", () => {
  let last = LAST;
  for (let count = 0; count < 1_000; count++) {
    const next = nextArrival(last, 1_000, () => SMALLER);
    expect(compareArrivals(last, next)).toBeLessThan(0);
    expect(next.createdAt).toBe(1_000);
    last = next;
  }
});
