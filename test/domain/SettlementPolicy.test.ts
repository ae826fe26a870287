/** What settlement policies decide: terms in force, minimum, automatic approval, four eyes, and when a cadence begins. */
import { Either, Schema } from "effect";
import { Currency, type Event, Refusal, SettlementPolicy } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const EUR = Currency.Currency.make("EUR");
const USD = Currency.Currency.make("USD");
const at = Date.parse;
const MONTHLY = { type: "monthly", day: 1, timeZone: "Europe/Copenhagen" } as const;

const identity = () => {
  const workspaceId = Build.fresh.workspace();
  const customerId = Build.fresh.customer();
  const id = SettlementPolicy.policyId(customerId, workspaceId, null);
  return { id, customerId, workspaceId, partnerId: null };
};

describe("the terms in force", () => {
  const own = (terms: Partial<SettlementPolicy.OwnTerms>) => ({
    terms: { ...SettlementPolicy.NO_OVERRIDE, ...terms },
  });
  it("are the defaults if no policy was written", () =>
    expect(SettlementPolicy.inForce(null, null)).toEqual(SettlementPolicy.DEFAULT));
  it("are the partner's own, field by field, before the workspace's", () => {
    const workspace = own({ holdDays: 14, minimum: { EUR: 5_000, USD: 6_000 }, negative: "carry_forward" });
    const partner = own({ holdDays: 0, minimum: { EUR: 1 } });
    expect(SettlementPolicy.inForce(workspace, partner)).toEqual({
      ...SettlementPolicy.DEFAULT,
      holdDays: 0,
      minimum: { EUR: 1 },
      negative: "carry_forward",
    });
  });
  it("include the partner's cadence, also if it is manual", () => {
    expect(SettlementPolicy.hasOwnCadence(own({ cadence: "manual" }))).toBe(true);
    expect(SettlementPolicy.hasOwnCadence(own({ holdDays: 3 }))).toBe(false);
  });
});

describe("the minimum", () => {
  const terms = { minimum: { EUR: 5_000 } };
  it.each([
    [4_999, true],
    [5_000, false],
    [-4_999, true],
    [-5_000, false],
    [-5_001, false],
    [0, true],
  ])("%i cents are below 5,000: %s", (total, expected) =>
    expect(SettlementPolicy.isBelowMinimum(terms, EUR, total)).toBe(expected),
  );
  it("applies to its own currency only", () =>
    expect(SettlementPolicy.isBelowMinimum(terms, USD, 0)).toBe(false));
});

describe("approval by the policy", () => {
  const approves = (
    autoApprove: SettlementPolicy.Terms["autoApprove"],
    fourEyesAbove: SettlementPolicy.AmountByCurrency,
    total: number,
    currency = EUR,
  ) => SettlementPolicy.approvesItself({ autoApprove, fourEyesAbove }, currency, total);
  it("never happens in a currency without a limit", () => {
    expect(approves("never", {}, 1)).toBe(false);
    expect(approves({}, {}, 1)).toBe(false);
    expect(approves({ EUR: 100 }, {}, 1, USD)).toBe(false);
  });
  it.each([
    [100, true],
    [101, false],
    [-100, true],
    [-101, false],
  ])("with a limit of 100, of %i: %s", (total, expected) =>
    expect(approves({ EUR: 100 }, {}, total)).toBe(expected),
  );
  it.each([
    [50, true],
    [51, false],
    [-51, false],
  ])("with a limit of 100 and four eyes above 50, of %i: %s", (total, expected) =>
    expect(approves({ EUR: 100 }, { EUR: 50 }, total)).toBe(expected),
  );
  it("above the amount of four eyes a second person must approve, whatever the sign", () => {
    const needs = (total: number) =>
      SettlementPolicy.needsFourEyes({ fourEyesAbove: { EUR: 50 } }, EUR, total);
    expect([50, 51, -50, -51].map(needs)).toEqual([false, true, false, true]);
    expect(SettlementPolicy.needsFourEyes({ fourEyesAbove: { EUR: 50 } }, USD, 51)).toBe(false);
    expect(SettlementPolicy.needsFourEyes({ fourEyesAbove: {} }, EUR, 51)).toBe(false);
  });
});

const MIA = { actor: "mia" };
const BO = { actor: "bo's key", person: "bo" };

type Policy = SettlementPolicy.View & SettlementPolicy.Identity;

/** The policy after its events; by whom they are is stated with them. */
const policyAfter = (
  place: SettlementPolicy.Identity,
  before: SettlementPolicy.View | null,
  events: ReadonlyArray<SettlementPolicy.PolicyEvent>,
  by: Event.Actor,
): Policy => {
  const view = events.reduce<SettlementPolicy.View | null>(
    (state, event) => SettlementPolicy.evolve(state, { at: 0, ...by, event }),
    before,
  );
  if (view === null) throw new Error("a policy has an event");
  return { ...place, ...view };
};

/** A policy that was written at once. */
const written = (
  place: SettlementPolicy.Identity,
  before: Policy | null,
  terms: SettlementPolicy.OwnTerms,
  now: number,
  by: Event.Actor,
): Policy => policyAfter(place, before, SettlementPolicy.write(place, before, terms, { ...by, at: now }), by);

describe("writing a policy", () => {
  const terms = { ...SettlementPolicy.DEFAULT, cadence: MONTHLY };
  const now = at("2026-01-20T12:00:00Z");
  it("a new cadence begins with its next period, and counts as started by who wrote it", () => {
    const policy = written(identity(), null, terms, now, MIA);
    expect(policy.next).toEqual({ label: "2026-02", at: at("2026-01-31T23:00:00Z") });
    expect(policy.nextRunAt).toBe(at("2026-01-31T23:00:00Z"));
    expect([policy.scheduledBy, policy.scheduledByPerson]).toEqual(["mia", "mia"]);
  });
  it("other terms change neither the next period nor who wrote the cadence", () => {
    const before = written(identity(), null, terms, now, MIA);
    const later = at("2026-02-10T00:00:00Z");
    const policy = written(before, before, { ...terms, holdDays: 14 }, later, BO);
    expect(policy).toEqual({ ...before, terms: { ...terms, holdDays: 14 } });
  });
  it("another cadence does not repeat a period that was run", () => {
    const before = { ...written(identity(), null, terms, now, MIA), lastPeriod: "2026-02" };
    const moved = { ...terms, cadence: { ...MONTHLY, day: 15 } };
    const policy = written(before, before, moved, at("2026-02-03T00:00:00Z"), BO);
    expect(policy.next?.label).toBe("2026-03");
    expect([policy.scheduledBy, policy.scheduledByPerson]).toEqual(["bo's key", "bo"]);
  });
  it("a manual cadence starts no runs", () => {
    const before = written(identity(), null, terms, now, MIA);
    const policy = written(before, before, SettlementPolicy.DEFAULT, now, MIA);
    expect([policy.next, policy.nextRunAt]).toEqual([null, null]);
  });
  it("a period that begins is followed by the next one", () => {
    const before = written(identity(), null, terms, now, MIA);
    const [period, next] = [
      { label: "2026-02", at: at("2026-01-31T23:00:00Z") },
      { label: "2026-03", at: at("2026-02-28T23:00:00Z") },
    ];
    const begun = SettlementPolicy.beginPeriod(
      before,
      { period, next, runId: Build.fresh.settlementRun() },
      MIA,
    );
    expect(policyAfter(before, before, [begun], MIA)).toEqual({
      ...before,
      ...{ next, nextRunAt: next.at, lastPeriod: "2026-02" },
    });
  });
  it("an event has who wrote it, and the terms as the interface names them", () => {
    const place = identity();
    const own = { ...SettlementPolicy.NO_OVERRIDE, fourEyesAbove: { EUR: 10 }, cadence: MONTHLY };
    const [event] = SettlementPolicy.write(place, null, own, { ...BO, at: now });
    const { stored: _, ...shown } = event ?? {};
    expect(shown).toEqual({
      type: "write_settlement_policy",
      actor: { principal_id: "bo's key", person: "bo" },
      workspace_id: place.workspaceId,
      partner_id: null,
      ...{ hold_days: null, minimum: null, auto_approve: null, four_eyes_above: { EUR: 10 } },
      ...{ negative: null, invoice_tax_bps: null, require_acceptance: null },
      cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
    });
  });
  it("the same terms are no event, and neither is a partner without fields of its own", () => {
    const before = written(identity(), null, terms, now, MIA);
    expect(SettlementPolicy.write(before, before, { ...terms }, { ...BO, at: now })).toEqual([]);
    const own = { ...identity(), partnerId: Build.fresh.partner() };
    expect(SettlementPolicy.write(own, null, SettlementPolicy.NO_OVERRIDE, { ...MIA, at: now })).toEqual([]);
  });
  it("the policies of a customer, a workspace and its partners have different ids", () => {
    const [one, two] = [Build.fresh.customer(), Build.fresh.customer()];
    const workspaceId = Build.fresh.workspace();
    const ids = [null, Build.fresh.partner()].flatMap((partnerId) =>
      [one, two].map((customerId) => SettlementPolicy.policyId(customerId, workspaceId, partnerId)),
    );
    expect(new Set(ids).size).toBe(4);
    expect(SettlementPolicy.policyId(one, workspaceId, null)).toBe(ids[0]);
  });
});

describe("what a request may state", () => {
  const decode = Schema.decodeUnknownEither(SettlementPolicy.Write);
  it.each([
    {},
    { hold_days: 3_650, minimum: {}, negative: "review" },
    {
      minimum: { EUR: 0, JPY: 9_007_199_254_740_991 },
      auto_approve: { EUR: 1 },
      four_eyes_above: { EUR: 1 },
    },
    { auto_approve: "never", cadence: "manual" },
  ])("%j", (given) => expect(Either.isRight(decode(given))).toBe(true));
  it.each([
    [{ hold_days: -1 }, "hold_days: "],
    [{ hold_days: 3_651 }, "hold_days: "],
    [{ hold_days: 1.5 }, "hold_days: "],
    [{ minimum: 5_000 }, "minimum: "],
    [{ minimum: { EURO: 5_000 } }, "minimum.EURO: must be an ISO 4217 currency code"],
    [{ minimum: { eur: 5_000 } }, "minimum.eur: must be an ISO 4217 currency code"],
    [{ minimum: { EUR: -1 } }, "minimum.EUR: "],
    [{ minimum: { EUR: 9_007_199_254_740_992 } }, "minimum.EUR: "],
    [{ auto_approve: "always" }, "auto_approve"],
    [{ negative: "ignore" }, "negative: "],
    [{ cadence: { type: "monthly", day: 1, time_zone: "Mars/Base" } }, "must be an IANA time zone"],
  ])("not %j", (given, message) => {
    const decoded = decode(given);
    expect(Either.isLeft(decoded) ? Refusal.fromParseError(decoded.left).message : "").toContain(message);
  });
});

describe("the period that is due", () => {
  const terms = { ...SettlementPolicy.DEFAULT, cadence: MONTHLY };
  const now = Date.parse("2026-01-20T00:00:00Z");
  const [written] = SettlementPolicy.write(identity(), null, terms, { ...MIA, at: now });
  if (written === undefined) throw new Error("one event");
  const next = written.stored.next;
  const dueAt = (moment: string, given: { readonly next: typeof next } = { next }) =>
    SettlementPolicy.duePeriod(given, MONTHLY, Date.parse(moment));
  it("does not exist before its first instant", () => expect(dueAt("2026-01-31T22:59:59.999Z")).toBeNull());
  it("begins at its first instant, and is followed by the next one", () => {
    const found = dueAt("2026-01-31T23:00:00Z");
    expect(found?.period).toEqual({ label: "2026-02", at: Date.parse("2026-01-31T23:00:00Z") });
    expect(found?.next).toEqual({ label: "2026-03", at: Date.parse("2026-02-28T23:00:00Z") });
  });
  it("is the newest of several missed ones", () => {
    const found = dueAt("2026-05-10T00:00:00Z");
    expect(found?.period.label).toBe("2026-05");
    expect(found?.next.label).toBe("2026-06");
  });
  it("is due once", () => {
    const found = dueAt("2026-02-10T00:00:00Z");
    expect(found).not.toBeNull();
    expect(dueAt("2026-02-11T00:00:00Z", { next: found?.next ?? null })).toBeNull();
  });
});
