/** Payout accounts on PostgreSQL: two engines confirm, retire and pay at the same time. */
import { it } from "@effect/vitest";
import { Context, Effect, Either, Layer, type Redacted } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Commissions,
  Currency,
  Documents,
  type Ids,
  Partners,
  PaymentProvider,
  PayoutAccounts,
  PayoutDetails,
  Principal,
  Quittance,
  SettlementDocuments,
  Settlements,
  Storage,
} from "quittance";
import * as Postgres from "quittance/postgres";
import { Build, checkInvariants } from "quittance/testing";
import { describe, expect } from "vitest";
import { database, PATIENT } from "../../support/postgres.ts";

const PROVIDER = PaymentProvider.provider({
  send: () => Effect.void,
  takes: PayoutDetails.PayoutType.literals.map((type) => ({ type, currencies: "*" })),
});

/** An engine whose commits another command precedes, once. */
const engine = (url: Redacted.Redacted) => {
  let between: Effect.Effect<unknown> | null = null;
  const layer = Quittance.layer({ documents: "manual", payoutAccounts: "second_person" }).pipe(
    Layer.updateService(Storage.Storage, (storage) => ({
      ...storage,
      commit: (customerId, changeSet) =>
        Effect.suspend(() => {
          const other = between ?? Effect.void;
          between = null;
          return Effect.zipRight(other, storage.commit(customerId, changeSet));
        }),
    })),
    Layer.provide([
      Layer.succeed(Documents.DocumentRenderer, { render: () => Effect.die("no document is made") }),
      Layer.succeed(PaymentProvider.PaymentProvider, PROVIDER),
    ]),
    Layer.provideMerge(Postgres.layer({ url, ...PATIENT })),
    Layer.orDie,
  );
  const interrupt = (other: Effect.Effect<unknown>) => {
    between = other;
  };
  return { layer, interrupt };
};

const UK = { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" };

/** Two engines over one database, and a settlement that waits for its payment to the partner's first account. */
const scene = Effect.gen(function* () {
  const url = yield* database();
  const [one, two] = [engine(url), engine(url)];
  const [first, second] = yield* Effect.all([Layer.build(one.layer), Layer.build(two.layer)]);
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const by = (name: string) => Principal.customer(customerId, name);
  const owner = by("owner");
  const schema = yield* Context.get(first, AttributionSchemas.AttributionSchemas).create(owner, {
    ...{ name: "Sale", workspaceId },
    properties: [{ name: "order_value", type: "number", required: true }],
  });
  const { id: partnerId } = yield* Context.get(first, Partners.Partners).create(owner, {
    ...{ name: "Nordlys", workspaceId },
  });
  const propose = (name: string, number = UK.account_number) =>
    Effect.map(
      Context.get(first, PayoutAccounts.PayoutAccounts).propose(by(name), partnerId, {
        ...{ type: "uk", details: { ...UK, account_number: number } },
      }),
      ({ id }) => id,
    );
  const account = yield* propose("ada");
  const sale = { partnerId, schemaId: schema.id, workspaceId };
  yield* Context.get(first, CommissionFormulas.CommissionFormulas).create(owner, {
    ...{ ...sale, name: "Share", currency: Currency.Currency.make("GBP"), startDatetime: 0 },
    expression: { type: "property", name: "order_value" },
  });
  yield* Context.get(first, Attributions.Attributions).create(owner, {
    ...{ ...sale, properties: { order_value: 1_000 } },
  });
  const { items } = yield* Context.get(first, Commissions.Commissions).list(owner);
  const settlements = Context.get(first, Settlements.Settlements);
  const { id } = yield* settlements.create(owner, {
    ...{ customerId, workspaceId, partnerId },
    commissionIds: items.map((commission) => commission.id),
  });
  yield* settlements.approve(owner, id);
  const documents = Context.get(first, SettlementDocuments.SettlementDocuments);
  for (const kind of ["report", "invoice"] as const)
    yield* documents.upload(owner, id, kind, {
      ...{ fileName: `${kind}.pdf`, bytes: new TextEncoder().encode("%PDF-1.7") },
    });
  const accounts = Effect.map(
    Context.get(first, PayoutAccounts.PayoutAccounts).read(owner, partnerId),
    ({ payoutAccounts }) => payoutAccounts.map(({ status }) => status),
  );
  const check = Effect.provide(
    checkInvariants(customerId),
    Layer.succeed(Storage.Storage, Context.get(first, Storage.Storage)),
  );
  const confirm = (index: number, accountId: Ids.PayoutAccountId) =>
    Context.get(index === 0 ? first : second, PayoutAccounts.PayoutAccounts).confirm(
      ...[by(`person ${index}`), partnerId, accountId],
    );
  const retire = Context.get(second, PayoutAccounts.PayoutAccounts).retire(owner, partnerId, account);
  return { owner, id, settlements, one, propose, confirm, retire, accounts, check };
});

describe("two engines", () => {
  it.scopedLive("confirm one account for a currency, whichever persons confirm which at once", () =>
    Effect.gen(function* () {
      const { propose, confirm, accounts, check } = yield* scene;
      const proposals = yield* Effect.forEach(["11111111", "22222222"], (number) =>
        propose("mallory", number),
      );
      const both = proposals.map((id, index) => Effect.either(confirm(index, id)));
      expect((yield* Effect.all(both, { concurrency: "unbounded" })).every(Either.isRight)).toBe(true);
      expect((yield* accounts).toSorted()).toEqual(["confirmed", "retired", "retired"]);
      const same = yield* propose("mallory", "33333333");
      const outcomes = yield* Effect.all(
        [0, 1].map((index) => Effect.either(confirm(index, same))),
        { concurrency: "unbounded" },
      );
      expect(outcomes.filter(Either.isRight)).toHaveLength(1);
      yield* check;
    }),
  );

  it.scopedLive("do not pay to an account that one retires while the other initiates the payment", () =>
    Effect.gen(function* () {
      const { owner, id, settlements, one, retire, accounts, check } = yield* scene;
      one.interrupt(Effect.orDie(retire));
      const refused = yield* Effect.flip(settlements.initiatePayment(owner, id));
      expect(refused.message).toMatch(/^payout_account: the payout account of the approval was retired/);
      expect(yield* accounts).toEqual(["retired"]);
      yield* check;
    }),
  );
});
