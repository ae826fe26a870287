/** Turns intents about partners and schemas into commands. */
import { PartnerId } from "../../domain/Ids.ts";
import type { Create, Partner, SelfBillingData, Update } from "../../domain/Partner.ts";
import type { Command } from "../model/Command.ts";
import { QUANTITY_DEFAULT } from "../model/world/Plan.ts";
import {
  type ChoiceContext,
  callerFor,
  choose,
  chooseIfAny,
  chooseWorkspace,
  NAMES,
} from "./ChoiceContext.ts";

/** The fields of a request that are no billing data; each is chosen. */
type Plain<Request> = Required<Omit<Request, "billingMode" | "selfBillingData" | "dryRun" | Stated>>;

/** What is stated of a partner in addition. */
type Stated = "externalReference" | "status" | "tags" | "email" | "notes";

type Billing = Partial<Pick<Create, "billingMode" | "selfBillingData">>;

const NORWEGIAN_IBAN = "NO9386011117947";
const DANISH_IBAN = "DK5000400440116243";
const INVALID_IBAN = "DK5000400440116244";

/** Billing data; every third has an invalid IBAN, and some break a rule of e-invoices. */
export const createBillingData = (pick: number): SelfBillingData => ({
  legalName: `Nordlys ${pick % 3} ApS`,
  address: { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" },
  vatNumber: (pick >> 4) % 8 === 7 ? "12345678" : "DK12345678",
  ...((pick >> 4) % 16 === 7 ? { vatNumberType: "tax" as const } : {}),
  ...(pick % 4 === 3 ? { registrationNumber: pick % 8 === 7 ? "0184:DK12345678" : "Register 7" } : {}),
  paymentTermsDays: 30,
  bankAccount: {
    beneficiaryName: "Nordlys ApS",
    ...choose(
      [
        { iban: DANISH_IBAN, bic: "NDEADKKK" },
        { iban: NORWEGIAN_IBAN, bic: "DNBANOKK" },
        { iban: INVALID_IBAN, bic: "NDEADKKK" },
      ],
      pick,
    ),
  },
  taxConfig: choose<SelfBillingData["taxConfig"]>(
    [
      { treatment: "standard", label: "VAT", rateBps: 2_500 },
      { treatment: "exempt", label: "VAT", rateBps: null },
      { treatment: "standard", label: "VAT", rateBps: (pick >> 4) % 8 === 6 ? 0 : 825 },
      {
        treatment: (pick >> 3) % 4 === 3 ? "outside_scope" : "reverse_charge",
        label: "VAT",
        rateBps: null,
      },
    ],
    pick,
  ),
  ...(pick % 5 === 0 ? { legalNote: "SIREN 732 829 320" } : {}),
  ...(pick % 3 === 1 ? { contact: { name: "Ada", phone: "+45 331", email: "ada@example.com" } } : {}),
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

export const chooseCreatePartner = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const workspace = chooseWorkspace(context);
  const name = eligible || picks[3] % 2 === 0 ? choose(NAMES, picks[1]) : " ";
  const plain: Plain<Create> = { name, workspaceId: workspace.workspaceId };
  const input = { ...plain, ...chooseBilling(eligible, picks[2]), ...chooseFacts(true, picks[3]) };
  return { type: "create_partner", ...callerFor(context, { ...workspace, partnerId: null }), input };
};

/** Tags, an e-mail address and a reference, none of them often. */
const chooseFacts = (eligible: boolean, pick: number): Omit<Pick<Update, Stated>, "status"> => ({
  ...(pick % 5 === 3 ? { tags: eligible ? choose(TAGS, pick >> 3) : ["gold", "gold"] } : {}),
  ...(pick % 7 === 3 ? { email: eligible ? choose(["ada@example.com", null], pick >> 3) : "nobody" } : {}),
  ...(pick % 9 === 3 ? { notes: choose(["pays late", null], pick >> 3) } : {}),
  ...(pick % 4 === 3 ? { externalReference: choose(REFERENCES, pick >> 3) } : {}),
});

const TAGS: readonly [ReadonlyArray<string>, ...ReadonlyArray<ReadonlyArray<string>>] = [
  ["gold"],
  ["north", "gold"],
  [],
];
const REFERENCES = ["crm-1", "crm-2", "crm-3", null] as const;

/** A status: a partner is seldom suspended, and not for long. */
const chooseStatus = ({ status }: Partner, pick: number): Pick<Update, "status"> => {
  if (status === "suspended") return pick % 3 === 0 ? {} : { status: "active" };
  return pick % 8 === 5 ? { status: "suspended" } : pick % 8 === 6 ? { status: null } : {};
};

export const chooseUpdatePartner = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const partner = chooseIfAny(world.partners, picks[0]);
  if (partner === undefined) return null;
  const input = {
    // Null leaves a name as it is.
    ...(picks[1] % 2 === 0 ? { name: picks[3] % 5 === 4 ? null : choose(NAMES, picks[3]) } : {}),
    ...(picks[1] % 3 === 0 ? {} : chooseBilling(eligible, picks[2])),
    ...chooseFacts(eligible, picks[2]),
    ...chooseStatus(partner, picks[3]),
  };
  const id = !eligible && picks[3] % 3 === 0 ? PartnerId.make(principals.unknown) : partner.id;
  return { type: "update_partner", ...callerFor(context, { ...partner, partnerId: partner.id }), id, input };
};

/** The properties of every schema of a run. */
export const PROPERTIES = [
  { name: "order_value", type: "number", required: true, format: "money_minor" },
  { name: "quantity", type: "number", required: false, default: QUANTITY_DEFAULT },
  { name: "plan", type: "string", required: false },
  { name: "new_customer", type: "boolean", required: false, default: false },
] as const;

/** Properties that no schema may have: one of them twice, or a text with a format. */
const invalidProperties = (pick: number): ReadonlyArray<(typeof PROPERTIES)[number]> => {
  const repeated = PROPERTIES[pick % 4] ?? PROPERTIES[0];
  const formatted = { name: "note", type: "string", required: false, format: "count" };
  return [...PROPERTIES, pick % 5 === 4 ? (formatted as unknown as typeof repeated) : repeated];
};

export const chooseCreateSchema = (context: ChoiceContext): Command => {
  const { eligible, picks } = context.intent;
  const workspace = chooseWorkspace(context);
  const properties = eligible ? PROPERTIES : invalidProperties(picks[1]);
  const shown = choose(
    [undefined, ["plan", "order_value"], ["order_value", "plan", "quantity", "new_customer"]],
    picks[3],
  );
  const displayProperties = eligible || picks[1] % 3 > 0 ? shown : ["plan", "plan"];
  const input = {
    ...{ name: choose(NAMES, picks[2]), workspaceId: workspace.workspaceId, properties },
    ...(displayProperties === undefined ? {} : { displayProperties }),
  };
  return { type: "create_schema", ...callerFor(context, { ...workspace, partnerId: null }), input };
};
