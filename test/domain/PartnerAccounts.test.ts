import { Either } from "effect";
import { Currency, type Ids, Partner, PartnerAccounts, PayoutAccount } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { SELF_BILLING } from "../services/Given.ts";

const EUR = Currency.Currency.make("EUR");
const BY = { actor: "key", person: "ada" };
const ACTING = { ...BY, at: Build.EPOCH, rule: PayoutAccount.ruleOf("second_person") };
const ACCOUNT = "00000000-0000-4000-8000-000000000001" as Ids.PayoutAccountId;
const OTHER = { ...SELF_BILLING.bankAccount, iban: "DK9520000123456789" };

const billed = Build.partner(
  { customerId: Build.fresh.customer(), workspaceId: Build.fresh.workspace() },
  {
    billingMode: "self_billing",
    selfBillingData: SELF_BILLING,
  },
).row;

/** The partner after an update that states another account. */
const restated = () => {
  const update = { selfBillingData: { ...SELF_BILLING, bankAccount: OTHER } };
  const change = Either.getOrThrow(Partner.update(billed, update, BY));
  return PartnerAccounts.withStated(billed, change, { id: ACCOUNT, isFirst: false }, ACTING);
};

describe("a partner that has never had other accounts", () => {
  it("is paid to its bank account, under an id that is that of the account", () => {
    const [account] = PartnerAccounts.accountsOf(billed);
    expect(account).toMatchObject({
      ...{ status: "confirmed", currency: null, proposedBy: null },
      details: { iban: "DK5000400440116243", bic: "NDEADKKK", holder: "Nordlys ApS" },
    });
    expect(account?.id).toBe(PartnerAccounts.statedId(billed.id, SELF_BILLING.bankAccount));
    expect(account?.id).not.toBe(PartnerAccounts.statedId(billed.id, OTHER));
    expect(PartnerAccounts.accountsOf({ ...billed, selfBillingData: null })).toEqual([]);
  });

  it("has approvals that state nothing more than before", () => {
    expect(PartnerAccounts.approvedFor(billed, EUR)).toEqual({});
    expect(PartnerAccounts.isStillConfirmed(billed, { selfBillingData: { bankAccount: OTHER } })).toBe(true);
  });
});

describe("an update that states another bank account", () => {
  it("proposes it, and shows who and what, masked", () => {
    const { data, events } = restated();
    expect(data.selfBillingData?.bankAccount).toEqual(OTHER);
    expect(data.payoutAccounts?.map(({ status }) => status)).toEqual(["confirmed", "proposed"]);
    const stored = { sha256: Partner.fingerprintOf(data) };
    expect(events).toMatchObject([
      { type: "update_partner", stored },
      {
        type: "propose_payout_account",
        actor: { principal_id: "key", person: "ada" },
        account_id: ACCOUNT,
        account_type: "iban",
        details: { iban: "DK…6789", bic: "NDEADKKK" },
        stored,
      },
    ]);
    expect(JSON.stringify(events)).not.toContain(OTHER.iban);
  });

  it("has approvals go to the account that is confirmed", () => {
    const { data } = restated();
    const own = PartnerAccounts.statedId(billed.id, SELF_BILLING.bankAccount);
    expect(PartnerAccounts.approvedFor(data, EUR).payoutAccount).toEqual({
      ...{ id: own, type: "iban" },
      details: { iban: "DK5000400440116243", bic: "NDEADKKK", holder: "Nordlys ApS" },
    });
  });
});

describe("an account of an approval", () => {
  it("may be paid as long as it is confirmed, also where only the billing data stated it", () => {
    const { data } = restated();
    const before = { ...billed, ...data };
    const approval = { selfBillingData: SELF_BILLING };
    expect(PartnerAccounts.isStillConfirmed(before, approval)).toBe(true);
    expect(PartnerAccounts.isStillConfirmed(before, { selfBillingData: { bankAccount: OTHER } })).toBe(false);
    const accounts = PartnerAccounts.accountsOf(before);
    const moved = Either.getOrThrow(
      PayoutAccount.confirmAccount(accounts, accounts[1] as PayoutAccount.PayoutAccount, {
        ...ACTING,
        person: "bo",
      }),
    );
    const after = { ...before, payoutAccounts: moved.accounts };
    expect(PartnerAccounts.isStillConfirmed(after, approval)).toBe(false);
    const { payoutAccount } = PartnerAccounts.approvedFor(after, EUR);
    expect(
      PartnerAccounts.isStillConfirmed(after, { ...approval, payoutAccount: payoutAccount ?? null }),
    ).toBe(true);
  });
});

describe("the log of a partner", () => {
  const entry = (event: Partner.PartnerEvent) => ({ at: 0, actor: "key", event });
  const { events } = Partner.create({ name: "Nordlys" }, BY);

  it("shows whether it ever had an account", () => {
    expect(PartnerAccounts.hasHeldAccount(events.map(entry))).toBe(false);
    expect(PartnerAccounts.hasHeldAccount([...events, ...restated().events].map(entry))).toBe(true);
    const created = Partner.create(
      { name: "Nordlys", billingMode: "self_billing", selfBillingData: SELF_BILLING },
      BY,
    );
    expect(PartnerAccounts.hasHeldAccount(created.events.map(entry))).toBe(true);
  });

  it("has the fingerprint of data without accounts as it always was", () => {
    const { payoutAccounts, ...data } = billed;
    expect(payoutAccounts).toBeNull();
    const fields = { name: data.name, selfBillingData: data.selfBillingData };
    expect(Partner.fingerprintOf(billed)).not.toBe(Partner.fingerprintOf(restated().data));
    expect(Object.keys(fields)).toEqual(["name", "selfBillingData"]);
  });
});
