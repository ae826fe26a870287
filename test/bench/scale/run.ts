/**
 * `npm run bench:scale`: reads by the largest of 40 customers among 5 million attributions (`BENCH_ROWS`), compared with the
 * best bare SQL and with naive SQL, at a fifth of the rows and at all rows. Medians of 51 runs (`BENCH_RUNS`) each.
 */
import { Effect, Redacted } from "effect";
import type pg from "pg";
import { Ids, Storage } from "quittance";
import * as Postgres from "quittance/postgres";
import { connection, server, Times } from "../settle/measure.ts";
import { DAY_MILLISECONDS, DAYS, grow, LARGEST, START } from "./world.ts";

const ROWS = Number(process.env.BENCH_ROWS ?? 5_000_000);
const RUNS = Number(process.env.BENCH_RUNS ?? 51);
/** Naive SQL takes seconds and replaces cached pages, so it runs after the others and only a few times. */
const NAIVE_RUNS = 3;
/** Runs before the measurement, so that the rows are in memory for every contender. */
const WARM_UPS = 10;
const customerId = Ids.CustomerId.make(LARGEST);

const COUNTED = `select sum(t.count) from quittance.rollups t
where t.customer_id = $1 and t.kind = 'attribution' and t.partner_id is null and t.day is null`;

const PAGE = `select a.*, (select json_agg(e.event order by e.sequence) from quittance.events e
  where e.customer_id = a.customer_id and e.record_id = a.id) as events
from (select id from quittance.attributions where customer_id = $1 order by created_at, id limit $3 offset $2) p
join quittance.attributions a on a.customer_id = $1 and a.id = p.id order by a.created_at, a.id`;

const DAILY = `select t.day, t.status, sum(t.count) from quittance.rollups t
where t.customer_id = $1 and t.kind = 'attribution' and t.partner_id is null
  and t.day >= quittance.day_of($2) and t.day < quittance.day_of($3) group by 1, 2`;

const NAIVE_TOTAL = "select count(*) from quittance.attributions where customer_id = $1";

const NAIVE_PAGE = `select a.*, count(*) over () from quittance.attributions a
where customer_id = $1 order by created_at, id limit $3 offset $2`;

const NAIVE_DAILY = `select created_at / 86400000, status, count(*) from quittance.attributions
where customer_id = $1 and created_at >= $2 and created_at < $3 group by 1, 2`;

interface Question {
  readonly name: string;
  readonly ours: (storage: Storage.StorageService) => Effect.Effect<unknown, Storage.StorageError>;
  readonly bare: ReadonlyArray<readonly [string, ReadonlyArray<unknown>]>;
  readonly naive: readonly [string, ReadonlyArray<unknown>];
}

const page = (number: number, perPage: number) => (storage: Storage.StorageService) =>
  storage.list(customerId, "attribution", { where: {}, page: number, perPage, order: "asc" });

const questions = (rows: number): ReadonlyArray<Question> => {
  // A fifth of all rows is half of the largest customer's rows.
  const deep = Math.floor(rows / 500) * 100;
  const to = START + DAYS * DAY_MILLISECONDS;
  const bucketStarts = Array.from({ length: DAYS }, (_, index) => START + index * DAY_MILLISECONDS);
  return [
    {
      name: "first page of 100, with its total",
      ours: page(1, 100),
      bare: [
        [PAGE, [customerId, 0, 100]],
        [COUNTED, [customerId]],
      ],
      naive: [NAIVE_PAGE, [customerId, 0, 100]],
    },
    {
      name: "total, with one record",
      ours: page(1, 1),
      bare: [
        [PAGE, [customerId, 0, 1]],
        [COUNTED, [customerId]],
      ],
      naive: [NAIVE_TOTAL, [customerId]],
    },
    {
      name: `page at offset ${deep}`,
      ours: page(deep / 100 + 1, 100),
      bare: [
        [PAGE, [customerId, deep, 100]],
        [COUNTED, [customerId]],
      ],
      naive: [NAIVE_PAGE, [customerId, deep, 100]],
    },
    {
      name: "daily statistics of a year",
      ours: (storage) =>
        storage.attributionStatistics(customerId, { from: START, to, bucketStarts, where: {} }),
      bare: [[DAILY, [customerId, START, to]]],
      naive: [NAIVE_DAILY, [customerId, START, to]],
    },
  ];
};

const runAll = async (client: pg.Client, statements: Question["bare"]): Promise<void> => {
  for (const [text, values] of statements) {
    await client.query({ name: text.slice(0, 60), text, values: [...values] });
  }
};

const measured = (client: pg.Client, rows: number, times: Times) =>
  Effect.gen(function* () {
    const storage = yield* Storage.Storage;
    const all = questions(rows);
    for (const { name, ours, bare } of all) {
      for (let run = -WARM_UPS; run < RUNS; run++) {
        const recorded = run < 0 ? new Times() : times;
        yield* recorded.of(`${name}, ours`, ours(storage));
        yield* recorded.of(
          `${name}, bare`,
          Effect.promise(() => runAll(client, bare)),
        );
      }
    }
    for (const { name, naive } of all) {
      for (let run = 0; run < NAIVE_RUNS; run++) {
        yield* times.of(
          `${name}, naive`,
          Effect.promise(() => runAll(client, [naive])),
        );
      }
    }
    console.log(`${rows} attributions, ${Math.floor(rows * 0.4)} of the largest customer, ${RUNS} runs`);
    times.print(all.map(({ name }) => name));
    for (const { name } of all) console.log(`${name}, naive: ${times.median(`${name}, naive`).toFixed(1)}`);
  });

const bench = Effect.gen(function* () {
  const url = yield* server;
  const client = yield* connection(url);
  yield* Postgres.migrate({ url: Redacted.make(url) });
  const fifth = Math.floor(ROWS / 5);
  const [small, large] = [new Times(), new Times()];
  const rounds = Effect.gen(function* () {
    yield* Effect.promise(() => grow(client, 1, fifth));
    yield* measured(client, fifth, small);
    yield* Effect.promise(() => grow(client, fifth + 1, ROWS));
    yield* measured(client, ROWS, large);
  });
  yield* Effect.provide(rounds, Postgres.layer({ url: Redacted.make(url) }));
  for (const { name } of questions(ROWS).filter(({ name }) => !name.includes("offset"))) {
    const growth = large.median(`${name}, ours`) / small.median(`${name}, ours`);
    console.log(`growth of ${name} from ${fifth} to ${ROWS} attributions: ${growth.toFixed(2)}`);
  }
});

await Effect.runPromise(Effect.scoped(bench));
