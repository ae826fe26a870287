/** What a long task has found is drawn at a pace, however fast its results follow each other. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { paced } from "../../adapters/console/importing/Paced.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("results that follow each other fast", () => {
  it("are shown once in each interval, with everything found until then", () => {
    const shown: Array<number> = [];
    const found = new Set<number>();
    const { report } = paced((size: number) => shown.push(size), 500);
    for (let result = 1; result <= 100; result++) {
      found.add(result);
      report(() => found.size);
      vi.advanceTimersByTime(20);
    }
    expect(shown).toEqual([25, 50, 75, 100]);
    vi.advanceTimersByTime(10_000);
    expect(shown).toHaveLength(4);
  });

  it("are shown at once at the end, and not a second time", () => {
    const shown: Array<string> = [];
    const { report, flush } = paced((words: string) => shown.push(words), 500);
    report(() => "the first");
    report(() => "the last");
    expect(shown).toEqual([]);
    flush();
    flush();
    vi.advanceTimersByTime(10_000);
    expect(shown).toEqual(["the last"]);
  });
});
