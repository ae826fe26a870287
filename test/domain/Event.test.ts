import { Event } from "quittance";
import { describe, expect, it } from "vitest";

describe("a log", () => {
  const evolve = (state: string | null, { at, actor, event }: Event.Entry<string>) =>
    `${state ?? ""}${event}${at}${actor}`;

  it("is folded in order, starting without a record", () => {
    const log = [
      { at: 1, actor: "x", event: "a" },
      { at: 2, actor: "y", event: "b" },
    ];
    expect(Event.fold(evolve, log)).toBe("a1xb2y");
    expect(Event.fold(evolve, [])).toBe(null);
  });

  it("never goes back in time: the next entry has the clock's time or that of the last entry", () => {
    expect(Event.nextAt(5, null)).toBe(5);
    expect(Event.nextAt(5, 4)).toBe(5);
    expect(Event.nextAt(5, 5)).toBe(5);
    expect(Event.nextAt(5, 6)).toBe(6);
  });

  it("is shown without the fields that only the fold needs", () => {
    expect(Event.withoutStored({ type: "t", total: 1, stored: { secret: 1 } })).toEqual({
      type: "t",
      total: 1,
    });
    expect(Event.withoutStored({ type: "t" } as { type: string; stored?: unknown })).toEqual({ type: "t" });
  });
});
