/** Replacing an attribution: what it changes of the sale, of commissions and of money, and what refuses it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Either } from "effect";
import {
  Attributions,
  type Documents,
  Ids,
  PartnerStatements,
  Principal,
  type Replacement,
  SettlementPolicies,
  SettlementRuns,
  Workspaces,
} from "quittance";
import type { Expression } from "quittance/formula";
import { Build, checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;

type Change = Omit<Replacement.Replace, "reason">;

/** Replaces an attribution; the invariants hold afterwards. */
const replace = (scene: Given.Scene, id: Ids.AttributionId, change: Change, reason = "corrected") =>
  Effect.flatMap(Attributions.Attributions, (service) =>
    Effect.zipLeft(
      service.replace(scene.owner, id, { ...change, reason }),
      checkInvariants(scene.customerId),
    ),
  );

const priced = (order_value: number): Change => ({ properties: { order_value } });

const find = (scene: Given.Scene, id: Ids.AttributionId) =>
  Effect.flatMap(Attributions.Attributions, ({ list }) =>
    Effect.flatMap(list(scene.owner, { ids: [id] }), ({ items: [found] }) =>
      found === undefined ? Effect.dieMessage("no such attribution") : Effect.succeed(found),
    ),
  );

const all = (scene: Given.Scene) =>
  Effect.flatMap(Attributions.Attributions, ({ list }) =>
    Effect.map(list(scene.owner, { perPage: 100 }), ({ items }) => items),
  );

/** 10 % of what the sale is above the sales of the month before it. */
const accumulating: Expression = {
  type: "aggregate",
  function: "sum",
  value: { type: "property", name: "order_value" },
  window: { type: "calendar", unit: "month" },
};

describe("replacing an attribution", () => {
  it.effect("cancels it and records it anew, each naming the other", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const old = yield* Given.sell(scene, 12_000);
        yield* Given.wait(DAY);
        const { id } = yield* replace(scene, old, priced(9_000), "a part was refunded");
        expect(id).not.toBe(old);
        expect(yield* find(scene, old)).toMatchObject({
          status: "cancelled",
          cancelReason: "a part was refunded",
          replacedBy: id,
          events: [
            { event: { type: "create_attribution" } },
            { event: { type: "cancel_attribution", reason: "a part was refunded", replaced_by: id } },
          ],
        });
        expect(yield* find(scene, id)).toMatchObject({
          status: "confirmed",
          properties: { order_value: 9_000 },
          replaces: old,
          replacedBy: null,
          createdAt: NOW + DAY,
        });
        expect(yield* Given.amounts(scene, old)).toEqual([0]);
        expect(yield* Given.amounts(scene, id)).toEqual([900]);
      }),
    ),
  );

  it.effect("keeps the date of a sale for which none was given, under the rules of that date", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { to: NOW + DAY });
        yield* Given.formula(scene, { expression: Given.percent(50), from: NOW + DAY });
        const old = yield* Given.sell(scene, 1_000);
        yield* Given.wait(40 * DAY);
        const { id } = yield* replace(scene, old, priced(500));
        expect(yield* find(scene, id)).toMatchObject({
          occurredAt: NOW,
          occurredAtGiven: null,
          createdAt: NOW + 40 * DAY,
          events: [{ event: { replaces: old, recorded_at: "2026-01-01T00:00:00.000Z" } }],
        });
        expect(yield* Given.amounts(scene, id)).toEqual([50]);
        const again = yield* replace(scene, id, priced(600));
        expect(yield* find(scene, again.id)).toMatchObject({ occurredAt: NOW, replaces: id });
      }),
    ),
  );

  it.effect(
    "is recorded no earlier than the old one, whose date it keeps, where the clock was set back",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          yield* Given.formula(scene);
          const old = yield* Given.sell(scene, 1_000);
          yield* Given.wait(-3 * DAY);
          const { id } = yield* replace(scene, old, priced(500));
          expect(yield* find(scene, id)).toMatchObject({ createdAt: NOW, occurredAt: NOW });
          expect(yield* Given.amounts(scene, id)).toEqual([50]);
        }),
      ),
  );

  it.effect("keeps a date and a day that were given, as long as no other date is given", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* Attributions.Attributions;
        const dated = { occurredAt: NOW - 5 * DAY, occurredOn: "2025-12-28" };
        const old = yield* create(scene.owner, { ...Given.sale(scene, 1), ...dated });
        const { id } = yield* replace(scene, old.id, priced(2));
        expect(yield* find(scene, id)).toMatchObject({
          occurredAt: NOW - 5 * DAY,
          occurredAtGiven: NOW - 5 * DAY,
          occurredOn: "2025-12-28",
          occurredOnGiven: "2025-12-28",
        });
        const moved = yield* replace(scene, id, { occurredAt: NOW - 2 * DAY });
        expect(yield* find(scene, moved.id)).toMatchObject({
          occurredAt: NOW - 2 * DAY,
          occurredOn: null,
          occurredOnGiven: null,
        });
      }),
    ),
  );

  it.effect("derives the day of a new date in the time zone of the workspace", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* (yield* Workspaces.Workspaces).write(scene.owner, scene.workspaceId, {
          timeZone: "Pacific/Auckland",
        });
        const old = yield* Given.sell(scene, 1);
        const at = NOW - 2 * DAY + 12 * 3_600_000;
        const { id } = yield* replace(scene, old, { occurredAt: at });
        expect(yield* find(scene, id)).toMatchObject({ occurredAt: at, occurredOn: "2025-12-31" });
        const same = yield* replace(scene, id, priced(3));
        expect(yield* find(scene, same.id)).toMatchObject({ occurredAt: at, occurredOn: "2025-12-31" });
      }),
    ),
  );

  it.effect("moves the sale to another partner", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const other = { ...scene, partnerId: yield* Given.partner(scene) };
        yield* Given.formula(other, { expression: Given.percent(20) });
        const old = yield* Given.sell(scene, 1_000);
        const { id } = yield* replace(scene, old, { partnerId: other.partnerId });
        expect(yield* find(scene, id)).toMatchObject({
          partnerId: other.partnerId,
          properties: { order_value: 1_000 },
        });
        expect(yield* Given.amounts(scene, old)).toEqual([0]);
        expect(yield* Given.amounts(scene, id)).toEqual([200]);
      }),
    ),
  );

  it.effect("is shown to a partner without the sale of another partner", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = yield* Given.partner(scene);
        const old = yield* Given.sell(scene, 1_000);
        const { id } = yield* replace(scene, old, { partnerId: other }, "moved");
        const { id: newest } = yield* replace(scene, id, priced(900));
        const { list } = yield* Attributions.Attributions;
        const seen = (partnerIds: "*" | ReadonlyArray<Ids.PartnerId>) =>
          Effect.map(list({ ...scene.owner, partnerIds }, { perPage: 100 }), ({ items, total }) => {
            expect(items).toHaveLength(total);
            return items.map(({ replaces, replacedBy, events }) => [
              ...[replaces, replacedBy],
              events.flatMap(({ event }) =>
                event.type === "create_attribution"
                  ? (event.replaces ?? [])
                  : event.type === "cancel_attribution"
                    ? (event.replaced_by ?? [])
                    : [],
              ),
            ]);
          });
        expect(yield* seen("*")).toEqual([
          [null, id, [id]],
          [old, newest, [old, newest]],
          [id, null, [id]],
        ]);
        expect(yield* seen([scene.partnerId, other])).toEqual(yield* seen("*"));
        expect(yield* seen([scene.partnerId])).toEqual([[null, null, []]]);
        expect(yield* seen([other])).toEqual([
          [null, newest, [newest]],
          [id, null, [id]],
        ]);
      }),
    ),
  );

  it.effect("keeps the agent that recorded the sale", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const agentId = Ids.AgentId.make("0190a6e0-0000-7000-8000-0000000000a9");
        const agent = { ...scene.owner, kind: "agent" as const, agentId };
        const old = yield* Given.sell({ ...scene, owner: agent }, 1);
        const { id } = yield* replace(scene, old, priced(2));
        expect(yield* find(scene, id)).toMatchObject({ agentId });
      }),
    ),
  );

  it.effect("changes nothing where nothing changes, and returns the old id", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create } = yield* Attributions.Attributions;
        const { id } = yield* create(scene.owner, { ...Given.sale(scene, 5), occurredAt: NOW - DAY });
        for (const change of [
          {},
          priced(5),
          { partnerId: scene.partnerId },
          { occurredAt: NOW - DAY },
          { occurredOn: "2025-12-31" },
        ])
          expect((yield* replace(scene, id, change)).id).toBe(id);
        expect(yield* all(scene)).toHaveLength(1);
        expect(yield* find(scene, id)).toMatchObject({ status: "confirmed", version: 1 });
      }),
    ),
  );

  it.effect("makes what was paid due back, and the new amount due: the next settlement pays the rest", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([12_000]);
        yield* Given.payByHand(scene);
        const [sold] = yield* all(scene);
        if (sold === undefined) throw new Error("no attribution");
        const { id } = yield* replace(scene, sold.id, priced(20_000));
        const [before] = yield* Given.commissions(scene, sold.id);
        const [after] = yield* Given.commissions(scene, id);
        expect([before?.computedAmount, after?.computedAmount]).toEqual([0, 2_000]);
        yield* Given.wait(DAY);
        const next = yield* Given.settlement(scene, yield* Given.draft(scene));
        expect(next.lines.map(({ amount }) => amount).toSorted()).toEqual([-1_200, 2_000]);
        expect(next.total).toBe(800);
      }),
    ),
  );

  it.effect("of a settled sale is a correction, for which a run does not wait", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([12_000]);
        yield* Given.payByHand(scene);
        const [sold] = yield* all(scene);
        if (sold === undefined) throw new Error("no attribution");
        const fresh = yield* Given.sell(scene, 70);
        const first = yield* replace(scene, sold.id, priced(20_000));
        yield* replace(scene, first.id, priced(15_000));
        yield* replace(scene, fresh, priced(90));
        yield* (yield* SettlementPolicies.SettlementPolicies).write(scene.owner, scene.workspaceId, {
          holdDays: 30,
        });
        yield* Given.wait(DAY);
        const { dryRun } = yield* SettlementRuns.SettlementRuns;
        const { results } = yield* dryRun(scene.owner, { workspaceId: scene.workspaceId });
        expect(results).toMatchObject([{ total: 300, lineCount: 2, onHoldCount: 1, onHoldAmount: 9 }]);
      }),
    ),
  );

  it.effect("counts for the totals of accumulating formulas as a cancellation and a later creation do", () =>
    rule(
      Effect.gen(function* () {
        const outcome = (replacing: boolean) =>
          Effect.gen(function* () {
            const scene = yield* Given.scene();
            const other = { ...scene, partnerId: yield* Given.partner(scene) };
            for (const owner of [scene, other])
              yield* Given.formula(owner, { expression: accumulating, from: NOW - 60 * DAY });
            const first = yield* Given.sell(scene, 1_000);
            yield* Given.sell(scene, 200);
            yield* Given.sell(other, 30);
            const { cancel, create } = yield* Attributions.Attributions;
            const changes: ReadonlyArray<[object, object]> = [
              [priced(5_000), {}],
              [{ partnerId: other.partnerId }, {}],
              [{ occurredAt: NOW - 20 * DAY }, { occurredAt: NOW - 20 * DAY }],
            ];
            let id = first;
            for (const [change] of changes) {
              if (replacing) id = (yield* replace(scene, id, change)).id;
              else {
                const facts = yield* find(scene, id);
                yield* cancel(scene.owner, id, { reason: "corrected" });
                const { partnerId, properties, occurredAt } = facts;
                const request = { ...Given.sale(scene, 0), partnerId, properties, occurredAt, ...change };
                id = (yield* create(scene.owner, request)).id;
              }
            }
            yield* Given.sell(scene, 1);
            yield* Given.sell(other, 2);
            yield* Given.drain;
            yield* checkInvariants(scene.customerId);
            const found = yield* all(scene);
            const place = new Map(found.map((item, index) => [item.id, index]));
            const earned = (yield* Given.commissions(scene)).map(
              ({ attributionId, computedAmount }) =>
                [place.get(attributionId) ?? -1, computedAmount ?? 0] as const,
            );
            const statistics = yield* (yield* Attributions.Attributions).statistics(scene.owner, {
              from: NOW - 30 * DAY,
              to: NOW + 30 * DAY,
              granularity: "day",
            });
            return { earned: earned.toSorted(([a], [b]) => a - b), statistics };
          });
        const replaced = yield* outcome(true);
        expect(replaced).toEqual(yield* outcome(false));
        expect(replaced.earned.map(([, amount]) => amount)).toEqual([0, 0, 0, 0, 0, 0, 200, 30]);
        expect(replaced.statistics.summary).toEqual({ total: 8, confirmed: 5, cancelled: 3 });
      }),
    ),
  );
});

describe("the external reference of a replaced attribution", () => {
  const request = (scene: Given.Scene, order_value: number) => ({
    ...Given.sale(scene, order_value),
    externalReference: "order-1",
  });

  it.effect("moves to the newest", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, list } = yield* Attributions.Attributions;
        const first = yield* create(scene.owner, request(scene, 10));
        const second = yield* replace(scene, first.id, priced(20));
        const third = yield* replace(scene, second.id, priced(30));
        const named = yield* list(scene.owner, { externalReferences: ["order-1"] });
        expect(named.items.map(({ id }) => id)).toEqual([third.id]);
        expect((yield* find(scene, first.id)).externalReference).toBeNull();
        expect((yield* find(scene, second.id)).externalReference).toBeNull();
      }),
    ),
  );

  it.effect("repeated with the content of any of them returns the newest; other content is refused", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { create, createBatch } = yield* Attributions.Attributions;
        const first = yield* create(scene.owner, request(scene, 10));
        const second = yield* replace(scene, first.id, priced(20));
        const third = yield* replace(scene, second.id, priced(30));
        for (const value of [10, 20, 30])
          expect((yield* create(scene.owner, request(scene, value))).id).toBe(third.id);
        expect(yield* Given.refusal(create(scene.owner, request(scene, 40)))).toMatch(
          /^external_reference_reuse: /,
        );
        const { results } = yield* createBatch(scene.owner, {
          mode: "independent",
          attributions: [request(scene, 10), request(scene, 40), request(scene, 30)],
        });
        expect(results).toMatchObject([
          { id: third.id },
          { token: "external_reference_reuse" },
          { id: third.id },
        ]);
        expect(yield* all(scene)).toHaveLength(3);
      }),
    ),
  );
});

describe("statements and documents", () => {
  it.effect("name both sales by the reference, also where only the old one is of the partner", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(scene);
        const { create } = yield* Attributions.Attributions;
        const { id: old } = yield* create(scene.owner, {
          ...Given.sale(scene, 12_000),
          externalReference: "order-1",
        });
        const paid = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approveAndDrain(paid);
        yield* Given.payByHand(paid);
        yield* Given.wait(DAY);
        const { statement } = yield* PartnerStatements.PartnerStatements;
        const january = { from: NOW - DAY, to: NOW + DAY, currency: Given.EUR };
        const before = yield* statement(scene.owner, scene.partnerId, january);
        const newer = yield* replace(scene, old, priced(20_000), "another price");
        yield* Given.wait(DAY);
        const settlementId = yield* Given.draft(scene);
        yield* Given.approveAndDrain({ ...scene, settlementId });
        const lines = rendered
          .at(-1)
          ?.lines.toSorted((a, b) => a.amount - b.amount)
          .map(({ externalReference, amount, replaces, replacedBy }) => [
            ...[externalReference, amount],
            ...[replaces?.attributionId, replacedBy?.attributionId],
          ]);
        expect(lines).toEqual([
          ["order-1", -1_200, undefined, newer.id],
          ["order-1", 2_000, old, undefined],
        ]);
        const other = yield* Given.partner(scene);
        yield* replace(scene, newer.id, { partnerId: other });
        yield* Given.wait(DAY);
        const after = yield* statement(scene.owner, scene.partnerId, january);
        expect(after.movements).toEqual(before.movements);
        const whole = yield* statement(scene.owner, scene.partnerId, { ...january, to: NOW + 3 * DAY });
        const earned = whole.movements.flatMap(({ subject }) =>
          "externalReference" in subject ? [subject.externalReference] : [],
        );
        expect(earned).toEqual(["order-1", "order-1", "order-1", "order-1"]);
        const texts = whole.movements.filter(({ type }) => type !== "paid").map(({ text }) => text);
        // The last one is replaced by a sale of another partner, whose statement names no sale of this one either.
        const day = "Sale of 1 January 2026";
        expect(texts.toSorted()).toEqual([
          day,
          `${day} cancelled: corrected`,
          `${day} replaced by a corrected one: another price`,
          `${day}, correction of order-1 of 1 January 2026`,
        ]);
        const its = yield* statement(scene.owner, other, { ...january, to: NOW + 3 * DAY }).pipe(
          Effect.map(({ movements }) => movements.map(({ text }) => text)),
          Effect.catchAll(() => Effect.succeed([])),
        );
        expect(its.filter((text) => text.includes("correction"))).toEqual([]);
      }),
      Given.recording(rendered),
    );
  });
});

describe("a replacement is refused", () => {
  it.effect("for a cancelled attribution, also for one that was replaced", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const { cancel } = yield* Attributions.Attributions;
        const id = yield* Given.sell(scene, 1);
        yield* replace(scene, id, priced(2));
        expect(yield* Given.refusal(replace(scene, id, priced(3)))).toMatch(/^attribution_cancelled: /);
        const cancelled = yield* Given.sell(scene, 1);
        yield* cancel(scene.owner, cancelled, { reason: "no" });
        expect(yield* Given.refusal(replace(scene, cancelled, {}))).toMatch(/^attribution_cancelled: /);
        expect(yield* all(scene)).toHaveLength(3);
      }),
    ),
  );

  it.effect("with the name of the field that is wrong, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.sell(scene, 1);
        const cases: ReadonlyArray<[Change, RegExp]> = [
          [{ properties: {} }, /^properties\.order_value: is required/],
          [{ properties: { order_value: "1" } }, /^properties\.order_value: must be a number/],
          [{ properties: { order_value: 1, colour: "red" } }, /^properties\.colour: /],
          [{ occurredAt: NOW + DAY }, /^occurred_at: /],
          [{ occurredAt: NOW - 9 * DAY, occurredOn: "2026-01-01" }, /^occurred_on: /],
          [{ occurredOn: "2026-02-01" }, /^occurred_on: /],
          [{ partnerId: Build.fresh.partner() }, /^partner_id not found/],
        ];
        for (const [change, message] of cases)
          expect(yield* Given.refusal(replace(scene, id, change))).toMatch(message);
        expect(yield* Given.refusal(replace(scene, id, priced(2), ""))).toMatch(/^reason: /);
        expect(yield* all(scene)).toHaveLength(1);
      }),
    ),
  );

  it.effect(
    "to a partner of another workspace or outside the grant, and of an attribution that is not seen",
    () =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          const id = yield* Given.sell(scene, 1);
          const elsewhere = yield* Given.partner({ ...scene, workspaceId: Build.fresh.workspace() });
          expect(yield* Given.refusal(replace(scene, id, { partnerId: elsewhere }))).toBe(
            "partner_id not found",
          );
          const other = yield* Given.partner(scene);
          const granted = { ...scene, owner: { ...scene.owner, partnerIds: [scene.partnerId] } };
          const forbidden = yield* Effect.flip(replace(granted, id, { partnerId: other }));
          expect(forbidden).toMatchObject({ _tag: "Forbidden" });
          const blind = { ...scene, owner: { ...scene.owner, partnerIds: [other] } };
          expect(yield* Given.refusal(replace(blind, id, { partnerId: other }))).toBe(
            "attribution not found",
          );
          const stranger = { ...scene, owner: Principal.customer(Build.fresh.customer()) };
          expect(yield* Given.refusal(replace(stranger, id, priced(2)))).toBe("attribution not found");
        }),
      ),
  );
});

describe("an idempotency key of a replacement", () => {
  it.effect("returns the first result, also after the new one was replaced", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const service = yield* Attributions.Attributions;
        const id = yield* Given.sell(scene, 1);
        const options = { idempotency: { key: "k", requestSha256: "a".repeat(64) } };
        const change = { ...priced(2), reason: "corrected" };
        const first = yield* service.replace(scene.owner, id, change, options);
        yield* replace(scene, first.id, priced(3));
        const again = yield* service.replace(scene.owner, id, change, options);
        expect(again).toEqual({ id: first.id, replayed: true });
        expect(yield* all(scene)).toHaveLength(3);
      }),
    ),
  );
});

describe("a dry run of a replacement", () => {
  it.effect("returns what changes of each commission, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([12_000]);
        yield* Given.payByHand(scene);
        const other = { ...scene, partnerId: yield* Given.partner(scene) };
        yield* Given.formula(other, { expression: Given.percent(20) });
        const [sold] = yield* all(scene);
        if (sold === undefined) throw new Error("no attribution");
        const { dryRun } = yield* Attributions.Attributions;
        const run = (change: Change) =>
          dryRun(scene.owner, sold.id, { ...change, reason: "r", dryRun: true });
        expect(yield* run(priced(20_000))).toMatchObject({
          commissions: [
            {
              partnerId: scene.partnerId,
              amountBefore: 1_200,
              amountAfter: 2_000,
              dueBefore: 0,
              dueAfter: 800,
            },
          ],
          changesLaterSales: false,
        });
        expect(yield* run({ partnerId: other.partnerId })).toMatchObject({
          commissions: [
            { amountBefore: 1_200, amountAfter: null, dueBefore: 0, dueAfter: -1_200 },
            {
              partnerId: other.partnerId,
              amountBefore: null,
              amountAfter: 2_400,
              dueBefore: 0,
              dueAfter: 2_400,
            },
          ],
        });
        expect((yield* run({})).commissions).toMatchObject([
          { amountBefore: 1_200, amountAfter: 1_200, dueBefore: 0, dueAfter: 0 },
        ]);
        expect(yield* all(scene)).toHaveLength(1);
      }),
    ),
  );

  it.effect("needs the scope for commissions, and is asked for by its own method", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.sell(scene, 1);
        const service = yield* Attributions.Attributions;
        const writer = { ...scene.owner, scopes: ["attributions:write" as const] };
        const change = { ...priced(2), reason: "r" };
        const refused = yield* Effect.flip(service.dryRun(writer, id, change));
        expect(refused).toMatchObject({ _tag: "Forbidden" });
        expect(yield* Given.refusal(service.replace(writer, id, { ...change, dryRun: true }))).toMatch(
          /^dry_run: /,
        );
        expect(Either.isRight(yield* Effect.either(service.replace(writer, id, change)))).toBe(true);
      }),
    ),
  );

  it.effect("says that later sales change where a formula accumulates", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: accumulating });
        const id = yield* Given.sell(scene, 1);
        yield* Given.sell(scene, 1);
        const { dryRun } = yield* Attributions.Attributions;
        const found = yield* dryRun(scene.owner, id, { ...priced(2), reason: "r" });
        expect(found).toMatchObject({
          commissions: [{ amountBefore: 0, amountAfter: 1 }],
          changesLaterSales: true,
        });
        yield* checkInvariants(scene.customerId);
        expect(yield* Given.amounts(scene)).toEqual([0, 1]);
      }),
    ),
  );
});
