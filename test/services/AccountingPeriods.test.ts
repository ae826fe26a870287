/** What closing a month does to the journal, and who may close and reopen which month. */

import { createHash } from "node:crypto";
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  AccountingPeriod,
  AccountingPeriods,
  Attributions,
  Books,
  Erasures,
  Journal,
  Journals,
  type Movement,
  Partners,
  PeriodSeals,
  PostingRules,
  Principal,
  Storage,
} from "quittance";
import { Build, Scene } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, DAY } = Given;

const month = (text: string) => AccountingPeriod.Month.make(text);
const JANUARY = month("2026-01");
const FEBRUARY = month("2026-02");
const REASON = { reason: "An invoice is missing" };

const service = AccountingPeriods.AccountingPeriods;
type Owner = Given.Scene["owner"];
const close = (owner: Owner, of: AccountingPeriod.Month) =>
  Effect.flatMap(service, ({ close }) => close(owner, of));
const reopen = (owner: Owner, of: AccountingPeriod.Month) =>
  Effect.flatMap(service, ({ reopen }) => reopen(owner, of, REASON));
const list = (owner: Owner) => Effect.flatMap(service, (periods) => periods.read(owner));
const other = (owner: Owner): Owner => ({ ...owner, principalId: "other" });

const journal = (owner: Owner, from = Given.NOW, to = from + 31 * DAY) =>
  Effect.flatMap(Journals.Journals, (journals) => journals.journal(owner, { from, to }));

/** A sale of January, and the clock in the middle of February. */
const january = Effect.gen(function* () {
  const scene = yield* Given.scene();
  yield* Given.formula(scene);
  const sale = yield* Given.sell(scene, 10_000);
  yield* Given.wait(45 * DAY);
  return { ...scene, sale };
});

describe("a closed month", () => {
  it.effect("has its persons, moments, hash and totals", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* january;
        expect(yield* list(owner)).toEqual({ periods: [], nextMonth: null });
        yield* close(owner, JANUARY);
        const [closing] = (yield* list(owner)).periods;
        expect(closing).toMatchObject({
          ...{ month: JANUARY, from: null, to: Given.NOW + 31 * DAY },
          ...{ closedBy: "host", closedAt: Given.NOW + 45 * DAY, journal: null, reopened: null },
        });
        yield* Given.drain;
        const { periods, nextMonth } = yield* list(owner);
        expect(nextMonth).toBe(FEBRUARY);
        expect(periods[0]?.journal).toMatchObject({
          entries: 1,
          totals: [
            { currency: "EUR", account: "commission_expense", debit: "1000", credit: "0" },
            { currency: "EUR", account: "accrued_commissions", debit: "0", credit: "1000" },
          ],
        });
        expect(periods[0]?.journal?.sha256).toMatch(/^[0-9a-f]{64}$/);
        yield* close(owner, JANUARY);
        expect((yield* list(owner)).periods).toEqual(periods);
      }),
    ),
  );

  it.effect("keeps its journal, and what is recorded later says which month it concerns", () =>
    rule(
      Effect.gen(function* () {
        const { owner, ...scene } = yield* january;
        yield* close(owner, JANUARY);
        yield* Given.drain;
        const before = yield* journal(owner);
        const settlementId = yield* Given.draft({ owner, ...scene });
        yield* Given.approveAndDrain({ owner, ...scene, settlementId });
        yield* Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
          cancel(owner, scene.sale, { reason: "returned" }),
        );
        yield* Effect.flatMap(Attributions.Attributions, ({ create }) =>
          create(owner, { ...Given.sale({ owner, ...scene }, 5_000), occurredAt: Given.NOW + 3 * DAY }),
        );
        const elsewhere = { occurredAt: Given.NOW, settledElsewhere: { at: Given.NOW + 4 * DAY } };
        yield* Effect.flatMap(Attributions.Attributions, ({ create }) =>
          create(owner, { ...Given.sale({ owner, ...scene }, 3_000), ...elsewhere }),
        );
        yield* Given.sell({ owner, ...scene }, 7_000);
        yield* Given.wait(30 * DAY);
        expect(yield* journal(owner)).toEqual(before);
        const later = (yield* journal(owner, Given.NOW + 31 * DAY, Given.NOW + 59 * DAY)).entries;
        expect(later.map(({ kind, concerns }) => [kind, concerns])).toEqual(
          expect.arrayContaining([
            ["adjusted", JANUARY],
            ["earned", JANUARY],
            ["settled_elsewhere", JANUARY],
            ["earned", null],
          ]),
        );
        expect(before.entries.map(({ concerns }) => concerns)).toEqual([null]);
      }),
    ),
  );

  it.effect("keeps the posting rules of its closing until it is reopened", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* january;
        const write = (...rules: ReadonlyArray<Books.Rule>) =>
          Effect.flatMap(PostingRules.PostingRules, (postingRules) => postingRules.write(owner, { rules }));
        yield* write({ account: "commission_expense", number: "6770" });
        yield* close(owner, JANUARY);
        yield* Given.drain;
        const before = yield* journal(owner);
        yield* write({ account: "commission_expense", number: "9999" });
        expect((yield* journal(owner)).entries).toEqual(before.entries);
        yield* reopen(other(owner), JANUARY);
        expect((yield* journal(owner)).entries[0]?.lines[0]?.number).toBe("9999");
        yield* close(owner, JANUARY);
        yield* write();
        expect((yield* journal(owner)).entries[0]?.lines[0]?.number).toBe("9999");
      }),
    ),
  );

  it.effect("is in a file of several months only if its own rules name every account", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* january;
        const { write } = yield* PostingRules.PostingRules;
        const { journalStream } = yield* Journals.Journals;
        const accounts = Object.keys(Journal.ACCOUNTS) as ReadonlyArray<Journal.Account>;
        yield* close(owner, JANUARY);
        yield* write(owner, {
          rules: accounts.map((account) => ({ account, number: "6770" })),
          xero: { taxRate: "No VAT" },
        });
        const asked = (from: number) =>
          journalStream(owner, { from, to: Given.NOW + 40 * DAY, currency: Given.EUR }, "xero");
        expect(yield* Given.refusal(asked(Given.NOW))).toMatch(/and commission_expense has none/);
        yield* asked(Given.NOW + 31 * DAY);
        yield* reopen(other(owner), JANUARY);
        yield* asked(Given.NOW);
      }),
    ),
  );

  it.effect("keeps the rates of tax under reverse charge of its closing until it is reopened", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        const { owner, partnerId, customerId } = scene;
        const taxConfig = { treatment: "reverse_charge", label: "Reverse charge", rateBps: null } as const;
        yield* (yield* Partners.Partners).update(owner, partnerId, {
          selfBillingData: { ...Given.SELF_BILLING, taxConfig },
        });
        yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        yield* (yield* PostingRules.PostingRules).write(owner, {
          rules: [],
          reverseCharge: [{ from: "2026-01-03", rateBps: 1_900 }],
        });
        yield* Given.wait(5 * DAY);
        yield* Given.approveAndDrain({ ...scene, settlementId: yield* Given.draft(scene) });
        yield* Given.wait(40 * DAY);
        yield* close(owner, JANUARY);
        yield* Given.drain;
        const before = yield* journal(owner);
        const taxes = Effect.map(journal(owner), ({ entries }) =>
          entries.flatMap(({ lines }) =>
            lines.filter(({ account }) => account.startsWith("reverse_charge")).map(({ amount }) => amount),
          ),
        );
        expect(yield* taxes).toEqual([190n, -190n]);
        // No request may change a rate of the past, so this is written beside the service.
        const storage = yield* Storage.Storage;
        const [books] = yield* storage.find(customerId, "books", [Books.recordIdOf(customerId)]);
        if (books === undefined) throw new Error("there are no books");
        const rates = { rules: [], reverseCharge: [{ from: "2026-01-03", rateBps: 2_500 }] };
        const { now } = yield* Given.clock;
        yield* Scene.commit(
          customerId,
          [Build.next("books", books, Books.write(books, rates, { actor: "user:ida" }), now)],
          { command: { id: Build.fresh.command(), actor: "user:ida", at: now } },
        );
        expect((yield* journal(owner)).entries).toEqual(before.entries);
        yield* reopen(other(owner), JANUARY);
        expect(yield* taxes).toEqual([250n, -250n]);
      }),
    ),
  );

  it.effect(
    "keeps its hash when the data of a partner is erased, also the number of the partner's invoice",
    () =>
      rule(
        Effect.gen(function* () {
          const { owner, customerId, partnerId, ...scene } = yield* Given.scene();
          const given = { owner, customerId, partnerId, ...scene };
          yield* Given.formula(given);
          yield* Given.sell(given, 10_000);
          const settlementId = yield* Given.draft(given);
          yield* Given.approveAndDrain({ ...given, settlementId });
          yield* Given.upload({ ...given, settlementId }, "invoice", { number: "Nordlys 1" });
          yield* Given.payByHand({ ...given, settlementId });
          yield* Given.wait(45 * DAY);
          yield* close(owner, JANUARY);
          yield* Given.drain;
          const documents = Effect.map(
            journal(owner),
            ({ entries }) => new Set(entries.map(({ document }) => document)),
          );
          expect(yield* documents).toContain("Nordlys 1");
          yield* Given.wait(11 * 366 * DAY);
          yield* (yield* Erasures.Erasures).partner(Principal.platform("operator"), partnerId, {});
          expect(yield* documents).toEqual(new Set([null, "[erased]"]));
          expect(yield* PeriodSeals.compare(customerId)).toEqual([{ month: JANUARY, problem: null }]);
        }),
      ),
  );

  it.effect("differs from its hash and totals once its journal is another one", () =>
    Effect.gen(function* () {
      let alter = (movement: Movement.Movement): Movement.Movement => movement;
      yield* rule(
        Effect.gen(function* () {
          const { owner, customerId, ...scene } = yield* january;
          yield* Given.wait(30 * DAY);
          yield* close(owner, JANUARY);
          expect(yield* PeriodSeals.compare(customerId)).toEqual([]);
          yield* Given.sell({ owner, customerId, ...scene }, 7_000);
          yield* close(owner, FEBRUARY);
          yield* Given.drain;
          const problems = Effect.map(PeriodSeals.compare(customerId), (compared) =>
            compared.map(({ month: of, problem }) => [of, problem]),
          );
          expect(yield* problems).toEqual([
            [JANUARY, null],
            [FEBRUARY, null],
          ]);
          alter = (movement) => ({ ...movement, earned: 0n, settled: 0n, waiting: 0n });
          expect(yield* problems).toEqual([
            [JANUARY, "it has 0 entries, 1 when it was closed"],
            [FEBRUARY, null],
          ]);
          alter = (movement) => ({ ...movement, earned: movement.earned + 1n });
          expect(yield* problems).toEqual([
            [JANUARY, "the totals of its accounts are not those of its closing"],
            [FEBRUARY, null],
          ]);
          alter = (movement) => ({ ...movement, at: movement.at + 1 });
          expect(yield* problems).toEqual([
            [JANUARY, expect.stringMatching(/^its hash is [0-9a-f]{64}, [0-9a-f]{64} when it was closed$/)],
            [FEBRUARY, null],
          ]);
          yield* reopen(other(owner), FEBRUARY);
          expect(yield* problems).toHaveLength(1);
        }),
        {
          storage: ({ partnerMovements }) => ({
            partnerMovements: (...given) =>
              Effect.map(partnerMovements(...given), (page) => ({
                ...page,
                movements: page.movements.map((movement) => alter(movement)),
              })),
          }),
        },
      );
    }),
  );

  it.effect("has a hash of every entry, that is computed from the journal alone", () =>
    rule(
      Effect.gen(function* () {
        const { owner, sale } = yield* january;
        yield* close(owner, JANUARY);
        yield* Given.drain;
        yield* Effect.flatMap(Attributions.Attributions, ({ cancel }) =>
          cancel(owner, sale, { reason: "returned" }),
        );
        yield* Given.wait(30 * DAY);
        yield* close(owner, FEBRUARY);
        yield* Given.drain;
        const { periods } = yield* list(owner);
        for (const { journal: seal, from, to } of periods) {
          const { entries } = yield* journal(owner, from ?? 0, to);
          let hash = AccountingPeriod.GENESIS;
          for (const { at, partnerId, commissionId, concerns, kind, lines } of entries) {
            const [datetime, concerned] = [
              new Date(at).toISOString(),
              concerns === null ? "" : `"concerns":"${concerns}",`,
            ];
            const shown = lines.map(({ account, amount }) =>
              amount < 0n
                ? `{"account":"${account}","credit":"${-amount}"}`
                : `{"account":"${account}","debit":"${amount}"}`,
            );
            const text = `{"commission_id":"${commissionId}",${concerned}"currency":"EUR","datetime":"${datetime}","kind":"${kind}","lines":[${shown}],"partner_id":"${partnerId}"}`;
            hash = createHash("sha256").update(`${hash}${text}`).digest("hex");
          }
          expect([entries.length, seal?.sha256]).toEqual([1, hash]);
        }
        expect(periods).toHaveLength(2);
      }),
    ),
  );
});

describe("what is dated in a closed month", () => {
  it.effect("is decided again, at a later moment", () =>
    Effect.gen(function* () {
      let onCommit: Effect.Effect<void> = Effect.void;
      const conflicts: Array<string> = [];
      yield* rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          yield* Given.formula(scene);
          yield* Given.wait(31 * DAY - 1);
          const periods = yield* service;
          const clock = yield* Given.clock;
          onCommit = Effect.suspend(() => {
            onCommit = Effect.void;
            clock.now += 2 * DAY;
            return Effect.orDie(Effect.asVoid(periods.close(scene.owner, JANUARY)));
          });
          yield* Given.sell(scene, 10_000);
          expect(conflicts).toEqual(["books"]);
          const { entries } = yield* journal(scene.owner, Given.NOW, Given.NOW + 33 * DAY);
          expect(entries.map(({ at }) => at)).toEqual([Given.NOW + 33 * DAY - 1]);
        }),
        {
          storage: ({ commit }) => ({
            commit: (customerId, changeSet) =>
              Effect.zipRight(
                changeSet.changes.some((change) => change.type === "save" && change.kind === "attribution")
                  ? Effect.suspend(() => onCommit)
                  : Effect.void,
                Effect.tapError(commit(customerId, changeSet), (problem) =>
                  Effect.sync(() => {
                    if (problem._tag === "VersionConflict") conflicts.push(problem.what);
                  }),
                ),
              ),
          }),
        },
      );
    }),
  );

  it.effect("is refused where the clock stays behind", () =>
    rule(
      Effect.gen(function* () {
        const { owner, ...scene } = yield* january;
        yield* close(owner, JANUARY);
        const before = yield* journal(owner);
        yield* Given.wait(-20 * DAY);
        const given = { owner, ...scene };
        expect(yield* Given.refusal(Given.sell(given, 10_000))).toMatch(/^busy:/);
        expect(yield* Given.refusal(Given.draft(given))).toMatch(/^busy:/);
        yield* Given.wait(20 * DAY);
        expect(yield* journal(owner)).toEqual(before);
      }),
    ),
  );
});

describe("months", () => {
  it.effect("are closed in their order, once they have ended", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* january;
        const refuse = (of: AccountingPeriod.Month) => Given.refusal(close(owner, of));
        expect(yield* refuse(FEBRUARY)).toBe(
          "period: 2026-02 has not ended; it may be closed from a minute after 2026-03-01T00:00:00.000Z on",
        );
        yield* close(owner, JANUARY);
        expect(yield* refuse(month("2025-12"))).toBe("period: 2025-12 is before the first closed month");
        yield* Given.wait(60 * DAY);
        expect(yield* refuse(month("2026-03"))).toBe("period: close 2026-02 first");
        yield* close(owner, FEBRUARY);
        expect((yield* list(owner)).periods.map(({ from, to }) => [from, to])).toEqual([
          [null, Given.NOW + 31 * DAY],
          [Given.NOW + 31 * DAY, Given.NOW + 59 * DAY],
        ]);
        expect(yield* refuse("2026-13" as AccountingPeriod.Month)).toMatch(/must be a month as YYYY-MM/);
      }),
    ),
  );

  it.effect("are reopened from the last one on, by another person than the one who closed it", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* january;
        yield* Given.wait(30 * DAY);
        const refuse = (by: Owner, of: AccountingPeriod.Month) => Given.refusal(reopen(by, of));
        expect(yield* refuse(owner, JANUARY)).toBe("period: 2026-01 is not closed");
        yield* close(owner, JANUARY);
        yield* close(other(owner), FEBRUARY);
        expect(yield* refuse(owner, JANUARY)).toBe("period: reopen 2026-02 first");
        const four = "four_eyes: who closed a month may not reopen it";
        expect(yield* refuse(other(owner), FEBRUARY)).toBe(four);
        expect(yield* refuse({ ...other(owner), principalId: "session", person: "other" }, FEBRUARY)).toBe(
          four,
        );
        yield* reopen(owner, FEBRUARY);
        expect(yield* refuse(owner, FEBRUARY)).toBe("period: 2026-02 is not closed");
        const { periods, nextMonth } = yield* list(owner);
        expect(nextMonth).toBe(FEBRUARY);
        expect(periods[1]?.reopened).toEqual({ at: Given.NOW + 75 * DAY, by: "host", ...REASON });
        yield* reopen(other(owner), JANUARY);
        expect((yield* list(owner)).nextMonth).toBe(JANUARY);
        yield* close(owner, JANUARY);
        yield* close(owner, FEBRUARY);
        yield* Given.drain;
        const closed = (yield* list(owner)).periods;
        expect(closed.map(({ journal: seal, reopened }) => [seal?.entries, reopened])).toEqual([
          [1, null],
          [0, null],
        ]);
        expect(closed[0]?.from).toBe(null);
      }),
    ),
  );

  it.effect("are closed by a person who may approve settlements of the whole customer", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* january;
        expect(yield* Given.refusal(close({ ...owner, partnerIds: [partnerId] }, JANUARY))).toMatch(
          /needs one for all of them/,
        );
        expect(yield* Given.refusal(close({ ...owner, scopes: ["settlements:read"] }, JANUARY))).toMatch(
          /lacks the scope settlements:approve/,
        );
        expect((yield* list(owner)).periods).toEqual([]);
      }),
    ),
  );
});
