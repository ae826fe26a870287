/** What posting rules give the journal, and why some may not depend on everything. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import { type Books, Journals, PostingRules } from "quittance";
import * as Given from "./Given.ts";
import { assign, plan } from "./PlanScene.ts";

const { rule } = Given;
const postingRules = PostingRules.PostingRules;

const entriesOf = ({ owner }: Given.Scene) =>
  Effect.map(
    Effect.flatMap(Journals.Journals, (service) => service.journal(owner, { from: 0 })),
    ({ entries }) => entries,
  );

/** A sale of a plan and one of a formula of its own, which one self-billed settlement pays. */
const story = Effect.gen(function* () {
  const scene = yield* Given.approved([10_000], { selfBilled: true });
  yield* Given.drain;
  yield* Given.payByHand(scene);
  return scene;
});

/** The balance of each number of an account. */
const balances = (scene: Given.Scene, account: string) =>
  Effect.map(entriesOf(scene), (entries) => {
    const sums: Record<string, bigint> = {};
    for (const { lines } of entries)
      for (const line of lines)
        if (line.account === account) {
          const number = line.number ?? "";
          sums[number] = (sums[number] ?? 0n) + line.amount;
        }
    return sums;
  });

describe("posting rules", () => {
  it.effect("count the plan of each commission", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const planId = yield* plan(scene);
        yield* assign(scene, planId);
        yield* Effect.flatMap(postingRules, ({ write }) =>
          write(scene.owner, {
            rules: [
              { account: "commission_expense", planId, number: "of the plan" },
              { account: "commission_expense", number: "others" },
            ],
          }),
        );
        const numbers = (yield* entriesOf(scene)).map(({ lines }) => lines[0]?.number);
        expect(numbers.toSorted()).toEqual(["of the plan", "others"]);
      }),
    ),
  );

  it.effect("that are accepted close each number of an account that they open", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* story;
        const { partnerId, workspaceId, owner } = scene;
        const conditions: ReadonlyArray<Omit<Books.Rule, "account" | "number">> = [
          ...(["earned", "billed", "paid"] as const).map((kind) => ({ kind })),
          ...[{ planId: yield* plan(scene) }, { partnerId }, { workspaceId }],
          { taxTreatment: "standard" },
        ];
        const { write } = yield* postingRules;
        let accepted = 0;
        for (const account of ["accrued_commissions", "partner_payables"] as const)
          for (const condition of conditions) {
            const rules: ReadonlyArray<Books.Rule> = [
              { account, ...condition, number: "some" },
              { account, number: "others" },
            ];
            if (Either.isLeft(yield* Effect.either(write(owner, { rules })))) continue;
            accepted++;
            for (const [number, balance] of Object.entries(yield* balances(scene, account)))
              expect([account, condition, number, balance]).toEqual([account, condition, number, 0n]);
          }
        expect(accepted).toBe(5);
      }),
    ),
  );

  it.effect("are written by a person who may approve settlements of the whole customer", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId } = yield* Given.scene();
        const { write, read } = yield* postingRules;
        const rules = [{ account: "input_tax", number: "1400" }] as const;
        const refused = write({ ...owner, partnerIds: [partnerId] }, { rules });
        expect(yield* Given.refusal(refused)).toMatch(/the books needs one for all of them/);
        const without = write({ ...owner, scopes: ["settlements:read"] }, { rules });
        expect(yield* Given.refusal(without)).toMatch(/lacks the scope settlements:approve/);
        expect(yield* read(owner)).toEqual({
          rules: [],
          reverseCharge: null,
          datev: null,
          xero: null,
          updatedAt: null,
        });
        yield* write(owner, { rules });
        expect((yield* read(owner)).rules).toEqual(rules);
      }),
    ),
  );
});
