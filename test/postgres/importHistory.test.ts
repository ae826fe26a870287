/** Sales of three years, imported today: each earns by the formula version of its date and counts in its own month. */

import { Effect, Layer } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Commissions,
  Currency,
  Documents,
  Partners,
  Principal,
  Quittance,
} from "quittance";
import type { Expression } from "quittance/formula";
import { layer as memory } from "quittance/memory";
import { layer } from "quittance/postgres";
import { Build, checkInvariants } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { database } from "../support/postgres.ts";
import { sized } from "../support/profile.ts";

const SALES = sized(3_000, 4_000, 36_000);
const BATCH = 1_000;
const YEARS = [2023, 2024, 2025] as const;
const START = Date.UTC(2023, 0, 1);
const SPAN = Date.UTC(2026, 0, 1) - START;

const renderer = Layer.succeed(Documents.DocumentRenderer, {
  render: () => Effect.dieMessage("no documents"),
});
const engine = Quittance.layer({ documents: "manual" }).pipe(Layer.provide(renderer));

const percent = (value: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "property", name: "cents" },
    { type: "literal", value: { type: "percent", value } },
  ],
});

/** The rates by year; in addition 100 cents per sale in the second half of 2024. */
const RATES: Readonly<Record<number, number>> = { 2023: 10, 2024: 8, 2025: 12 };
const BONUS = { from: Date.UTC(2024, 6, 1), to: Date.UTC(2025, 0, 1) };

/** Sales over the three years in random order, including the first and last instants of months. */
const sales = Array.from({ length: SALES }, (_, index) => {
  const spread = START + ((index * 7_919_000_003) % SPAN);
  const month = new Date(spread);
  const edge = Date.UTC(month.getUTCFullYear(), month.getUTCMonth(), 1);
  const occurredAt = index % 10 === 0 ? edge : index % 10 === 1 && edge > START ? edge - 1 : spread;
  return { occurredAt, cents: 100 * (1 + (index % 97)) };
});

/** The commissions and the number of sales of each month, computed here from the rates. */
const expected = () => {
  const months = new Map<number, { count: number; commissions: number; amount: number }>();
  for (const { occurredAt, cents } of sales) {
    const date = new Date(occurredAt);
    const month = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
    const bonus = occurredAt >= BONUS.from && occurredAt < BONUS.to ? 1 : 0;
    const known = months.get(month) ?? { count: 0, commissions: 0, amount: 0 };
    months.set(month, {
      count: known.count + 1,
      commissions: known.commissions + 1 + bonus,
      amount: known.amount + (cents * (RATES[date.getUTCFullYear()] ?? 0)) / 100 + 100 * bonus,
    });
  }
  return months;
};

const story = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const owner = Principal.customer(customerId);
  const partnerId = (yield* (yield* Partners.Partners).create(owner, { name: "Nordlys ApS", workspaceId }))
    .id;
  const schemaId = (yield* (yield* AttributionSchemas.AttributionSchemas).create(owner, {
    name: "Sale",
    workspaceId,
    properties: [{ name: "cents", type: "number", required: true }],
  })).id;
  const formulas = yield* CommissionFormulas.CommissionFormulas;
  const currency = Currency.Currency.make("EUR");
  const formula = { partnerId, workspaceId, schemaId, currency };
  const { id } = yield* formulas.create(owner, {
    ...formula,
    name: "Share",
    startDatetime: START,
    expression: percent(RATES[2023] ?? 0),
  });
  for (const year of YEARS.slice(1)) {
    yield* formulas.update(owner, id, {
      expression: percent(RATES[year] ?? 0),
      effectiveDatetime: Date.UTC(year, 0, 1),
    });
  }
  const attributions = yield* Attributions.Attributions;
  const requests = sales.map(({ occurredAt, cents }, index) => ({
    ...{ partnerId, workspaceId, schemaId, occurredAt },
    externalReference: `line ${index}`,
    properties: { cents },
  }));
  for (let from = 0; from < SALES; from += BATCH) {
    const batch = { mode: "atomic" as const, attributions: requests.slice(from, from + BATCH) };
    const first = yield* attributions.createBatch(owner, batch);
    if (from === 0) expect(yield* attributions.createBatch(owner, batch)).toEqual(first);
  }
  // Creates a second formula after the sales, so that it earns for the stored history.
  yield* formulas.create(owner, {
    ...formula,
    name: "Bonus",
    startDatetime: BONUS.from,
    endDatetime: BONUS.to,
    expression: { type: "literal", value: { type: "number", value: 100 } },
  });
  const span = { from: START, to: START + SPAN, granularity: "month" } as const;
  const counted = yield* attributions.statistics(owner, span);
  const earned = yield* (yield* Commissions.Commissions).statistics(owner, span);
  const months = expected();
  expect(counted.summary.total).toBe(SALES);
  expect(counted.buckets.map(({ timestamp, total }) => [timestamp, total])).toEqual(
    [...months].toSorted(([one], [other]) => one - other).map(([month, { count }]) => [month, count]),
  );
  expect(
    earned.buckets.map(({ timestamp, count, unsettled }) => [timestamp, count, unsettled.amounts]),
  ).toEqual(
    [...months]
      .toSorted(([one], [other]) => one - other)
      .map(([month, { commissions, amount }]) => [
        month,
        commissions,
        [{ currency: "EUR", amount: BigInt(amount) }],
      ]),
  );
  const march = { occurredFrom: Date.UTC(2024, 2, 1), occurredTo: Date.UTC(2024, 3, 1) };
  expect((yield* attributions.list(owner, march)).total).toBe(months.get(march.occurredFrom)?.count);
  yield* checkInvariants(customerId);
});

describe("sales of three years that are recorded today", () => {
  it("earn by the version of their date and count in their month, in memory", () =>
    Effect.runPromise(Effect.provide(story, Layer.provideMerge(engine, memory))));

  it("do so on PostgreSQL", () =>
    Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(database(), (url) =>
          Effect.provide(story, Layer.provideMerge(engine, layer({ url }))),
        ),
      ),
    ));
});
