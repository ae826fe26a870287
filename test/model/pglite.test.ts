/** Random commands on the embedded store, in sequence and concurrently. */
import * as Pglite from "quittance/pglite";
import { runConcurrent, runModel } from "quittance/testing";
import { expect, it } from "vitest";

const COMMANDS = Number(process.env.MODEL_COMMANDS_PGLITE ?? 300);
const GROUPS = Number(process.env.MODEL_RACES_PGLITE ?? 8);
const SEED = Number(process.env.MODEL_SEED ?? 20_260_131);
const timeout = 3_600_000;

it(`agrees with the model on ${COMMANDS} random commands`, { timeout }, async () => {
  const options = { layer: Pglite.layer("memory"), seed: SEED, shared: true };
  const { commands } = await runModel({ ...options, commands: COMMANDS });
  expect(commands).toBeGreaterThanOrEqual(COMMANDS);
});

it(`finds a sequential order with the same results for ${GROUPS} groups of concurrent commands`, {
  timeout,
}, async () => {
  const options = { layer: Pglite.layer("memory"), seed: SEED, shared: true };
  const { interleavings } = await runConcurrent({ ...options, interleavings: GROUPS });
  expect(interleavings).toBeGreaterThanOrEqual(GROUPS);
});
