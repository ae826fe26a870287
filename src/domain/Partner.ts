/** Partners: who earns, and what is stated of them. */
import { Either, Schema } from "effect";
import type { Currency } from "./Currency.ts";
import { Email } from "./Email.ts";
import {
  type Actor,
  type Entry,
  type ErasureEvent,
  type ShownActor,
  shownActor,
  type WithStored,
} from "./Event.ts";
import {
  field,
  key,
  means,
  nullable,
  omittable,
  optional,
  optionalKey,
  required,
  wireName,
} from "./Field.ts";
import { fingerprint } from "./Fingerprint.ts";
import { type CustomerId, type PartnerId, type PayoutAccountId, WorkspaceId } from "./Ids.ts";
import { sameJson } from "./Json.ts";
import { DESCRIPTION_MAX, EXTERNAL_REFERENCE_MAX, NAME_MAX, TAG_MAX, TAGS_MAX } from "./Limits.ts";
import { type MaskedAccount, maskAccount } from "./MaskedAccount.ts";
import type { PayoutAccount } from "./PayoutAccount.ts";
import type { Fields, PayoutType } from "./PayoutDetails.ts";
import { type Conflict, conflict, type Invalid, invalid } from "./Refusal.ts";
import { BillingMode, SelfBillingData, type TaxConfig } from "./SelfBilling.ts";
import { Text } from "./Text.ts";
import type { Timestamp } from "./Timestamp.ts";

export * from "./SelfBilling.ts";

const NAME = "A name for people.";
const SELF_BILLING_DATA = "The partner's legal data for self-billing, replaced as a whole.";

/** While a partner is suspended, runs draft nothing for it, and no payment to it is initiated. */
export const Status = Schema.Literal("active", "suspended");
export type Status = typeof Status.Type;

/** A label by which partners are found, such as `gold`; compared exactly. */
export const Tag = Text(1, TAG_MAX);

const Tags = Schema.Array(Tag).pipe(
  Schema.filter(
    (tags) =>
      tags.length > TAGS_MAX
        ? `must have at most ${TAGS_MAX} tags`
        : new Set(tags).size === tags.length || "must not name a tag twice",
    { jsonSchema: { maxItems: TAGS_MAX, uniqueItems: true } },
  ),
);

/** What a partner may have besides its name and billing, and may lack. */
const NULLABLE = nullable({
  externalReference: field(
    Text(1, EXTERNAL_REFERENCE_MAX),
    "external_reference",
    "Your own name of the partner, unique in its workspace. A second creation with the same reference and content returns the existing id. Null: none.",
  ),
  email: field(Email, "email", "An e-mail address of the partner. Null: none."),
  notes: field(
    Text(1, DESCRIPTION_MAX),
    "notes",
    "Notes about the partner for your team, up to 2,000 characters. No key of a partner is shown it. Null: none.",
  ),
});

/** What a partner has besides its name and billing; null in a request: as before, or the default. */
const STANDING = {
  status: field(
    Status,
    "status",
    "suspended: settlement runs draft nothing for the partner, and no payment to it is initiated; everything else stays possible. active (the default) ends that. An active partner is shown without it.",
  ),
  tags: field(Tags, "tags", "Labels by which the partner is found, at most 50, replaced as a whole."),
};

/** What responses state of a partner only where there is something to state. */
export const Facts = Schema.Struct({
  selfBillingData: key(Schema.NullOr(SelfBillingData), "self_billing_data", SELF_BILLING_DATA),
  ...required(NULLABLE),
  ...required(STANDING),
});

/** What requests state of a partner; `selfBillingData` is present exactly when the mode is `self_billing`. */
export const Data = Schema.Struct({
  name: Text(1, NAME_MAX).pipe(means(NAME, "Nordlys ApS")),
  billingMode: key(Schema.NullOr(BillingMode), "billing_mode", "Who issues the invoices.", "self_billing"),
  ...Facts.fields,
});
export type Data = typeof Data.Type;

/** A partner's data with its payout accounts; null where the bank account of the billing data has always been the only one. */
export interface Holding extends Data {
  readonly payoutAccounts: ReadonlyArray<PayoutAccount> | null;
}

/** A partner as stored. */
export interface Partner extends Holding {
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
const STATED = omittable({ ...NULLABLE, ...nullable(STANDING) });

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
  dryRun: optionalKey(
    Schema.Boolean,
    "dry_run",
    "true returns what is doubtful in the data, and stores nothing; false by default.",
  ),
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
export type View = Pick<Partner, "billingMode" | "externalReference" | "status" | "tags" | "createdAt">;

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
  readonly external_reference?: string | null;
  /** Absent from the first event of an active partner. */
  readonly status?: Status;
  readonly tags?: ReadonlyArray<string>;
}

/** What each event of a payout account has. */
export interface AccountFields {
  readonly actor: ShownActor;
  readonly account_id: PayoutAccountId;
}

/** The events of a payout account, as they are shown; the details are masked. */
export type ShownAccountEvent =
  | (AccountFields & {
      readonly type: "propose_payout_account";
      readonly account_type: PayoutType;
      readonly currency: Currency | null;
      readonly details: Fields;
    })
  | (AccountFields & { readonly type: "confirm_payout_account" })
  | (AccountFields & { readonly type: "retire_payout_account" });

/** The events of a partner, as they are shown. */
export type ShownEvent =
  | ErasureEvent
  | ShownAccountEvent
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

/** What can happen to a payout account of a partner. */
export type AccountEvent = ShownAccountEvent & Stored;

/** What can happen to a partner. */
export type PartnerEvent = WithStored<
  ShownEvent,
  { readonly [Type in Exclude<ShownEvent, ErasureEvent>["type"]]: Stored }
>;

const FIELDS = Object.keys(Data.fields) as ReadonlyArray<keyof Data>;

/** What the last event of a partner's log says of its data: of all that events do not show. */
export const fingerprintOf = ({
  name,
  selfBillingData,
  email,
  notes,
  payoutAccounts,
}: Pick<Holding, "name" | "selfBillingData" | "email" | "notes" | "payoutAccounts">): string =>
  // Partners without an address, notes or accounts have the fingerprints that they had before there were any.
  fingerprint({
    ...{ name, selfBillingData },
    ...(email === null ? {} : { email }),
    ...(notes === null ? {} : { notes }),
    ...(payoutAccounts === null ? {} : { payoutAccounts }),
  });

/** The update that leaves nothing personal of a partner. It is billed by nobody any more. */
export const erasing = (name: string): Update => ({
  name,
  billingMode: "partner_billing",
  selfBillingData: null,
  externalReference: null,
  tags: [],
  email: null,
  notes: null,
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
  if (event.type === "create_partner") {
    const { billing_mode: billingMode, external_reference: externalReference = null } = event;
    const { status = "active", tags = [] } = event;
    return { billingMode, externalReference, status, tags, createdAt: at };
  }
  if (state === null) throw new Error("a partner's log begins with create_partner");
  if (event.type !== "update_partner") return state;
  const { billing_mode: billingMode = state.billingMode, status = state.status, tags = state.tags } = event;
  const { external_reference: externalReference = state.externalReference } = event;
  return { ...state, billingMode, externalReference, status, tags };
};

/** A partner's data after a command, and the events that say so. */
export interface Change {
  readonly data: Holding;
  /** None when nothing changes. */
  readonly events: ReadonlyArray<PartnerEvent>;
}

/** The facts that differ from those of a partner of whom nothing was stated. */
const statedFacts = ({ externalReference, status, tags }: Data): ShownFacts => ({
  ...(externalReference === null ? {} : { external_reference: externalReference }),
  ...(status === "active" ? {} : { status }),
  ...(tags.length === 0 ? {} : { tags }),
});

/** A partner of whom nothing was stated but a name. */
const UNSTATED: Omit<Data, "name"> = {
  billingMode: "partner_billing",
  selfBillingData: null,
  externalReference: null,
  status: "active",
  tags: [],
  email: null,
  notes: null,
};

/** What a request states of a partner, and of the rest what was stated before. Null takes a reference or an address away. */
const stated = (before: Omit<Data, "name">, request: Update) => ({
  externalReference:
    request.externalReference === undefined ? before.externalReference : request.externalReference,
  status: request.status ?? before.status,
  tags: request.tags ?? before.tags,
  email: request.email === undefined ? before.email : request.email,
  notes: request.notes === undefined ? before.notes : request.notes,
});

/** A new partner. */
export const create = (request: Omit<Create, "workspaceId" | "dryRun">, by: Actor): Change => {
  const { name, billingMode = UNSTATED.billingMode, selfBillingData = null } = request;
  const data = { name, billingMode, selfBillingData, ...stated(UNSTATED, request), payoutAccounts: null };
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
    Object.entries({
      ...shown(after),
      ...{ external_reference: after.externalReference, status: after.status, tags: after.tags },
    }).filter(([name]) => fields.includes(name) || fields.includes(`self_billing_data.${name}`)),
  );

/** An update. Data alone replaces that of a partner already in `self_billing`; `partner_billing` drops it. */
export const update = (partner: Holding, request: Update, by: Actor): Either.Either<Change, Invalid> => {
  const billingMode = request.billingMode ?? partner.billingMode;
  const given = request.selfBillingData ?? null;
  if (billingMode !== "self_billing" && given !== null) {
    return Either.left(invalid("self_billing_data", "must be absent unless billing_mode is self_billing"));
  }
  const data = {
    name: request.name ?? partner.name,
    billingMode,
    selfBillingData: billingMode === "self_billing" ? (given ?? partner.selfBillingData) : null,
    ...stated(partner, request),
    payoutAccounts: partner.payoutAccounts,
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

const reuse = (explanation: string): Either.Either<never, Conflict> =>
  Either.left(conflict("external_reference_reuse", explanation));

/** Succeeds when the partner with the reference has what a creation states, which is then a repetition; null: one that is not seen. */
export const checkRepetition = (existing: Data | null, data: Data): Either.Either<void, Conflict> =>
  existing !== null && FIELDS.every((name) => sameJson(existing[name], data[name]))
    ? Either.void
    : reuse(
        "a partner with this reference and other content exists in the workspace; send the same content or another reference",
      );

/** Succeeds when no other partner of the workspace has the reference. */
export const checkReference = (
  { id }: Pick<Partner, "id">,
  holder: Pick<Partner, "id"> | undefined,
): Either.Either<void, Conflict> =>
  holder === undefined || holder.id === id
    ? Either.void
    : reuse("another partner of the workspace has this reference");
