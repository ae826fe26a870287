/** What files of the journal contain. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Stream } from "effect";
import { Currency, type Journal, JournalFile, Journals, Partners, PostingRules } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;

const entriesOf = ({ owner }: Given.Scene, query: Omit<Journal.JournalQuery, "from"> = {}) =>
  Effect.gen(function* () {
    const { journalStream } = yield* Journals.Journals;
    const { entries } = yield* journalStream(owner, { from: 0, ...query });
    return Chunk.toReadonlyArray(yield* Stream.runCollect(entries));
  });

describe("files of the journal", () => {
  it.effect("have the entries of the stated currency alone", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const usd = Currency.Currency.make("USD");
        yield* Given.formula(scene, { currency: usd });
        yield* Given.sell(scene, 20_000);
        const all = yield* entriesOf(scene);
        expect(new Set(all.map(({ currency }) => currency))).toEqual(new Set(["EUR", "USD"]));
        const some = yield* entriesOf(scene, { currency: usd });
        expect(some).toEqual(all.filter(({ currency }) => currency === "USD"));
      }),
    ),
  );

  it.effect("have a document as an entry of its own, also where it is paid in the same moment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        yield* Given.drain;
        yield* Given.payByHand(scene);
        const settled = yield* entriesOf(scene, { kinds: ["billed", "paid"] });
        const payable = settled.map(
          ({ kind, lines }) =>
            [kind, lines.find(({ account }) => account === "partner_payables")?.amount] as const,
        );
        expect(new Map<string, bigint | undefined>(payable)).toEqual(
          new Map([
            ["billed", -1_250n],
            ["paid", 1_250n],
          ]),
        );
        expect(new Set(settled.map(({ at }) => at)).size).toBe(1);
      }),
    ),
  );

  it.effect("that post in pairs post the whole entry", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        yield* Given.drain;
        yield* Given.payByHand(scene);
        for (const { lines } of yield* entriesOf(scene)) {
          const left = new Map(lines.map(({ account, amount }) => [account, amount]));
          for (const { posting, contra, amount } of JournalFile.pairsOf(lines)) {
            left.set(posting.account, (left.get(posting.account) ?? 0n) - amount);
            left.set(contra.account, (left.get(contra.account) ?? 0n) + amount);
          }
          expect([...left.values()].filter((amount) => amount !== 0n)).toEqual([]);
        }
      }),
    ),
  );

  it.effect("are refused where an account of theirs could have no number", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* Given.scene();
        const { write } = yield* PostingRules.PostingRules;
        const { journalStream } = yield* Journals.Journals;
        const others = [
          ...(["commission_expense", "accrued_commissions", "commissions_awaiting_receipt"] as const),
          ...(["input_tax", "partner_payables", "payments", "settled_elsewhere"] as const),
        ];
        const of = (extra: object) => [
          ...others.map((account) => ({ account, number: "1" })),
          { account: "written_off_commissions", number: "2", ...extra } as const,
        ];
        const xero = { taxRate: "No VAT" };
        const asked = journalStream(owner, { from: 0, currency: Given.EUR }, "xero");
        yield* write(owner, { rules: of({ partnerId }), xero });
        expect(yield* Given.refusal(asked)).toMatch(/and written_off_commissions has none/);
        yield* write(owner, { rules: of({}), xero });
        expect((yield* asked).head.xero).toEqual(xero);
      }),
    ),
  );
});

describe("tax under reverse charge", () => {
  const RATES = [
    { from: "2026-01-03", rateBps: 1_900 },
    { from: "2026-02-01", rateBps: 2_000 },
  ];
  /** A settlement of one sale whose document has no tax, because the customer owes it. */
  const billed = (orderValue: number) =>
    Effect.gen(function* () {
      const scene = yield* Given.scene({ selfBilled: true });
      const { update } = yield* Partners.Partners;
      const taxConfig = { treatment: "reverse_charge", label: "Reverse charge", rateBps: null } as const;
      yield* update(scene.owner, scene.partnerId, {
        selfBillingData: { ...Given.SELF_BILLING, taxConfig },
      });
      yield* Given.formula(scene);
      yield* Given.sell(scene, orderValue);
      return scene;
    });

  const taxes = (scene: Given.Scene) =>
    Effect.map(entriesOf(scene), (entries) =>
      entries.flatMap(({ kind, lines }) =>
        lines
          .filter(({ account }) => account.startsWith("reverse_charge"))
          .map(({ account, amount }) => [kind, account.slice("reverse_charge_".length), amount]),
      ),
    );

  it.effect(
    "is posted as owed and as deductible with the document, at the rate of its day, and taken back with it",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* billed(10_000);
          const { write } = yield* PostingRules.PostingRules;
          yield* write(scene.owner, { rules: [], reverseCharge: RATES });
          yield* Given.wait(5 * Given.DAY);
          const settlementId = yield* Given.draft(scene);
          yield* Given.approveAndDrain({ ...scene, settlementId });
          expect(yield* taxes(scene)).toEqual([
            ["billed", "tax_deductible", 190n],
            ["billed", "tax_due", -190n],
          ]);
          yield* Given.payByHand({ ...scene, settlementId });
          expect(yield* taxes(scene)).toHaveLength(2);
          yield* Given.wait(40 * Given.DAY);
          expect(yield* taxes(scene)).toHaveLength(2);
          yield* Given.sell(scene, 10_000);
          const second = yield* Given.draft(scene);
          yield* Given.approveAndDrain({ ...scene, settlementId: second });
          expect((yield* taxes(scene)).slice(2)).toEqual([
            ["billed", "tax_deductible", 200n],
            ["billed", "tax_due", -200n],
          ]);
        }),
      ),
  );

  it.effect("is not posted without rates, and a change of rates begins two days ahead", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* billed(10_000);
        yield* Given.approveAndDrain({ ...scene, settlementId: yield* Given.draft(scene) });
        const before = yield* entriesOf(scene);
        expect(yield* taxes(scene)).toEqual([]);
        const { write, read } = yield* PostingRules.PostingRules;
        const set = (reverseCharge: ReadonlyArray<{ readonly from: string; readonly rateBps: number }>) =>
          write(scene.owner, { rules: [], reverseCharge });
        expect(yield* Given.refusal(set([{ from: "2026-01-02", rateBps: 1_900 }]))).toMatch(
          /^reverse_charge: must leave the rate from 2026-01-02 as it is, because a change begins on 2026-01-03/,
        );
        yield* set(RATES);
        yield* Given.wait(10 * Given.DAY);
        expect(yield* entriesOf(scene)).toEqual(before);
        expect(yield* Given.refusal(set(RATES.slice(1)))).toMatch(/from 2026-01-03 as it is/);
        expect(yield* Given.refusal(write(scene.owner, { rules: [] }))).toMatch(/from 2026-01-03 as it is/);
        expect(yield* Given.refusal(set([...RATES].reverse()))).toMatch(/in the order of their days/);
        const ended = [...RATES.slice(0, 1), { from: "2026-01-20", rateBps: 0 }];
        yield* set(ended);
        expect((yield* read(scene.owner)).reverseCharge).toEqual(ended);
      }),
    ),
  );
});
