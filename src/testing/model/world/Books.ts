/** The books of the model: posting rules, and rates of tax under reverse charge. */
import type { Rule } from "../../../domain/Books.ts";
import type { CustomerId } from "../../../domain/Ids.ts";
import type { ReverseChargeRate } from "../../../domain/Journal.ts";

/** What a customer has written of its books. */
export interface Books {
  readonly customerId: CustomerId;
  readonly rules: ReadonlyArray<Rule>;
  /** Null where none were written. */
  readonly reverseCharge: ReadonlyArray<ReverseChargeRate> | null;
}
