/** Recredit runs of the model. */
import type { AttributionId, FormulaId, PartnerId } from "../../../domain/Ids.ts";
import type { Owned } from "./Log.ts";

/** What a run found of a sale; one that stays as it is has none. */
export interface RecreditResult {
  readonly attributionId: AttributionId;
  readonly outcome: "changed" | "attribution_cancelled" | "too_many_credits";
  /** One for each partner, role and depth. */
  readonly credits: ReadonlyArray<{
    readonly partnerId: PartnerId;
    readonly role: string;
    readonly depth: number;
    readonly shareBefore: string | null;
    readonly shareAfter: string | null;
  }>;
  /** One for each partner, role, depth and formula. */
  readonly commissions: ReadonlyArray<{
    readonly partnerId: PartnerId;
    readonly role: string;
    readonly depth: number;
    readonly formulaId: FormulaId;
    readonly currency: string;
    readonly amountBefore: number | null;
    readonly amountAfter: number | null;
    readonly dueBefore: number;
    readonly dueAfter: number;
  }>;
}

/** A run, performed as a whole when it is started. */
export interface RecreditRun extends Owned {
  readonly id: string;
  readonly partnerIds: ReadonlyArray<PartnerId> | null;
  readonly from: number;
  readonly to: number;
  readonly reason: string;
  readonly dryRun: boolean;
  readonly startedByPerson: string;
  readonly createdAt: number;
  readonly finishedAt: number;
  /** How many sales it has visited, and the last one of them. */
  readonly salesDone: number;
  readonly after: { readonly occurredAt: number; readonly id: AttributionId } | null;
  readonly results: ReadonlyArray<RecreditResult>;
}
