/** The attempts to pay a settlement, as its log tells them. */
import { expect, it } from "vitest";
import type { LogEvent, Settlement } from "../../adapters/console/api/Records.ts";
import { attemptsOf, failedAttempt, strayReport } from "../../adapters/console/settling/Attempts.ts";

const NOW = Date.parse("2026-11-10T00:00:00Z");

/** A settlement with these events, a day apart from the first of November on. */
const settlement = (state: string, events: ReadonlyArray<object>, more: Partial<Settlement> = {}) =>
  ({
    ...{ status: { type: state }, reconciliationStatus: "unreconciled" },
    events: events.map((event, index) => ({
      ...{ event: event as LogEvent, datetime: `2026-11-0${index + 1}T00:00:00Z` },
    })),
    ...more,
  }) as Settlement;

const initiate = (attempt: number) => ({
  ...{ type: "initiate_payment", attempt, payment_reference: `r${attempt}` },
});
const fail = (attempt: number, type = "fail_payment") => ({
  ...{ type, payment_reference: `r${attempt}`, reason: "closed" },
});
const confirm = (attempt: number) => ({ type: "confirm_payment", payment_reference: `r${attempt}` });

const ends = (events: ReadonlyArray<object>) =>
  attemptsOf(settlement("paid", events)).map(({ number, end }) => [number, end?.type ?? null, end?.reason]);

it("have each their end; one that came back had been paid", () => {
  expect(
    ends([initiate(1), fail(1), initiate(2), confirm(2), fail(2, "return_payment"), initiate(3)]),
  ).toEqual([
    [1, "failed", "closed"],
    [2, "returned", "closed"],
    [3, null, undefined],
  ]);
});

it("that a person has confirmed are paid, and a payment outside is no attempt", () => {
  expect(ends([initiate(1), { type: "mark_as_paid" }])).toEqual([[1, "paid", null]]);
  expect(ends([{ type: "mark_as_paid" }])).toEqual([]);
});

it("count as failed while the settlement waits to be paid because of the last one", () => {
  const events = [initiate(1), fail(1)];
  expect(failedAttempt(settlement("awaiting_payment", events))).toMatchObject({
    ...{ number: 1, reference: "r1", end: { type: "failed", at: "2026-11-02T00:00:00Z" } },
  });
  expect(failedAttempt(settlement("written_off", events))).toBeNull();
  expect(failedAttempt(settlement("payment_initiated", [...events, initiate(2)]))).toBeNull();
  expect(failedAttempt(settlement("awaiting_payment", []))).toBeNull();
});

it("have reports that do not fit, for a month and until the payment is found in the bank account", () => {
  const events = [initiate(1), { type: "payment_anomaly", kind: "returned", payment_reference: "r1" }];
  const stray = { kind: "returned", reference: "r1", at: "2026-11-02T00:00:00Z" };
  expect(strayReport(settlement("paid", events), NOW)).toEqual(stray);
  expect(strayReport(settlement("paid", events), NOW + 22 * 86_400_000)).toBeNull();
  const found = { reconciliationStatus: "reconciled" } as const;
  expect(strayReport(settlement("paid", events, found), NOW)).toBeNull();
  expect(strayReport(settlement("paid", [initiate(1), confirm(1)]), NOW)).toBeNull();
});
