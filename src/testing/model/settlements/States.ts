/** What the states of settlements allow in the model. */
import { conflict } from "../prediction/Prediction.ts";
import type { Disputable } from "../world/Settlements.ts";

/** The refusal of a transition that is not in the table. */
export const STATE_CONFLICT = conflict("settlement_state");

/** The states in which a settlement can be disputed. */
export const DISPUTABLE: ReadonlyArray<string> = [
  "awaiting_report",
  "awaiting_invoice",
  "negative_review",
  "awaiting_credit_note",
  "awaiting_payment",
] satisfies ReadonlyArray<Disputable>;
