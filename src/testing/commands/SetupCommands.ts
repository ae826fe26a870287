/** The commands with which every run begins: partners of each billing, schemas, and formulas by which they earn. */
import { Currency } from "../../domain/Currency.ts";
import type { Command } from "../model/Command.ts";
import type { World } from "../model/World.ts";
import { billingData, PROPERTIES } from "./Choice.ts";
import { owner, type Principals } from "./Principals.ts";

const by = (customerId: Principals["customers"][number]) => ({
  principal: owner(customerId),
  idempotency: null,
});

const selfBilled = (pick: number) => ({
  billingMode: "self_billing" as const,
  selfBillingData: billingData(pick),
});

/** Partners and schemas. */
export const places = ({
  customers: [first, second],
  workspaces: [here, there],
}: Principals): ReadonlyArray<Command> => [
  { type: "create_partner", ...by(first), input: { name: "Nordlys", workspaceId: here, ...selfBilled(0) } },
  { type: "create_partner", ...by(first), input: { name: "a_b", workspaceId: here } },
  {
    type: "create_partner",
    ...by(first),
    input: { name: "Æble 100 %", workspaceId: there, ...selfBilled(1) },
  },
  { type: "create_partner", ...by(second), input: { name: "Sydlys", workspaceId: here, ...selfBilled(0) } },
  { type: "create_schema", ...by(first), input: { name: "Sale", workspaceId: here, properties: PROPERTIES } },
  {
    type: "create_schema",
    ...by(first),
    input: { name: "Lead", workspaceId: there, properties: PROPERTIES },
  },
  {
    type: "create_schema",
    ...by(second),
    input: { name: "Sale", workspaceId: here, properties: PROPERTIES },
  },
];

const YEAR = 31_536_000_000;

/** A formula of ten per cent and an attribution for every partner there is. */
export const earnings = ({ partners, schemas, now }: World): ReadonlyArray<Command> =>
  partners.flatMap((partner): ReadonlyArray<Command> => {
    const { customerId, workspaceId } = partner;
    const schema = schemas.find((one) => one.customerId === customerId && one.workspaceId === workspaceId);
    if (schema === undefined) return [];
    const place = { partnerId: partner.id, schemaId: schema.id, workspaceId };
    return [
      {
        type: "create_formula",
        ...by(customerId),
        input: {
          ...place,
          name: "Ten per cent",
          currency: Currency.make("EUR"),
          startDatetime: now - YEAR,
          endDatetime: null,
          plan: { type: "percent", rate: 10 },
        },
      },
      {
        type: "create_attribution",
        ...by(customerId),
        input: { ...place, properties: { order_value: 1005 } },
      },
    ];
  });
