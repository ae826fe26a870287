/** Each planted bug still fits the sources; a run of all of them takes too long to find this out. */
import { describe, expect, it } from "vitest";
import { patched } from "../planted/Bundle.ts";
import { bugsNamed } from "../planted/bugs.ts";

describe("the text that a planted bug replaces", () => {
  it("occurs exactly once in its file", () => {
    const problems = bugsNamed([]).flatMap((bug) => {
      try {
        patched(bug);
        return [];
      } catch (problem) {
        return [String(problem)];
      }
    });
    expect(problems).toEqual([]);
  });
});
