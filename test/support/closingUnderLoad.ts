/** A month that is closed while sales, cancellations and settlements of it are stored, by servers whose clocks differ. */
import { createHash } from "node:crypto";
import { Chunk, Clock, type Context, Effect, type Layer, Logger, LogLevel, Ref, Stream } from "effect";
import {
  AccountingPeriod,
  AccountingPeriods,
  Attributions,
  type Ids,
  Journals,
  Storage,
  Timestamp,
  Worker,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import { expect } from "vitest";
import * as Given from "../services/Given.ts";
import { random } from "./Random.ts";

const MINUTE = 60_000;
/** Between the commands of one caller, so that timers are served. */
const PAUSE = 20;
/** A second of the test is a minute of the servers. */
const FASTER = 60;
const END = Given.NOW + 31 * Given.DAY;
const MONTH = AccountingPeriod.monthOf(Given.NOW);
/** When the load begins: two minutes before the end of the month. */
const BEGIN = END - 2 * MINUTE;
/** How late the clock of the second server is: it dates sales in the month after its closing. */
const LATE = 3 * MINUTE;

/** A clock that runs faster from a moment on, and sleeps by the real one. */
const clockFrom = (start: number): Clock.Clock => {
  const real = Clock.make();
  const began = Date.now();
  const now = () => Math.floor(start + (Date.now() - began) * FASTER);
  return {
    ...real,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    sleep: (duration) => real.sleep(duration),
  };
};

type Engine = ReturnType<typeof Given.engine>;
type Services = Layer.Layer.Success<Engine>;

/** Closes the month under load; `servers` are one or two engines over one store. */
export const closeUnderLoad = (
  servers: ReadonlyArray<Context.Context<Services>>,
  conflicts: Ref.Ref<number>,
  seed: number,
) =>
  Effect.gen(function* () {
    const [first] = servers;
    if (first === undefined) throw new Error("there is no server");
    const scene = yield* Effect.provide(
      Effect.tap(Given.scene({ selfBilled: true }), Given.formula),
      first,
    ).pipe(Effect.withClock(fixed(Given.NOW)));
    const clocks = [clockFrom(BEGIN), clockFrom(BEGIN - LATE)];
    const on = <A, E>(index: number, effect: Effect.Effect<A, E, Services>): Effect.Effect<A, E> =>
      Effect.provide(
        Effect.withClock(effect, clocks[index % 2] as Clock.Clock),
        servers[index % servers.length] as Context.Context<Services>,
      );
    const journal = on(
      0,
      Effect.gen(function* () {
        const { journalStream } = yield* Journals.Journals;
        const { entries } = yield* journalStream(scene.owner, { from: Timestamp.EARLIEST, to: END });
        return Chunk.toReadonlyArray(yield* Stream.runCollect(entries));
      }),
    );
    const textOf = (entries: ReadonlyArray<Journals.JournalEntry>) =>
      JSON.stringify(entries, (_, value: unknown) => (typeof value === "bigint" ? `${value}` : value), 1);

    const chance = random(seed);
    const sold: Array<Ids.AttributionId> = [];
    let stored = 0;
    const steps: ReadonlyArray<Effect.Effect<unknown, { readonly message: string }, Services>> = [
      Effect.map(Given.sell(scene, 10_000), (id) => sold.push(id)),
      Effect.map(Given.sell(scene, 2_000), (id) => sold.push(id)),
      Effect.suspend(() => {
        const id = chance.pickAny(sold);
        if (id === null) return Effect.void;
        return Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
          cancel(scene.owner, id, { reason: "returned" }),
        );
      }),
      Effect.gen(function* () {
        const settlementId = yield* Given.draft(scene);
        yield* Given.approveAndDrain({ ...scene, settlementId });
        yield* Given.payByHand({ ...scene, settlementId });
      }),
    ];
    let isDone = false;
    const load = (index: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        const step = chance.pick(steps);
        const attempt = Effect.matchEffect(on(index, step), {
          // Another fiber was faster, the draft is empty, or the clock of the server stays behind.
          onFailure: (problem) =>
            problem instanceof Storage.StorageError ? Effect.die(problem) : Effect.void,
          onSuccess: () => Effect.sync(() => void stored++),
        });
        return Effect.zipRight(attempt, Effect.sleep(PAUSE));
      }).pipe(Effect.repeat({ while: () => !isDone }), Effect.asVoid);

    const closing = Effect.gen(function* () {
      yield* Effect.sleep((END + MINUTE + 2_000 - BEGIN) / FASTER);
      yield* on(
        0,
        Effect.flatMap(AccountingPeriods.AccountingPeriods, ({ close }) => close(scene.owner, MONTH)),
      );
      const before = yield* journal;
      const atClosing = yield* Ref.get(conflicts);
      const storedBefore = stored;
      yield* Effect.sleep(3_000);
      isDone = true;
      return { before, atClosing, storedBefore };
    });
    const [{ before, atClosing, storedBefore }] = yield* Effect.all(
      [closing, Effect.all([0, 1, 2, 3, 4, 5].map(load), { concurrency: "unbounded" })],
      { concurrency: "unbounded" },
    );
    yield* on(
      0,
      Effect.flatMap(Worker.Worker, ({ drain }) => drain),
    );
    expect(textOf(yield* journal)).toBe(textOf(before));
    const [period] = yield* on(
      0,
      Effect.map(
        Effect.flatMap(AccountingPeriods.AccountingPeriods, ({ read }) => read(scene.owner)),
        ({ periods }) => periods,
      ),
    );
    const hash = before.reduce(
      (previous, entry) =>
        createHash("sha256").update(AccountingPeriod.hashInput(previous, entry)).digest("hex"),
      AccountingPeriod.GENESIS,
    );
    expect([period?.journal?.entries, period?.journal?.sha256]).toEqual([before.length, hash]);
    yield* on(0, checkInvariants(scene.customerId));
    return {
      entries: before.length,
      storedLater: stored - storedBefore,
      refused: (yield* Ref.get(conflicts)) - atClosing,
    };
    // Workers of one message of which one is faster are logged as warnings.
  }).pipe(Logger.withMinimumLogLevel(LogLevel.Error));

const fixed = (at: number): Clock.Clock => ({
  ...Clock.make(),
  unsafeCurrentTimeMillis: () => at,
  currentTimeMillis: Effect.succeed(at),
});

/** A host that counts the commits that are refused because of a closed month. */
export const counting = (conflicts: Ref.Ref<number>): Given.Host => ({
  storage: ({ commit }) => ({
    commit: (customerId, changeSet) =>
      Effect.tapError(commit(customerId, changeSet), (problem) =>
        problem._tag === "VersionConflict" && problem.what === "books"
          ? Ref.update(conflicts, (count) => count + 1)
          : Effect.void,
      ),
  }),
});
