/** Runs with the same seed have the same ids, responses and interleavings. */

import { runConcurrent, runModel } from "quittance/testing";
import { expect, it } from "vitest";
import { layer } from "./memoryStore.ts";

const TIMES = 2;

it("has the same transcript of commands for the same seed, and another one for another seed", async () => {
  const transcript = async (seed: number) => (await runModel({ layer, seed, commands: 400 })).transcript;
  const transcripts = new Set<number>();
  for (let time = 0; time < TIMES; time++) transcripts.add(await transcript(5));
  expect(transcripts.size).toBe(1);
  expect(transcripts.has(await transcript(6))).toBe(false);
});

it("has the same transcript of interleavings for the same seed", async () => {
  const transcripts = new Set<number>();
  for (let time = 0; time < TIMES; time++) {
    transcripts.add(
      (await runConcurrent({ layer, isSynchronous: true, seed: 5, interleavings: 30 })).transcript,
    );
  }
  expect(transcripts.size).toBe(1);
});
