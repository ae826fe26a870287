/** Days, months and years as the customer counts them. */

import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import {
  Attribution,
  Attributions,
  CommissionFormulas,
  Events,
  PlanTrials,
  SettlementPolicies,
  Workspaces,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;

/** A formula that pays 1 % of what the partner sold earlier in the window, from 1970 on. */
const countEarlier = ({ owner, workspaceId, partnerId, schemaId }: Given.Scene, window: string) =>
  Effect.flatMap(CommissionFormulas.CommissionFormulas, ({ create }) =>
    create(owner, {
      ...{ workspaceId, partnerId, schemaId, currency: Given.EUR, name: "Earlier sales" },
      startDatetime: 0,
      expressionText: `1 % of (sum of order_value earlier ${window})`,
    }),
  );

/** Records a sale of 100 that occurred at a moment, and on a day if one is stated. */
const sellAt = (scene: Given.Scene, date: string, occurredOn?: string, externalReference?: string) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    create(scene.owner, {
      ...Given.sale(scene, 100),
      occurredAt: Date.parse(date),
      ...(occurredOn === undefined ? {} : { occurredOn }),
      ...(externalReference === undefined ? {} : { externalReference }),
    }),
  );

/** The amounts of all sales, in order of arrival; the invariants hold of what they build on. */
const amounts = (scene: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    return (yield* Given.commissions(scene)).map(({ computedAmount }) => computedAmount);
  });

/** The amounts of sales of 100, in order of arrival. */
const amountsOf = (scene: Given.Scene, dates: ReadonlyArray<string>) =>
  Effect.zipRight(
    Effect.forEach(dates, (date) => sellAt(scene, date)),
    amounts(scene),
  );

describe("a window", () => {
  it.effect("of a year from April counts the sales of that year", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this year from April");
        const dates = ["2024-04-01", "2024-12-31", "2025-01-01", "2025-03-31T23:59:59Z", "2025-04-01"];
        expect(yield* amountsOf(scene, dates)).toEqual([0, 1, 2, 3, 0]);
      }),
    ),
  );

  it.effect("of a quarter from February counts the sales of that quarter", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this quarter from February");
        const dates = ["2024-11-01", "2025-01-31", "2025-02-01", "2025-04-30", "2025-05-01", "2024-12-24"];
        expect(yield* amountsOf(scene, dates)).toEqual([0, 1, 0, 1, 0, 2]);
      }),
    ),
  );
});

describe("a calendar day that is stated", () => {
  const LAST = "2025-03-31T23:00:00Z";

  it.effect("decides the month that the sale counts for", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this month");
        yield* sellAt(scene, LAST);
        yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-30T12:00:00Z", "2025-05-01");
        yield* sellAt(scene, "2025-04-01T00:30:00Z");
        yield* sellAt(scene, "2025-04-01T00:30:00Z", "2025-03-31");
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 1, 1]);
      }),
    ),
  );

  it.effect("decides what the cancellation of a sale changes", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "in the last 2 days");
        const { id } = yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-02T23:00:00Z", "2025-04-03");
        yield* sellAt(scene, "2025-04-02T23:00:00Z");
        yield* sellAt(scene, "2025-04-03T00:00:00Z", "2025-04-02");
        yield* sellAt(scene, LAST);
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 2, 0]);
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, id, { reason: "refund" });
        expect(yield* amounts(scene)).toEqual([0, 0, 0, 1, 0]);
      }),
    ),
  );

  it.effect("is counted by a formula that is created later", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* sellAt(scene, LAST, "2025-04-01");
        yield* sellAt(scene, "2025-04-15");
        yield* countEarlier(scene, "this month");
        expect(yield* amounts(scene)).toEqual([0, 1]);
      }),
    ),
  );

  it.effect("is what formulas read, and lists and repetitions show", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* CommissionFormulas.CommissionFormulas;
        const { workspaceId, partnerId, schemaId } = scene;
        yield* create(scene.owner, {
          ...{ workspaceId, partnerId, schemaId, currency: Given.EUR, name: "By the day of the month" },
          ...{ startDatetime: 0, expressionText: "day of sale.occurred_on" },
        });
        const first = yield* sellAt(scene, LAST, "2025-04-01", "order-1");
        yield* sellAt(scene, LAST, undefined, "order-2");
        expect(yield* amounts(scene)).toEqual([1, 31]);
        const { list } = yield* Attributions.Attributions;
        const { items } = yield* list(scene.owner);
        expect(items.map(Attribution.dayOf)).toEqual(["2025-04-01", "2025-03-31"]);

        expect((yield* sellAt(scene, LAST, "2025-04-01", "order-1")).id).toBe(first.id);
        const reuse = /^external_reference_reuse: /;
        for (const [day, reference] of [
          [undefined, "order-1"],
          ["2025-03-31", "order-1"],
          ["2025-03-31", "order-2"],
        ] as const)
          expect(yield* Given.refusal(sellAt(scene, LAST, day, reference))).toMatch(reuse);
      }),
    ),
  );

  it.effect("is refused more than one day from the UTC day, also of a sample", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const message = "occurred_on: must be at most one day from 2025-03-31, the UTC day of occurred_at";
        expect(yield* Given.refusal(sellAt(scene, LAST, "2025-04-02"))).toBe(message);
        expect(yield* Given.refusal(sellAt(scene, LAST, "2025-03-32"))).toBe(
          "occurredOn: must be a date as YYYY-MM-DD",
        );
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        const tried = (occurredOn: string) =>
          simulate(scene.owner, {
            ...{ schemaId: scene.schemaId, currency: Given.EUR },
            expressionText: "count earlier this month",
            samples: [
              {
                ...{ properties: { order_value: 1 }, occurredAt: Date.parse("2025-03-30") },
                history: [{ properties: { order_value: 1 }, occurredAt: Date.parse(LAST), occurredOn }],
              },
            ],
          });
        const [march] = yield* tried("2025-03-31");
        const [april] = yield* tried("2025-04-01");
        expect([march?.result, april?.result]).toEqual([Either.right(1), Either.right(0)]);
        expect(yield* Given.refusal(tried("2025-04-02"))).toBe(`samples.0.history.0.${message}`);
      }),
    ),
  );
});

describe("the time zone of a workspace", () => {
  it.effect("gives samples and their histories the days that recorded sales would have", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { simulate } = yield* CommissionFormulas.CommissionFormulas;
        const properties = { order_value: 1 };
        const tried = simulate(scene.owner, {
          ...{ schemaId: scene.schemaId, currency: Given.EUR },
          expressionText: "day of sale.occurred_on * 10 + (count earlier this month)",
          samples: [
            {
              ...{ properties, occurredAt: Date.parse("2025-03-31T22:30:00Z") },
              history: [
                { properties, occurredAt: Date.parse("2025-03-31T21:30:00Z") },
                { properties, occurredAt: Date.parse("2025-03-31T22:10:00Z") },
              ],
            },
          ],
        });
        expect((yield* tried)[0]?.result).toEqual(Either.right(312));
        // Half past midnight of 1 April in Berlin, where one sale of the history is of March.
        yield* write(scene, "Europe/Berlin");
        expect((yield* tried)[0]?.result).toEqual(Either.right(11));
      }),
    ),
  );

  const write = ({ owner, workspaceId }: Given.Scene, timeZone: string, name: string | null = null) =>
    Effect.flatMap(Workspaces.Workspaces, (service) => service.write(owner, workspaceId, { name, timeZone }));
  const read = ({ owner, workspaceId }: Given.Scene) =>
    Effect.flatMap(Workspaces.Workspaces, (service) => service.read(owner, workspaceId));
  const days = ({ owner }: Given.Scene) =>
    Effect.flatMap(Attributions.Attributions, ({ list }) =>
      Effect.map(list(owner), ({ items }) => items.map(Attribution.dayOf)),
    );

  it.effect("is UTC until another one is written, which every reader then sees, and the feed", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { workspaceId } = scene;
        expect(yield* read(scene)).toEqual({ workspaceId, name: null, timeZone: "UTC", updatedAt: null });
        yield* write(scene, "Pacific/Apia", "Samoa");
        const after = { workspaceId, name: "Samoa", timeZone: "Pacific/Apia", updatedAt: Given.NOW };
        expect(yield* read(scene)).toEqual(after);
        yield* Given.wait(1);
        yield* write(scene, "Pacific/Apia", "Samoa");
        expect(yield* read(scene)).toEqual(after);
        const { list } = yield* Events.Events;
        const { items } = yield* list(scene.owner, { types: ["write_workspace"] });
        expect(items).toMatchObject([
          {
            kind: "workspace",
            event: { workspace_id: workspaceId, name: "Samoa", time_zone: "Pacific/Apia" },
          },
        ]);
        expect(yield* Given.refusal(write(scene, "Europe/Atlantis"))).toBe(
          "timeZone: must be an IANA time zone, such as Europe/Copenhagen",
        );
        const elsewhere = { ...scene, owner: { ...scene.owner, workspaceIds: [] } };
        expect(yield* Given.refusal(read(elsewhere))).toMatch(/workspace/);
        expect(yield* Given.refusal(write(elsewhere, "UTC"))).toMatch(/workspace/);
        const ofPartner = { ...scene, owner: { ...scene.owner, partnerIds: [scene.partnerId] } };
        expect(yield* Given.refusal(write(ofPartner, "UTC"))).toMatch(
          /a workspace needs one for all of them/,
        );
      }),
    ),
  );

  it.effect("decides the days of later sales, and leaves those of earlier ones", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* countEarlier(scene, "this month");
        const late = "2025-03-31T22:30:00Z";
        yield* sellAt(scene, late);
        yield* write(scene, "Europe/Berlin");
        yield* sellAt(scene, late);
        yield* sellAt(scene, "2025-03-31T21:59:59Z");
        yield* write(scene, "America/New_York");
        yield* sellAt(scene, "2025-05-01T03:59:59Z");
        yield* sellAt(scene, "2025-05-01T04:00:00Z");
        yield* sellAt(scene, "2025-05-01T03:00:00Z", "2025-05-02");
        yield* write(scene, "UTC");
        yield* sellAt(scene, late);
        expect(yield* days(scene)).toEqual([
          ...["2025-03-31", "2025-04-01", "2025-03-31"],
          ...["2025-04-30", "2025-05-01", "2025-05-02", "2025-03-31"],
        ]);
        expect(yield* amounts(scene)).toEqual([0, 0, 1, 1, 0, 1, 2]);
        // A later formula counts the days that are stored.
        yield* countEarlier(scene, "this quarter");
        expect((yield* amounts(scene)).slice(7)).toEqual([0, 0, 1, 1, 2, 3, 2]);
      }),
    ),
  );

  it.effect("that an external reference repeats after a change is no conflict", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* write(scene, "Asia/Tokyo");
        const first = yield* sellAt(scene, "2025-03-31T22:30:00Z", undefined, "order-1");
        yield* write(scene, "UTC");
        expect((yield* sellAt(scene, "2025-03-31T22:30:00Z", undefined, "order-1")).id).toBe(first.id);
        expect(yield* days(scene)).toEqual(["2025-04-01"]);
      }),
    ),
  );

  it.effect("is that of a cadence that states none", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* write(scene, "Asia/Tokyo");
        const policies = yield* SettlementPolicies.SettlementPolicies;
        const { owner, workspaceId } = scene;
        yield* policies.write(owner, workspaceId, { cadence: { type: "monthly", day: 1 } });
        yield* write(scene, "UTC");
        const { cadence, nextRun } = yield* policies.read(owner, workspaceId);
        expect(cadence).toEqual({ type: "monthly", day: 1, timeZone: "Asia/Tokyo" });
        expect(nextRun).toEqual({ label: "2026-02", at: Date.parse("2026-01-31T15:00:00Z") });
      }),
    ),
  );

  it.effect("decides the months of a trial, and the days of the sales that it adds", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { owner, partnerId, workspaceId, schemaId } = scene;
        yield* write(scene, "Asia/Tokyo");
        yield* sellAt(scene, "2025-12-31T14:30:00Z");
        yield* sellAt(scene, "2025-12-31T15:30:00Z");
        const { start, read } = yield* PlanTrials.PlanTrials;
        const added = { partnerId, properties: { order_value: 1 } };
        const trial = {
          ...{ workspaceId, schemaId, currency: Given.EUR, expressionText: "day of sale.occurred_on" },
          ...{ from: Given.NOW - 30 * Given.DAY, to: Given.NOW },
        };
        const occurredAt = Date.parse("2025-12-31T16:00:00Z");
        const { id } = yield* start(owner, {
          ...trial,
          add: [
            { ...added, occurredAt },
            { ...added, occurredAt, occurredOn: "2025-12-30" },
          ],
        });
        yield* Given.drain;
        const { results, changes } = yield* read(owner, id);
        expect(results[0]?.months.map(({ month, amountThen }) => [month, amountThen])).toEqual([
          ["2025-12", 61n],
          ["2026-01", 2n],
        ]);
        expect(changes.map(({ occurredOn, amountThen }) => [occurredOn, amountThen])).toEqual([
          ["2025-12-31", 31n],
          ["2025-12-30", 30n],
          ["2026-01-01", 1n],
          ["2026-01-01", 1n],
        ]);
        expect(changes[3]?.explanationThen).toMatch("1 January 2026");
        const far = { ...added, occurredAt, occurredOn: "2026-01-02" };
        expect(yield* Given.refusal(start(owner, { ...trial, add: [{ ...added, occurredAt }, far] }))).toBe(
          "add.1.occurred_on: must be at most one day from 2025-12-31, the UTC day of occurred_at",
        );
      }),
    ),
  );
});
