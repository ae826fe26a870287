/** What a change of a sale changes of what one partner earns from it. */
import type { ComputationError } from "./Commission.ts";
import type { FormulaId, PartnerId } from "./Ids.ts";

/** What a partner earns from a sale in one role at one level under a formula, before and after the sale changes. */
export interface EarningChange {
  readonly partnerId: PartnerId;
  readonly role: string;
  /** How far the partner stands above a seller; 0 in a credit that was given. */
  readonly depth: number;
  readonly formulaId: FormulaId;
  readonly currency: string;
  /** Null where the partner earns nothing under the formula, or where the amount cannot be computed. */
  readonly amountBefore: number | null;
  readonly amountAfter: number | null;
  /** What is due of it before, and what is due after it: of what is taken back and of what is new together. */
  readonly dueBefore: number;
  readonly dueAfter: number;
  /** Why the amount cannot be computed; null where it can. */
  readonly computationError: ComputationError | null;
}
