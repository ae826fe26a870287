import { expect, it } from "vitest";
import { type Arrival, compareArrivals, nextArrival } from "../../src/domain/Accumulation.ts";
import { AttributionId } from "../../src/domain/Ids.ts";

const arrival = (createdAt: number, id: string): Arrival => ({ createdAt, id: AttributionId.make(id) });

const LAST = arrival(1_000, "00000000-03e8-7000-8000-00000000000f");
const SMALLER = AttributionId.make("00000000-03e8-7000-8000-000000000001");
const GREATER = AttributionId.make("00000000-03e8-7000-8000-0000000000ff");

it("an arrival has the time of the clock if that is later than the last arrival", () => {
  expect(nextArrival(LAST, 2_000, () => SMALLER)).toEqual({ createdAt: 2_000, id: SMALLER });
  expect(nextArrival(null, 5, () => SMALLER)).toEqual({ createdAt: 5, id: SMALLER });
});

it("an arrival has the time of the last arrival if the clock is not later, and a greater id", () => {
  expect(nextArrival(LAST, 1_000, () => GREATER)).toEqual({ createdAt: 1_000, id: GREATER });
  expect(nextArrival(LAST, 900, () => SMALLER)).toEqual({
    createdAt: 1_000,
    id: "00000000-03e8-7000-8000-000000000010",
  });
});

it("a thousand arrivals of one millisecond are ordered, and none has a later time", () => {
  let last = LAST;
  for (let count = 0; count < 1_000; count++) {
    const next = nextArrival(last, 1_000, () => SMALLER);
    expect(compareArrivals(last, next)).toBeLessThan(0);
    expect(next.createdAt).toBe(1_000);
    last = next;
  }
});
