/** The state of the store: one partition per customer, and the few indexes that span customers. */
import type {
  DocumentNumber,
  Event,
  EventFeed,
  Ids,
  Outbox,
  Recomputation,
  Settlement,
  Storage,
  Tax,
  Timestamp,
} from "quittance";
import type { Position } from "./Order.ts";

type Tables = { readonly [Kind in Storage.Kind]: Map<string, Storage.Versioned<Storage.Rows[Kind]>> };
type Logs = {
  readonly [Kind in keyof Storage.Logged]: Map<
    string,
    ReadonlyArray<Event.Entry<Storage.Logged[Kind]["event"]>>
  >;
};

/** An event, by the record whose log has it. */
export type LoggedEvent = Omit<EventFeed.LoggedEvent, "event">;

type StoredEntry = Pick<
  EventFeed.Entry,
  "kind" | "recordId" | "sequence" | "at" | "hash" | "salt" | "digest"
>;

/** The feed of one customer. It changes at the end of a commit, when nothing can fail any more, so that no undo is needed. */
export interface Feed {
  /** Events of commits with `feed: false`. */
  readonly leftOut: Array<LoggedEvent>;
  /** Events of commits, in the order of the commits. */
  readonly commits: Array<ReadonlyArray<LoggedEvent>>;
  readonly entries: Array<StoredEntry>;
}

const emptyFeed = (): Feed => ({ leftOut: [], commits: [], entries: [] });

/** Everything of one customer. Compound keys are joined by a space, which no UUID contains. */
export interface Partition {
  readonly rows: Tables;
  readonly logs: Logs;
  /** The records of each kind that is listed. */
  readonly order: Map<Storage.ListedKind, Array<Position>>;
  /** Attributions and commissions by the date that the attribution counts for. */
  readonly occurrences: Map<"attribution" | "commission", Array<Position>>;
  readonly lines: Map<string, ReadonlyArray<Settlement.Line>>;
  /** By settlement. */
  readonly reversals: Map<string, ReadonlyArray<Tax.Reversal>>;
  /** By commission: the settlements that ever held it. */
  readonly settlements: Map<string, ReadonlyArray<Ids.SettlementId>>;
  /** By attribution and formula. */
  readonly pairs: Map<string, Ids.CommissionId>;
  /** By attribution. */
  readonly commissions: Map<string, ReadonlyArray<Ids.CommissionId>>;
  /** By schema and external reference. */
  readonly references: Map<string, Ids.AttributionId>;
  /** By workspace and external reference. */
  readonly partnerReferences: Map<string, Ids.PartnerId>;
  /** Attributions by their origin. */
  readonly credited: Map<string, ReadonlyArray<Ids.AttributionId>>;
  /** By settlement, kind and revision. */
  readonly documents: Map<string, Ids.DocumentId>;
  /** By partner and schema. */
  readonly formulaSets: Map<string, number>;
  /** Formulas by partner and schema. */
  readonly formulas: Map<string, Array<Position>>;
  /** Formulas by the plan that assigned them. */
  readonly planFormulas: Map<string, ReadonlyArray<Ids.FormulaId>>;
  /** Attributions by partner, schema and workspace, in order of the date that they count for. */
  readonly attributions: Map<string, Array<Position>>;
  /** Attributions by partner and schema, in order of arrival. */
  readonly arrivals: Map<string, Array<Position>>;
  /** By formula: every walk, pending or not. */
  readonly recomputations: Map<string, ReadonlyArray<Recomputation.Recomputation["id"]>>;
  /** Payments by their payment file; under the empty text those that wait for one. */
  readonly bankPayments: Map<string, ReadonlyArray<Ids.PaymentReference>>;
  /** By endpoint: the deliveries that have not ended. */
  readonly openDeliveries: Map<string, ReadonlyArray<Ids.WebhookDeliveryId>>;
  /** By settlement run or recredit run. */
  readonly runResults: Map<string, ReadonlyArray<string>>;
  /** By trial. */
  readonly trialResults: Map<string, ReadonlyArray<Ids.PlanTrialResultId>>;
  /** By partner: the links to those above. */
  readonly uplines: Map<string, ReadonlyArray<Ids.PartnerLinkId>>;
  /** By partner: the links of those below. */
  readonly downlines: Map<string, ReadonlyArray<Ids.PartnerLinkId>>;
  /** Commissions by partner. */
  readonly partnerCommissions: Map<string, Array<Position>>;
  /** By name. */
  readonly series: Map<string, DocumentNumber.NumberSeries>;
  /** By principal and idempotency key. */
  readonly idempotencyRecords: Map<string, Storage.IdempotencyRecord>;
  /** When each was given, by the clock of the command. */
  readonly commands: Map<Ids.CommandId, Timestamp.Timestamp>;
  readonly feed: Feed;
}

/** A message and what has become of it. */
export interface Envelope {
  readonly message: Outbox.Claimed;
  /** When it may be claimed. */
  readonly availableAt: Timestamp.Timestamp;
  /** When the present claim ends; 0 without a claim. */
  readonly leasedUntil: number;
  /** The last problem, kept for operators. */
  readonly problem: string | null;
  readonly deadLettered: boolean;
  readonly parked: boolean;
}

/** The whole store. */
export interface Store {
  readonly partitions: Map<Ids.CustomerId, Partition>;
  /** By the public part of the key. */
  readonly apiKeys: Map<string, { readonly customerId: Ids.CustomerId; readonly id: string }>;
  readonly payments: Map<
    string,
    { readonly customerId: Ids.CustomerId; readonly settlementId: Ids.SettlementId }
  >;
  readonly messages: Map<Ids.MessageId, Envelope>;
  readonly documents: Map<string, Uint8Array>;
}

/** A store that holds nothing. */
export const empty = (): Store => ({
  partitions: new Map(),
  apiKeys: new Map(),
  payments: new Map(),
  messages: new Map(),
  documents: new Map(),
});

const emptyRows = (): Partition["rows"] => ({
  attribution: new Map(),
  formula: new Map(),
  plan: new Map(),
  commission: new Map(),
  settlement: new Map(),
  schema: new Map(),
  partner: new Map(),
  document: new Map(),
  recomputation: new Map(),
  apiKey: new Map(),
  billingProfile: new Map(),
  books: new Map(),
  taxOrigin: new Map(),
  arrivalOrder: new Map(),
  attributionHistory: new Map(),
  runningTotal: new Map(),
  paymentFile: new Map(),
  bankPayment: new Map(),
  webhookEndpoint: new Map(),
  webhookDelivery: new Map(),
  settlementPolicy: new Map(),
  workspace: new Map(),
  planAcceptance: new Map(),
  partnerLink: new Map(),
  linkSet: new Map(),
  settlementRun: new Map(),
  settlementRunResult: new Map(),
  planTrial: new Map(),
  planTrialResult: new Map(),
  recreditRun: new Map(),
  recreditRunResult: new Map(),
});

const emptyPartition = (): Partition => ({
  rows: emptyRows(),
  logs: {
    attribution: new Map(),
    formula: new Map(),
    plan: new Map(),
    commission: new Map(),
    settlement: new Map(),
    partner: new Map(),
    apiKey: new Map(),
    billingProfile: new Map(),
    books: new Map(),
    settlementPolicy: new Map(),
    workspace: new Map(),
    planAcceptance: new Map(),
    partnerLink: new Map(),
  },
  order: new Map(),
  occurrences: new Map(),
  lines: new Map(),
  reversals: new Map(),
  settlements: new Map(),
  pairs: new Map(),
  commissions: new Map(),
  references: new Map(),
  partnerReferences: new Map(),
  credited: new Map(),
  documents: new Map(),
  formulaSets: new Map(),
  formulas: new Map(),
  planFormulas: new Map(),
  attributions: new Map(),
  arrivals: new Map(),
  recomputations: new Map(),
  bankPayments: new Map(),
  openDeliveries: new Map(),
  runResults: new Map(),
  trialResults: new Map(),
  uplines: new Map(),
  downlines: new Map(),
  partnerCommissions: new Map(),
  series: new Map(),
  idempotencyRecords: new Map(),
  commands: new Map(),
  feed: emptyFeed(),
});

/** A customer's partition for writing; the first write creates it. */
export const partition = (store: Store, customerId: Ids.CustomerId): Partition => {
  const found = store.partitions.get(customerId);
  if (found !== undefined) return found;
  const created = emptyPartition();
  store.partitions.set(customerId, created);
  return created;
};

/** A customer's partition to read; reading does not create it. */
export const view = (store: Store, customerId: Ids.CustomerId): Partition =>
  store.partitions.get(customerId) ?? emptyPartition();

/** The partitions that a tenant reads. */
export const partitionsOf = (store: Store, tenant: Storage.Tenant): ReadonlyArray<Partition> =>
  tenant === "*" ? [...store.partitions.values()] : [view(store, tenant)];

/** One key of several parts. */
export const join = (...parts: ReadonlyArray<string>): string => parts.join(" ");
