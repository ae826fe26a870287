import { Event } from "quittance";
import { describe, expect, it } from "vitest";

describe("a log", () => {
  const evolve = (state: string | null, { at, actor, event }: Event.Entry<string>) =>
    `${state ?? ""}${event}${at}${actor}`;

  it("is folded in its order, beginning with nothing", () => {
    const log = [
      { at: 1, actor: "x", event: "a" },
      { at: 2, actor: "y", event: "b" },
    ];
    expect(Event.fold(evolve, log)).toBe("a1xb2y");
    expect(Event.fold(evolve, [])).toBe(null);
  });

  it("never goes back in time: the next entry is at the clock's time or at that of the last entry", () => {
    expect(Event.nextAt(5, null)).toBe(5);
    expect(Event.nextAt(5, 4)).toBe(5);
    expect(Event.nextAt(5, 5)).toBe(5);
    expect(Event.nextAt(5, 6)).toBe(6);
  });

  it("shows its events without what is stored for the fold alone", () => {
    expect(Event.shown({ type: "t", total: 1, stored: { secret: 1 } })).toEqual({ type: "t", total: 1 });
    expect(Event.shown({ type: "t" } as { type: string; stored?: unknown })).toEqual({ type: "t" });
  });
});
