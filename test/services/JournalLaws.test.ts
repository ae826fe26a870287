/**
 * The laws of the journal over a history of mixed sales: positive and negative, of three currencies, that are cancelled, replaced,
 * settled elsewhere or paid by their buyers, and whose settlements are paid, written off or left open. Posting rules are in force.
 */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  Currency,
  Journal,
  PostingRules,
  Receipts,
  SettlementRuns,
  Settlements,
} from "quittance";
import { deriveJournal, journalProblems } from "../support/journalLaws.ts";
import { sized } from "../support/profile.ts";
import * as Random from "../support/Random.ts";
import * as Given from "./Given.ts";

const SALES = sized(200, 1_500, 30_000);
const ROUND = sized(100, 500);
const { DAY } = Given;
const SEED = 20_261_129;

const ACCOUNTS = Object.keys(Journal.ACCOUNTS) as ReadonlyArray<Journal.Account>;

type Scenes = readonly [Given.Scene, ...ReadonlyArray<Given.Scene>];

/** Records sales, the first partner's partly as settled elsewhere, and changes some of them. */
const sell = (random: Random.Random, scenes: Scenes) =>
  Effect.gen(function* () {
    const [{ owner }] = scenes;
    const { createBatch, cancel, replace } = yield* Attributions.Attributions;
    const { stateReceived } = yield* Receipts.Receipts;
    const { now } = yield* Given.clock;
    const { results } = yield* createBatch(owner, {
      mode: "atomic",
      attributions: Array.from({ length: ROUND }, () => {
        const scene = random.pick(scenes);
        const isSettled = scene === scenes[0] && random.chance(0.2);
        return {
          ...Given.sale(scene, random.integer(-500, 20_000)),
          occurredAt: now - random.integer(0, 20) * DAY,
          ...(isSettled ? { settledElsewhere: { at: now, reference: "PO-7" } } : {}),
        };
      }),
    });
    for (const result of results) {
      if (!("id" in result)) continue;
      const dice = random.fraction();
      const properties = { order_value: random.integer(0, 20_000) };
      if (dice < 0.02) yield* cancel(owner, result.id, { reason: "returned" });
      else if (dice < 0.04) yield* replace(owner, result.id, { properties, reason: "corrected" });
      else if (dice < 0.3) yield* stateReceived(owner, result.id, { received: random.integer(0, 4), of: 4 });
    }
  });

/** Settles what is due: of each partner and currency it is paid, written off, or left at some step. */
const settle = (random: Random.Random, [scene]: Scenes) =>
  Effect.gen(function* () {
    const { owner, workspaceId } = scene;
    const settlements = yield* Settlements.Settlements;
    yield* (yield* SettlementRuns.SettlementRuns).start(owner, { workspaceId });
    yield* Given.drain;
    const { items } = yield* settlements.list(owner, { statuses: ["draft"], perPage: 100 });
    for (const { id: settlementId, total } of items) {
      if (total <= 0 || random.chance(0.1)) {
        yield* settlements.cancel(owner, settlementId);
        continue;
      }
      yield* Given.approveAndDrain({ ...scene, settlementId });
      if (random.chance(0.2)) continue;
      yield* random.chance(0.2)
        ? settlements.writeOff(owner, settlementId, { reason: "given up" })
        : Given.payByHand({ ...scene, settlementId });
      yield* Given.drain;
    }
  });

describe("the journal", () => {
  it.effect(
    `of ${SALES} mixed sales balances on each day, and is the payables of every date`,
    () =>
      Given.rule(
        Effect.gen(function* () {
          const random = Random.random(SEED);
          const first = yield* Given.scene({ selfBilled: true });
          const waiting = { ...first, partnerId: yield* Given.partner(first) };
          yield* Given.formula(first);
          yield* Given.formula(first, { currency: Currency.Currency.make("JPY") });
          yield* Given.formula(waiting, { release: "on_receipt" });
          yield* Given.formula(waiting, { currency: Currency.Currency.make("KWD"), release: "on_receipt" });
          yield* (yield* PostingRules.PostingRules).write(first.owner, {
            rules: ACCOUNTS.map((account, index) => ({ account, number: `${1_000 + index}` })),
          });
          const moments: Array<number> = [];
          for (let count = 0; count < SALES; count += ROUND) {
            yield* sell(random, [first, waiting]);
            yield* settle(random, [first]);
            moments.push((yield* Given.clock).now + 1);
            yield* Given.wait(random.integer(0, 6) * DAY);
          }
          yield* Given.wait(1_000);
          const entries = yield* deriveJournal(first.owner);
          expect(new Set(entries.map(({ kind }) => kind)).size).toBeGreaterThan(6);
          expect(new Set(entries.map(({ currency }) => currency)).size).toBeGreaterThan(2);
          expect(yield* deriveJournal(first.owner)).toEqual(entries);
          expect(entries.flatMap(({ lines }) => lines).filter(({ number }) => number === undefined)).toEqual(
            [],
          );
          const some = moments.filter((_, index) => index % Math.ceil(moments.length / 6) === 0);
          expect(yield* journalProblems(first.owner, entries, some)).toEqual([]);
        }),
      ),
    600_000,
  );
});
