/** What accepting terms states, and which sales it covers. */
import { Currency, PlanAcceptance, PlanAgreement } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";

const { DAY, EPOCH } = Build;
const SALES = { id: Build.fresh.schema(), properties: [] };

const span = (overrides: Partial<PlanAgreement.Span> = {}): PlanAgreement.Span => ({
  planId: Build.fresh.plan(),
  partnerId: Build.fresh.partner(),
  schemaId: SALES.id,
  formulaId: Build.fresh.formula(),
  currency: Currency.Currency.make("EUR"),
  formulaVersion: 2,
  expression: { type: "literal", value: { type: "number", value: 1 } },
  parameters: [],
  inForce: new Map(),
  startDatetime: EPOCH,
  endDatetime: EPOCH + 20 * DAY,
  fromDatetime: EPOCH + 5 * DAY,
  untilDatetime: EPOCH + 10 * DAY,
  ...overrides,
});

const request = (overrides: Partial<PlanAcceptance.Accept> = {}): PlanAcceptance.Accept => ({
  partnerId: Build.fresh.partner(),
  hash: "0".repeat(64),
  name: "Ida Nord",
  ...overrides,
});

const BY = { actor: "key", person: "ida" };

describe("an acceptance", () => {
  it("is the fold of its event, which says who has accepted what", () => {
    const one = span();
    const event = PlanAcceptance.accept(one, SALES, request({ language: "de" }), { ...BY, onBehalf: false });
    const view = PlanAcceptance.evolve(null, { ...BY, at: EPOCH + DAY, event });
    expect(view).toEqual({
      hash: PlanAgreement.hashOf(one, SALES),
      rule: PlanAgreement.ruleHash(one, SALES),
      formulaVersion: 2,
      fromDatetime: EPOCH + 5 * DAY,
      endDatetime: EPOCH + 20 * DAY,
      name: "Ida Nord",
      language: "de",
      onBehalf: false,
      reference: null,
      acceptedBy: "key",
      acceptedByPerson: "ida",
      createdAt: EPOCH + DAY,
    });
    const erased = { type: "erase_personal_data", erased_from: "record", sequences: [1] } as const;
    expect(PlanAcceptance.evolve(view, { ...BY, at: EPOCH + 2 * DAY, event: erased })).toEqual(view);
  });

  it("has one id for a plan, a partner and a hash", () => {
    const { planId, partnerId } = span();
    const of = (hash: string) => PlanAcceptance.acceptanceId(planId, partnerId, hash);
    expect(of("a")).toBe(of("a"));
    expect(of("a")).not.toBe(of("b"));
    expect(PlanAcceptance.acceptanceId(planId, Build.fresh.partner(), "a")).not.toBe(of("a"));
  });

  it("needs a reference exactly when it is on behalf of the partner", () => {
    const checked = (reference: string | undefined, onBehalf: boolean) =>
      PlanAcceptance.checkReference(request(reference === undefined ? {} : { reference }), onBehalf)?.message;
    expect(checked(undefined, false)).toBeUndefined();
    expect(checked("contract 17", true)).toBeUndefined();
    expect(checked(undefined, true)).toMatch(/^reference: is required on behalf of a partner/);
    expect(checked("contract 17", false)).toBe("reference: is allowed only on behalf of a partner");
  });

  it("is of the hash that was read", () => {
    expect(PlanAcceptance.checkHash("a", "a")).toBeNull();
    expect(PlanAcceptance.checkHash("a", "b")?.message).toMatch(/^terms_changed: /);
  });
});

describe("an acceptance covers a sale", () => {
  const [planId, partnerId] = [Build.fresh.plan(), Build.fresh.partner()];
  const accepted = { planId, partnerId, rule: "r", fromDatetime: EPOCH, endDatetime: EPOCH + 10 * DAY };
  const sale = { planId, partnerId, rule: "r", occurredAt: EPOCH + DAY };
  const covers = (overrides: Partial<PlanAcceptance.CoveredSale>) =>
    PlanAcceptance.covers(accepted, { ...sale, ...overrides });

  it("of the same plan, partner and rule", () => {
    expect(covers({})).toBe(true);
    expect(covers({ planId: Build.fresh.plan() })).toBe(false);
    expect(covers({ partnerId: Build.fresh.partner() })).toBe(false);
    expect(covers({ rule: "another version" })).toBe(false);
  });

  it("within the dates that were accepted", () => {
    expect(covers({ occurredAt: EPOCH - 1 })).toBe(false);
    expect(covers({ occurredAt: EPOCH })).toBe(true);
    expect(covers({ occurredAt: EPOCH + 10 * DAY - 1 })).toBe(true);
    expect(covers({ occurredAt: EPOCH + 10 * DAY })).toBe(false);
    expect(
      PlanAcceptance.covers({ ...accepted, endDatetime: null }, { ...sale, occurredAt: EPOCH + 99 * DAY }),
    ).toBe(true);
  });
});
