/**
 * The event feed: every event of a customer's records in one order, as a chain of hashes. An entry's hash covers the hash
 * before it and, of its event, a salted digest. So the salt and the event of an entry can be erased, and the chain still
 * holds.
 */
import { Either, Schema } from "effect";
import type { ApiKeyEvent } from "./ApiKey.ts";
import type { AttributionEvent } from "./Attribution.ts";
import type { ProfileEvent } from "./BillingProfile.ts";
import type { BooksEvent } from "./Books.ts";
import { CommissionEvent } from "./Commission.ts";
import type { PlanEvent } from "./CommissionPlan.ts";
import { byType } from "./Event.ts";
import type { FormulaEvent } from "./Formula.ts";
import type { CustomerId } from "./Ids.ts";
import { canonicalJson } from "./Json.ts";
import type { PartnerEvent } from "./Partner.ts";
import type { LinkEvent } from "./PartnerLink.ts";
import type { AcceptanceEvent } from "./PlanAcceptance.ts";
import { type Invalid, invalid } from "./Refusal.ts";
import { type SettlementEvent, ShownEvent } from "./SettlementEvent.ts";
import type { PolicyEvent } from "./SettlementPolicy.ts";
import { format, type Timestamp } from "./Timestamp.ts";
import type { WorkspaceEvent } from "./Workspace.ts";

/** The kinds of records that have events, as the feed names them. */
export const RECORD_TYPES = {
  attribution: "attribution",
  formula: "commission_formula",
  plan: "commission_plan",
  commission: "commission",
  settlement: "settlement",
  partner: "partner",
  apiKey: "api_key",
  billingProfile: "billing_profile",
  books: "books",
  settlementPolicy: "settlement_policy",
  workspace: "workspace",
  planAcceptance: "plan_acceptance",
  partnerLink: "partner_link",
} as const;

/** The kind of a record with events, as the store names it. */
export type Kind = keyof typeof RECORD_TYPES;

/** An event of any record. */
export type RecordEvent =
  | AttributionEvent
  | FormulaEvent
  | PlanEvent
  | CommissionEvent
  | SettlementEvent
  | PartnerEvent
  | ApiKeyEvent
  | ProfileEvent
  | BooksEvent
  | PolicyEvent
  | WorkspaceEvent
  | AcceptanceEvent
  | LinkEvent;

/** The type of an event of any record. */
export type EventType = RecordEvent["type"];

/** Every type of event; a type that is missing here does not compile. */
const TYPES: { readonly [Type in EventType]: true } = {
  create_attribution: true,
  cancel_attribution: true,
  recredit_attribution: true,
  state_received: true,
  create_commission_formula: true,
  update_commission_formula: true,
  set_parameter_values: true,
  cancel_commission_formula: true,
  create_commission_plan: true,
  update_commission_plan: true,
  cancel_commission_plan: true,
  ...byType(CommissionEvent, () => true as const),
  ...byType(ShownEvent, () => true as const),
  create_partner: true,
  update_partner: true,
  propose_payout_account: true,
  confirm_payout_account: true,
  retire_payout_account: true,
  create_api_key: true,
  revoke_api_key: true,
  write_billing_profile: true,
  write_posting_rules: true,
  close_period: true,
  seal_period: true,
  reopen_period: true,
  write_settlement_policy: true,
  begin_settlement_period: true,
  write_workspace: true,
  accept_commission_plan: true,
  create_partner_link: true,
  update_partner_link: true,
  erase_personal_data: true,
};

/** Every type of event, in alphabetical order. */
export const EVENT_TYPES: ReadonlyArray<string> = Object.keys(TYPES).toSorted();

/** An event with its record and its place in the record's log. */
export interface LoggedEvent {
  readonly kind: Kind;
  readonly recordId: string;
  /** From 1 in each record. */
  readonly sequence: number;
  readonly at: Timestamp;
  /** As the interface shows it, plain JSON. */
  readonly event: { readonly type: string };
}

/** An event in the feed. */
export interface Entry extends Omit<LoggedEvent, "event"> {
  /** From 1, without gaps, in each customer's feed. */
  readonly position: number;
  /** Null when it was erased. */
  readonly event: LoggedEvent["event"] | null;
  /** 32 hexadecimal digits; null when it was erased with the event. */
  readonly salt: string | null;
  /** SHA-256 of salt and event; stored only for an erased event. */
  readonly digest: string | null;
  /** 64 hexadecimal digits. */
  readonly hash: string;
}

/** The end of a feed: the position and the hash of its last entry. */
export interface Head {
  /** 0 when the feed is empty. */
  readonly position: number;
  readonly hash: string;
}

/** The hash before the first entry. */
export const GENESIS = "0".repeat(64);

/** The end of an empty feed. */
export const EMPTY: Head = { position: 0, hash: GENESIS };

/** Entries of one page at most, and by default. */
export const LIMIT_MAX = 1_000;
export const LIMIT_DEFAULT = 100;

/** The parameters of a page of the feed. */
export const Query = Schema.Struct({
  /** Entries that follow this one in the requested order; all by default. */
  after: Schema.optionalWith(Schema.String, { exact: true }),
  /** Oldest first (`asc`, the default), or newest first. */
  order: Schema.optionalWith(Schema.Literal("asc", "desc"), { exact: true }),
  /** Only events of these types; the cursor passes the others. */
  types: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  limit: Schema.optionalWith(
    Schema.Int.pipe(Schema.between(1, LIMIT_MAX, { message: () => `must be 1 to ${LIMIT_MAX}` })),
    { exact: true },
  ),
});
export type Query = typeof Query.Type;

/** The text whose SHA-256 is the digest of an event. */
export const digestInput = (salt: string, event: object): string => `${salt}${canonicalJson(event)}`;

/** The text whose SHA-256 gives the id of an entry. */
export const idInput = (
  customerId: CustomerId,
  { recordId, sequence }: Pick<LoggedEvent, "recordId" | "sequence">,
) => `quittance event ${customerId} ${recordId} ${sequence}`;

/** The text whose SHA-256 checks a cursor. */
export const cursorInput = (customerId: CustomerId, position: number): string =>
  `quittance cursor ${customerId} ${position}`;

/** The cursor of a position: it is of one customer, whose id its second part depends on. */
export const cursorOf = (position: number, sha256: string): string => `${position}-${sha256.slice(0, 16)}`;

const CURSOR = /^(0|[1-9]\d{0,15})-[0-9a-f]{16}$/;

const NO_CURSOR = invalid("after", "must be a cursor of this customer's feed, from next_cursor or an entry");

/** The position that a cursor claims; whether the cursor is of the customer has to be checked by its digest. */
export const claimedPosition = (cursor: string): Either.Either<number, Invalid> => {
  const [, position] = CURSOR.exec(cursor) ?? [];
  return position === undefined || !Number.isSafeInteger(Number(position))
    ? Either.left(NO_CURSOR)
    : Either.right(Number(position));
};

/** Succeeds when the cursor is the one of the position and the position exists. */
export const checkCursor = (
  cursor: string,
  position: number,
  sha256: string,
  end: number,
): Either.Either<void, Invalid> => {
  if (cursor !== cursorOf(position, sha256)) return Either.left(NO_CURSOR);
  return position > end
    ? Either.left(
        invalid("after", "is beyond the end of the feed: the store may have been restored from a backup"),
      )
    : Either.void;
};

/** The fields of an entry that its hash covers in addition to the digest of its event. */
export interface Identified extends Pick<LoggedEvent, "kind" | "recordId" | "sequence" | "at"> {
  readonly id: string;
  readonly cursor: string;
  readonly customerId: CustomerId;
}

/**
 * The text whose SHA-256 is the hash of an entry: the 64 hexadecimal digits of the hash before, then the canonical JSON of
 * the entry as the interface shows it, with the digest in the place of its event, without the two hashes.
 */
export const hashInput = (previousHash: string, digest: string, entry: Identified): string =>
  `${previousHash}${canonicalJson({
    id: entry.id,
    cursor: entry.cursor,
    datetime: format(entry.at),
    customer_id: entry.customerId,
    record_type: RECORD_TYPES[entry.kind],
    record_id: entry.recordId,
    sequence: entry.sequence,
    event: digest,
  })}`;

/** The order of the kinds among the events of one commit, and of one moment before the feed. */
export const KIND_ORDER: ReadonlyArray<Kind> = [
  "apiKey",
  "billingProfile",
  "books",
  "partner",
  "partnerLink",
  "workspace",
  "settlementPolicy",
  "plan",
  "formula",
  "planAcceptance",
  "attribution",
  "settlement",
  "commission",
];

/** The events of a commit in the order in which they enter the feed: kind by kind, otherwise as they were. */
export const inKindOrder = <Item extends { readonly kind: Kind }>(
  events: ReadonlyArray<Item>,
): ReadonlyArray<Item> => events.toSorted((a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind));
