/** Commands and queries of the model: plain values, complete except for what the engine generates. */
import type { Create as NewKey } from "../../domain/ApiKey.ts";
import type { Create as AttributionRequest, CreateBatch } from "../../domain/Attribution.ts";
import type { Create as NewSchema } from "../../domain/AttributionSchema.ts";
import type { Write as ProfileData } from "../../domain/BillingProfile.ts";
import type { Write as PostingRulesData } from "../../domain/Books.ts";
import type { Assign, Create as NewPlan, Unassign } from "../../domain/CommissionPlan.ts";
import type { Currency } from "../../domain/Currency.ts";
import type { DocumentKind, Facts } from "../../domain/Document.ts";
import type { Update as FormulaUpdate, Create as NewFormula } from "../../domain/Formula.ts";
import type {
  AttributionId,
  CommissionId,
  CustomerId,
  DocumentId,
  FormulaId,
  PartnerId,
  PartnerLinkId,
  PaymentFileId,
  PayoutAccountId,
  PlanId,
  SchemaId,
  SettlementId,
  WorkspaceId,
} from "../../domain/Ids.ts";
import type { PaidAmount } from "../../domain/PaidAmounts.ts";
import type { SetValues } from "../../domain/Parameter.ts";
import type {
  Create as NewPartner,
  Status as PartnerStatus,
  Update as PartnerUpdate,
} from "../../domain/Partner.ts";
import type { Update as LinkUpdate, Create as NewLink } from "../../domain/PartnerLink.ts";
import type { BankStatement, Create as NewPaymentFile } from "../../domain/PaymentFile.ts";
import type { Propose as ProposeAccount } from "../../domain/PayoutAccount.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Properties } from "../../domain/Properties.ts";
import type { State } from "../../domain/Receipt.ts";
import type { Start as StartRecredits } from "../../domain/RecreditRun.ts";
import type { Replace } from "../../domain/Replacement.ts";
import type { Create as SettlementRequest } from "../../domain/SettlementInput.ts";
import type { OwnTerms } from "../../domain/SettlementPolicy.ts";
import type { Start } from "../../domain/SettlementRun.ts";
import type { StatusType } from "../../domain/SettlementView.ts";
import type { Write as NewWorkspace } from "../../domain/Workspace.ts";
import type { AskedFilters } from "../../ports/storage/Filters.ts";
import type { Plan } from "./world/Plan.ts";

/** The principal of a command, and its idempotency key or null. */
export interface Caller {
  readonly principal: Principal;
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
}

/** The changes of one formula or plan; absent fields stay as they are. */
export type FormulaChange = Omit<FormulaUpdate, "expression"> & { readonly plan?: Plan };

/** An action on a settlement, other than uploads and payment facts. */
export type Action =
  | { readonly type: "approve" | "cancel" | "initiate_payment" }
  | { readonly type: "write_off"; readonly reason?: string }
  | {
      readonly type: "mark_as_paid";
      readonly paidAt?: number;
      readonly bankReference?: string;
      readonly fee?: PaidAmount;
      readonly received?: PaidAmount;
      readonly note?: string;
    }
  | {
      readonly type: "review";
      readonly decision: "issue_credit_note" | "carry_forward" | "write_off" | "accept_tax" | "refuse_tax";
    }
  | {
      readonly type: "dispute";
      readonly reason: string;
      readonly commissionIds?: ReadonlyArray<CommissionId>;
      readonly attachmentIds?: ReadonlyArray<DocumentId>;
    }
  | { readonly type: "withdraw_dispute" }
  | { readonly type: "comment"; readonly text: string; readonly attachmentIds?: ReadonlyArray<DocumentId> }
  | { readonly type: "return_payment" | "fail_payment"; readonly reason: string }
  | {
      readonly type: "resolve_dispute";
      readonly resolution: "upheld" | "rejected";
      readonly attachmentIds?: ReadonlyArray<DocumentId>;
    }
  | { readonly type: "reconcile"; readonly reconciled: boolean }
  | { readonly type: "choose_payout_account"; readonly payoutAccountId?: PayoutAccountId };

/** A record kind that has a list. */
export type ListKind = "partner" | "schema" | "attribution" | "formula" | "commission" | "settlement";

type Asked = AskedFilters<"partner"> &
  AskedFilters<"schema"> &
  AskedFilters<"attribution"> &
  AskedFilters<"formula"> &
  AskedFilters<"commission"> &
  AskedFilters<"settlement">;

/** The filters of a list; each kind has filters of its own. */
export interface Where extends Omit<Asked, "ids" | "statuses"> {
  readonly ids?: ReadonlyArray<string>;
  readonly statuses?: ReadonlyArray<StatusType | "confirmed" | PartnerStatus>;
}

/** A new commission plan; a formula of one partner has the same terms. */
export type PlanRequest = Omit<NewPlan, "expression"> & { readonly plan: Plan };

/** What a settlement run is to settle; absent: every partner of the workspace, every currency, until now. */
export type RunRequest = Omit<Start, "dryRun">;

/** One command or query. */
export type Command =
  /** Moves the clock, also back. */
  | { readonly type: "move_clock"; readonly by: number }
  | (Caller & { readonly type: "create_partner"; readonly input: NewPartner })
  | (Caller & { readonly type: "update_partner"; readonly id: PartnerId; readonly input: PartnerUpdate })
  | (Caller & {
      readonly type: "propose_account";
      readonly partnerId: PartnerId;
      readonly input: ProposeAccount;
    })
  | (Caller & {
      readonly type: "confirm_account" | "retire_account";
      readonly partnerId: PartnerId;
      readonly id: PayoutAccountId;
    })
  | (Caller & { readonly type: "create_schema"; readonly input: NewSchema })
  | (Caller & { readonly type: "create_attribution"; readonly input: AttributionRequest })
  | (Caller & { readonly type: "create_batch"; readonly input: CreateBatch })
  | (Caller & { readonly type: "cancel_attribution"; readonly id: AttributionId; readonly reason: string })
  | (Caller & { readonly type: "replace_attribution"; readonly id: AttributionId; readonly input: Replace })
  | (Caller & { readonly type: "recredit_attribution"; readonly id: AttributionId; readonly reason: string })
  /** Starts a recredit run and performs it. */
  | (Caller & { readonly type: "recredit_run"; readonly input: StartRecredits })
  | (Caller & { readonly type: "state_received"; readonly id: AttributionId; readonly input: State })
  | (Caller & {
      readonly type: "create_formula";
      readonly input: PlanRequest & { readonly partnerId: PartnerId } & Pick<NewFormula, "values">;
    })
  | (Caller & { readonly type: "update_formula"; readonly id: FormulaId; readonly input: FormulaChange })
  | (Caller & {
      readonly type: "withdraw_formula_version";
      readonly id: FormulaId;
      readonly number: number;
    })
  | (Caller & { readonly type: "withdraw_plan_version"; readonly id: PlanId; readonly number: number })
  | (Caller & { readonly type: "cancel_formula"; readonly id: FormulaId; readonly reason: string })
  | (Caller & { readonly type: "create_plan"; readonly input: PlanRequest })
  | (Caller & { readonly type: "update_plan"; readonly id: PlanId; readonly input: FormulaChange })
  | (Caller & { readonly type: "cancel_plan"; readonly id: PlanId; readonly reason: string })
  | (Caller & { readonly type: "assign"; readonly id: PlanId; readonly input: Assign })
  | (Caller & {
      readonly type: "unassign";
      readonly id: PlanId;
      readonly partnerId: PartnerId;
      readonly input: Unassign;
    })
  /** States values of a formula that belongs to no plan. */
  | (Caller & { readonly type: "set_formula_values"; readonly id: FormulaId; readonly input: SetValues })
  /** States values for one partner of a plan by itself, or for many of them. */
  | (Caller & {
      readonly type: "set_plan_values";
      readonly id: PlanId;
      readonly single: boolean;
      readonly partners: ReadonlyArray<SetValues & { readonly partnerId: PartnerId }>;
    })
  | (Caller & { readonly type: "create_settlement"; readonly input: SettlementRequest })
  | (Caller & { readonly type: "preview_settlement"; readonly input: SettlementRequest })
  | (Caller & { readonly type: "act"; readonly id: SettlementId; readonly action: Action })
  | (Caller & {
      readonly type: "upload";
      readonly id: SettlementId;
      readonly kind: DocumentKind;
      /** The file, one character for each byte. */
      readonly content: string;
      readonly facts: Facts;
    })
  /** Uploads a file for a message. */
  | (Caller & { readonly type: "attach"; readonly id: SettlementId; readonly content: string })
  /** Writes the policy of a workspace, or with a partner what the partner has of its own. */
  | (Caller & {
      readonly type: "write_policy";
      readonly workspaceId: WorkspaceId;
      readonly partnerId: PartnerId | null;
      readonly terms: Partial<OwnTerms>;
    })
  | (Caller & {
      readonly type: "read_policy";
      readonly workspaceId: WorkspaceId;
      readonly partnerId: PartnerId | null;
    })
  /** Reads the terms of a plan at a moment and accepts them; with other terms than it read, if `stale`. */
  | (Caller & {
      readonly type: "accept_terms";
      readonly id: PlanId;
      readonly customerId: CustomerId;
      readonly partnerId: PartnerId;
      readonly name: string;
      readonly reference?: string;
      readonly at?: number;
      readonly stale: boolean;
    })
  | (Caller & { readonly type: "create_link"; readonly input: NewLink })
  | (Caller & { readonly type: "update_link"; readonly id: PartnerLinkId; readonly input: LinkUpdate })
  | (Caller & {
      readonly type: "write_workspace";
      readonly workspaceId: WorkspaceId;
      readonly input: NewWorkspace;
    })
  | (Caller & { readonly type: "create_payment_file"; readonly input: NewPaymentFile })
  | (Caller & { readonly type: "hand_over_payment_file"; readonly id: PaymentFileId })
  | (Caller & { readonly type: "discard_payment_file"; readonly id: PaymentFileId; readonly reason: string })
  /** Reads what a bank reports; a statement without accounts is not readable. */
  | (Caller & { readonly type: "read_statement"; readonly statement: BankStatement })
  /** Starts a settlement run, which the next `work` performs. */
  | (Caller & { readonly type: "start_run"; readonly input: RunRequest })
  /** Starts a settlement run of one partner and performs it; in concurrent runs only. */
  | (Caller & { readonly type: "settle_by_run"; readonly input: RunRequest })
  | (Caller & { readonly type: "dry_run"; readonly input: RunRequest })
  /** A worker starts the runs of periods that have started. */
  | { readonly type: "start_due_runs" }
  /** A worker processes every available message. */
  | { readonly type: "work" }
  | {
      readonly type: "report_payment";
      readonly fact: "confirmed" | "failed" | "returned";
      readonly reference: string;
      readonly eventId: string;
      /** Present for confirmed payments only, like the amounts. */
      readonly bankReference?: string;
      readonly fee?: PaidAmount;
      readonly received?: PaidAmount;
    }
  | (Caller & {
      readonly type: "list";
      readonly kind: ListKind;
      readonly where: Where;
      readonly page: number;
      readonly perPage: number;
      readonly order: "asc" | "desc";
    })
  | (Caller & {
      readonly type: "statistics";
      readonly of: "attribution" | "commission";
      readonly from: number;
      readonly to: number;
      readonly granularity: "day" | "week" | "month";
      readonly partnerIds?: ReadonlyArray<PartnerId>;
      readonly workspaceIds?: ReadonlyArray<WorkspaceId>;
    })
  | (Caller & {
      readonly type: "simulate";
      readonly input: {
        readonly schemaId: SchemaId;
        readonly currency: Currency;
        readonly plan: Plan;
        readonly samples: ReadonlyArray<{
          readonly properties: Properties;
          readonly createdAt?: number;
          readonly occurredAt?: number;
          readonly sellersCommission?: number;
        }>;
      };
    })
  | (Caller & { readonly type: "explain"; readonly id: CommissionId })
  | (Caller & { readonly type: "read_profile" })
  | (Caller & { readonly type: "write_profile"; readonly input: ProfileData })
  | (Caller & { readonly type: "write_posting_rules"; readonly input: PostingRulesData })
  | (Caller & { readonly type: "create_key"; readonly input: NewKey })
  | (Caller & { readonly type: "revoke_key"; readonly id: string })
  | (Caller & { readonly type: "list_keys"; readonly page: number; readonly perPage: number })
  /** Verifies a bearer token. */
  | { readonly type: "verify"; readonly token: string }
  /** Recomputes a formula; separate from the formula command in concurrent runs only. */
  | { readonly type: "recompute"; readonly id: FormulaId }
  /** What was earned after a cancelled attribution, under formulas that accumulate. */
  | { readonly type: "recompute_after"; readonly id: AttributionId }
  /** Brings the formulas of a plan up to it. */
  | { readonly type: "roll_out"; readonly id: PlanId }
  /** A run of one partner reads what is due. */
  | { readonly type: "read_due"; readonly runId: string }
  /** It stores the result of one currency, by what it has read or, after a conflict, by what it reads again. */
  | {
      readonly type: "store_draft";
      readonly runId: string;
      readonly currency: string;
      readonly readsAgain: boolean;
    }
  /** It approves the draft of one currency. */
  | { readonly type: "approve_draft"; readonly runId: string; readonly currency: string };

export type CommandOf<Type extends Command["type"]> = Extract<Command, { readonly type: Type }>;
