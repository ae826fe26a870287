/** The simulated bank: each outcome over a running engine. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Fiber } from "effect";
import { Payments, PayoutDetails, Settlements } from "quittance";
import { OUTCOMES, type Outcome, outcomeByName, simulated } from "quittance/payouts";
import * as Given from "../services/Given.ts";
import { CREDITOR } from "./Payers.ts";

const ENDS: Readonly<Record<Outcome, { readonly status: string; readonly anomalies?: number }>> = {
  confirmed: { status: "paid" },
  charged: { status: "paid" },
  refused: { status: "awaiting_payment" },
  failed: { status: "awaiting_payment" },
  returned: { status: "awaiting_payment" },
  timeout: { status: "paid" },
  duplicated: { status: "paid" },
  reordered: { status: "paid", anomalies: 1 },
  silent: { status: "payment_initiated" },
};

describe("a simulated payment", () => {
  it.live.each(Object.entries(ENDS))("whose outcome is %s", ([outcome, { status, anomalies = 0 }]) => {
    const bank = simulated({ outcomeOf: () => outcome as Outcome, delayMilliseconds: 1 });
    return Given.rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const { followProvider } = yield* Payments.Payments;
        const following = yield* Effect.fork(followProvider);
        yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
        yield* Given.drain;
        const afterAWhile = Effect.gen(function* () {
          yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)));
          yield* Given.wait(10_000);
          yield* Given.drain;
          return yield* Given.settlement(scene, scene.settlementId);
        });
        const found = yield* Effect.repeat(afterAWhile, { until: (now) => now.status.type === status });
        yield* Fiber.interrupt(following);
        expect(found.status.type).toBe(status);
        const events = found.events.map(({ event }) => event);
        expect(events.filter(({ type }) => type === "payment_anomaly")).toHaveLength(anomalies);
        expect(events.filter(({ type }) => type === "confirm_payment").length).toBeLessThan(2);
        const isCharged = outcome === "charged";
        expect(found.fee ?? null).toEqual(isCharged ? { amount: 150, currency: "EUR" } : null);
        expect(found.received ?? null).toEqual(
          isCharged ? { amount: found.payableAmount, currency: "USD" } : null,
        );
        if (status === "paid") expect(found.bankReference).toMatch(/^SIMULATED-/);
        for (const event of events)
          if ("reason" in event && event.type !== "dispute_settlement")
            expect(event.reason).toMatch(/^simulated: /);
      }),
      { send: bank.send, provider: bank },
    );
  });

  it("has the outcome in the brackets of the beneficiary's name", () => {
    const of = (name: string) =>
      outcomeByName({ account: PayoutDetails.payeeOf({ ...CREDITOR, beneficiaryName: name }) });
    for (const outcome of Object.keys(OUTCOMES)) expect(of(`Nordlys [${outcome}] ApS`)).toBe(outcome);
    for (const name of ["Nordlys", "Nordlys [lost]", "[constructor]", "[toString]"])
      expect(of(name)).toBe("confirmed");
  });
});
