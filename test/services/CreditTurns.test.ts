/** Sales that join several orders of arrival take them in one sequence, so that no two of them wait for each other. */
import { expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { Attributions } from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";
import { another } from "./PlanScene.ts";
import { SUM } from "./Team.ts";

const PATIENCE_MILLISECONDS = 10_000;

/** By the clock of the machine: that of a rule does not go on by itself. */
const inTime = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | "too late", E, R> =>
  Effect.race(
    effect,
    Effect.async<"too late">((resume) => {
      const timer = setTimeout(() => resume(Effect.succeed("too late")), PATIENCE_MILLISECONDS);
      return Effect.sync(() => clearTimeout(timer));
    }),
  );

it.effect("sales of two partners, each with a credit of the other, are recorded at the same time", () =>
  Given.rule(
    Effect.gen(function* () {
      const one = yield* Given.scene();
      const other = yield* another(one);
      for (const scene of [one, other]) yield* Given.formula(scene, { expression: SUM });
      const { create } = yield* Attributions.Attributions;
      const sell = (first: Given.Scene, second: Given.Scene) =>
        create(first.owner, {
          ...Given.sale(first, 100),
          credits: [first, second].map(({ partnerId }) => ({ partnerId, share: "0.5" })),
        });
      const done = yield* inTime(
        Effect.all([sell(one, other), sell(other, one), sell(one, other), sell(other, one)], {
          concurrency: "unbounded",
        }),
      );
      expect(done).toHaveLength(4);
      yield* checkInvariants(one.customerId);
    }),
  ),
);
