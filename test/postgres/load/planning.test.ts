/**
 * A connection to a new database plans its statements and foreign-key checks while the tables are empty. Such a plan may read
 * every row of a customer, which once reduced creations from 6,000 to 1,000 per second until the first ANALYZE.
 */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import { Partners, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect } from "vitest";
import { database } from "../../support/postgres.ts";
import { recordingPool } from "../../support/recordingPool.ts";

it.live("a connection replans its statements after 8, 32 and 128 executions", () =>
  Effect.gen(function* () {
    const { pool, texts } = recordingPool(Redacted.value(yield* database()));
    const statements = Effect.gen(function* () {
      const partners = yield* Partners.Partners;
      const me = Principal.customer((yield* Scene.create()).customerId);
      yield* Effect.replicateEffect(partners.list(me), 200);
    });
    const engine = Quittance.layer().pipe(
      Layer.provide(Pdf.layer),
      Layer.provideMerge(Postgres.layer({ pool, migrate: false })),
    );
    yield* Effect.provide(statements, engine);
    yield* Effect.promise(() => pool.end());
    const places = texts.flatMap((text, place) => (text === "discard plans" ? [place] : []));
    expect(places.slice(0, 3).map((place, earlier) => place - earlier)).toEqual([7, 31, 127]);
  }).pipe(Effect.scoped),
);
