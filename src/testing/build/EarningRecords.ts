/** Builders of partners, schemas, plans, formulas, attributions and commissions. */

import { Either } from "effect";
import type { Attribution, AttributionEvent } from "../../domain/Attribution.ts";
import * as AttributionSchema from "../../domain/AttributionSchema.ts";
import * as Commission from "../../domain/Commission.ts";
import type { CommissionPlan, PlanEvent } from "../../domain/CommissionPlan.ts";
import { shownActor } from "../../domain/Event.ts";
import type { EventAssignment, EventTerms, Formula, FormulaEvent } from "../../domain/Formula.ts";
import type { AttributionId, CommissionId, FormulaId, PartnerId, PlanId } from "../../domain/Ids.ts";
import * as Partner from "../../domain/Partner.ts";
import { type AcceptanceEvent, acceptanceId } from "../../domain/PlanAcceptance.ts";
import { replacedBy } from "../../domain/Replacement.ts";
import type * as SettledElsewhere from "../../domain/SettledElsewhere.ts";
import { format } from "../../domain/Timestamp.ts";
import type { SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import { BY, DAY, EPOCH, EUR, type FormulaSetKey, first, flat, fresh, next, type Owner } from "./Basics.ts";

/** The fields of {@link partner} that a test may set. */
export type PartnerOverrides = Partial<Omit<Partner.Partner, "customerId" | "workspaceId">>;

/** A new partner. */
export const partner = (
  { customerId, workspaceId }: Owner,
  {
    id = fresh.partner(),
    name = "Nordlys ApS",
    billingMode = "partner_billing",
    selfBillingData = null,
    payoutAccounts = null,
    createdAt = EPOCH,
    ...stated
  }: PartnerOverrides = {},
): SaveLogged<"partner"> => {
  const { data, events } = Partner.create({ name, ...stated }, BY);
  const identity = { ...data, billingMode, selfBillingData, payoutAccounts, id, customerId, workspaceId };
  const stored = { sha256: Partner.fingerprintOf(identity) };
  const created = events.map((event) => ({ ...event, billing_mode: billingMode, stored }));
  return first("partner", identity, created, createdAt);
};

/** The partner under another name. */
export const renamedPartner = (
  row: Versioned<Partner.Partner>,
  name: string,
  at = EPOCH,
): SaveLogged<"partner"> => {
  const renamed = { ...row, name };
  const stored = { sha256: Partner.fingerprintOf(renamed) };
  const event = { type: "update_partner", actor: shownActor(BY), fields: ["name"], stored } as const;
  return next("partner", renamed, [event], at);
};

/** The partner with another external reference, or none. */
export const referencedPartner = (
  row: Versioned<Partner.Partner>,
  externalReference: string | null,
  at = EPOCH,
): SaveLogged<"partner"> => {
  const { events } = Either.getOrThrow(Partner.update(row, { externalReference }, BY));
  return next("partner", row, events, at);
};

/** A new schema with a required number `order_value` and an optional text `plan`. */
export const schema = (
  { customerId, workspaceId }: Owner,
  overrides: Partial<AttributionSchema.AttributionSchema> = {},
): SaveFlat<"schema"> =>
  flat(
    "schema",
    {
      ...AttributionSchema.create(
        {
          workspaceId,
          name: "Sale",
          properties: [
            { name: "order_value", type: "number", required: true, format: "money_minor" },
            { name: "plan", type: "string", required: false, default: "basic" },
          ],
        },
        { id: fresh.schema(), customerId, createdAt: EPOCH },
      ),
      ...overrides,
    },
    overrides.createdAt,
  );

/** The fields of {@link formula} that a test may set. */
export type FormulaOverrides = Partial<
  Omit<Extract<FormulaEvent, { type: "create_commission_formula" }>, "type">
> & {
  readonly id?: FormulaId;
  readonly createdAt?: number;
};

const TERMS: EventTerms = {
  formula: {
    type: "multiply",
    operands: [
      { type: "property", name: "order_value" },
      { type: "literal", value: { type: "percent", value: 10 } },
    ],
  },
  name: "Ten per cent",
  description: null,
  start_datetime: format(EPOCH - 30 * DAY),
  end_datetime: null,
  currency: EUR,
};

/** A new plan: ten per cent of `order_value`, from a month before {@link EPOCH}, without end. */
export const plan = (
  { customerId, workspaceId, schemaId }: Omit<FormulaSetKey, "partnerId">,
  {
    id = fresh.plan(),
    createdAt = EPOCH,
    ...event
  }: Partial<EventTerms> & { readonly id?: PlanId; readonly createdAt?: number } = {},
): SaveLogged<"plan"> => {
  const created: PlanEvent = { type: "create_commission_plan", ...TERMS, ...event };
  return first("plan", { id, customerId, workspaceId, schemaId }, [created], createdAt);
};

/** The acceptance of a plan's terms by a partner. */
export const planAcceptance = (
  plan: Versioned<CommissionPlan>,
  partnerId: PartnerId,
  overrides: Partial<Extract<AcceptanceEvent, { readonly type: "accept_commission_plan" }>> = {},
): SaveLogged<"planAcceptance"> => {
  const { customerId, workspaceId, id: planId } = plan;
  const hash = "0".repeat(64);
  return first(
    "planAcceptance",
    { id: acceptanceId(planId, partnerId, hash), customerId, workspaceId, planId, partnerId },
    [
      {
        type: "accept_commission_plan",
        actor: shownActor(BY),
        ...{ plan_id: planId, partner_id: partnerId, hash, formula_version: 1 },
        ...{ from_datetime: format(plan.startDatetime), end_datetime: null },
        ...{ name: "Ida Nord", language: "en", on_behalf: false, reference: null },
        stored: { rule: hash },
        ...overrides,
      },
    ],
  );
};

/** The assignment of a formula to a plan, for {@link formula}; it follows the plan unless the test gives bounds. */
export const assignment = (
  { id, version, startDatetime, endDatetime }: Versioned<CommissionPlan>,
  overrides: Partial<EventAssignment> = {},
): { readonly assignment: EventAssignment } => ({
  assignment: {
    plan_id: id,
    plan_revision: version,
    plan_start_datetime: format(startDatetime),
    plan_end_datetime: endDatetime === null ? null : format(endDatetime),
    start_datetime: null,
    end_datetime: null,
    ...overrides,
  },
});

/** A new formula: ten per cent of `order_value`, from a month before {@link EPOCH}, without end. */
export const formula = (
  { customerId, workspaceId, partnerId, schemaId }: FormulaSetKey,
  { id = fresh.formula(), createdAt = EPOCH, ...event }: FormulaOverrides = {},
): SaveLogged<"formula"> =>
  first(
    "formula",
    { id, customerId, workspaceId, partnerId, schemaId },
    [
      {
        type: "create_commission_formula",
        ...TERMS,
        ...event,
      },
    ],
    createdAt,
  );

/** The fields of {@link attribution} that a test may set. */
export interface AttributionOverrides {
  readonly id?: AttributionId;
  readonly createdAt?: number;
  /** As given by the caller; null when none is given. */
  readonly occurredAt?: number | null;
  /** As given by the caller; null when none is given. */
  readonly occurredOn?: string | null;
  readonly properties?: Attribution["properties"];
  readonly agentId?: Attribution["agentId"];
  readonly externalReference?: string | null;
  readonly credit?: Attribution["credit"];
  readonly originId?: Attribution["originId"];
  readonly replaces?: AttributionId;
}

/** A new attribution. */
export const attribution = (
  { customerId, workspaceId, partnerId, schemaId }: FormulaSetKey,
  {
    id,
    createdAt = EPOCH,
    occurredAt = null,
    occurredOn = null,
    properties = { order_value: 12_000 },
    agentId = null,
    externalReference = null,
    credit = null,
    originId = null,
    replaces,
  }: AttributionOverrides = {},
): SaveLogged<"attribution"> => {
  const event: AttributionEvent = {
    type: "create_attribution",
    properties,
    ...(occurredAt === null ? {} : { occurred_at: format(occurredAt) }),
    ...(occurredOn === null ? {} : { occurred_on: occurredOn }),
    ...(credit === null ? {} : { credit }),
    ...(originId === null ? {} : { origin_id: originId }),
    ...(replaces === undefined ? {} : { replaces }),
  };
  const identity = {
    id: id ?? fresh.attribution(),
    customerId,
    workspaceId,
    partnerId,
    schemaId,
    agentId,
    externalReference,
  };
  return first("attribution", identity, [event], createdAt);
};

/** The attribution after another one has replaced it. */
export const replacedAttribution = (
  row: Versioned<Attribution>,
  by: AttributionId,
  at = EPOCH,
): SaveLogged<"attribution"> =>
  next("attribution", { ...row, externalReference: null }, [replacedBy(by, "corrected")], at);

/** A new commission of an attribution under a formula; an amount of null means that its computation failed. */
export const commission = (
  of: Attribution,
  under: Formula,
  amount: number | null,
  {
    id = fresh.commission(),
    createdAt = of.createdAt,
    elsewhere,
  }: {
    readonly id?: CommissionId;
    readonly createdAt?: number;
    /** When the amount was settled elsewhere. */
    readonly elsewhere?: SettledElsewhere.Stated;
  } = {},
): SaveLogged<"commission"> =>
  first(
    "commission",
    Commission.identity(id, of, under),
    [
      amount === null
        ? { type: "fail_commission_computation", code: "OVERFLOW", message: "exceeds the largest amount" }
        : {
            ...{ type: "create_commission", amount, formula_version: 1 },
            ...(under.release === null ? {} : { release: under.release }),
          },
      ...(elsewhere === undefined || amount === null
        ? []
        : [{ type: "settle_elsewhere", amount, ...elsewhere } as const]),
    ],
    createdAt,
  );
