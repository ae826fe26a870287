/** Erasing personal data: what has to be kept is kept and named, everything else is gone, and logs and feed still hold. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  ApiKeys,
  CommissionFormulas,
  Erasures,
  Events,
  type Ids,
  Partners,
  type PayoutAccount,
  PayoutAccounts,
  Principal,
  SettlementDocuments,
  Settlements,
  Storage,
} from "quittance";
import { Build, checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;
const OPERATOR = Principal.platform("operator");
const YEAR = 366 * Given.DAY;
const PAST_RETENTION = 11 * YEAR;
const RETENTION = { reason: "retention", until: "2036-12-31" };

const erase = (partnerId: Ids.PartnerId, input: Erasures.ErasePartner = {}) =>
  Effect.flatMap(Erasures.Erasures, ({ partner }) => partner(OPERATOR, partnerId, input));

const partnerOf = ({ owner, partnerId }: Given.Scene) =>
  Effect.flatMap(Partners.Partners, ({ list }) =>
    Effect.map(list(owner, { ids: [partnerId] }), ({ items: [found] }) => found),
  );

const logOf = ({ customerId }: Given.Scene, kind: keyof Storage.Logged, id: string) =>
  Effect.flatMap(Storage.Storage, (storage) => storage.log(customerId, kind, id));

const feedOf = ({ owner }: Given.Scene) =>
  Effect.flatMap(Events.Events, ({ list }) =>
    Effect.map(list(owner, { limit: 1_000 }), ({ items }) => items),
  );

const feedHolds = ({ owner, customerId }: Given.Scene) =>
  Effect.gen(function* () {
    yield* checkInvariants(customerId);
    const verification = yield* (yield* Events.Events).verify(owner);
    expect(verification.broken).toBeNull();
    return verification.redacted;
  });

/** A partner whose settlement is paid, after a dispute. */
const paid = Effect.gen(function* () {
  const made = yield* Given.drafted([100], { selfBilled: true });
  const { owner, settlementId } = made;
  const settlements = yield* Settlements.Settlements;
  yield* settlements.approve(owner, settlementId);
  yield* settlements.dispute(owner, settlementId, { reason: "Nordlys misses a sale" });
  yield* settlements.resolveDispute(owner, settlementId, {
    resolution: "rejected",
    note: "Nordlys is wrong",
  });
  yield* Given.drain;
  yield* settlements.markAsPaid(owner, settlementId, { bankReference: "Nordlys 1" });
  return made;
});

describe("erasing a partner", () => {
  it.effect("leaves no reference, tag or e-mail address of it, in the record, its log and the feed", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.scene();
        const { owner, partnerId } = made;
        const { update, events } = yield* Partners.Partners;
        const personal = {
          externalReference: "crm-ada",
          tags: ["lovelace"],
          email: "ada@example.com",
          notes: "Ada",
        };
        yield* update(owner, partnerId, { ...personal, status: "suspended" });
        const other = yield* Given.partner(made);
        yield* update(owner, other, { externalReference: "crm-bo" });
        expect(JSON.stringify(yield* feedOf(made))).toMatch(/crm-ada.*lovelace/);
        yield* erase(partnerId);
        yield* erase(other);
        yield* feedHolds(made);
        expect(yield* partnerOf(made)).toMatchObject({
          ...{
            name: "[erased]",
            externalReference: null,
            tags: [],
            email: null,
            notes: null,
            status: "suspended",
          },
        });
        const text = JSON.stringify([yield* events(owner, partnerId), yield* feedOf(made)]);
        expect(text).not.toMatch(/crm-ada|lovelace|ada@/);
        const { items } = yield* events(owner, partnerId);
        expect(items.map(({ event }) => event.type)).toEqual([
          ...["create_partner", "update_partner", "erase_personal_data", "update_partner"],
        ]);
      }),
    ),
  );

  it.effect(
    "leaves nothing of its payout accounts, and of that of a settlement once it is not kept any more",
    () =>
      rule(
        Effect.gen(function* () {
          const made = yield* Given.drafted([100], { selfBilled: true });
          const { owner, partnerId, settlementId, customerId } = made;
          const accounts = yield* PayoutAccounts.PayoutAccounts;
          const { update, events } = yield* Partners.Partners;
          const address = (name: string): PayoutAccount.Propose => ({
            ...{ type: "email", currency: Given.EUR },
            details: { address: `${name}@payee.example`, service: "Wallet" },
          });
          yield* accounts.propose(owner, partnerId, address("adaone"));
          const settlements = yield* Settlements.Settlements;
          yield* settlements.approve(owner, settlementId);
          const { id: second } = yield* accounts.propose(owner, partnerId, address("adatwo"));
          const { id: third } = yield* accounts.propose(owner, partnerId, address("adathree"));
          yield* settlements.choosePayoutAccount(Principal.customer(customerId, "bo"), settlementId, {
            payoutAccountId: third,
          });
          yield* Given.drain;
          yield* settlements.markAsPaid(owner, settlementId);
          const left = Effect.gen(function* () {
            const storage = yield* Storage.Storage;
            return JSON.stringify([
              ...[yield* partnerOf(made), yield* events(owner, partnerId), yield* feedOf(made)],
              yield* logOf(made, "partner", partnerId),
              yield* accounts.read(owner, partnerId),
              ...[
                yield* Given.settlement(made, settlementId),
                yield* logOf(made, "settlement", settlementId),
              ],
              yield* storage.documentsOf(customerId, settlementId),
            ]);
          });
          // The texts that the log, the feed, the approval and the choice have.
          expect((yield* left).match(/ada\w+@payee|a…@payee/g)?.length).toBeGreaterThan(8);
          yield* erase(partnerId);
          const kept = yield* left;
          // Of the settlement alone: its approval, and the account that was chosen.
          expect(kept).toMatch(/adathree@payee/);
          expect(kept).not.toMatch(/adatwo@payee/);
          expect((yield* accounts.read(owner, partnerId)).payoutAccounts).toEqual([]);
          expect(yield* Given.refusal(accounts.confirm(owner, partnerId, second))).toBe(
            "payout account not found",
          );
          yield* feedHolds(made);
          yield* Given.wait(PAST_RETENTION);
          yield* erase(partnerId);
          expect(yield* left).not.toMatch(/@payee/);
          expect((yield* Given.settlement(made, settlementId)).approval?.payoutAccount).toEqual({
            ...{ id: third, type: "email", details: {} },
          });
          yield* feedHolds(made);
          yield* update(owner, partnerId, { name: "Ada again" });
          yield* accounts.propose(owner, partnerId, address("adafour"));
          yield* feedHolds(made);
        }),
      ),
  );

  it.effect("keeps its paid settlement for as long as documents have to be kept, and erases its record", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* paid;
        const { partnerId, settlementId } = made;
        expect(yield* erase(partnerId)).toEqual({
          ...{ replayed: false, dryRun: false },
          records: [
            {
              ...{ recordType: "settlement", recordId: settlementId, kept: RETENTION },
              contents: ["partner_data", "documents", "texts"],
            },
            { recordType: "partner", recordId: partnerId, contents: ["partner_data"], kept: null },
          ],
          nextPage: null,
        });
        expect(yield* partnerOf(made)).toMatchObject({
          ...{ name: "[erased]", billingMode: "partner_billing", selfBillingData: null },
        });
        const kept = yield* Given.settlement(made, settlementId);
        expect(kept.approval).toMatchObject({ partnerName: "Nordlys ApS" });
        expect(yield* feedHolds(made)).toBe(1);
      }),
    ),
  );

  it.effect("erases the settlement, its texts and its documents once they are not kept any more", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* paid;
        const { owner, partnerId, settlementId, customerId } = made;
        yield* erase(partnerId);
        yield* Given.wait(PAST_RETENTION);
        const { records } = yield* erase(partnerId);
        expect(records).toMatchObject([{ recordType: "settlement", recordId: settlementId, kept: null }]);
        const erased = yield* Given.settlement(made, settlementId);
        expect(JSON.stringify(erased)).not.toContain("Nordlys");
        expect(erased).toMatchObject({
          status: { type: "paid" },
          total: 10,
          taxAmount: 3,
          payableAmount: 13,
        });
        const documents = yield* SettlementDocuments.SettlementDocuments;
        expect(yield* Given.refusal(documents.download(owner, settlementId, "invoice"))).toBe(
          "the invoice was erased with the personal data of the settlement",
        );
        const storage = yield* Storage.Storage;
        expect(JSON.stringify(yield* storage.documentsOf(customerId, settlementId))).not.toContain("Nordlys");
        expect(JSON.stringify(yield* feedOf(made))).not.toContain("Nordlys");
        yield* feedHolds(made);
      }),
    ),
  );

  it.effect("is repeated without an effect", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* paid;
        const { partnerId, settlementId } = made;
        yield* Given.wait(PAST_RETENTION);
        yield* erase(partnerId);
        const before = yield* feedOf(made);
        expect((yield* erase(partnerId)).records).toEqual([]);
        expect(yield* feedOf(made)).toEqual(before);
        const { partner } = yield* Erasures.Erasures;
        const options = { idempotency: { key: "k", requestSha256: "0a" } };
        const first = yield* partner(OPERATOR, partnerId, { dryRun: true }, options);
        expect(yield* partner(OPERATOR, partnerId, { dryRun: true }, options)).toEqual({
          ...first,
          replayed: true,
        });
        const types = (yield* logOf(made, "settlement", settlementId)).map(({ event }) => event.type);
        expect(types.filter((type) => type === "erase_personal_data")).toHaveLength(1);
      }),
    ),
  );

  it.effect("changes nothing in a dry run, which lists the same", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* paid;
        yield* Given.wait(PAST_RETENTION);
        const before = [yield* partnerOf(made), yield* feedOf(made)];
        const tried = yield* erase(made.partnerId, { dryRun: true });
        expect([yield* partnerOf(made), yield* feedOf(made)]).toEqual(before);
        expect(yield* erase(made.partnerId)).toEqual({ ...tried, dryRun: false });
      }),
    ),
  );

  it.effect("ends every change of an erased settlement", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, settlementId } = yield* paid;
        yield* Given.wait(PAST_RETENTION);
        yield* erase(partnerId);
        const { reconcile, dispute } = yield* Settlements.Settlements;
        const erased = "settlement_state: a settlement whose personal data was erased cannot";
        for (const reconciled of [true, false])
          expect(yield* Given.refusal(reconcile(owner, settlementId, { reconciled }))).toBe(
            `${erased} be reconciled`,
          );
        expect(yield* Given.refusal(dispute(owner, settlementId, { reason: "late" }))).toBe(
          `${erased} be disputed`,
        );
      }),
    ),
  );

  it.effect("keeps the record while a settlement is open or a commission is due", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, settlementId } = yield* Given.drafted([100]);
        expect((yield* erase(partnerId)).records).toMatchObject([
          { recordType: "partner", kept: { reason: "settlement_open", until: null } },
        ]);
        yield* (yield* Settlements.Settlements).cancel(owner, settlementId);
        expect((yield* erase(partnerId)).records).toMatchObject([
          { recordType: "partner", kept: { reason: "commissions_due", until: null } },
        ]);
      }),
    ),
  );

  it.effect("erases its names from its formulas, and the names of its keys that are revoked", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.scene();
        const { owner, partnerId } = made;
        const formulaId = yield* Given.formula(made);
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        yield* formulas.update(owner, formulaId, { name: "Nordlys" });
        yield* formulas.update(owner, formulaId, { name: "Share of sales" });
        const keys = yield* ApiKeys.ApiKeys;
        const key = yield* keys.create(owner, { kind: "partner", partnerIds: [partnerId], name: "Ida" });
        const names = { contents: ["names"] };
        expect((yield* erase(partnerId)).records).toEqual([
          { recordType: "commission_formula", recordId: formulaId, ...names, kept: null },
          { recordType: "api_key", recordId: key.id, ...names, kept: { reason: "key_usable", until: null } },
          { recordType: "partner", recordId: partnerId, contents: ["partner_data"], kept: null },
        ]);
        yield* keys.revoke(owner, key.id);
        expect((yield* erase(partnerId)).records).toEqual([
          { recordType: "api_key", recordId: key.id, ...names, kept: null },
        ]);
        const [formula] = (yield* formulas.list(owner)).items;
        expect(formula).toMatchObject({ name: "Share of sales" });
        expect(JSON.stringify(formula)).not.toContain("Nordlys");
        expect(JSON.stringify((yield* keys.list(owner)).items)).not.toContain("Ida");
        yield* Given.sell(made, 100);
        expect(yield* Given.amounts(made)).toEqual([10]);
        yield* feedHolds(made);
      }),
    ),
  );

  it.effect("reads a hundred settlements at a time", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const settlements = yield* Settlements.Settlements;
        let { settlementId } = made;
        for (let count = 0; count < 101; count++) {
          if (count > 0) settlementId = yield* Given.draft(made);
          yield* settlements.approve(made.owner, settlementId);
          yield* settlements.dispute(made.owner, settlementId, { reason: "one more" });
          yield* settlements.resolveDispute(made.owner, settlementId, { resolution: "upheld" });
        }
        const first = yield* erase(made.partnerId);
        expect([first.records.length, first.nextPage]).toEqual([100, 2]);
        const second = yield* erase(made.partnerId, { page: 2 });
        expect(second.records.filter(({ recordType }) => recordType === "settlement")).toHaveLength(1);
        expect(second.nextPage).toBeNull();
      }),
    ),
  );

  it.effect("is for the platform alone", () =>
    rule(
      Effect.gen(function* () {
        const { owner, partnerId, customerId } = yield* Given.scene();
        const { partner, events } = yield* Erasures.Erasures;
        expect(yield* Given.refusal(partner(owner, partnerId))).toBe(
          "A customer credential may not erase partner",
        );
        expect(yield* Given.refusal(events(owner, { customerId, cursors: ["1-0"] }))).toBe(
          "A customer credential may not erase events",
        );
        expect(yield* Given.refusal(partner(OPERATOR, Build.fresh.partner()))).toBe("partner not found");
      }),
    ),
  );
});

describe("erasing entries of the feed", () => {
  const eraseEvents = ({ customerId }: Given.Scene, cursors: ReadonlyArray<string>) =>
    Effect.flatMap(Erasures.Erasures, ({ events }) => events(OPERATOR, { customerId, cursors }));

  it.effect("leaves the record as it is, has it say so, and the chain holds", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100, 200]);
        const before = yield* feedOf(made);
        const [partner, formula, sale] = before;
        const cursors = [partner, formula, sale].map((item) => item?.cursor ?? "");
        expect(yield* eraseEvents(made, cursors)).toMatchObject({ erased: 3 });
        const after = yield* feedOf(made);
        expect(after.slice(0, 3).map(({ event }) => event)).toEqual([null, null, null]);
        expect(after.slice(0, before.length).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
        expect(after.slice(before.length).map(({ event }) => event)).toEqual(
          Array(3).fill({ type: "erase_personal_data", erased_from: "feed", sequences: [1] }),
        );
        const { log } = yield* Storage.Storage;
        const [kept] = yield* log(made.customerId, "attribution", sale?.recordId ?? "");
        expect(kept?.event).toEqual(sale?.event);
        expect(yield* feedHolds(made)).toBe(3);
        expect(yield* eraseEvents(made, cursors)).toMatchObject({ erased: 0 });
        expect(yield* feedOf(made)).toEqual(after);
      }),
    ),
  );

  it.effect("is refused for what is no entry, another customer's, or without personal data", () =>
    rule(
      Effect.gen(function* () {
        const made = yield* Given.drafted([100]);
        const [, , sale, commission] = yield* feedOf(made);
        const other = yield* Given.scene();
        const cursor = sale?.cursor ?? "";
        expect(yield* Given.refusal(eraseEvents(made, []))).toBe("cursors: must have 1 to 100 cursors");
        expect(yield* Given.refusal(eraseEvents(made, [cursor, "7"]))).toBe(
          "cursors.1: must be the cursor of an entry of the customer's feed",
        );
        expect(yield* Given.refusal(eraseEvents(other, [cursor]))).toMatch(/^cursors\.0: must be the cursor/);
        expect(yield* Given.refusal(eraseEvents(made, [cursor, commission?.cursor ?? ""]))).toBe(
          "cursors.1: is of an event of a commission, which has no personal data",
        );
        expect((yield* feedOf(made)).every(({ event }) => event !== null)).toBe(true);
      }),
    ),
  );
});
