/** A server that has fewer connections left than the pool may open. */
import { randomUUID } from "node:crypto";
import { Effect, Either, Redacted, type Scope } from "effect";
import { expect, it } from "vitest";
import { client } from "../../../adapters/postgres/Connection.ts";
import { isUnsent } from "../../../adapters/sql/Failure.ts";
import { Statements } from "../../../adapters/sql/index.ts";
import { connected, database } from "../../support/postgres.ts";

const run = <A, E>(test: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(test));

/** A database, and the address of a role that may have two connections. */
const limited = Effect.gen(function* () {
  const all = yield* database({ migrated: false });
  const administrator = yield* connected(all);
  const role = `quittance_role_${randomUUID().replaceAll("-", "")}`;
  const query = (text: string) => Effect.promise(() => administrator.query(text));
  yield* Effect.acquireRelease(query(`create role ${role} login connection limit 2`), () =>
    query(`drop role ${role}`),
  );
  return Redacted.make(Object.assign(new URL(Redacted.value(all)), { username: role }).href);
});

const over = (url: Redacted.Redacted, acquireTimeoutMilliseconds: number) =>
  Effect.provide(client({ url, maxConnections: 10, acquireTimeoutMilliseconds }));

/** The outcomes of so many statements at once. */
const outcomes = (count: number) =>
  Effect.flatMap(Statements, (sql) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => index),
      (index) =>
        Effect.either(
          sql.run<{ readonly value: number }>(
            { text: "select $1::integer as value from pg_sleep(0.005)", scope: { type: "none" } },
            [index],
          ),
        ),
      { concurrency: "unbounded" },
    ),
  );

const valuesOf = (found: Effect.Effect.Success<ReturnType<typeof outcomes>>) =>
  found.map((item) => (Either.isRight(item) ? item.right[0]?.value : String(item.left.cause)));

it("statements wait for the connections that the pool has", () =>
  run(
    Effect.gen(function* () {
      const url = yield* limited;
      const found = yield* over(url, 5_000)(outcomes(100));
      expect(valuesOf(found)).toEqual(found.map((_, index) => index));
    }),
  ));

it("statements wait for a connection that another process closes", () =>
  run(
    Effect.gen(function* () {
      const url = yield* limited;
      const others = [yield* connected(url), yield* connected(url)];
      const pending = yield* Effect.fork(over(url, 5_000)(outcomes(20)));
      yield* Effect.sleep("300 millis");
      for (const other of others) yield* Effect.promise(() => other.end());
      const found = yield* pending;
      expect(valuesOf(found)).toEqual(found.map((_, index) => index));
    }),
  ));

it("statements that get no connection in time are not sent, and later ones are", () =>
  run(
    Effect.gen(function* () {
      const url = yield* limited;
      const others = [yield* connected(url), yield* connected(url)];
      const story = Effect.gen(function* () {
        const refused = yield* outcomes(20);
        expect(refused.map((item) => Either.isLeft(item) && isUnsent(item.left))).toEqual(
          refused.map(() => true),
        );
        for (const other of others) yield* Effect.promise(() => other.end());
        const found = yield* outcomes(20);
        expect(valuesOf(found)).toEqual(found.map((_, index) => index));
      });
      yield* over(url, 3_000)(story);
    }),
  ));
