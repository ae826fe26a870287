/** Turns an intent into a command: picks records, principals and values from what the model knows to be there. */
import { Currency } from "../../domain/Currency.ts";
import {
  AttributionId,
  type CustomerId,
  FormulaId,
  type PartnerId,
  PartnerId as PartnerIdOf,
  SchemaId,
  type WorkspaceId,
} from "../../domain/Ids.ts";
import type { SelfBillingData } from "../../domain/Partner.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { Billing, Command, FormulaChange } from "../model/Command.ts";
import { type Plan, QUANTITY_DEFAULT } from "../model/Plan.ts";
import type { Formula, Partner, Schema, World } from "../model/World.ts";
import { CAPABLE_COUNT, choosePrincipal, PRINCIPAL_COUNT, type Principals } from "../session/Principals.ts";
import type { Intent } from "./Intent.ts";

/** What a run has asked before, beside what the model knows. */
export interface CommandHistory {
  /** Commands that carried a key, the last ones. */
  readonly keyed: ReadonlyArray<Command>;
  /** How many commands there have been; makes keys and event ids unique. */
  readonly count: number;
}

/** Everything a choice depends on. */
export interface ChoiceContext {
  readonly principals: Principals;
  readonly world: World;
  readonly history: CommandHistory;
  readonly intent: Intent;
}

/** The item that a pick points at; undefined of none. */
export const chooseIfAny = <Item>(items: ReadonlyArray<Item>, pick: number): Item | undefined =>
  items.length === 0 ? undefined : items[pick % items.length];

/** The item that a pick points at, of a list that is never empty. */
export const choose = <Item>(items: readonly [Item, ...ReadonlyArray<Item>], pick: number): Item =>
  items[pick % items.length] ?? items[0];

/** Who asks, with a key when the intent wants one. */
export const callerFor = (
  { principals, world, history, intent }: ChoiceContext,
  owner: {
    readonly customerId: CustomerId;
    readonly workspaceId: WorkspaceId;
    readonly partnerId: PartnerId | null;
  },
  among = intent.eligible || intent.picks[1] % 3 > 0 ? CAPABLE_COUNT : PRINCIPAL_COUNT,
): {
  readonly principal: Principal;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
} => ({
  principal: choosePrincipal(principals, world, intent.who % among, owner),
  idempotency: intent.keyed
    ? { key: `key-${history.count}`, requestSha256: `request-${history.count}` }
    : null,
});

const NORWEGIAN_IBAN = "NO9386011117947";
const DANISH_IBAN = "DK5000400440116243";

/** Billing data; every third has an account number that is none. */
export const createBillingData = (pick: number): SelfBillingData => ({
  legalName: `Nordlys ${pick % 3} ApS`,
  address: { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" },
  vatNumber: "DK12345678",
  paymentTermsDays: 30,
  bankAccount: {
    beneficiaryName: "Nordlys ApS",
    iban: choose([DANISH_IBAN, NORWEGIAN_IBAN, "DK5000400440116244"], pick),
    bic: "NDEADKKK",
  },
  taxConfig: choose<SelfBillingData["taxConfig"]>(
    [
      { treatment: "standard", label: "VAT", rateBps: 2_500 },
      { treatment: "exempt", label: "VAT", rateBps: null },
      { treatment: "standard", label: "VAT", rateBps: 825 },
      { treatment: "reverse_charge", label: "VAT", rateBps: null },
    ],
    pick,
  ),
});

const chooseBilling = (eligible: boolean, pick: number): Billing =>
  eligible
    ? choose<Billing>(
        [
          { billingMode: "self_billing", selfBillingData: createBillingData(pick >> 3) },
          { billingMode: "partner_billing" },
          {},
        ],
        pick,
      )
    : choose<Billing>(
        [
          { billingMode: "self_billing" },
          { billingMode: "partner_billing", selfBillingData: createBillingData(pick) },
          { selfBillingData: createBillingData(pick) },
          {
            billingMode: "self_billing",
            selfBillingData: {
              ...createBillingData(0),
              taxConfig: { treatment: "standard", label: "VAT", rateBps: null },
            },
          },
        ],
        pick,
      );

const NAMES = ["Nordlys", "Æbleskiver 100 %", "a_b", "ÉCLAIR", "snake\\"] as const;

/** A customer and a workspace of it. */
export const chooseWorkspace = ({
  principals,
  intent,
}: ChoiceContext): { readonly customerId: CustomerId; readonly workspaceId: WorkspaceId } =>
  choose(
    [
      { customerId: principals.customers[0], workspaceId: principals.workspaces[0] },
      { customerId: principals.customers[0], workspaceId: principals.workspaces[1] },
      { customerId: principals.customers[1], workspaceId: principals.workspaces[0] },
    ],
    intent.picks[0],
  );

/** Create partner. */
export const createPartner = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const place = chooseWorkspace(context);
  const name = eligible || picks[3] % 2 === 0 ? choose(NAMES, picks[1]) : " ";
  const input = { name, workspaceId: place.workspaceId, ...chooseBilling(eligible, picks[2]) };
  return { type: "create_partner", ...callerFor(context, { ...place, partnerId: null }), input };
};

/** Update partner. */
export const updatePartner = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const partner = chooseIfAny(world.partners, picks[0]);
  if (partner === undefined) return null;
  const input = {
    ...(picks[1] % 2 === 0 ? { name: choose(NAMES, picks[3]) } : {}),
    ...(picks[1] % 3 === 0 ? {} : chooseBilling(eligible, picks[2])),
  };
  const id = !eligible && picks[3] % 3 === 0 ? PartnerIdOf.make(principals.unknown) : partner.id;
  return { type: "update_partner", ...callerFor(context, { ...partner, partnerId: partner.id }), id, input };
};

/** The properties of every schema that a run makes. */
export const PROPERTIES = [
  { name: "order_value", type: "number", required: true },
  { name: "quantity", type: "number", required: false, default: QUANTITY_DEFAULT },
  { name: "plan", type: "string", required: false },
  { name: "new_customer", type: "boolean", required: false },
] as const;

/** Create schema. */
export const createSchema = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const place = chooseWorkspace(context);
  const properties = eligible ? PROPERTIES : [...PROPERTIES, PROPERTIES[picks[1] % 4] ?? PROPERTIES[0]];
  const input = { name: choose(NAMES, picks[2]), workspaceId: place.workspaceId, properties };
  return { type: "create_schema", ...callerFor(context, { ...place, partnerId: null }), input };
};

/** A partner and a schema of one place; of different places when the intent is not eligible. */
const choosePartnerAndSchema = (
  { world, intent }: ChoiceContext,
  pick: number,
): { readonly partner: Partner; readonly schema: Schema } | null => {
  const partner = chooseIfAny(world.partners, pick);
  const schema = chooseIfAny(
    world.schemas.filter(
      ({ customerId, workspaceId }) =>
        !intent.eligible || (customerId === partner?.customerId && workspaceId === partner.workspaceId),
    ),
    pick >> 4,
  );
  return partner === undefined || schema === undefined ? null : { partner, schema };
};

/** Values of orders: small and large, with and without fractions. */
export const ORDER_VALUES = [
  5, -5, 15, 100, 1005, 12.35, 999.995, 0.5, -0.05, -0, 9, 10, -250, 120_000, 94_906_267,
] as const;

/** Where a formula multiplies beyond measure, often values of which one is below the largest amount and two are not. */
const chooseOrderValue = ({ formulas }: World, { id }: Partner, pick: number): number =>
  pick % 2 === 0 &&
  formulas.some((one) => one.partnerId === id && one.versions.some(({ plan }) => plan.type === "huge"))
    ? choose([9, 5, 8, -9], pick >> 1)
    : choose(ORDER_VALUES, pick);

/** Properties that the schema of every run refuses. */
export const invalidProperties = (pick: number): Properties =>
  choose<Properties>(
    [
      { order_value: "much" },
      { quantity: 1 },
      { order_value: 1, color: "red" },
      { order_value: 2e15 },
      { order_value: 1, new_customer: 1 },
    ],
    pick,
  );

/** An attribution again under its external reference, by another partner or with other properties. */
const reuseReference = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const known = chooseIfAny(
    world.attributions.filter(({ externalReference }) => externalReference !== null),
    intent.picks[1],
  );
  const partner = chooseIfAny(
    world.partners.filter(
      ({ workspaceId, customerId }) => workspaceId === known?.workspaceId && customerId === known.customerId,
    ),
    intent.picks[2],
  );
  if (known?.externalReference == null || partner === undefined) return null;
  const { schemaId, workspaceId, externalReference } = known;
  const properties = intent.picks[2] % 3 === 0 ? { ...known.properties, quantity: 11 } : known.properties;
  const input = { partnerId: partner.id, schemaId, workspaceId, properties, externalReference };
  return {
    type: "create_attribution",
    ...callerFor(context, { ...partner, partnerId: partner.id }, CAPABLE_COUNT),
    input,
  };
};

/** Create attribution. */
export const createAttribution = (context: ChoiceContext): Command | null => {
  const { principals, intent } = context;
  const { eligible, picks } = intent;
  const reused = !eligible && picks[0] % 3 === 0 ? reuseReference(context) : null;
  if (reused !== null) return reused;
  const found = choosePartnerAndSchema(context, picks[0]);
  if (found === null) return null;
  const { partner, schema } = found;
  const properties: Properties =
    eligible || picks[3] % 2 === 0
      ? {
          order_value: chooseOrderValue(context.world, partner, picks[1]),
          ...(picks[1] % 3 === 0 ? { quantity: picks[1] % 7 } : {}),
          ...(picks[1] % 5 === 0 ? { choosePlan: "pro" } : {}),
        }
      : invalidProperties(picks[1]);
  const input = {
    partnerId: !eligible && picks[3] % 5 === 0 ? PartnerIdOf.make(principals.unknown) : partner.id,
    schemaId: !eligible && picks[3] % 7 === 0 ? SchemaId.make(principals.unknown) : schema.id,
    workspaceId: picks[3] % 3 === 0 ? schema.workspaceId : partner.workspaceId,
    properties,
    ...(picks[2] % 4 === 0 ? { externalReference: `order-${picks[2] % 12}` } : {}),
  };
  return { type: "create_attribution", ...callerFor(context, { ...partner, partnerId: partner.id }), input };
};

/** Cancel attribution. */
export const cancelAttribution = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const among = world.attributions.filter(({ cancelReason }) => !eligible || cancelReason === null);
  const attribution = chooseIfAny(among, picks[0]);
  if (attribution === undefined) return null;
  const id = !eligible && picks[1] % 4 === 0 ? AttributionId.make(principals.unknown) : attribution.id;
  const reason = !eligible && picks[2] % 4 === 0 ? "" : `refunded ${picks[1] % 5}`;
  return { type: "cancel_attribution", ...callerFor(context, attribution), id, reason };
};

const DAY = 86_400_000;

/** Moments at which rules change: now, days around it, and the very moments of attributions and the ones after. */
const moments = ({ now, attributions }: World): readonly [number, ...ReadonlyArray<number>] => [
  now,
  now - 400 * DAY,
  now - DAY,
  ...attributions.flatMap(({ createdAt }) => [createdAt, createdAt + 1]),
];

/** An expression that the language takes, or not. */
export const plan = (eligible: boolean, pick: number): Plan =>
  eligible
    ? choose<Plan>(
        [
          { type: "percent", rate: choose([10, 7.5, 12.5, 0.5, 100, -10, 33.33, 50], pick >> 3) },
          { type: "percent", rate: choose([10, 20, 1, 150], pick >> 3) },
          { type: "flat", amount: choose([0, 1, 250, -250, 0.5, -2.5, 1.5, 100_000], pick >> 3) },
          { type: "per_unit", amount: choose([100, 33.5, -1, 0.5], pick >> 3) },
          { type: "flat", amount: choose([500, 40], pick >> 3) },
          { type: "percent", rate: 10 },
          { type: "huge" },
        ],
        pick,
      )
    : choose<Plan>([{ type: "ill_typed" }, { type: "unknown_property" }, { type: "malformed" }], pick);

/** The currency of nearly every formula. */
export const EUR = Currency.make("EUR");
/** The currency of the others. */
export const USD = Currency.make("USD");

/** Create formula. */
export const createFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const found = choosePartnerAndSchema(context, picks[0]);
  if (found === null) return null;
  const { partner, schema } = found;
  const start = choose(moments(world), picks[2]);
  const later = moments(world).filter((moment) => moment > start || (!eligible && picks[2] % 2 === 0));
  const end = picks[3] % 3 === 0 ? (chooseIfAny(later, picks[3]) ?? null) : null;
  return {
    type: "create_formula",
    ...callerFor(context, { ...partner, partnerId: partner.id }),
    input: {
      partnerId: !eligible && picks[3] % 5 === 0 ? PartnerIdOf.make(principals.unknown) : partner.id,
      schemaId: !eligible && picks[3] % 7 === 0 ? SchemaId.make(principals.unknown) : schema.id,
      workspaceId: partner.workspaceId,
      name: choose(NAMES, picks[1]),
      currency: picks[3] % 7 === 6 ? USD : EUR,
      startDatetime: picks[2] % 3 === 0 ? world.now - 400 * DAY : start,
      endDatetime: end,
      plan: plan(eligible || picks[1] % 2 === 0, picks[1]),
    },
  };
};

const chooseDateChange = (world: World, formula: Formula, pick: number, eligible: boolean): FormulaChange => {
  const all = moments(world);
  if (pick % 3 === 0) return { endDatetime: null };
  if (pick % 3 === 1) {
    const ends = all.filter((moment) => !eligible || moment > formula.start);
    return { endDatetime: chooseIfAny(ends, pick >> 2) ?? null };
  }
  const starts = all.filter((moment) => !eligible || formula.end === null || moment < formula.end);
  return { startDatetime: chooseIfAny(starts, pick >> 2) ?? formula.start };
};

const chooseFormulaChange = (world: World, formula: Formula, { eligible, picks }: Intent): FormulaChange => {
  const [, what, value, date] = picks;
  const past = choose(moments(world), date);
  const last = formula.versions[formula.versions.length - 1]?.plan ?? plan(true, value);
  if (!eligible) {
    return choose<FormulaChange>(
      [
        { plan: plan(true, value), effectiveDatetime: world.now + DAY },
        { effectiveDatetime: world.now },
        { plan: plan(false, value) },
        { name: "" },
        { startDatetime: world.now, endDatetime: world.now },
        chooseDateChange(world, formula, date, false),
        { plan: plan(true, value) },
      ],
      what,
    );
  }
  return choose<FormulaChange>(
    [
      { plan: plan(true, value), effectiveDatetime: past },
      { plan: plan(true, value) },
      chooseDateChange(world, formula, date, true),
      { plan: plan(true, value), effectiveDatetime: world.now - 400 * DAY },
      chooseDateChange(world, formula, date, true),
      { plan: last, effectiveDatetime: past },
      { plan: plan(true, value), ...chooseDateChange(world, formula, date, true) },
      { name: choose(NAMES, value), description: date % 2 === 0 ? null : "As agreed" },
      { name: formula.name, startDatetime: formula.start, endDatetime: formula.end },
    ],
    what,
  );
};

/** Update formula. */
export const updateFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const among = world.formulas.filter(({ cancelReason }) => !intent.eligible || cancelReason === null);
  const formula = chooseIfAny(among, intent.picks[0]);
  if (formula === undefined) return null;
  const id = !intent.eligible && intent.picks[3] % 5 === 0 ? FormulaId.make(principals.unknown) : formula.id;
  const input = chooseFormulaChange(world, formula, intent);
  return { type: "update_formula", ...callerFor(context, formula), id, input };
};

/** Cancel formula. */
export const cancelFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const formula = chooseIfAny(world.formulas, intent.picks[0]);
  if (formula === undefined) return null;
  const id = !intent.eligible && intent.picks[1] % 2 === 0 ? FormulaId.make(principals.unknown) : formula.id;
  return { type: "cancel_formula", ...callerFor(context, formula), id, reason: "never agreed" };
};

const JUMPS = [1, 1_000, 3_600_000, DAY, 7 * DAY, 31 * DAY, -1, -3_600_000, -3 * DAY] as const;

/** Move the clock. */
export const moveClock = ({ intent }: ChoiceContext): Command => ({
  type: "move_clock",
  by: choose(JUMPS, intent.picks[0]),
});
