/** Partners: who earns, and who writes their invoices. */
import { Either, Schema } from "effect";
import { Country } from "./Country.ts";
import { ElectronicAddress } from "./ElectronicAddress.ts";
import {
  type Actor,
  type Entry,
  type ErasureEvent,
  type ShownActor,
  shownActor,
  type WithStored,
} from "./Event.ts";
import { key, means, optional, optionalKey, NAME as SCHEMA_NAME, wireName } from "./Field.ts";
import { fingerprint } from "./Fingerprint.ts";
import { type CustomerId, type PartnerId, WorkspaceId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import {
  BIC_MAX,
  IBAN_MAX,
  LEGAL_TEXT_MAX,
  NAME_MAX,
  PAYMENT_TERMS_DAYS_MAX,
  RATE_BPS_MAX,
  VAT_NUMBER_MAX,
} from "./Limits.ts";
import { type MaskedAccount, maskAccount } from "./MaskedAccount.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

/** Who writes the invoice: the service in the partner's name, or the partner. */
export const BillingMode = Schema.Literal("self_billing", "partner_billing");
export type BillingMode = typeof BillingMode.Type;

/** A postal address; the region alone may be empty. */
export const Address = Schema.Struct({
  street: Text(1, LEGAL_TEXT_MAX).pipe(means("The street and number.", "Havnegade 1")),
  city: Text(1, LEGAL_TEXT_MAX).pipe(means("The city.", "København")),
  region: Text(0, LEGAL_TEXT_MAX).pipe(means("The state, province or region; may be empty.", "Hovedstaden")),
  postalCode: key(Text(1, LEGAL_TEXT_MAX), "postal_code", "The postal code.", "1058"),
  country: Country.pipe(means("The country.", "DK")),
}).annotations({ [SCHEMA_NAME]: "Address" });
export type Address = typeof Address.Type;

/** The account to which the partner is paid. The IBAN is checked when a payout is initiated, not here. */
export const BankAccount = Schema.Struct({
  beneficiaryName: key(
    Text(1, LEGAL_TEXT_MAX),
    "beneficiary_name",
    "The holder of the account, as the bank knows it.",
    "Nordlys ApS",
  ),
  iban: Text(1, IBAN_MAX).pipe(means("The IBAN of the account.", "DK5000400440116243")),
  bic: Text(1, BIC_MAX).pipe(means("The BIC of the bank.", "NDEADKKK")),
}).annotations({ [SCHEMA_NAME]: "BankAccount" });
export type BankAccount = typeof BankAccount.Type;

const WholeNumber = (maximum: number) =>
  Schema.Number.pipe(
    Schema.int(),
    Schema.between(0, maximum, { jsonSchema: { type: "integer", minimum: 0, maximum } }),
  );

/** How the service is taxed; the rate, in basis points, belongs to `standard` alone. */
export const TaxConfig = Schema.Struct({
  treatment: Schema.Literal("standard", "reverse_charge", "exempt").pipe(
    means("standard charges rate_bps; reverse_charge and exempt charge no tax.", "standard"),
  ),
  label: Text(1, LEGAL_TEXT_MAX).pipe(means("The name of the tax on documents, such as VAT.", "VAT")),
  rateBps: Schema.optionalWith(
    Schema.NullOr(WholeNumber(RATE_BPS_MAX)).pipe(
      means(
        "The rate in hundredths of a percent: 2550 is 25.5 %. Null or absent unless treatment is standard.",
        2500,
      ),
    ),
    { default: () => null },
  ).pipe(Schema.fromKey("rate_bps")),
}).pipe(
  Schema.filter(({ treatment, rateBps }) =>
    treatment === "standard"
      ? rateBps !== null || { path: ["rate_bps"], message: "is required when treatment is standard" }
      : rateBps === null || { path: ["rate_bps"], message: `must be absent when treatment is ${treatment}` },
  ),
);
export type TaxConfig = typeof TaxConfig.Type;

/** What documents show of either party. */
export const PARTY_FIELDS = {
  legalName: key(
    Text(1, LEGAL_TEXT_MAX),
    "legal_name",
    "The legal name, as documents show it.",
    "Nordlys ApS",
  ),
  address: Address.pipe(means("The postal address, as documents show it.")),
  vatNumber: key(Text(1, VAT_NUMBER_MAX), "vat_number", "The VAT number.", "DK12345678"),
};

/** What an electronic address means, of either party. */
export const ELECTRONIC_ADDRESS =
  "The address for e-invoices: a scheme of the Peppol list and an identifier, such as 0088:7300010000001.";

/** The data that the service needs to write invoices in the partner's name. */
export const SelfBillingData = Schema.Struct({
  ...PARTY_FIELDS,
  paymentTermsDays: key(
    WholeNumber(PAYMENT_TERMS_DAYS_MAX),
    "payment_terms_days",
    "The days from the date of an invoice until it is due.",
    30,
  ),
  bankAccount: key(BankAccount, "bank_account", "The account to which payments are made."),
  taxConfig: key(TaxConfig, "tax_config", "The tax on the partner's commissions."),
  electronicAddress: optionalKey(ElectronicAddress, "electronic_address", ELECTRONIC_ADDRESS),
}).annotations({ [SCHEMA_NAME]: "SelfBillingData" });
export type SelfBillingData = typeof SelfBillingData.Type;

const NAME = "A name for people.";
const SELF_BILLING_DATA = "The partner's legal data for self-billing, replaced as a whole.";

/** While a partner is suspended, runs draft nothing for it, and no payment to it is initiated. */
export const Status = Schema.Literal("active", "suspended");
export type Status = typeof Status.Type;

const STATUS =
  "suspended: settlement runs draft nothing for the partner, and no payment to it is initiated; everything else stays possible. active (the default) ends that.";

/** What responses state of a partner only where there is something to state. */
export const Facts = Schema.Struct({
  selfBillingData: key(Schema.NullOr(SelfBillingData), "self_billing_data", SELF_BILLING_DATA),
  status: Status.pipe(means("Absent while the partner is active.", "suspended")),
});

/** What requests state of a partner; `selfBillingData` is present exactly when the mode is `self_billing`. */
export const Data = Schema.Struct({
  name: Text(1, NAME_MAX).pipe(means(NAME, "Nordlys ApS")),
  billingMode: key(Schema.NullOr(BillingMode), "billing_mode", "Who issues the invoices.", "self_billing"),
  ...Facts.fields,
});
export type Data = typeof Data.Type;

/** A partner as stored. */
export interface Partner extends Data {
  readonly id: PartnerId;
  readonly customerId: CustomerId;
  readonly workspaceId: WorkspaceId;
  readonly createdAt: Timestamp;
}

type Billing = Partial<Pick<Partner, "billingMode" | "selfBillingData">>;

/** A stated billing mode comes with data exactly when it is `self_billing`. */
const isBilling = ({ billingMode, selfBillingData }: Billing) => {
  const hasData = selfBillingData != null;
  if (billingMode == null || hasData === (billingMode === "self_billing")) return true;
  const rule = hasData ? "must be absent" : "is required";
  return { path: ["self_billing_data"], message: `${rule} when billing_mode is ${billingMode}` };
};

/** What both requests may state, and leave out. */
const STATED = { status: optional(Schema.NullOr(Status), STATUS) };

/** What creating a partner takes; without a billing mode it is `partner_billing`. */
export const Create = Schema.Struct({
  name: Text(1, NAME_MAX).pipe(means(NAME)),
  workspaceId: key(WorkspaceId, "workspace_id", "The workspace."),
  billingMode: optionalKey(
    BillingMode,
    "billing_mode",
    "self_billing: this service issues the partner's invoices. partner_billing (the default): the partner issues them.",
  ),
  selfBillingData: optionalKey(SelfBillingData, "self_billing_data", SELF_BILLING_DATA),
  ...STATED,
}).pipe(
  Schema.filter(({ billingMode = "partner_billing", selfBillingData = null }) =>
    isBilling({ billingMode, selfBillingData }),
  ),
);
export type Create = typeof Create.Type;

/** What updating a partner takes; null and absence both leave a field unchanged. */
export const Update = Schema.Struct({
  name: optional(Schema.NullOr(Text(1, NAME_MAX)), NAME),
  billingMode: optionalKey(
    Schema.NullOr(BillingMode),
    "billing_mode",
    "self_billing: this service issues the partner's invoices. partner_billing: the partner issues them.",
  ),
  selfBillingData: optionalKey(Schema.NullOr(SelfBillingData), "self_billing_data", SELF_BILLING_DATA),
  ...STATED,
}).pipe(Schema.filter(isBilling));
export type Update = typeof Update.Type;

/** What the events contain of a partner. The rest is personal: a log has its fingerprint, so that it can be overwritten. */
export type View = Pick<Partner, "billingMode" | "status" | "createdAt">;

/** How the partner is taxed, as events show it. */
interface ShownTax {
  readonly treatment: TaxConfig["treatment"];
  readonly label: string;
  readonly rate_bps: number | null;
}

/** What events show of a partner. */
export interface Shown {
  readonly billing_mode: BillingMode | null;
  readonly bank_account: MaskedAccount | null;
  readonly tax_config: ShownTax | null;
}

/** What events show of a partner only where it was stated. */
export interface ShownFacts {
  /** Absent from the first event of an active partner. */
  readonly status?: Status;
}

/** The events of a partner, as they are shown. */
export type ShownEvent =
  | ErasureEvent
  | (Shown & ShownFacts & { readonly type: "create_partner"; readonly actor: ShownActor })
  | (Partial<Shown> &
      ShownFacts & {
        readonly type: "update_partner";
        readonly actor: ShownActor;
        /** The fields that have changed, by their wire names; their new values are shown where events show them at all. */
        readonly fields: ReadonlyArray<string>;
      });

/** The fingerprint of the data after an event. */
export interface Stored {
  readonly stored: { readonly sha256: string };
}

/** What can happen to a partner. */
export type PartnerEvent = WithStored<
  ShownEvent,
  { readonly create_partner: Stored; readonly update_partner: Stored }
>;

const FIELDS = Object.keys(Data.fields) as ReadonlyArray<keyof Data>;

/** What the last event of a partner's log says of its data: of all that events do not show. */
export const fingerprintOf = ({ name, selfBillingData }: Pick<Data, "name" | "selfBillingData">): string =>
  fingerprint({ name, selfBillingData });

/** The update that leaves nothing personal of a partner. It is billed by nobody any more. */
export const erasing = (name: string): Update => ({
  name,
  billingMode: "partner_billing",
  selfBillingData: null,
});

const shown = ({ billingMode, selfBillingData }: Pick<Data, "billingMode" | "selfBillingData">): Shown => {
  const tax = selfBillingData?.taxConfig ?? null;
  return {
    billing_mode: billingMode,
    bank_account: maskAccount(selfBillingData?.bankAccount ?? null),
    tax_config: tax === null ? null : { treatment: tax.treatment, label: tax.label, rate_bps: tax.rateBps },
  };
};

/** The state after one more entry. */
export const evolve = (state: View | null, { at, event }: Entry<PartnerEvent>): View => {
  if (event.type === "create_partner")
    return { billingMode: event.billing_mode, status: event.status ?? "active", createdAt: at };
  if (state === null) throw new Error("a partner's log begins with create_partner");
  if (event.type === "erase_personal_data") return state;
  const { billing_mode: billingMode = state.billingMode, status = state.status } = event;
  return { ...state, billingMode, status };
};

/** A partner's data after a command, and the events that say so. */
export interface Change {
  readonly data: Data;
  /** None when nothing changes. */
  readonly events: ReadonlyArray<PartnerEvent>;
}

/** The facts that differ from those of a partner of whom nothing was stated. */
const statedFacts = ({ status }: Data): ShownFacts => (status === "active" ? {} : { status });

/** A new partner. */
export const create = (
  { name, billingMode = "partner_billing", selfBillingData, status }: Omit<Create, "workspaceId">,
  by: Actor,
): Change => {
  const data = { name, billingMode, selfBillingData: selfBillingData ?? null, status: status ?? "active" };
  const stored = { sha256: fingerprintOf(data) };
  const actor = shownActor(by);
  const created = { type: "create_partner", actor, ...shown(data), ...statedFacts(data), stored } as const;
  return { data, events: [created] };
};

const DATA_FIELDS = Object.keys(SelfBillingData.fields) as ReadonlyArray<keyof SelfBillingData>;

/** The wire names of the fields that differ. */
const changedFields = (before: Data, after: Data): ReadonlyArray<string> => [
  ...FIELDS.filter((field) => field !== "selfBillingData" && !sameJson(before[field], after[field])).map(
    wireName,
  ),
  ...DATA_FIELDS.filter(
    (field) => !sameJson(before.selfBillingData?.[field], after.selfBillingData?.[field]),
  ).map((field) => `self_billing_data.${wireName(field)}`),
];

/** The changed fields with the new values that events show. */
const shownChanges = (after: Data, fields: ReadonlyArray<string>): Partial<Shown> & ShownFacts =>
  Object.fromEntries(
    Object.entries({ ...shown(after), status: after.status }).filter(
      ([name]) => fields.includes(name) || fields.includes(`self_billing_data.${name}`),
    ),
  );

/** An update. Data alone replaces that of a partner already in `self_billing`; `partner_billing` drops it. */
export const update = (partner: Data, request: Update, by: Actor): Either.Either<Change, Invalid> => {
  const billingMode = request.billingMode ?? partner.billingMode;
  const given = request.selfBillingData ?? null;
  if (billingMode !== "self_billing" && given !== null) {
    return Either.left(invalid("self_billing_data", "must be absent unless billing_mode is self_billing"));
  }
  const data = {
    name: request.name ?? partner.name,
    billingMode,
    selfBillingData: billingMode === "self_billing" ? (given ?? partner.selfBillingData) : null,
    status: request.status ?? partner.status,
  };
  const fields = changedFields(partner, data);
  if (fields.length === 0) return Either.right({ data, events: [] });
  const updated: PartnerEvent = {
    type: "update_partner",
    actor: shownActor(by),
    fields,
    ...shownChanges(data, fields),
    stored: { sha256: fingerprintOf(data) },
  };
  return Either.right({ data, events: [updated] });
};
