/** The state of the reference model: every record as a plain value in a plain array, without indexes or caches. */

import type { ApiKey } from "../../../domain/ApiKey.ts";
import type { Attribution as AttributionRecord } from "../../../domain/Attribution.ts";
import type { AttributionSchema } from "../../../domain/AttributionSchema.ts";
import type { Write as ProfileData } from "../../../domain/BillingProfile.ts";
import type { Terms as FormulaTerms } from "../../../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  FormulaId,
  PartnerId,
  PlanId,
  SchemaId,
} from "../../../domain/Ids.ts";
import type { Partner } from "../../../domain/Partner.ts";
import type { PartnerLink } from "../../../domain/PartnerLink.ts";
import type { Confirmation } from "../../../domain/PayoutAccount.ts";
import type { Books } from "./Books.ts";
import type { LogEntry, Owned } from "./Log.ts";
import type { BankPayment, PaymentFile } from "./PaymentFiles.ts";
import type { Plan } from "./Plan.ts";
import type { RecreditRun } from "./RecreditRun.ts";
import type { Part as ResultPart } from "./Result.ts";
import type { Settlement, SettlementPolicy, SettlementRun } from "./Settlements.ts";
import type { Statement } from "./Values.ts";

/** The operator's choices that change outcomes. */
export interface Policy {
  readonly documents: "auto" | "manual";
  readonly fourEyes: boolean;
  readonly staleDrafts: "allow" | "refuse";
  readonly payouts: boolean;
  /** True if payouts are collected in files for a bank. */
  readonly files: boolean;
  /** What confirms a payout account; null where no command concerns one. */
  readonly payoutAccounts: Confirmation | null;
}

/** Any one of several values: the rules allow each, depending on which of two concurrent commands was first. */
export class OneOf {
  readonly values: ReadonlyArray<unknown>;

  constructor(...values: ReadonlyArray<unknown>) {
    this.values = values;
  }
}

/** An attribution; its status follows from the reason of its cancellation. */
export interface Attribution extends Omit<AttributionRecord, "status"> {
  readonly log: ReadonlyArray<LogEntry>;
}

/** A formula's expression and the date it holds from; null for the first. */
export interface Version {
  readonly plan: Plan;
  readonly effective: number | null;
  /** True if a caller set the date in the future. */
  readonly ahead?: boolean;
  readonly withdrawn?: boolean;
}

/** How a plan assigned a formula. */
export interface Assignment {
  readonly planId: PlanId;
  /** How many entries of the plan's log the formula has applied. */
  readonly applied: number;
  /** How many of them it applied in one commit, lately. */
  readonly appliedAtOnce?: number;
  /** The bounds of the assignment; null follows the plan. */
  readonly from: number | null;
  readonly to: number | null;
}

/** What commission plans and formulas have in common. */
export interface Terms
  extends Owned,
    Omit<FormulaTerms, "startDatetime" | "endDatetime" | "versions" | "status"> {
  readonly schemaId: SchemaId;
  readonly start: number;
  readonly end: number | null;
  readonly versions: ReadonlyArray<Version>;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A commission plan. */
export interface SharedPlan extends Terms {
  readonly id: PlanId;
}

/** A commission formula. */
export interface Formula extends Terms {
  readonly id: FormulaId;
  readonly partnerId: PartnerId;
  /** Null unless a plan assigned the formula. */
  readonly assignment: Assignment | null;
  /** What was stated for the partner, in order. */
  readonly parameterValues: ReadonlyArray<Statement>;
}

/** A cancelled attribution whose later ones are to be recomputed. */
export interface PendingCancellation {
  readonly attributionId: AttributionId;
  /** The formulas that counted it, as they were. One whose totals were being built counts without it and is not among them. */
  readonly formulas: ReadonlyArray<Formula>;
}

/** A commission; paid, written-off and reserved amounts are computed from the settlements. */
export interface Commission {
  readonly attributionId: AttributionId;
  readonly formulaId: FormulaId;
  /** The engine's id; null until the session has read it. */
  readonly id: CommissionId | null;
  /** A; null until computed. */
  readonly amount: number | null;
  readonly version: number | null;
  /** The number of the last statement of values that gave the amount; null if none did. */
  readonly parametersVersion: number | null;
  /** Why there is no new amount: it or its difference to what is paid is beyond the largest, or a seller below has none. */
  readonly failing: "amount" | "difference" | "sellers" | null;
  /** The amount that was settled elsewhere as its sale was recorded; null where it was not. */
  readonly elsewhere: number | null;
  readonly createdAt: number;
  readonly log: ReadonlyArray<LogEntry>;
}

/** A result stored under an idempotency key. */
export interface IdempotencyRecord {
  readonly customerId: CustomerId;
  readonly principalId: string;
  readonly key: string;
  readonly requestSha256: string;
  readonly id: string | null;
  /** The results of a batch. */
  readonly parts?: ReadonlyArray<ResultPart> | undefined;
  /** True if the result had a secret, which is not stored. */
  readonly secret?: boolean;
}

/** A customer's own legal data. */
export interface Profile extends ProfileData {
  readonly customerId: CustomerId;
}

/** A workspace about which something was written. */
export interface Workspace extends Owned {
  readonly name: string | null;
  readonly timeZone: string;
}

/** A link of a partner to the one directly above it. */
export type Link = Pick<
  PartnerLink,
  | "id"
  | "customerId"
  | "workspaceId"
  | "partnerId"
  | "uplinePartnerId"
  | "role"
  | "startDatetime"
  | "endDatetime"
  | "createdAt"
>;

/** What one acceptance covers: sales that a rule pays, from a date to the end of the assignment as it was then. */
export interface Acceptance extends Owned {
  readonly id: string;
  readonly planId: PlanId;
  readonly partnerId: PartnerId;
  /** What is accepted, dates included. */
  readonly terms: string;
  readonly rule: string;
  readonly fromDatetime: number;
  readonly endDatetime: number | null;
  readonly name: string;
  readonly reference: string | null;
  readonly onBehalf: boolean;
  readonly acceptedBy: string;
  readonly createdAt: number;
}

/** An API key with its token. */
export interface Key extends Omit<ApiKey, "keyId" | "secretSha256"> {
  readonly token: string;
}

/** The log of a partner, a key, the billing profile or a settlement policy. */
export interface ControlLog {
  readonly customerId: CustomerId;
  /** The kind of the record and its id; of a policy its workspace and partner. */
  readonly record: string;
  readonly log: ReadonlyArray<LogEntry>;
}

/** The state of the model. */
export interface World {
  readonly now: number;
  readonly policy: Policy;
  readonly partners: ReadonlyArray<Partner>;
  /** The partners that have had an account to be paid to. */
  readonly accountHolders: ReadonlyArray<string>;
  readonly schemas: ReadonlyArray<AttributionSchema>;
  readonly attributions: ReadonlyArray<Attribution>;
  /** Cancelled attributions after which nothing has been recomputed yet, in order. */
  readonly pendingCancellations: ReadonlyArray<PendingCancellation>;
  readonly formulas: ReadonlyArray<Formula>;
  /** The ids of changed formulas that have not been recomputed yet, one for each change, in order. */
  readonly pendingFormulas: ReadonlyArray<string>;
  readonly plans: ReadonlyArray<SharedPlan>;
  readonly commissions: ReadonlyArray<Commission>;
  readonly settlements: ReadonlyArray<Settlement>;
  readonly bankPayments: ReadonlyArray<BankPayment>;
  readonly paymentFiles: ReadonlyArray<PaymentFile>;
  readonly settlementPolicies: ReadonlyArray<SettlementPolicy>;
  readonly settlementRuns: ReadonlyArray<SettlementRun>;
  readonly recreditRuns: ReadonlyArray<RecreditRun>;
  readonly profiles: ReadonlyArray<Profile>;
  readonly books: ReadonlyArray<Books>;
  readonly workspaces: ReadonlyArray<Workspace>;
  readonly acceptances: ReadonlyArray<Acceptance>;
  readonly links: ReadonlyArray<Link>;
  readonly keys: ReadonlyArray<Key>;
  readonly controlLogs: ReadonlyArray<ControlLog>;
  readonly idempotencyRecords: ReadonlyArray<IdempotencyRecord>;
}

/** A world without records. */
export const empty = (now: number, policy: Policy): World => ({
  now,
  policy,
  partners: [],
  accountHolders: [],
  schemas: [],
  attributions: [],
  pendingCancellations: [],
  formulas: [],
  pendingFormulas: [],
  plans: [],
  commissions: [],
  settlements: [],
  bankPayments: [],
  paymentFiles: [],
  settlementPolicies: [],
  settlementRuns: [],
  recreditRuns: [],
  profiles: [],
  books: [],
  workspaces: [],
  acceptances: [],
  links: [],
  keys: [],
  controlLogs: [],
  idempotencyRecords: [],
});

/** The array with a function applied to the rows that a predicate selects. */
export const mapWhere = <Row>(
  rows: ReadonlyArray<Row>,
  picks: (row: Row) => boolean,
  change: (row: Row) => Row,
): ReadonlyArray<Row> => rows.map((row) => (picks(row) ? change(row) : row));
