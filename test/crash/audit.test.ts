/** The audit itself: it must see a command that was acknowledged and is gone, and one that nobody asked for. */
import { Effect } from "effect";
import { layer as memory } from "quittance/memory";
import { Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { audit, auditDocuments } from "./Audit.ts";
import { type Intent, Journal, outcome } from "./Journal.ts";
import type { Answer } from "./Wire.ts";
import type { World } from "./World.ts";

const answered = (status: number, body: object | null = null, replayed = false): Answer => ({
  type: "answered",
  status,
  body,
  text: body === null ? "" : JSON.stringify(body),
  replayed,
});
const LOST: Answer = { type: "lost" };

/** Writes a command and the answers to it down, as if it had been sent. */
const noted = async (journal: Journal, intent: Intent, ...answers: ReadonlyArray<Answer>) => {
  const entry = journal.open(intent, { method: "POST", path: "anywhere", key: "a key" });
  for (const answer of answers) await journal.send(entry, () => Promise.resolve(answer));
  return entry;
};

/** A draft of two commissions that nobody's journal knows yet. */
const stage = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [700, 500]);
  const draft = yield* Scene.draft(
    scene,
    earned.map(({ commission }) => commission),
  );
  const world: World = { ...scene, token: "", earners: [], planId: null };
  const commissionIds = earned.map(({ commission }) => commission.id);
  const created: Intent = { type: "create_settlement", partnerId: scene.partnerId, commissionIds };
  return { world, draft, created, scene };
});

const seen = (
  write: (journal: Journal, staged: Effect.Effect.Success<typeof stage>) => Promise<unknown>,
): Promise<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const staged = yield* stage;
    const journal = new Journal();
    yield* Effect.promise(() => write(journal, staged));
    const { problems } = yield* audit(staged.world, journal);
    // The attributions of the scene are in no journal either; they are beside the point.
    return problems.filter((problem) => !problem.startsWith("attribution "));
  }).pipe(Effect.provide(memory), Effect.runPromise);

it("accepts acknowledged commands, and an unacknowledged command that is stored completely or not at all", async () => {
  const told = await seen((journal, { created, draft }) =>
    noted(journal, created, LOST, answered(201, { id: draft.id }, true)),
  );
  expect(told).toEqual([]);
  expect(await seen((journal, { created }) => noted(journal, created, LOST))).toEqual([]);
  const absent = await seen(async (journal, { created, draft }) => {
    await noted(journal, created, answered(201, { id: draft.id }));
    await noted(journal, { type: "settlement_event", id: draft.id, event: "approve_settlement" }, LOST);
  });
  expect(absent).toEqual([]);
});

it("finds an acknowledged command that is not stored", async () => {
  const problems = await seen(async (journal, { created, draft }) => {
    await noted(journal, created, answered(201, { id: draft.id }));
    await noted(
      journal,
      { type: "settlement_event", id: draft.id, event: "approve_settlement" },
      answered(200),
    );
    await noted(
      journal,
      { type: "create_attribution", reference: "sale-1", partnerId: draft.partnerId, occurredAt: null },
      answered(201, { id: "gone" }),
    );
  });
  expect(problems).toEqual([
    expect.stringContaining("lost: sale-1"),
    expect.stringContaining("lost: approve_settlement"),
  ]);
});

it("finds a refused command that is stored, and a settlement that was created twice", async () => {
  const refused = await seen((journal, { created }) => noted(journal, created, LOST, answered(409)));
  expect(refused).toEqual([expect.stringContaining("never asked for, or was made twice")]);
  const twice = await seen((journal, { created }) =>
    noted(journal, created, answered(201, { id: "another" })),
  );
  expect(twice).toHaveLength(2);
});

it("finds a repetition with another response, and an unexpected response", async () => {
  const problems = await seen(async (journal, { created, draft }) => {
    await noted(journal, created, answered(201, { id: draft.id }), answered(201, { id: "another" }, true));
    await noted(journal, { type: "cancel_attribution", id: "unknown" }, answered(500));
  });
  expect(problems).toEqual([
    expect.stringContaining("first, then"),
    expect.stringContaining("unforeseen answer"),
  ]);
});

it("finds a missing document", async () => {
  const problems = await Effect.gen(function* () {
    const { world, draft } = yield* stage;
    yield* Scene.pay(draft);
    const { books } = yield* audit(world, new Journal());
    return yield* auditDocuments(world, books);
  }).pipe(Effect.provide(memory), Effect.runPromise);
  expect(problems.toSorted()).toEqual([
    expect.stringContaining("invoice of"),
    expect.stringContaining("report of"),
  ]);
});

it("draws no conclusion from a refusal while an earlier response is missing", async () => {
  const journal = new Journal();
  const intent: Intent = { type: "cancel_attribution", id: "any" };
  expect(outcome(await noted(journal, intent, LOST))).toBe("unknown");
  expect(outcome(await noted(journal, intent, answered(503)))).toBe("unknown");
  expect(outcome(await noted(journal, intent, LOST, answered(409)))).toBe("refused");
});
