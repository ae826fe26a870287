/** The audit must report an acknowledged command that is not stored, and a stored effect that no command requested. */
import { Effect } from "effect";
import { layer as memory } from "quittance/memory";
import { Build, Scene } from "quittance/testing";
import { expect, it } from "vitest";
import { audit, auditDocuments } from "./Audit.ts";
import { type Intent, Journal, outcome } from "./Journal.ts";
import type { RequestResult } from "./Wire.ts";
import type { World } from "./World.ts";

const response = (status: number, body: object | null = null, replayed = false): RequestResult => ({
  type: "response",
  status,
  body,
  text: body === null ? "" : JSON.stringify(body),
  replayed,
});
const LOST: RequestResult = { type: "lost" };

/** Adds a command with the given responses to the journal. */
const record = async (journal: Journal, intent: Intent, ...results: ReadonlyArray<RequestResult>) => {
  const entry = journal.open(intent, { method: "POST", path: "anywhere", key: "a key" });
  for (const result of results) await journal.send(entry, () => Promise.resolve(result));
  return entry;
};

/** Stores a draft of two commissions, which no journal contains yet. */
const createDraft = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(scene, [700, 500]);
  const draft = yield* Scene.draft(
    scene,
    earned.map(({ commission }) => commission),
  );
  const world: World = {
    ...{ ...scene, token: "", earners: [], uplines: [], linkIds: [] },
    ...{ planId: null, ratedPlanId: null },
  };
  const commissionIds = earned.map(({ commission }) => commission.id);
  const created: Intent = { type: "create_settlement", partnerId: scene.partnerId, commissionIds };
  return { world, draft, created, scene };
});

const problemsAfter = (
  write: (journal: Journal, staged: Effect.Effect.Success<typeof createDraft>) => Promise<unknown>,
): Promise<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const staged = yield* createDraft;
    const journal = new Journal();
    yield* Effect.promise(() => write(journal, staged));
    const { problems } = yield* audit(staged.world, journal);
    // The attributions of the scene are in no journal either; these tests are not about them.
    return problems.filter((problem) => !problem.startsWith("attribution "));
  }).pipe(Effect.provide(memory), Effect.runPromise);

it("accepts acknowledged commands, and an unacknowledged command that is stored completely or not at all", async () => {
  const complete = await problemsAfter((journal, { created, draft }) =>
    record(journal, created, LOST, response(201, { id: draft.id }, true)),
  );
  expect(complete).toEqual([]);
  expect(await problemsAfter((journal, { created }) => record(journal, created, LOST))).toEqual([]);
  const absent = await problemsAfter(async (journal, { created, draft }) => {
    await record(journal, created, response(201, { id: draft.id }));
    await record(journal, { type: "settlement_event", id: draft.id, event: "approve_settlement" }, LOST);
  });
  expect(absent).toEqual([]);
});

it("finds an acknowledged command that is not stored", async () => {
  const problems = await problemsAfter(async (journal, { created, draft }) => {
    await record(journal, created, response(201, { id: draft.id }));
    await record(
      journal,
      { type: "settlement_event", id: draft.id, event: "approve_settlement" },
      response(200),
    );
    await record(
      journal,
      { type: "create_attribution", reference: "sale-1", partnerId: draft.partnerId, occurredAt: null },
      response(201, { id: "gone" }),
    );
    await record(journal, { type: "set_values", partnerIds: [draft.partnerId], rate: 7 }, response(200));
  });
  expect(problems).toEqual([
    expect.stringContaining("lost: sale-1"),
    expect.stringContaining("lost: approve_settlement"),
    expect.stringContaining("lost: the rate 7"),
  ]);
});

it("finds changes of sales and links that are acknowledged and not stored", async () => {
  const lost = await problemsAfter(async (journal, { created, draft }) => {
    await record(journal, created, response(201, { id: draft.id }));
    const sale = Build.fresh.attribution();
    const changes: ReadonlyArray<readonly [Intent, RequestResult]> = [
      [{ type: "replace_sale", id: sale, reason: "price", credits: null }, response(201, { id: "newer" })],
      [{ type: "recredit_sale", id: sale, reason: "late" }, response(200, { added: 2, cancelled: 1 })],
      [{ type: "start_recredits", reason: "late", saleIds: [] }, response(201, { id: "run" })],
      [{ type: "create_link", start: "2026-01-01T00:00:00.001Z" }, response(201, { id: "link" })],
      [{ type: "end_link", id: "link", end: "2026-01-01T00:00:00.002Z" }, response(200)],
      // Nothing to change, and without a response: neither has to be stored.
      [{ type: "replace_sale", id: sale, reason: "none", credits: null }, response(200, { id: sale })],
      [{ type: "recredit_sale", id: sale, reason: "same" }, response(200, { added: 0, cancelled: 0 })],
      [{ type: "create_link", start: "2026-01-01T00:00:00.003Z" }, LOST],
    ];
    for (const [intent, result] of changes) await record(journal, intent, result);
  });
  expect(lost).toEqual([
    expect.stringContaining("lost: late: 1 acknowledged, 0 stored"),
    expect.stringContaining("lost: the price of"),
    expect.stringContaining("the response says 2 added, 1 cancelled; stored are 0 since, 0 cancelled"),
    expect.stringContaining("lost: the link from"),
    expect.stringContaining("lost: the end"),
  ]);
});

it("finds a refused command that is stored, and a settlement that was created twice", async () => {
  const refused = await problemsAfter((journal, { created }) =>
    record(journal, created, LOST, response(409)),
  );
  expect(refused).toEqual([expect.stringContaining("not requested, or was created twice")]);
  const twice = await problemsAfter((journal, { created }) =>
    record(journal, created, response(201, { id: "another" })),
  );
  expect(twice).toHaveLength(2);
});

it("finds a repetition with another response, and an unexpected response", async () => {
  const problems = await problemsAfter(async (journal, { created, draft }) => {
    await record(journal, created, response(201, { id: draft.id }), response(201, { id: "another" }, true));
    await record(journal, { type: "cancel_attribution", id: "unknown" }, response(500));
  });
  expect(problems).toEqual([
    expect.stringContaining("first, then"),
    expect.stringContaining("unexpected response"),
  ]);
});

it("finds a missing document", async () => {
  const problems = await Effect.gen(function* () {
    const { world, draft } = yield* createDraft;
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
  expect(outcome(await record(journal, intent, LOST))).toBe("unknown");
  expect(outcome(await record(journal, intent, response(503)))).toBe("unknown");
  expect(outcome(await record(journal, intent, LOST, response(409)))).toBe("refused");
});
