/** What documents state of lines that rest on what sellers earn. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import type { Documents } from "quittance";
import * as Given from "./Given.ts";
import { earning, sell, settle } from "./TeamScene.ts";

describe("the line of an override on a report", () => {
  it.effect("states its terms, as a percentage of what the sellers earn", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return Given.rule(
      Effect.gen(function* () {
        const all = yield* earning;
        yield* sell(all, 10_050);
        const { partnerId } = all.manager;
        const own = (yield* Given.commissions(all.manager)).filter((one) => one.partnerId === partnerId);
        const { id: settlementId } = yield* settle(
          all.manager,
          own.map(({ id }) => id),
        );
        const scene = { ...all.manager, settlementId };
        yield* Given.approveAndDrain(scene);
        const report = rendered.find(({ kind }) => kind === "report");
        expect(report?.lines).toMatchObject([
          { amount: 201, basis: "evaluated", terms: { type: "rate", base: "1005", rate: "0.2" } },
        ]);
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_invoice");
      }),
      Given.recording(rendered),
    );
  });
});
