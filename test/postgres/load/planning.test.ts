/**
 * In a new database a connection plans its statements, and the look-ups of foreign keys, while the tables are empty. Such a
 * plan may read every row of a customer: creations fell from 6,000 to 1,000 a second until the tables were first analysed.
 */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import pg from "pg";
import { Partners, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Scene } from "quittance/testing";
import { expect } from "vitest";
import { database } from "../../support/postgres.ts";

/** A pool of one connection that keeps the texts of its statements. */
const recording = (url: string) => {
  const texts: Array<string> = [];
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...given: ReadonlyArray<unknown>) => unknown;
    Object.assign(client, {
      query: (first: unknown, ...others: ReadonlyArray<unknown>) => {
        texts.push(typeof first === "string" ? first : String(Reflect.get(Object(first), "text")));
        return query(first, ...others);
      },
    });
  });
  return { pool, texts };
};

it.live("a connection plans anew after 8, 32 and 128 statements", () =>
  Effect.gen(function* () {
    const { pool, texts } = recording(Redacted.value(yield* database()));
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
