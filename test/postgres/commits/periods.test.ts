/** The books of a month are closed on PostgreSQL, while commits of the month are under way. */
import { it } from "@effect/vitest";
import { Effect, Layer, Ref, type Scope } from "effect";
import { layer } from "quittance/postgres";
import { describe, expect } from "vitest";
import * as Given from "../../services/Given.ts";
import { closeUnderLoad, counting } from "../../support/closingUnderLoad.ts";
import { connected, database } from "../../support/postgres.ts";
import { closeBesideEndless, closeUnderWay, UNDER_WAY } from "./closingUnderWay.ts";

describe("closing a month", () => {
  it.live(
    "keeps its journal, under the load of two servers of which one is late",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database();
          const conflicts = yield* Ref.make(0);
          const engine = Given.engine({ ...counting(conflicts), store: layer({ url }) as never });
          const servers = yield* Effect.all([
            Layer.build(Layer.fresh(engine)),
            Layer.build(Layer.fresh(engine)),
          ]);
          const { entries, storedLater, refused } = yield* closeUnderLoad(servers, conflicts, 137);
          expect(entries).toBeGreaterThan(0);
          expect(storedLater).toBeGreaterThan(0);
          expect(refused).toBeGreaterThan(0);
        }),
      ),
    120_000,
  );

  it.live("gives up beside a commit that does not end, so that others go on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* database();
        const context = yield* Effect.context<Scope.Scope>();
        const connect = () => Effect.runPromise(Effect.provide(connected(url), context));
        const problem = yield* Effect.provide(closeBesideEndless(connect), layer({ url }));
        expect(problem).toMatchObject({ _tag: "VersionConflict", what: "books" });
      }),
    ),
  );

  it.live.each(UNDER_WAY)("waits for %s that is under way", (underWay) =>
    Effect.scoped(
      Effect.gen(function* () {
        const url = yield* database();
        const context = yield* Effect.context<Scope.Scope>();
        const connect = () => Effect.runPromise(Effect.provide(connected(url), context));
        const closing = closeUnderWay(underWay, connect);
        expect(yield* Effect.provide(closing, layer({ url }))).toEqual({ atClosing: 1, after: 1 });
      }),
    ),
  );
});
