/** Concurrent commands in seeded interleavings on the memory store: responses and records equal those of some sequential order. */

import { runConcurrent } from "quittance/testing";
import { expect, it } from "vitest";
import { sized } from "../support/profile.ts";
import { layer } from "./memoryStore.ts";

const INTERLEAVINGS = Number(process.env.MODEL_INTERLEAVINGS ?? sized(500, 700, 20_000));
const SEED = Number(process.env.MODEL_SEED ?? 20_260_131);

it(`finds a sequential order with the same results for ${INTERLEAVINGS} groups of concurrent commands`, {
  timeout: 3_600_000,
}, async () => {
  const report = await runConcurrent({
    layer,
    isSynchronous: true,
    seed: SEED,
    interleavings: INTERLEAVINGS,
  });
  console.log(
    `seed ${SEED}: ${report.interleavings} interleavings, transcript ${report.transcript.toString(16)}, busy ${[
      ...report.outcomes,
    ]
      .filter(([name]) => name.endsWith(": busy"))
      .reduce((sum, [, times]) => sum + times, 0)}`,
  );
  expect(report.interleavings).toBeGreaterThanOrEqual(INTERLEAVINGS);
});
