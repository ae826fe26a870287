/** What files of the journal contain. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Stream } from "effect";
import { Currency, JournalFile, Journals, PostingRules } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;

const entriesOf = ({ owner }: Given.Scene, query: { readonly currency?: Currency.Currency } = {}) =>
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
          ...(["input_tax", "partner_payables", "payments"] as const),
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
