/** Payout accounts: who may have money paid where, whatever credentials, settings and runs one person uses. */
import { describe, expect, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import {
  type ApiKey,
  ApiKeys,
  BillingProfiles,
  Events,
  Ids,
  Partners,
  PaymentFiles,
  type PaymentProvider,
  PayoutAccounts,
  PayoutDetails,
  Principal,
  Quittance,
  SettlementPolicies,
  SettlementRuns,
  Settlements,
  TokenVerifier,
} from "quittance";
import { sepa } from "quittance/payouts";
import { DEBTOR } from "../payouts/Payers.ts";
import * as Given from "./Given.ts";

const SECOND: Quittance.ChosenPolicy = { payoutAccounts: "second_person" };
const OTHER = { ...Given.SELF_BILLING.bankAccount, iban: "DK9520000123456789" };
const FORMER = "DK5000400440116243";
const ACH = {
  routing_number: "021000021",
  account_number: "000123456789",
  account_type: "checking",
  holder: "Nordlys Inc",
};

/** A provider that takes every type, and the accounts to which it was sent orders. */
const bank = (policy: Quittance.ChosenPolicy = SECOND) => {
  const paid: Array<PaymentProvider.PaymentOrder["account"]> = [];
  const host: Given.Host = {
    send: ({ account }) => Effect.sync(() => void paid.push(account)),
    provider: { takes: PayoutDetails.PayoutType.literals.map((type) => ({ type, currencies: "*" })) },
    policy,
  };
  return { paid, host };
};

const rule = <A, E>(
  effect: Effect.Effect<
    A,
    E,
    Effect.Effect.Context<Parameters<typeof Given.rule<A, E>>[0]> | TokenVerifier.TokenVerifier
  >,
  host: Given.Host = bank().host,
) => Given.rule(Effect.provide(effect, ApiKeys.layerVerifier), host);

/** The principal of a new key that a credential creates. */
const keyOf = (by: Principal.Principal, request: ApiKey.Create = {}) =>
  Effect.gen(function* () {
    const { key } = yield* (yield* ApiKeys.ApiKeys).create(by, { scopes: Principal.ALL_SCOPES, ...request });
    return yield* (yield* TokenVerifier.TokenVerifier).verify(key);
  });

const ADMIN = Principal.platform("platform:admin");

/** Somebody of the customer who may do everything. */
const someone = ({ customerId }: Given.Scene, name: string) => Principal.customer(customerId, name);

const accounts = (given: Given.Scene, by = given.owner) =>
  Effect.flatMap(PayoutAccounts.PayoutAccounts, ({ read }) =>
    Effect.map(read(by, given.partnerId), ({ payoutAccounts }) => payoutAccounts),
  );

const statuses = (given: Given.Scene) =>
  Effect.map(accounts(given), (found) => found.map(({ status }) => status));

/** The bank account is stated anew by a person; returns the id of the proposal. */
const restate = (given: Given.Scene, by: Principal.Principal, bankAccount = OTHER) =>
  Effect.gen(function* () {
    yield* (yield* Partners.Partners).update(by, given.partnerId, {
      selfBillingData: { ...Given.SELF_BILLING, bankAccount },
    });
    const found = yield* accounts(given);
    const proposed = found.findLast(({ status }) => status === "proposed");
    return proposed?.id ?? Ids.PayoutAccountId.make("00000000-0000-4000-8000-000000000000");
  });

const confirm = (given: Given.Scene, by: Principal.Principal, id: Ids.PayoutAccountId) =>
  Effect.flatMap(PayoutAccounts.PayoutAccounts, (service) => service.confirm(by, given.partnerId, id));

const retire = (given: Given.Scene, id: Ids.PayoutAccountId) =>
  Effect.flatMap(PayoutAccounts.PayoutAccounts, (service) =>
    service.retire(given.owner, given.partnerId, id),
  );

const propose = (given: Given.Scene, by: Principal.Principal, details: PayoutDetails.Fields = ACH) =>
  Effect.flatMap(PayoutAccounts.PayoutAccounts, (service) =>
    Effect.map(service.propose(by, given.partnerId, { type: "us_ach", details }), ({ id }) => id),
  );

type Settled = Given.Scene & { readonly settlementId: Ids.SettlementId };

const initiate = ({ owner, settlementId }: Settled) =>
  Effect.flatMap(Settlements.Settlements, ({ initiatePayment }) => initiatePayment(owner, settlementId));

const choose = ({ settlementId }: Settled, by: Principal.Principal, payoutAccountId?: Ids.PayoutAccountId) =>
  Effect.flatMap(Settlements.Settlements, ({ choosePayoutAccount }) =>
    choosePayoutAccount(by, settlementId, payoutAccountId === undefined ? {} : { payoutAccountId }),
  );

/** The settlement is paid; returns the IBANs to which orders went. */
const paidTo = (given: Settled, paid: ReadonlyArray<PaymentProvider.PaymentOrder["account"]>) =>
  Effect.gen(function* () {
    yield* initiate(given);
    yield* Given.drain;
    return paid.map(({ details }) => details.iban);
  });

const drafted = Given.drafted([10_000], { selfBilled: true });

const SELF = "four_eyes: who proposed a payout account may not confirm it";

describe("a bank account that somebody overwrites", () => {
  it.effect("is shown as given, and nothing is paid to it before another person confirms it", () => {
    const { paid, host } = bank();
    return rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const id = yield* restate(given, someone(given, "mallory"));
        const [partner] = (yield* (yield* Partners.Partners).list(given.owner)).items;
        expect(partner?.selfBillingData?.bankAccount).toEqual(OTHER);
        expect(partner?.payoutProblem).toBe(
          "the IBAN DK…6789 waits for its confirmation; payments go to the IBAN DK…6243 until then",
        );
        yield* Given.approveAndDrain(given);
        expect(yield* paidTo(given, paid)).toEqual([FORMER]);
        yield* confirm(given, someone(given, "bo"), id);
        expect(yield* statuses(given)).toEqual(["retired", "confirmed"]);
        const [after] = (yield* (yield* Partners.Partners).list(given.owner)).items;
        expect(after?.payoutProblem).toBeNull();
      }),
      host,
    );
  });

  it.effect("is not confirmed by who gave it: by the same key, a second one, or after one has expired", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const { customerId } = given;
        const first = yield* keyOf(ADMIN, { customerId });
        const second = yield* keyOf(first);
        const third = yield* keyOf(second);
        const id = yield* restate(given, second);
        for (const key of [first, second, third])
          expect(yield* Given.refusal(confirm(given, key, id))).toBe(SELF);
        const expiring = yield* keyOf(first, { expiresAt: Given.NOW + Given.DAY });
        const again = yield* restate(given, expiring, { ...OTHER, beneficiaryName: "Mallory" });
        yield* Given.wait(2 * Given.DAY);
        expect(yield* Given.refusal(confirm(given, first, again))).toBe(SELF);
        yield* confirm(given, yield* keyOf(ADMIN, { customerId }), again);
      }),
    ),
  );

  it.effect("is confirmed under the stricter of the settings of then and of now", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const mallory = someone(given, "mallory");
        const id = yield* restate(given, mallory);
        for (const payoutAccounts of ["at_once", { afterHours: 1 }] as const) {
          yield* Given.wait(Given.DAY);
          const relaxed = Quittance.layer({ payoutAccounts }).pipe(Layer.provide(Given.RENDERER));
          const refused = Effect.provide(Given.refusal(confirm(given, mallory, id)), relaxed);
          expect(yield* refused).toBe(SELF);
        }
      }),
    ),
  );

  it.effect("is not paid through a run that approves by itself", () => {
    const { paid, host } = bank();
    return rule(
      Effect.gen(function* () {
        const given = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(given);
        yield* Given.sell(given, 10_000);
        const mallory = someone(given, "mallory");
        yield* (yield* SettlementPolicies.SettlementPolicies).write(given.owner, given.workspaceId, {
          autoApprove: { EUR: 1_000_000 },
        });
        yield* restate(given, mallory);
        yield* (yield* SettlementRuns.SettlementRuns).start(mallory, { workspaceId: given.workspaceId });
        yield* Given.drain;
        const [settlement] = (yield* (yield* Settlements.Settlements).list(given.owner)).items;
        expect(settlement?.status.type).toBe("awaiting_payment");
        expect(settlement?.approval?.payoutAccount?.details.iban).toBe(FORMER);
        if (settlement === undefined) throw new Error("no settlement");
        expect(yield* paidTo({ ...given, settlementId: settlement.id }, paid)).toEqual([FORMER]);
      }),
      host,
    );
  });

  it.effect("is still no first account after the billing data was dropped and stated again", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const mallory = someone(given, "mallory");
        const { update } = yield* Partners.Partners;
        yield* update(mallory, given.partnerId, { billingMode: "partner_billing" });
        expect(yield* statuses(given)).toEqual([]);
        yield* update(mallory, given.partnerId, {
          billingMode: "self_billing",
          selfBillingData: { ...Given.SELF_BILLING, bankAccount: OTHER },
        });
        expect(yield* statuses(given)).toEqual(["proposed"]);
        yield* Given.approveAndDrain(given);
        expect(yield* Given.refusal(initiate(given))).toBe(
          "payout_unavailable: no payout account was confirmed at the approval; choose one for the settlement",
        );
      }),
    ),
  );

  it.effect(
    "is as before where nothing confirms accounts: no accounts, no events, the new one is paid",
    () => {
      const { paid, host } = bank({});
      return rule(
        Effect.gen(function* () {
          const given = yield* drafted;
          yield* restate(given, given.owner);
          yield* Given.drain;
          const { items } = yield* (yield* Events.Events).list(given.owner, { limit: 1_000 });
          const types = items.flatMap(({ kind, event }) => (kind === "partner" ? event?.type : []));
          expect(types).toEqual(["create_partner", "update_partner"]);
          yield* Given.approveAndDrain(given);
          const { approval } = yield* Given.settlement(given, given.settlementId);
          expect(approval).not.toHaveProperty("payoutAccount");
          expect(yield* paidTo(given, paid)).toEqual([OTHER.iban]);
          expect(yield* accounts(given)).toMatchObject([
            { status: "confirmed", details: { iban: OTHER.iban } },
          ]);
        }),
        host,
      );
    },
  );
});

describe("an account", () => {
  it.effect("lets a partner that writes its own invoices be paid", () => {
    const { paid, host } = bank();
    return rule(
      Effect.gen(function* () {
        const given = yield* Given.drafted([10_000]);
        yield* propose(given, someone(given, "ada"));
        expect(yield* statuses(given)).toEqual(["confirmed"]);
        yield* Given.approveAndDrain(given);
        yield* Given.upload(given, "invoice");
        yield* initiate(given);
        yield* Given.drain;
        expect(paid).toEqual([{ type: "us_ach", details: ACH }]);
      }),
      host,
    );
  });

  it.effect("is not sent to a provider that does not take its type", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* Given.drafted([10_000]);
        yield* propose(given, someone(given, "ada"));
        yield* Given.approveAndDrain(given);
        yield* Given.upload(given, "invoice");
        expect(yield* Given.refusal(initiate(given))).toBe(
          "payout_unavailable: the payout provider host does not pay to accounts in the United States",
        );
        const [partner] = (yield* (yield* Partners.Partners).list(given.owner)).items;
        expect(partner?.payoutProblem).toBe(
          "the payout provider host does not pay to accounts in the United States",
        );
      }),
      { send: () => Effect.die("an order was sent"), policy: SECOND },
    ),
  );

  it.effect("is masked without the scope payouts:read", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* Given.drafted([10_000]);
        yield* propose(given, given.owner);
        const reader = { ...given.owner, scopes: ["partners:read"] as const };
        expect(yield* accounts(given)).toMatchObject([{ details: ACH }]);
        expect((yield* accounts(given, reader))[0]?.details).toEqual({
          ...{ routing_number: "021000021", account_number: "…789", account_type: "checking" },
        });
      }),
    ),
  );

  it.effect("is found only at its own partner, and changes only with the rights for it", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* Given.drafted([10_000]);
        const id = yield* propose(given, given.owner);
        const partnerId = yield* Given.partner(given);
        expect(yield* Given.refusal(confirm({ ...given, partnerId }, given.owner, id))).toBe(
          "payout account not found",
        );
        const writer = { ...given.owner, scopes: ["partners:write"] as const };
        expect(yield* Given.refusal(confirm(given, writer, id))).toBe(
          "The credential lacks the scope settlements:approve",
        );
        const foreigner = yield* Given.scene();
        expect(yield* Given.refusal(confirm(given, foreigner.owner, id))).toBe("partner not found");
      }),
    ),
  );

  it.effect("is confirmed by one of two confirmations at once", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const id = yield* restate(given, someone(given, "mallory"));
        const both = ["ada", "bo"].map((name) => Effect.either(confirm(given, someone(given, name), id)));
        const outcomes = yield* Effect.all(both, { concurrency: "unbounded" });
        expect(outcomes.filter(({ _tag }) => _tag === "Right")).toHaveLength(1);
        expect(yield* statuses(given)).toEqual(["retired", "confirmed"]);
      }),
    ),
  );
});

/** The session of an invitation that somebody has sent to the partner. */
const sessionOf = (given: Given.Scene, inviting: Principal.Principal) =>
  Effect.gen(function* () {
    const { create, accept } = yield* ApiKeys.ApiKeys;
    const { verify } = yield* TokenVerifier.TokenVerifier;
    const scopes = ["partners:read", "partners:write"] as const;
    const invitation = { kind: "partner", use: "invitation", partnerIds: [given.partnerId], scopes } as const;
    const { key } = yield* create(inviting, invitation);
    return yield* verify((yield* accept(yield* verify(key))).key);
  });

const ADMITTED = "four_eyes: who let the partner in may not confirm what it has proposed";

describe("an account that a partner proposes for itself", () => {
  const settings = [["at_once"], ["second_person"], [{ afterHours: 1 }]] as const;

  it.effect.each(settings)("waits for a person of the customer under the setting %j", ([payoutAccounts]) =>
    rule(
      Effect.gen(function* () {
        const given = yield* Given.drafted([10_000]);
        const partner = yield* sessionOf(given, someone(given, "ada"));
        const id = yield* propose(given, partner);
        yield* Given.wait(365 * Given.DAY);
        expect(yield* accounts(given)).toMatchObject([
          {
            status: "proposed",
            proposedBy: `partner:${given.partnerId}`,
            confirmable: { isSecondPerson: true },
          },
        ]);
        expect((yield* accounts(given, partner))[0]).toMatchObject({ proposedBy: null });
        const { list } = yield* Partners.Partners;
        const [record] = (yield* list(given.owner)).items;
        expect(record?.payoutProblem).toBe(
          "the account …789 waits for its confirmation; nothing is paid until then",
        );
        expect(yield* Given.refusal(confirm(given, partner, id))).toBe(
          "A partner credential may not confirm payout account",
        );
        const itself = { ...given.owner, person: `partner:${given.partnerId}` };
        expect(yield* Given.refusal(confirm(given, itself, id))).toBe(SELF);
        expect((yield* list(given.owner, { payoutAccountProposed: true })).total).toBe(1);
        yield* confirm(given, someone(given, "bo"), id);
        expect(yield* statuses(given)).toEqual(["confirmed"]);
        expect((yield* list(given.owner, { payoutAccountProposed: true })).total).toBe(0);
      }),
      bank({ payoutAccounts }).host,
    ),
  );

  it.effect("is not confirmed by who let the partner in where another person is needed", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const { customerId } = given;
        const first = yield* keyOf(ADMIN, { customerId });
        const second = yield* keyOf(first);
        const program = { kind: "partner", partnerIds: [given.partnerId] } as const;
        for (const partner of [yield* sessionOf(given, first), yield* keyOf(first, program)]) {
          const id = yield* propose(given, partner);
          for (const mallory of [first, second])
            expect(yield* Given.refusal(confirm(given, mallory, id))).toBe(ADMITTED);
          yield* confirm(given, someone(given, "bo"), id);
        }
      }),
    ),
  );

  it.effect("is confirmed by who let the partner in where one person does everything", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const ada = someone(given, "ada");
        const id = yield* propose(given, yield* sessionOf(given, ada));
        expect(yield* statuses(given)).toEqual(["confirmed", "proposed"]);
        yield* confirm(given, ada, id);
        expect(yield* statuses(given)).toEqual(["retired", "confirmed"]);
      }),
      bank({}).host,
    ),
  );

  it.effect("takes the place of the one of it that waits, and of no other", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const partner = yield* sessionOf(given, someone(given, "ada"));
        yield* propose(given, someone(given, "mallory"));
        yield* propose(given, partner);
        yield* propose(given, partner, { ...ACH, account_number: "770000112233" });
        expect(yield* statuses(given)).toEqual(["confirmed", "proposed", "retired", "proposed"]);
      }),
    ),
  );

  it.effect("is one of its own record", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const partner = yield* sessionOf(given, someone(given, "ada"));
        const other = { ...given, partnerId: yield* Given.partner(given) };
        expect(yield* Given.refusal(propose(other, partner))).toBe("partner not found");
        const reader = { ...partner, scopes: ["partners:read"] as const };
        expect(yield* Given.refusal(propose(given, reader))).toBe(
          "The credential lacks the scope partners:write",
        );
      }),
    ),
  );
});

const RETIRED =
  "payout_account: the payout account of the approval was retired; choose another one for the settlement, or mark it as paid";

describe("an account that is retired after the approval", () => {
  it.effect("is not paid any more; another one is chosen, not by its proposer", () => {
    const { paid, host } = bank();
    return rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        yield* Given.approveAndDrain(given);
        const mallory = someone(given, "mallory");
        const id = yield* restate(given, mallory);
        yield* confirm(given, someone(given, "bo"), id);
        expect(yield* Given.refusal(initiate(given))).toBe(RETIRED);
        expect(yield* Given.refusal(choose(given, mallory))).toBe(
          "four_eyes: who proposed a payout account may not choose it for a settlement",
        );
        yield* choose(given, someone(given, "ada"));
        expect(yield* paidTo(given, paid)).toEqual([OTHER.iban]);
      }),
      host,
    );
  });

  it.effect("is replaced only by a confirmed account of the partner", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        yield* Given.approveAndDrain(given);
        const ada = someone(given, "ada");
        const id = yield* restate(given, someone(given, "mallory"));
        expect(yield* Given.refusal(choose(given, ada, id))).toBe("payout_account: the account is proposed");
        const [former] = yield* accounts(given);
        if (former === undefined) throw new Error("no account");
        yield* retire(given, former.id);
        expect(yield* Given.refusal(choose(given, ada, former.id))).toBe(
          "payout_account: the account is retired",
        );
        expect(yield* Given.refusal(choose(given, ada))).toBe(
          "payout_account: the partner has no confirmed payout account for EUR",
        );
        const unknown = Ids.PayoutAccountId.make("00000000-0000-4000-8000-000000000000");
        expect(yield* Given.refusal(choose(given, ada, unknown))).toBe(
          "payout_account_id: must be the id of a payout account of the partner",
        );
        expect(yield* Given.refusal(initiate(given))).toBe(RETIRED);
      }),
    ),
  );

  it.effect("is in no payment file, and in none that is handed over", () =>
    rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        yield* (yield* BillingProfiles.BillingProfiles).write(given.owner, {
          legalName: "Havn & Mark GmbH",
          address: Given.SELF_BILLING.address,
          vatNumber: "DE123456789",
          bankAccount: DEBTOR,
        });
        yield* Given.approveAndDrain(given);
        yield* initiate(given);
        const files = yield* PaymentFiles.PaymentFiles;
        const id = yield* restate(given, someone(given, "mallory"));
        yield* confirm(given, someone(given, "bo"), id);
        expect(yield* Given.refusal(files.create(given.owner))).toBe(
          `payout_account: settlement ${given.settlementId}: its payout account was retired; choose another one for the settlement`,
        );
        yield* choose(given, someone(given, "ada"));
        const file = yield* files.create(given.owner);
        const text = new TextDecoder().decode((yield* files.read(given.owner, file.id)).bytes);
        expect(text).toContain(OTHER.iban);
        expect(text).not.toContain(FORMER);
        yield* retire(given, id);
        const stale = `payment_file_stale: the payout account of settlement ${given.settlementId} was retired; discard the file, and choose another account for the settlement`;
        expect(yield* Given.refusal(files.handOver(given.owner, file.id))).toBe(stale);
        expect(yield* Given.refusal(files.read(given.owner, file.id))).toBe(stale);
        expect(yield* Given.refusal(choose(given, someone(given, "ada")))).toBe(
          "payout_account: the partner has no confirmed payout account for EUR",
        );
        yield* files.discard(given.owner, file.id, { reason: "the account was retired" });
        expect((yield* Given.statusOf(given)).type).toBe("awaiting_payment");
      }),
      { send: sepa.send, provider: sepa, policy: SECOND },
    ),
  );
});

/** Between what a command reads and what it stores, another one takes place, once. */
const interrupted = () => {
  let between: Effect.Effect<unknown> | null = null;
  const interrupt = (other: Effect.Effect<unknown>) => {
    between = other;
  };
  const storage: Given.Host["storage"] = ({ commit }) => ({
    commit: (customerId, changeSet) =>
      Effect.suspend(() => {
        const other = between ?? Effect.void;
        between = null;
        return Effect.zipRight(other, commit(customerId, changeSet));
      }),
  });
  return { interrupt, storage };
};

describe("an account that is retired while", () => {
  const retiring = (command: (given: Settled) => ReturnType<typeof initiate>) => {
    const { interrupt, storage } = interrupted();
    return rule(
      Effect.gen(function* () {
        const given = yield* drafted;
        const first = yield* accounts(given);
        yield* Given.approveAndDrain(given);
        const service = yield* PayoutAccounts.PayoutAccounts;
        const id = first[0]?.id ?? Ids.PayoutAccountId.make("");
        interrupt(Effect.orDie(service.retire(given.owner, given.partnerId, id)));
        return yield* Given.refusal(command(given));
      }),
      { ...bank().host, storage },
    );
  };

  it.effect("its payment is initiated is not paid", () =>
    Effect.map(retiring(initiate), (refused) => expect(refused).toBe(RETIRED)),
  );

  it.effect("it is chosen for a settlement is not chosen", () =>
    Effect.map(
      retiring((given) => choose(given, someone(given, "ada"))),
      (refused) =>
        expect(refused).toBe("payout_account: the partner has no confirmed payout account for EUR"),
    ),
  );
});
