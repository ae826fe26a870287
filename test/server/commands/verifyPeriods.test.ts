/** `quittance verify` on closed months: silent on sound ones, and a damaged entry of one is named. */
import { it } from "@effect/vitest";
import { Clock, Effect, Layer, Redacted, Stream } from "effect";
import { AccountingPeriod, AccountingPeriods } from "quittance";
import { layer } from "quittance/postgres";
import { describe, expect } from "vitest";
import { forEachCustomer } from "../../../adapters/server/Snapshot.ts";
import type { Finding } from "../../../adapters/server/verification/Check.ts";
import { periods } from "../../../adapters/server/verification/Periods.ts";
import { verify } from "../../../adapters/server/verification/Verification.ts";
import * as Given from "../../services/Given.ts";
import { connected, database } from "../../support/postgres.ts";

const MONTH = AccountingPeriod.monthOf(Given.NOW);

/** The clock of the services: the test moves it, and it sleeps by the real one. */
let now = Given.NOW;
const real = Clock.make();
const clock: Clock.Clock = {
  ...real,
  sleep: (duration) => real.sleep(duration),
  unsafeCurrentTimeMillis: () => now,
  currentTimeMillis: Effect.sync(() => now),
};

/** A customer whose January is closed: a sale that was settled, and two others. */
const closed = Effect.gen(function* () {
  const scene = yield* Given.scene({ selfBilled: true });
  yield* Given.formula(scene);
  yield* Given.sell(scene, 10_000);
  const settlementId = yield* Given.draft(scene);
  yield* Given.approveAndDrain({ ...scene, settlementId });
  now += Given.DAY;
  yield* Given.payByHand({ ...scene, settlementId });
  yield* Given.sell(scene, 20_000);
  yield* Given.sell(scene, 20_000);
  now += 45 * Given.DAY;
  yield* Effect.flatMap(AccountingPeriods.AccountingPeriods, ({ close }) => close(scene.owner, MONTH));
  yield* Given.drain;
});

const AMOUNT = (
  amount: number,
) => `update quittance.events e set event = jsonb_set(e.event::jsonb, '{amount}', '${amount}')
  where e.event->>'type' = 'create_commission'
    and exists (select from quittance.commissions c where c.id = e.record_id and c.version > 1)`;

const MOMENT = (
  milliseconds: number,
) => `update quittance.commissions set created_at = created_at + ${milliseconds}
  where id = (select id from quittance.commissions where version = 1 order by id limit 1)`;

/** Doing it twice repairs it. */
const HASH = `update quittance.books set view = jsonb_set(view::jsonb, '{periods,0,journal,sha256}',
  to_jsonb(reverse(view->'periods'->0->'journal'->>'sha256')))`;

/** What is damaged, the statements that damage and repair it, and what is found of the journal. */
const DAMAGES: ReadonlyArray<readonly [what: string, damage: string, repair: string, problem: string]> = [
  [
    "the amount in an event",
    AMOUNT(1_001),
    AMOUNT(1_000),
    "the totals of its accounts are not those of its closing",
  ],
  ["the date of a commission", MOMENT(1), MOMENT(-1), "its hash is X, X when it was closed"],
  [
    "a commission that is moved to a later month",
    MOMENT(40 * Given.DAY),
    MOMENT(-40 * Given.DAY),
    "it has 4 entries, 5 when it was closed",
  ],
  ["the hash that was stored", HASH, HASH, "its hash is X, X when it was closed"],
];

describe("verify, closed months", () => {
  it.live(
    "finds nothing in a sound store, and names each damage",
    () =>
      Effect.scoped(
        Effect.gen(function* () {
          const url = yield* database();
          const services = yield* Layer.build(Given.engine({ store: layer({ url }) as never }));
          yield* Effect.withClock(Effect.provide(closed, services), clock);
          const client = yield* connected(url);
          const store = { type: "postgres", url: Redacted.value(url) } as const;
          const found: Array<Finding> = [];
          const note = (finding: Finding) => Effect.sync(() => found.push(finding));
          const counts = new Map<string, number>();
          yield* verify(store, null, note, (kind, count) => counts.set(kind, count));
          expect(found).toEqual([]);
          expect(counts.get("closed month")).toBe(1);
          yield* Effect.promise(() => client.query("set session_replication_role = replica"));
          const problems = Effect.gen(function* () {
            found.length = 0;
            yield* forEachCustomer(store, null, (reader) =>
              Stream.runForEach(
                periods.find(reader, () => {}),
                note,
              ),
            );
            return found.map(({ problem }) => problem.replaceAll(/[0-9a-f]{64}/g, "X"));
          });
          for (const [what, damage, repair, problem] of DAMAGES) {
            expect((yield* Effect.promise(() => client.query(damage))).rowCount, what).toBe(1);
            expect(yield* problems, what).toEqual([`the journal of ${MONTH}: ${problem}`]);
            yield* Effect.promise(() => client.query(repair));
          }
          expect(yield* problems).toEqual([]);
        }),
      ),
    60_000,
  );
});
