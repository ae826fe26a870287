/** What a payment may report beside its success: its fee, and what arrived. Neither changes what is settled. */
import { Schema } from "effect";
import { Currency } from "./Currency.ts";
import { means, NAME, optional } from "./Field.ts";
import { MAX_AMOUNT } from "./Limits.ts";
import { isAmount } from "./Money.ts";

const Magnitude = Schema.Number.pipe(
  Schema.filter(
    (amount) => (isAmount(amount) && amount >= 0) || `must be a whole number from 0 to ${MAX_AMOUNT}`,
    { jsonSchema: { type: "integer", format: "int64", minimum: 0, maximum: MAX_AMOUNT } },
  ),
);

/** An amount in any currency, which need not be that of the settlement. */
export const PaidAmount = Schema.Struct({
  amount: Magnitude.pipe(means("In the smallest unit of its currency; at least 0.")),
  currency: Currency.pipe(means("Its currency, which may be another than that of the settlement.")),
}).annotations({ [NAME]: "PaidAmount" });
export type PaidAmount = typeof PaidAmount.Type;

const FEE = "What the provider or the bank charged for the payment. It changes no amount.";
const RECEIVED = "What arrived at the payee, such as after a conversion. It changes no amount.";

/** The fields of a report, which may lack each of them. */
export const paidAmounts = { fee: optional(PaidAmount, FEE), received: optional(PaidAmount, RECEIVED) };

/** The fields of a request, which may also be null. */
export const statedAmounts = {
  fee: optional(Schema.NullOr(PaidAmount), FEE),
  received: optional(Schema.NullOr(PaidAmount), RECEIVED),
};

/** What was reported; a field is absent where it was not. */
export interface PaidAmounts {
  readonly fee?: PaidAmount;
  readonly received?: PaidAmount;
}

/** What a request, a fact or an event reports. */
export const amountsOf = ({
  fee,
  received,
}: {
  readonly fee?: PaidAmount | null;
  readonly received?: PaidAmount | null;
}): PaidAmounts => ({ ...(fee == null ? {} : { fee }), ...(received == null ? {} : { received }) });
