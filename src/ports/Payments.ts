/** Payments: who sends the money. Without a provider, settlements are paid outside and marked as paid. */
import { Context, Data, type Effect } from "effect";
import type { Currency } from "../domain/Currency.ts";
import type { CustomerId, PartnerId, PaymentReference, SettlementId } from "../domain/Ids.ts";
import type { Amount } from "../domain/Money.ts";
import type { BankAccount } from "../domain/Partner.ts";

/** One attempt to pay one settlement. */
export interface PaymentOrder {
  /** The key under which the provider pays at most once; the same at every retry of this attempt. */
  readonly reference: PaymentReference;
  readonly customerId: CustomerId;
  readonly settlementId: SettlementId;
  readonly partnerId: PartnerId;
  /** Total plus tax, positive, in the smallest unit. */
  readonly amount: Amount;
  readonly currency: Currency;
  /** As it was when the settlement was approved. */
  readonly bankAccount: BankAccount;
}

/** The provider did not take the order. Only a final refusal ends the attempt; anything else is tried again. */
export class PaymentRefused extends Data.TaggedError("PaymentRefused")<{
  readonly final: boolean;
  readonly reason: string;
}> {}

/** What a host supplies to have settlements paid. */
export interface PaymentProviderService {
  /**
   * Sends an order. It may be called again with the same reference after a crash or a timeout and then pays no
   * second time: a provider without idempotency keys must first be asked whether it knows the reference.
   * Whether the money arrived is reported later, as a payment fact.
   */
  readonly send: (order: PaymentOrder) => Effect.Effect<void, PaymentRefused>;
}

/** The provider; null, the default, means that settlements are paid outside. */
export class PaymentProvider extends Context.Reference<PaymentProvider>()("quittance/ports/PaymentProvider", {
  defaultValue: (): PaymentProviderService | null => null,
}) {}
