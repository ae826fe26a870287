/** Random commands on PostgreSQL, in sequence, and concurrently in whatever order the database runs them. */
import { Effect, Layer } from "effect";
import { SettlementMachine } from "quittance";
import * as Postgres from "quittance/postgres";
import { runConcurrent, runModel } from "quittance/testing";
import { expect, it } from "vitest";
import { database, PATIENT } from "../support/postgres.ts";

const COMMANDS = Number(process.env.MODEL_COMMANDS_POSTGRES ?? 5_000);
const GROUPS = Number(process.env.MODEL_RACES_POSTGRES ?? 100);
/** Transitions that 5,000 commands seldom take; `test/tax`, `test/http/documentFacts` and the run on the memory store take them in each run. */
const SELDOM = ["T7a", "T24a", "T25", "T26", "T27", "T31"];
const SEED = Number(process.env.MODEL_SEED ?? 20_260_139);
const timeout = 3_600_000;

const layer = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url, ...PATIENT }),
  ),
);

it(`agrees with the model on ${COMMANDS} random commands, through every row of the transition table`, {
  timeout,
}, async () => {
  const { commands, rows } = await runModel({ layer, seed: SEED, commands: COMMANDS, shared: true });
  expect(commands).toBeGreaterThanOrEqual(COMMANDS);
  const missed = SettlementMachine.TRANSITIONS.flatMap(({ row }) => (rows.has(row) ? [] : [row]));
  expect(missed.filter((row) => !SELDOM.includes(row))).toEqual([]);
});

it(`finds a sequential order with the same results for ${GROUPS} groups of concurrent commands`, {
  timeout,
}, async () => {
  const { interleavings } = await runConcurrent({ layer, seed: SEED, interleavings: GROUPS, shared: true });
  expect(interleavings).toBeGreaterThanOrEqual(GROUPS);
});
