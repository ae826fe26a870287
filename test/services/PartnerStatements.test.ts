/** Balances of partners at dates, and statements of periods. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Deferred, Effect, Fiber, FiberId, Stream } from "effect";
import {
  Attributions,
  CommissionFormulas,
  Currency,
  PartnerStatements,
  Partners,
  Payments,
  Settlements,
} from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;
const JPY = Currency.Currency.make("JPY");

/** The statement of a scene's partner from the beginning, until now by default. */
const statement = (
  { owner, partnerId }: Given.Scene,
  query: Partial<Parameters<PartnerStatements.PartnerStatements["statement"]>[2]> = {},
) =>
  Effect.flatMap(PartnerStatements.PartnerStatements, (service) =>
    service.statement(owner, partnerId, { from: NOW, ...query }),
  );

const balance = ({ owner, partnerId }: Given.Scene, at?: number) =>
  Effect.flatMap(PartnerStatements.PartnerStatements, (service) =>
    service.balance(owner, partnerId, at === undefined ? {} : { at }),
  );

const amountsIn = ({ movements }: PartnerStatements.StatementPage) =>
  movements.map(({ at, type, amount }) => [(at - NOW) / DAY, type, Number(amount)]);

const textsIn = ({ movements }: PartnerStatements.StatementPage) => movements.map(({ text }) => text);

const cancel = ({ owner }: Given.Scene, id: Parameters<Attributions.Attributions["cancel"]>[1]) =>
  Effect.flatMap(Attributions.Attributions, (service) => service.cancel(owner, id, { reason: "returned" }));

describe("a statement", () => {
  it.effect("follows a refund after payment, and names the gross payments", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(scene);
        const attributionId = yield* Given.sell(scene, 12_000);
        yield* Given.wait(DAY);
        const first = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approve(first);
        yield* Given.drain;
        yield* Given.wait(DAY);
        yield* Given.payByHand(first);
        yield* Given.wait(DAY);
        yield* cancel(scene, attributionId);
        yield* Given.wait(DAY);
        const found = yield* statement(scene);
        expect(amountsIn(found)).toEqual([
          [0, "earned", 1_200],
          [2, "paid", -1_200],
          [3, "adjusted", -1_200],
        ]);
        expect(textsIn(found)).toEqual([
          "Sale of 1 January 2026",
          expect.stringMatching(/^Paid 15\.00 EUR including 3\.00 EUR tax: invoice \S+$/),
          "Sale of 1 January 2026 cancelled: returned",
        ]);
        expect([found.openingBalance, found.closingBalance]).toEqual([0n, -1_200n]);
        expect(found.movements.map(({ balance: after }) => Number(after))).toEqual([1_200, 0, -1_200]);
      }),
    ),
  );

  it.effect("names the credit note of a refund whose lines are positive, because tax is taken back", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(scene);
        const settlements = yield* Settlements.Settlements;
        const attributionId = yield* Given.sell(scene, 100_000);
        const first = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approveAndDrain(first);
        yield* Given.payByHand(first);
        yield* cancel(scene, attributionId);
        const taxConfig = { treatment: "reverse_charge", label: "Reverse charge", rateBps: null } as const;
        const selfBillingData = { ...Given.SELF_BILLING, taxConfig };
        yield* (yield* Partners.Partners).update(scene.owner, scene.partnerId, { selfBillingData });
        yield* Given.sell(scene, 110_000);
        const second = { ...scene, settlementId: yield* Given.draft(scene) };
        yield* Given.approveAndDrain(second);
        yield* settlements.review(scene.owner, second.settlementId, { decision: "issue_credit_note" });
        yield* Given.drain;
        yield* Given.payByHand(second);
        yield* Given.wait(DAY);
        expect(textsIn(yield* statement(scene)).at(-1)).toMatch(
          /^Refund of 15\.00 EUR \(10\.00 EUR net, −25\.00 EUR tax\) received: credit note \S+$/,
        );
      }),
    ),
  );

  it.effect("dates a movement by its event, not by the date of the sale or of the payment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { from: NOW - 400 * DAY });
        yield* Given.wait(10 * DAY);
        yield* (yield* Attributions.Attributions).create(scene.owner, {
          ...Given.sale(scene, 5_000),
          occurredAt: NOW - 300 * DAY,
          externalReference: "order-7",
        });
        const settlementId = yield* Given.draft(scene);
        yield* Given.approve({ ...scene, settlementId });
        yield* Given.drain;
        yield* Given.upload({ ...scene, settlementId }, "invoice", { number: "N-1" });
        yield* Given.wait(5 * DAY);
        yield* (yield* Settlements.Settlements).markAsPaid(scene.owner, settlementId, {
          paidAt: NOW + 11 * DAY,
          bankReference: "B-118",
        });
        yield* Given.wait(DAY);
        const found = yield* statement(scene);
        expect(amountsIn(found)).toEqual([
          [10, "earned", 500],
          [15, "paid", -500],
        ]);
        expect(textsIn(found)).toEqual([
          "Sale of 7 March 2025",
          "Paid 5.00 EUR: invoice N-1, paid on 12 January 2026, bank reference B-118",
        ]);
        expect(found.movements.map(({ reference }) => reference)).toEqual(["order-7", "N-1"]);
        expect((yield* balance(scene, NOW + 10 * DAY)).balances).toEqual([]);
      }),
    ),
  );

  it.effect("shows 0 for a change that a write-off covers", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        const attributionId = yield* Given.sell(scene, 10_000);
        const settlementId = yield* Given.draft(scene);
        yield* Given.approve({ ...scene, settlementId });
        yield* Given.wait(DAY);
        yield* (yield* Settlements.Settlements).writeOff(scene.owner, settlementId);
        yield* Given.wait(DAY);
        yield* cancel(scene, attributionId);
        const found = yield* statement(scene);
        expect(amountsIn(found)).toEqual([
          [0, "earned", 1_000],
          [1, "written_off", -1_000],
          [2, "adjusted", 0],
        ]);
        expect(textsIn(found)[2]).toBe(
          "Sale of 1 January 2026 cancelled: returned; no change, because 10.00 EUR was written off before",
        );
        expect((yield* balance(scene)).balances).toEqual([
          { currency: "EUR", earned: 0n, settled: 0n, pending: 0n, due: 0n, waiting: 0n },
        ]);
      }),
    ),
  );

  it.effect("of a past period never changes, also if a document of it takes minutes to render", () => {
    const [begun, mayEnd] = [
      Deferred.unsafeMake<void>(FiberId.none),
      Deferred.unsafeMake<void>(FiberId.none),
    ];
    const render: Given.Host["render"] = () =>
      Effect.as(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(mayEnd)), {
        ...{ bytes: Uint8Array.of(1), extension: "txt" },
      });
    return rule(
      Effect.gen(function* () {
        // Its total is 0, so that it is paid as soon as its report is linked.
        const scene = yield* Given.drafted([10_000, -10_000]);
        yield* Given.wait(1_000);
        yield* Given.approve(scene);
        const worker = yield* Effect.fork(Given.drain);
        yield* Deferred.await(begun);
        yield* Given.wait(5 * 60_000);
        const span = { to: NOW + 2 * 60_000 };
        const before = yield* statement(scene, span);
        expect(before.final).toBe(true);
        yield* Deferred.succeed(mayEnd, undefined);
        yield* Fiber.join(worker);
        expect((yield* Given.statusOf(scene)).type).toBe("paid");
        expect(yield* statement(scene, span)).toEqual(before);
        yield* Given.wait(1);
        const paid = (yield* statement(scene)).movements.filter(({ type }) => type === "paid");
        expect(paid.map(({ at }) => at - NOW)).toEqual([301_000]);
        const { events } = yield* Given.settlement(scene, scene.settlementId);
        expect(events.at(-1)).toMatchObject({ at: NOW + 301_000, event: { type: "link_report" } });
      }),
      { render },
    );
  });

  it.effect("of a past period never changes, also if its payment is returned", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.approved([10_000, 20_000], { selfBilled: true });
        const settlements = yield* Settlements.Settlements;
        yield* settlements.initiatePayment(made.owner, made.settlementId);
        yield* Given.drain;
        const { paymentReference } = yield* Given.settlement(made, made.settlementId);
        if (paymentReference === null) return yield* Effect.dieMessage("no payment");
        yield* Given.wait(DAY);
        yield* (yield* Payments.Payments).recordPaymentEvent({
          ...{ provider: "bank", eventId: "evt-1" },
          fact: { type: "confirmed", paymentReference, bankReference: "B-7" },
        });
        yield* Given.wait(DAY);
        const span = { to: NOW + 2 * DAY };
        const before = yield* statement(made, span);
        expect(before.final).toBe(false);
        yield* settlements.returnPayment(made.owner, made.settlementId, { reason: "account closed" });
        yield* Given.wait(DAY);
        const after = yield* statement(made, span);
        expect({ ...after, final: false }).toEqual(before);
        expect(after.final).toBe(true);
        const whole = yield* statement(made);
        expect(amountsIn(whole).slice(-2)).toEqual([
          [1, "paid", -3_000],
          [2, "payment_returned", 3_000],
        ]);
        expect(textsIn(whole).at(-1)).toMatch(
          /^Payment of 37\.50 EUR including 7\.50 EUR tax returned: invoice \S+, account closed$/,
        );
        expect((yield* balance(made)).balances).toEqual([
          { currency: "EUR", earned: 3_000n, settled: 0n, pending: 3_000n, due: 3_000n, waiting: 0n },
        ]);
      }),
      { send: () => Effect.void },
    ),
  );

  it.effect("begins with the balance before `from` and ends with the balance at `to`", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        for (const orderValue of [1_000, 2_000, 3_000, 4_000]) {
          yield* Given.sell(scene, orderValue);
          yield* Given.wait(DAY);
        }
        const found = yield* statement(scene, { from: NOW + DAY, to: NOW + 3 * DAY });
        expect(amountsIn(found)).toEqual([
          [1, "earned", 200],
          [2, "earned", 300],
        ]);
        expect([found.openingBalance, found.closingBalance]).toEqual([100n, 600n]);
        for (const [at, due] of [
          [NOW + DAY, 100n],
          [NOW + 3 * DAY, 600n],
          [NOW + 3 * DAY + 1, 1_000n],
        ] as const)
          expect((yield* balance(scene, at)).balances.map((currencyBalance) => currencyBalance.due)).toEqual([
            due,
          ]);
      }),
    ),
  );

  it.effect("is returned in pages that repeat its balances", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        for (const orderValue of [1_000, 2_000, 3_000, 4_000, 5_000]) {
          yield* Given.sell(scene, orderValue);
          yield* Given.wait(1);
        }
        const whole = yield* statement(scene);
        const pages = [yield* statement(scene, { to: whole.to, limit: 2 })];
        for (let cursor = pages[0]?.nextCursor ?? null; cursor !== null; ) {
          const page = yield* statement(scene, { to: whole.to, limit: 2, after: cursor });
          pages.push(page);
          cursor = page.nextCursor;
        }
        expect(pages.map(({ movements }) => movements.length)).toEqual([2, 2, 1]);
        expect(pages.flatMap(({ movements }) => movements)).toEqual(whole.movements);
        expect(pages.every(({ closingBalance }) => closingBalance === 1_500n)).toBe(true);
        const other = yield* Given.partner(scene);
        const after = pages[0]?.nextCursor ?? "";
        for (const changed of [
          statement({ ...scene, partnerId: other }, { to: whole.to, currency: Given.EUR, after }),
          statement(scene, { to: whole.to - 1, after }),
          statement(scene, { to: whole.to, currency: JPY, after }),
          statement(scene, { to: whole.to, after: after.replace(/_1_/, "_2_") }),
        ])
          expect(yield* Given.refusal(changed)).toMatch(
            /^after: must be next_cursor of a page of this statement/,
          );
      }),
    ),
  );

  it.effect("has one currency, which need not be stated if there is only one", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        expect(yield* Given.refusal(statement(scene))).toBe(
          "currency: is required, because the partner has no amounts before to",
        );
        yield* Given.formula(scene);
        yield* Given.sell(scene, 1_000);
        yield* Given.wait(DAY);
        yield* Given.formula(scene, { currency: JPY });
        yield* Given.wait(DAY);
        expect(yield* Given.refusal(statement(scene))).toBe(
          "currency: is required, because the partner has amounts in EUR, JPY",
        );
        expect((yield* statement(scene, { to: NOW + DAY })).currency).toBe("EUR");
        expect(amountsIn(yield* statement(scene, { currency: JPY }))).toEqual([[1, "earned", 100]]);
        const none = yield* statement(scene, { currency: Currency.Currency.make("DKK") });
        expect([none.openingBalance, none.closingBalance, none.movements]).toEqual([0n, 0n, []]);
      }),
    ),
  );

  it.effect("refuses periods that end in the future or before they begin", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        expect(yield* Given.refusal(statement(scene, { to: NOW + DAY }))).toBe(
          "to: must not be in the future",
        );
        expect(yield* Given.refusal(statement(scene, { from: NOW, to: NOW }))).toBe("to: must be after from");
        expect(yield* Given.refusal(statement(scene, { from: NOW + DAY }))).toBe(
          "from: must not be in the future",
        );
        expect(yield* Given.refusal(balance(scene, NOW + 2))).toBe("at: must not be in the future");
      }),
    ),
  );

  it.effect("may be read by the partner itself, and not by another one", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 1_000);
        const other = yield* Given.partner(scene);
        const as = (partnerId: typeof other): Given.Scene => ({
          ...scene,
          owner: { ...scene.owner, kind: "partner", partnerIds: [partnerId] },
        });
        expect((yield* balance(as(scene.partnerId))).balances).toHaveLength(1);
        expect((yield* statement(as(scene.partnerId))).movements).toHaveLength(1);
        for (const partnerId of [scene.partnerId, Build.fresh.partner()]) {
          const asked = { ...as(other), partnerId };
          expect(yield* Given.refusal(balance(asked))).toBe("partner not found");
          expect(yield* Given.refusal(statement(asked))).toBe("partner not found");
        }
        const blind = { ...scene, owner: { ...scene.owner, scopes: ["commissions:read" as const] } };
        expect(yield* Given.refusal(balance(blind))).toBe("The credential lacks the scope settlements:read");
      }),
    ),
  );

  it.effect("counts a commission once it is computed, and a change of its formula on its own day", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const formulaId = yield* Given.formula(scene, { expression: Given.percent(1_000) });
        yield* Given.sell(scene, Given.LARGEST_ORDER);
        expect((yield* balance(scene)).balances).toEqual([
          { currency: "EUR", earned: 0n, settled: 0n, pending: 0n, due: 0n, waiting: 0n },
        ]);
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        for (const percent of [10, 20]) {
          yield* Given.wait(DAY);
          yield* formulas.update(scene.owner, formulaId, {
            expression: Given.percent(percent),
            effectiveDatetime: NOW - DAY,
          });
        }
        const tenth = Given.LARGEST_ORDER / 10;
        expect(amountsIn(yield* statement(scene))).toEqual([
          [1, "earned", tenth],
          [2, "adjusted", tenth],
        ]);
      }),
    ),
  );
});

describe("a statement as a file", () => {
  it.effect("streams all movements, and has no cursor", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        for (let index = 1; index <= 1_203; index++) yield* Given.sell(scene, 10 * index);
        const service = yield* PartnerStatements.PartnerStatements;
        const { head, entries } = yield* service.statementStream(scene.owner, scene.partnerId, { from: NOW });
        const rows = Chunk.toReadonlyArray(yield* Stream.runCollect(entries));
        expect(rows).toHaveLength(1_203);
        expect(rows.at(-1)?.balance).toBe(head.closingBalance);
        const asked = service.statementStream(scene.owner, scene.partnerId, { from: NOW, limit: 10 });
        expect(yield* Given.refusal(asked)).toBe(
          "limit: must be absent, because a file contains the whole statement",
        );
      }),
    ),
  );

  it.effect("is refused as a PDF without a renderer", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* Given.sell(scene, 1_000);
        const service = yield* PartnerStatements.PartnerStatements;
        const asked = service.statementPdf(scene.owner, scene.partnerId, { from: NOW });
        expect(yield* Given.refusal(asked)).toMatch(/^pdf_unavailable: /);
      }),
    ),
  );
});

describe("the balances of several partners", () => {
  it.effect("are those of each as they are named, and none of a partner that is not seen", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const other = { ...scene, partnerId: yield* Given.partner(scene) };
        for (const [one, amount] of [
          [scene, 12_000],
          [other, 5_000],
        ] as const) {
          yield* Given.formula(one);
          yield* Given.sell(one, amount);
        }
        const { balances } = yield* PartnerStatements.PartnerStatements;
        const foreign = yield* Given.scene();
        const partnerIds = [other.partnerId, foreign.partnerId, scene.partnerId, other.partnerId];
        const each = yield* Effect.forEach([other, scene], (one) =>
          Effect.map(balance(one), (own) =>
            own.balances.map((item) => ({ partnerId: one.partnerId, ...item })),
          ),
        );
        expect((yield* balances(scene.owner, { partnerIds })).balances).toEqual(each.flat());
        expect(each.flat().map(({ earned }) => earned)).toEqual([500n, 1_200n]);
        expect((yield* balances(scene.owner, { partnerIds, at: NOW })).balances).toEqual([]);
        const partner = { ...scene.owner, kind: "partner", partnerIds: [scene.partnerId] } as const;
        expect((yield* balances(partner, { partnerIds: [scene.partnerId] })).balances).toEqual(each[1]);
        expect(yield* Given.refusal(balances(partner, { partnerIds }))).toBe(
          "partner_ids: outside the credential's grant",
        );
        expect(yield* Given.refusal(balances(scene.owner, { partnerIds: [] }))).toMatch(
          /must name at least one partner$/,
        );
      }),
    ),
  );
});
