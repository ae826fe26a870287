/** The first commands of every run: partners of each billing mode, schemas, formulas and attributions. */
import { CalendarDate } from "../../domain/CalendarDate.ts";
import { Currency } from "../../domain/Currency.ts";
import { EVERY_ACCOUNT, ratesOn } from "../generation/BooksChoice.ts";
import { LEGAL_DATA, OWN_ACCOUNT } from "../generation/KeyChoice.ts";
import { createBillingData, PROPERTIES } from "../generation/PartnerChoice.ts";
import type { Command } from "../model/Command.ts";
import { DAY, dateOf } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { owner, type Principals } from "./Principals.ts";

const byOwner = (customerId: Principals["customers"][number]) => ({
  principal: owner(customerId),
  idempotency: null,
});

const createSelfBilling = (pick: number) => ({
  billingMode: "self_billing" as const,
  selfBillingData: createBillingData(pick),
});

/** The commands that create partners and schemas. */
export const createPartnersAndSchemas = ({
  customers: [first, second],
  workspaces: [here, there],
}: Principals): ReadonlyArray<Command> => [
  {
    type: "create_partner",
    ...byOwner(first),
    input: { name: "Nordlys", workspaceId: here, ...createSelfBilling(0) },
  },
  { type: "create_partner", ...byOwner(first), input: { name: "a_b", workspaceId: here } },
  {
    type: "create_partner",
    ...byOwner(first),
    input: { name: "Æble 100 %", workspaceId: there, ...createSelfBilling(1) },
  },
  {
    type: "create_partner",
    ...byOwner(second),
    input: { name: "Sydlys", workspaceId: here, ...createSelfBilling(0) },
  },
  {
    type: "create_schema",
    ...byOwner(first),
    input: { name: "Sale", workspaceId: here, properties: PROPERTIES },
  },
  {
    type: "create_schema",
    ...byOwner(first),
    input: { name: "Lead", workspaceId: there, properties: PROPERTIES },
  },
  {
    type: "create_schema",
    ...byOwner(second),
    input: { name: "Sale", workspaceId: here, properties: PROPERTIES },
  },
];

/** Billing data with a standard rate of 0, for which no e-invoice is valid. */
const BREAKS_RULE = 102;

/** The commands by which a customer requires e-invoices, and has a partner for whom none is valid. */
export const requireEInvoices = ({
  customers: [first],
  workspaces: [here],
}: Principals): ReadonlyArray<Command> => [
  {
    type: "create_partner",
    ...byOwner(first),
    input: { name: "Nulsats", workspaceId: here, ...createSelfBilling(BREAKS_RULE) },
  },
  {
    type: "write_profile",
    ...byOwner(first),
    input: {
      ...LEGAL_DATA,
      eInvoice: "required",
    },
  },
];

/** The commands by which customers state the account from which their files pay. */
export const payByFiles = ({ customers }: Principals): ReadonlyArray<Command> =>
  customers.map((customerId) => ({
    type: "write_profile",
    ...byOwner(customerId),
    input: { ...LEGAL_DATA, bankAccount: OWN_ACCOUNT },
  }));

/** Billing data of a partner whose tax the customer owes. */
const REVERSE_CHARGE = 3;

/** How many days after they are written rates of tax under reverse charge begin, and how old rates of currencies are. */
const RATE_DAYS = 2;

/**
 * The commands by which a customer names its accounts, posts tax under reverse charge and states VAT in its national
 * currency, and has a partner under reverse charge. They end on the first day of the rate.
 */
export const keepBooks = (
  { customers: [first], workspaces: [here] }: Principals,
  { now }: World,
): ReadonlyArray<Command> => [
  {
    type: "create_partner",
    ...byOwner(first),
    input: { name: "Omvendt", workspaceId: here, ...createSelfBilling(REVERSE_CHARGE) },
  },
  {
    type: "write_posting_rules",
    ...byOwner(first),
    input: {
      rules: [{ account: "commission_expense", kind: "adjusted", number: "6771" }, ...EVERY_ACCOUNT],
      reverseCharge: [{ from: CalendarDate.make(dateOf(now, RATE_DAYS)), rateBps: 1_900 }],
    },
  },
  {
    type: "write_profile",
    ...byOwner(first),
    input: {
      ...LEGAL_DATA,
      taxCurrency: Currency.make("DKK"),
      exchangeRates: ratesOn(dateOf(now, -RATE_DAYS), "7.4604", ["EUR", "USD"]),
    },
  },
  { type: "move_clock", by: RATE_DAYS * DAY },
];

const YEAR = 31_536_000_000;

/** The commands that create a formula of ten per cent and an attribution for every partner. */
export const createEarnings = ({ partners, schemas, now }: World): ReadonlyArray<Command> =>
  partners.flatMap((partner): ReadonlyArray<Command> => {
    const { customerId, workspaceId } = partner;
    const schema = schemas.find(
      (attributionSchema) =>
        attributionSchema.customerId === customerId && attributionSchema.workspaceId === workspaceId,
    );
    if (schema === undefined) return [];
    const subject = { partnerId: partner.id, schemaId: schema.id, workspaceId };
    return [
      {
        type: "create_formula",
        ...byOwner(customerId),
        input: {
          ...subject,
          name: "Ten per cent",
          currency: Currency.make("EUR"),
          startDatetime: now - YEAR,
          endDatetime: null,
          plan: { type: "percent", rate: 10 },
        },
      },
      {
        type: "create_attribution",
        ...byOwner(customerId),
        input: { ...subject, properties: { order_value: 1005 } },
      },
    ];
  });

/** The command that creates a partner above others. */
export const createManager = ({ customers: [first], workspaces: [here] }: Principals): Command => ({
  type: "create_partner",
  ...byOwner(first),
  input: { name: "Ledelsen", workspaceId: here, ...createSelfBilling(0) },
});

/** The commands by which the last partner becomes the manager of the first two, and earns a fifth of what these earn from a sale. */
export const createTeam = ({ partners, schemas: [schema], now }: World): ReadonlyArray<Command> => {
  const [seller, second] = partners;
  const manager = partners.at(-1);
  if (seller === undefined || second === undefined || manager === undefined || schema === undefined)
    return [];
  const by = byOwner(manager.customerId);
  const subject = { schemaId: schema.id, workspaceId: manager.workspaceId };
  return [
    ...[seller, second].map(
      (partner): Command => ({
        type: "create_link",
        ...by,
        input: {
          ...{ partnerId: partner.id, uplinePartnerId: manager.id, role: "manager" },
          startDatetime: now - YEAR,
        },
      }),
    ),
    {
      type: "create_formula",
      ...by,
      input: {
        ...subject,
        ...{ partnerId: manager.id, name: "A fifth", currency: Currency.make("EUR"), roles: ["manager"] },
        ...{ startDatetime: now - YEAR, endDatetime: null },
        plan: { type: "override", rate: 20 },
      },
    },
    {
      type: "create_attribution",
      ...by,
      input: {
        ...subject,
        partnerId: seller.id,
        properties: { order_value: 10_050 },
        credits: [
          { partnerId: seller.id, share: "0.6" },
          { partnerId: second.id, share: "0.4" },
        ],
      },
    },
  ];
};

/** The command that gives the second seller of the team a formula whose amount is beyond the largest: what rests on it has none. */
export const createUncomputable = ({ partners, schemas: [schema], now }: World): ReadonlyArray<Command> => {
  const [, second] = partners;
  if (second === undefined || schema === undefined) return [];
  const { customerId, id: partnerId, workspaceId } = second;
  return [
    {
      type: "create_formula",
      ...byOwner(customerId),
      input: {
        ...{ partnerId, schemaId: schema.id, workspaceId },
        ...{ name: "Beyond the largest", currency: Currency.make("EUR") },
        ...{ startDatetime: now - YEAR, endDatetime: null },
        plan: { type: "huge" },
      },
    },
  ];
};
