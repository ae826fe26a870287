/**
 * Big computations let others in. Nothing here depends on how fast the machine is: each look at the clock takes one
 * millisecond of the test's own clock, and what is counted are turns of the event loop.
 */
import { Chunk, Effect, Either, Exit, Fiber, ManagedRuntime, Stream } from "effect";
import {
  Attributions,
  CommissionFormulas,
  Formula,
  Principal,
  Settlements,
  type Storage,
  TimeSlice,
} from "quittance";
import { Build, Scene } from "quittance/testing";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import * as Responses from "../../adapters/http/handlers/Responses.ts";
import { type Runner, rowsFromJson, type Statement } from "../../adapters/sql/Statement.ts";
import { withoutScope } from "../../adapters/sql/TenantScope.ts";
import * as ChangeSet from "../../adapters/sql/writing/ChangeSet.ts";
import * as Commit from "../../adapters/sql/writing/Commit.ts";
import { services } from "../http/Engine.ts";

const runtime = ManagedRuntime.make(services());
afterAll(() => runtime.dispose());

let now = 0;
beforeEach(() => {
  vi.spyOn(performance, "now").mockImplementation(() => ++now);
  return () => vi.restoreAllMocks();
});

/** Runs an effect; returns its result and the number of event-loop turns meanwhile. */
const turnsDuring = async <A>(
  run: () => Promise<A>,
): Promise<{ readonly gave: A; readonly turns: number }> => {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  const gave = await run();
  isOver = true;
  return { gave, turns };
};

/** Turns that so many items take at least, each a millisecond; half of what a slice of 1 ms makes of it. */
const turnsOf = (items: number): number => items / 2;

const LINES = 400;

const world = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(
    scene,
    Array.from({ length: LINES }, () => 1_200),
  );
  return { ...scene, earned, me: Principal.customer(scene.customerId) };
});

describe("the event loop has turns", () => {
  it.each(["create", "preview"] as const)("during %s of a big settlement", async (operation) => {
    const { customerId, workspaceId, partnerId, earned, me } = await runtime.runPromise(world);
    const settlements = await runtime.runPromise(Settlements.Settlements);
    const commissionIds = earned.map(({ commission }) => commission.id);
    const asked = { customerId, workspaceId, partnerId, commissionIds };
    const { turns } = await turnsDuring(() =>
      runtime.runPromise<unknown, unknown>(settlements[operation](me, asked)),
    );
    expect(turns).toBeGreaterThan(turnsOf(LINES));
  });

  it("during a simulation at its limit", async () => {
    const { schema, me, formula } = await runtime.runPromise(world);
    const formulas = await runtime.runPromise(CommissionFormulas.CommissionFormulas);
    const asked = {
      schemaId: schema.id,
      currency: Build.EUR,
      expression: Formula.currentExpression(formula, 0),
      samples: Array.from({ length: 100 }, (_, order_value) => ({ properties: { order_value } })),
    };
    const { gave, turns } = await turnsDuring(() => runtime.runPromise(formulas.simulate(me, asked)));
    expect(gave.map(({ result }) => Either.getOrThrow(result))).toEqual(
      asked.samples.map((_, value) => Math.round(value / 10)),
    );
    expect(turns).toBeGreaterThan(turnsOf(100));
  });

  it("during a batch at its limit", async () => {
    const { workspaceId, partnerId, schema, me } = await runtime.runPromise(world);
    const attributions = await runtime.runPromise(Attributions.Attributions);
    const one = { workspaceId, partnerId, schemaId: schema.id, properties: { order_value: 1 } };
    const { gave, turns } = await turnsDuring(() =>
      runtime.runPromise(
        attributions.createBatch(me, { mode: "atomic", attributions: Array<typeof one>(1_000).fill(one) }),
      ),
    );
    expect(gave.results).toHaveLength(1_000);
    expect(turns).toBeGreaterThan(turnsOf(1_000));
  });

  it("during the creation and change of a formula over existing attributions", async () => {
    const { workspaceId, partnerId, schema, me, formula } = await runtime.runPromise(world);
    const formulas = await runtime.runPromise(CommissionFormulas.CommissionFormulas);
    const asked = {
      workspaceId,
      partnerId,
      schemaId: schema.id,
      currency: Build.EUR,
      name: "again",
      startDatetime: formula.startDatetime,
      expression: Formula.currentExpression(formula, 0),
    };
    const created = await turnsDuring(() => runtime.runPromise(formulas.create(me, asked)));
    expect(created.turns).toBeGreaterThan(turnsOf(LINES));
    const changed = await turnsDuring(() =>
      runtime.runPromise(
        formulas.update(me, created.gave.id, {
          expression: { type: "property", name: "order_value" },
          effectiveDatetime: formula.startDatetime,
        }),
      ),
    );
    expect(changed.turns).toBeGreaterThan(turnsOf(LINES));
  });
});

/** A database that takes whatever it is sent. */
const sink = (sent: Array<ReadonlyArray<unknown>>, rows: ReadonlyArray<object> = []): Runner => ({
  turn: Effect.void,
  run: <Row extends object>(_: Statement, parameters: ReadonlyArray<unknown>) =>
    Effect.sync(() => {
      sent.push(parameters);
      return rows as ReadonlyArray<Row>;
    }),
});

describe("parameters and results of statements", () => {
  it("a long change set is written in slices, with the same text as without slices", async () => {
    const { customerId, earned } = await runtime.runPromise(world);
    const { row: settlement } = Build.settlement(
      await runtime.runPromise(Scene.create({ customerId })),
      Build.linesOf(earned.map(({ commission }) => commission)),
      {},
    );
    const lines = Build.linesOf(earned.map(({ commission }) => commission));
    const revisions = earned.flatMap(({ commission }) => Scene.revisionOf(commission, 7).revisions);
    const changeSet = Build.changeSet({
      requires: earned.map(
        ({ attribution: { id, version } }): Storage.Requirement => ({
          type: "record",
          kind: "attribution",
          id,
          version,
        }),
      ),
      changes: [
        { type: "revise", revisions },
        { type: "reserve", settlementId: settlement.id, lines },
      ],
    });
    const { gave, turns } = await turnsDuring(() => Effect.runPromise(ChangeSet.body(customerId, changeSet)));
    // Lines, revisions, events, and the ids and versions of what is held: five long lists.
    expect(turns).toBeGreaterThan(turnsOf(4 * LINES));
    const read = JSON.parse(gave);
    expect(gave).toBe(JSON.stringify(read));
    expect([read.lines[0].lines.length, read.revisions.length, read.events.length]).toEqual([
      LINES,
      LINES,
      LINES,
    ]);
    expect(read.locks.attribution.versions[LINES - 1]).toEqual({
      id: earned[LINES - 1]?.attribution.id,
      version: 1,
    });
  });

  it("the parameters of a batch are written in slices", async () => {
    const { customerId, earned } = await runtime.runPromise(world);
    const scene = await runtime.runPromise(Scene.create({ customerId }));
    const command = { id: Build.fresh.command(), actor: Build.ACTOR, at: Build.EPOCH };
    const changes = earned.map(() => Build.attribution(scene, { createdAt: Build.EPOCH }));
    const sent: Array<ReadonlyArray<unknown>> = [];
    const commit = Commit.make(sink(sent, [{ conflict: null }]), () => {});
    const { turns } = await turnsDuring(() =>
      Effect.runPromise(commit(customerId, Build.changeSet({ command, changes }))),
    );
    // One look at the clock for each of the 47 arguments.
    expect(turns).toBeGreaterThan(3);
    expect(sent[0]).toHaveLength(47);
  });

  it("a long result is parsed in slices", async () => {
    const rows = Array.from({ length: LINES }, (_, index) => ({ one: `{"index":${index}}`, none: null }));
    const { gave, turns } = await turnsDuring(() =>
      Effect.runPromise(
        rowsFromJson<{ one: { index: number }; none: null }>(sink([], rows), withoutScope("select"), []),
      ),
    );
    expect(gave[LINES - 1]).toEqual({ one: { index: LINES - 1 }, none: null });
    expect(turns).toBeGreaterThan(turnsOf(LINES));
  });
});

/** The body of a response that is written in pieces. */
const bodyOf = ({ body }: ReturnType<typeof Responses.listOfBytes>): Stream.Stream<Uint8Array, unknown> => {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) throw new Error("it is whole");
  return body;
};

describe("a long response", () => {
  it("is streamed in portions, with a turn of the event loop after each", async () => {
    const pieces = Array.from({ length: 8 }, (_, index) => String(index).repeat(300 * 1024));
    const body = bodyOf(Responses.listOfBytes("[", pieces.map(Responses.bytesOf), "]"));
    const { gave, turns } = await turnsDuring(() => Effect.runPromise(Stream.runCollect(body)));
    expect(Buffer.concat(Chunk.toReadonlyArray(gave)).toString()).toBe(`[${pieces.join(",")}]`);
    expect(turns).toBeGreaterThanOrEqual(pieces.length);
  });

  it("of many short pieces is joined to larger ones", async () => {
    const pieces = Array.from({ length: 10_000 }, (_, index) => String(index % 10).repeat(100));
    const body = bodyOf(Responses.listOfBytes("[", pieces.map(Responses.bytesOf), "]"));
    const portions = Chunk.toReadonlyArray(await Effect.runPromise(Stream.runCollect(body)));
    expect(Buffer.concat(portions).toString()).toBe(`[${pieces.join(",")}]`);
    expect(portions).toHaveLength(4);
  });
});

describe("a computation in slices", () => {
  const long = TimeSlice.map(
    Array.from({ length: 100 }, (_, index) => index),
    (index) => index,
  );

  it("takes no turn if it fits into one slice", async () => {
    vi.mocked(performance.now).mockReturnValue(0);
    const { gave, turns } = await turnsDuring(() =>
      Effect.runPromise(TimeSlice.map([1, 2], (item) => 2 * item)),
    );
    expect([gave, turns]).toEqual([[2, 4], 0]);
  });

  it("gets every turn alone: one of several computations continues in each turn", async () => {
    const alone = (await turnsDuring(() => Effect.runPromise(long))).turns;
    const together = await turnsDuring(() =>
      Effect.runPromise(Effect.all(Array<typeof long>(10).fill(long), { concurrency: "unbounded" })),
    );
    expect(together.turns).toBeGreaterThan(8 * alone);
  });

  it("ends at the first Left, and dies of an exception", async () => {
    const seen: Array<number> = [];
    const refusing = TimeSlice.mapEither([1, 2, 3], (item) => {
      seen.push(item);
      return item === 2 ? Either.left("no") : Either.right(item);
    });
    expect(await Effect.runPromiseExit(refusing)).toEqual(Exit.fail("no"));
    expect(seen).toEqual([1, 2]);
    const throwing = TimeSlice.map([1], () => {
      throw new Error("broken");
    });
    expect(Exit.isFailure(await Effect.runPromiseExit(throwing))).toBe(true);
  });

  it("leaves the queue when it is interrupted, and the others continue", async () => {
    const interrupted = Effect.runFork(long);
    const other = Effect.runPromise(long);
    await new Promise((resolve) => setImmediate(resolve));
    await Effect.runPromise(Fiber.interrupt(interrupted));
    expect(await other).toHaveLength(100);
  });

  it.each([
    [{ a: undefined, b: [undefined, () => 1], c: 'é"\\\u2028', d: [] }],
    [[{ list: Array.from({ length: 101 }, (_, index) => ({ index, none: undefined })) }]],
    [{ deep: [{ deeper: { list: Array(1_000).fill(null) } }], not: undefined }],
    [null],
    ["text"],
  ])("writes the same JSON as JSON.stringify", async (value) => {
    expect(await Effect.runPromise(TimeSlice.json(value))).toBe(JSON.stringify(value));
  });
});
