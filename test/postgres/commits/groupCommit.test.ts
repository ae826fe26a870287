/** Group commit: one call stores concurrent creations, and none fails because of another. */
import * as SqlError from "@effect/sql/SqlError";
import { Effect, Either, type Scope } from "effect";
import { type Ids, Storage } from "quittance";
import { Build, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import * as Creation from "../../../adapters/sql/groupCommit/Creation.ts";
import {
  CREATE_ATTRIBUTIONS,
  CREATE_ORDERED_ATTRIBUTIONS,
} from "../../../adapters/sql/groupCommit/createAttributions.ts";
import { orderedGroup } from "../../../adapters/sql/groupCommit/orderedArguments.ts";
import { type Runner, Statements } from "../../../adapters/sql/Statement.ts";
import { make } from "../../../adapters/sql/Storage.ts";
import { forCustomer } from "../../../adapters/sql/TenantScope.ts";
import * as Commit from "../../../adapters/sql/writing/Commit.ts";
import { database } from "../../support/postgres.ts";

/** What happens to a call of `quittance.create_attributions`: it succeeds, or the connection fails before or after it. */
type Fault = "none" | "reply lost" | "request lost" | "no connection";

const N = 30;

const broken = new SqlError.SqlError({ cause: new Error("socket hang up"), message: "Connection error" });
const refused = new SqlError.SqlError({
  cause: new Error("timeout exceeded when trying to connect"),
  message: "Failed to acquire connection",
});

/** A store that counts its calls and injects the fault of `calls.fault`. */
const observe = (sql: Runner) => {
  const calls = { fault: "none" as Fault, creations: 0, others: 0, reported: 0 };
  const runner: Runner = {
    turn: sql.turn,
    run: (statement, parameters) =>
      Effect.suspend(() => {
        if (statement !== CREATE_ATTRIBUTIONS && statement !== CREATE_ORDERED_ATTRIBUTIONS) {
          calls.others += 1;
          return sql.run(statement, parameters);
        }
        calls.creations += 1;
        if (calls.fault === "no connection") return Effect.fail(refused);
        if (calls.fault === "request lost") return Effect.fail(broken);
        const stored = sql.run<never>(statement, parameters);
        return calls.fault === "none" ? stored : Effect.zipRight(stored, Effect.fail(broken));
      }),
  };
  const storage = make(
    runner,
    Commit.make(runner, () => {
      calls.reported += 1;
    }),
  );
  return { calls, storage };
};

const ids = ({ changes }: Storage.ChangeSet): ReadonlyArray<string> =>
  changes.flatMap((change) =>
    change.type === "save" && change.kind === "attribution" ? [change.row.id] : [],
  );

const outcome = (
  result: Either.Either<void, Storage.VersionConflict | Storage.IdempotencyKeyUsed | Storage.StorageError>,
): string =>
  Either.match(result, {
    onRight: () => "stored",
    onLeft: (error) =>
      error._tag === "VersionConflict"
        ? `stale ${error.what}`
        : error._tag === "StorageError"
          ? error.reason
          : "repeated",
  });

const COUNTS = forCustomer(`select
  (select count(*) from quittance.attributions where customer_id = $1)::integer as attributions,
  (select count(*) from quittance.commissions where customer_id = $1)::integer as commissions,
  (select count(*) from quittance.events where customer_id = $1 and kind in ('attribution', 'commission'))::integer as events,
  coalesce(sum(t.count), 0)::integer as counted, coalesce(sum(t.due), 0)::integer as due
from quittance.rollup_deltas t where t.customer_id = $1`);

const counts = (sql: Runner, customerId: Ids.CustomerId) =>
  Effect.map(sql.run(COUNTS, [customerId]), ([found]) => found);

/** The time of the commands. It must be recent, because the store removes ids of old commands. */
const NOW = Date.now();

/** A scene in a fresh database, and a function that stores change sets of it concurrently. */
const world = Effect.gen(function* () {
  const sql = yield* Statements;
  const { calls, storage } = observe(sql);
  const scene = yield* Effect.provideService(Scene.create(), Storage.Storage, storage);
  const { customerId } = scene;
  const creation = (given: Partial<Storage.ChangeSet> = {}, externalReference: string | null = null) => {
    const attribution = Build.attribution(scene, { externalReference, createdAt: NOW });
    const commission = Build.commission(attribution.row, scene.formula, 100);
    const { partnerId, schemaId } = scene;
    return Build.changeSet({
      command: { id: Build.fresh.command(), actor: Build.ACTOR, at: NOW },
      changes: [attribution, commission],
      requires: [{ type: "formula_set", partnerId, schemaId, version: 1 }],
      ...given,
    });
  };
  /** Resets the counts and stores all sets concurrently; returns the outcome of each. */
  const store = (sets: ReadonlyArray<Storage.ChangeSet>) =>
    Effect.suspend(() => {
      Object.assign(calls, { creations: 0, others: 0, reported: 0 });
      return Effect.forEach(
        sets,
        (set) => Effect.map(Effect.either(storage.commit(customerId, set)), outcome),
        { concurrency: "unbounded" },
      );
    });
  /** Expects that exactly these sets are stored, each once. */
  const expectStored = (sets: ReadonlyArray<Storage.ChangeSet>) =>
    Effect.gen(function* () {
      const wanted = sets.flatMap(ids);
      const found = yield* storage.find(customerId, "attribution", wanted);
      expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
      expect(yield* counts(sql, customerId)).toEqual({
        attributions: sets.length,
        commissions: sets.length,
        events: 2 * sets.length,
        counted: 2 * sets.length,
        due: 100 * sets.length,
      });
    });
  return { calls, storage, scene, customerId, creation, store, expectStored };
});

const run = <A, E>(test: Effect.Effect<A, E, Statements | Scope.Scope>): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(database(), (url) => Effect.provide(test, client({ url, maxConnections: 4 }))),
    ),
  );

const times = <Value>(count: number, value: () => Value): ReadonlyArray<Value> =>
  Array.from({ length: count }, value);

describe("concurrent creations of a customer", () => {
  it("are stored by two calls: one for the first, and one for all that arrive during it", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        const sets = times(N, () => creation());
        expect(yield* store(sets)).toEqual(sets.map(() => "stored"));
        expect(calls).toMatchObject({ reported: N, others: 0 });
        expect(calls.creations).toBeLessThanOrEqual(2);
        yield* expectStored(sets);
      }),
    ));

  it("fail independently of each other", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        const before = creation({}, "taken");
        expect(yield* store([before])).toEqual(["stored"]);
        const { requires } = creation();
        const stale = creation({ requires: requires.map((requirement) => ({ ...requirement, version: 7 })) });
        const sets = [
          ...times(N, () => creation()),
          stale,
          creation({}, "taken"),
          ...times(N, () => creation()),
        ];
        expect(yield* store(sets)).toEqual(
          sets.map((_, place) =>
            place === N ? "stale formula_set" : place === N + 1 ? "stale external_reference" : "stored",
          ),
        );
        expect(calls.reported).toBe(2 * N);
        yield* expectStored([before, ...sets.slice(0, N), ...sets.slice(N + 2)]);
      }),
    ));

  it("are stored once under one idempotency key; the others fail with IdempotencyKeyUsed", () =>
    run(
      Effect.gen(function* () {
        const { calls, customerId, storage, creation, store, expectStored } = yield* world;
        const keyed = (key: string) => () =>
          creation({
            idempotencyRecord: {
              principalId: Build.ACTOR,
              key,
              requestSha256: key,
              result: { key },
              at: NOW,
            },
          });
        const [other, twins] = [keyed("other")(), times(2, keyed("same"))];
        const sets = [creation(), ...twins, other, creation()];
        const outcomes = yield* store(sets);
        expect(outcomes.toSorted()).toEqual(["repeated", "stored", "stored", "stored", "stored"]);
        const repeated = outcomes.indexOf("repeated");
        expect([1, 2]).toContain(repeated);
        expect(calls.reported).toBe(4);
        const kept = sets.filter((_, place) => place !== repeated);
        yield* expectStored(kept);
        expect((yield* storage.findIdempotencyRecord(customerId, Build.ACTOR, "other"))?.result).toEqual({
          key: "other",
        });
        expect(yield* store([creation(), keyed("same")(), creation()])).toEqual([
          "stored",
          "repeated",
          "stored",
        ]);
        // At most a call for the first one alone, one for the others, and one for those of them whose keys are not used.
        const used = times(N, keyed("same"));
        const fresh = times(N, () => keyed(Build.freshUuid())());
        expect(yield* store([creation(), ...used, ...fresh])).toEqual([
          "stored",
          ...used.map(() => "repeated"),
          ...fresh.map(() => "stored"),
        ]);
        expect(calls.others).toBe(0);
        expect(calls.creations).toBeLessThanOrEqual(3);
      }),
    ));

  it("are stored even if one of them is not JSON", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        const answer = { amount: 1n };
        const command = { id: Build.fresh.command(), actor: Build.ACTOR, at: NOW };
        const odd = creation({
          command,
          idempotencyRecord: {
            principalId: Build.ACTOR,
            key: "odd",
            requestSha256: "",
            result: answer,
            at: NOW,
          },
        });
        const sets = [creation(), odd, creation()];
        expect(yield* store(sets)).toEqual(["stored", "broken", "stored"]);
        expect(yield* store([odd])).toEqual(["broken"]);
        expect(calls.reported).toBe(0);
        yield* expectStored([...sets.slice(0, 1), ...sets.slice(2)]);
      }),
    ));
});

/** Two partners' arrival orders, in the order of their ids, and a creation that saves one of them. */
const orders = Effect.gen(function* () {
  const given = yield* world;
  const { scene, storage, customerId, creation } = given;
  const partner = Build.partner(scene);
  const records = [scene.partnerId, partner.row.id].map((partnerId) =>
    Build.accumulation({ ...scene, partnerId }, scene.formula),
  );
  yield* storage.commit(
    customerId,
    Build.changeSet({ changes: [partner, ...records.flatMap(({ order, history }) => [history, order])] }),
  );
  const saved = records.map(({ order }) => order.row).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const joining = (place: number, version: number) => {
    const order = saved[place];
    if (order === undefined) throw new Error("there are two orders");
    const own = creation();
    return { ...own, changes: [...own.changes, Build.flat("arrivalOrder", { ...order, version }, NOW)] };
  };
  return { ...given, joining, ids: saved.map(({ id }) => id) };
});

describe("concurrent creations that join orders of arrival", () => {
  it("are refused together if another process was faster, and those of another order are stored by one more call", () =>
    run(
      Effect.gen(function* () {
        const { calls, store, expectStored, joining, storage, customerId, ids } = yield* orders;
        const sets = [joining(0, 7), joining(1, 1), joining(0, 8), joining(1, 2), joining(0, 9)];
        const conflict = "stale arrivalOrder";
        expect(yield* store(sets)).toEqual([conflict, "stored", conflict, "stored", conflict]);
        expect(calls).toMatchObject({ creations: 2, others: 0, reported: 2 });
        yield* expectStored(sets.filter((_, place) => place % 2 === 1));
        const found = yield* storage.find(customerId, "arrivalOrder", ids);
        expect(new Map(found.map(({ id, version }) => [id, version]))).toEqual(
          new Map(ids.map((id, place) => [id, 1 + 2 * place])),
        );
      }),
    ));

  it("save the orders by id, whatever the order of the commands, so that no two groups wait for each other", () =>
    run(
      Effect.gen(function* () {
        const { customerId, joining, ids } = yield* orders;
        const group = [joining(1, 1), joining(0, 1), joining(1, 2)].map((set) => {
          const one = Creation.creation(customerId, set);
          if (one === null) throw new Error("the set creates attributions");
          return one;
        });
        expect(orderedGroup(group)?.updated.arrivalOrder).toMatchObject(
          ids.map((id, place) => ({ id, expected: 1, version: 2 + place })),
        );
      }),
    ));

  it("are refused if a creation that they build on was not stored, whatever the version of the order", () =>
    run(
      Effect.gen(function* () {
        const { store, expectStored, joining } = yield* orders;
        const [first, lost] = [joining(0, 1), joining(0, 7)];
        const [before = ""] = ids(first);
        const builtOn = (id: string, set: Storage.ChangeSet): Storage.ChangeSet => ({
          ...set,
          requires: [...set.requires, { type: "record", kind: "attribution", id, version: 1 }],
        });
        expect(yield* store([first])).toEqual(["stored"]);
        const second = builtOn(before, joining(0, 2));
        const sets = [second, builtOn(ids(second)[0] ?? "", joining(0, 3)), joining(1, 1)];
        expect(yield* store(sets)).toEqual(["stored", "stored", "stored"]);
        const unfounded = [builtOn(ids(lost)[0] ?? "", joining(0, 4)), joining(0, 5), joining(1, 2)];
        expect(yield* store(unfounded)).toEqual(["stale attribution", "stale arrivalOrder", "stored"]);
        yield* expectStored([first, ...sets, ...unfounded.slice(2)]);
      }),
    ));

  it("are each refused if their formulas have changed", () =>
    run(
      Effect.gen(function* () {
        const { store, joining } = yield* orders;
        const stale = (set: Storage.ChangeSet): Storage.ChangeSet => ({
          ...set,
          requires: set.requires.map((requirement) => ({ ...requirement, version: 7 })),
        });
        const sets = [stale(joining(0, 1)), stale(joining(0, 2)), joining(1, 1)];
        expect(yield* store(sets)).toEqual(["stale formula_set", "stale formula_set", "stored"]);
      }),
    ));
});

describe("creations whose connection breaks", () => {
  it("all succeed when only the reply was lost", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        calls.fault = "reply lost";
        const sets = times(N, () => creation());
        expect(yield* store(sets)).toEqual(sets.map(() => "stored"));
        expect(calls).toMatchObject({ reported: N, others: N });
        expect(calls.creations).toBeLessThanOrEqual(2);
        yield* expectStored(sets);
      }),
    ));

  it("all fail as unavailable when the request was lost, and are never stored later", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        calls.fault = "request lost";
        const sets = times(N, () => creation());
        expect(yield* store(sets)).toEqual(sets.map(() => "unavailable"));
        expect(calls).toMatchObject({ reported: 0, others: N });
        yield* expectStored([]);
        calls.fault = "none";
        expect(yield* store(sets)).toEqual(sets.map(() => "stale command"));
        yield* expectStored([]);
      }),
    ));

  it("all fail as unavailable without a connection, and a retry may store them", () =>
    run(
      Effect.gen(function* () {
        const { calls, creation, store, expectStored } = yield* world;
        calls.fault = "no connection";
        const sets = times(N, () => creation());
        expect(yield* store(sets)).toEqual(sets.map(() => "unavailable"));
        expect(calls).toMatchObject({ reported: 0, others: 0 });
        calls.fault = "none";
        expect(yield* store(sets)).toEqual(sets.map(() => "stored"));
        yield* expectStored(sets);
      }),
    ));
});
