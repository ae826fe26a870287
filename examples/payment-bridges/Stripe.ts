/** Stripe Connect: transfers to connected accounts, each known by its reference as the transfer group. */
import { type Company, Refused } from "./Bridge.ts";

export interface StripeOptions {
  /** `https://api.stripe.com`. */
  readonly url: string;
  /** The secret key of the platform. */
  readonly key: string;
}

/** Currencies whose smallest unit is another one at Stripe than in Quittance, or must be rounded. */
const OTHER_UNITS = "BHD HUF IQD ISK JOD KWD LYD MGA MRU OMR TND TWD UGX".split(" ");

/** Problems of the platform's own account and of the connection: the order is sent again. */
const isOurs = (
  status: number,
  { type, code }: { readonly type?: string; readonly code?: string },
): boolean =>
  ![400, 402, 404].includes(status) || type !== "invalid_request_error" || code === "balance_insufficient";

export const stripe = ({ url, key }: StripeOptions): Company => {
  /** How often Stripe has said of an order that it was not carried out; under a key it would say the same again. */
  const refusals = new Map<string, number>();

  const call = async (path: string, headers: Record<string, string> = {}, form?: Record<string, string>) => {
    const response = await fetch(`${url}${path}`, {
      method: form === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const body = await response.json();
    return { ok: response.ok, status: response.status, body };
  };

  return {
    send: async ({ reference, amount, currency, payout_account: account }) => {
      const destination = account?.type === "custom" ? account.details.stripe_account : undefined;
      if (destination === undefined)
        throw new Refused("payout_account: must be of the type custom with the field stripe_account");
      if (OTHER_UNITS.includes(currency))
        throw new Refused(`currency: ${currency} is not paid by Stripe here`);
      // Stripe forgets keys after a day, and keeps the group.
      const earlier = await call(`/v1/transfers?transfer_group=${reference}&limit=1`);
      if (!earlier.ok) throw new Error(`Stripe responds with ${earlier.status}`);
      if (earlier.body.data.length > 0) return earlier.body.data[0].id;
      const count = refusals.get(reference) ?? 0;
      const { ok, status, body } = await call(
        "/v1/transfers",
        { "idempotency-key": count === 0 ? reference : `${reference}-${count}` },
        { amount: String(amount), currency: currency.toLowerCase(), destination, transfer_group: reference },
      );
      if (ok) return body.id;
      const { error = {} } = body;
      if (!isOurs(status, error)) throw new Refused(`Stripe: ${error.message}`);
      if (error.code === "balance_insufficient") refusals.set(reference, count + 1);
      throw new Error(`Stripe responds with ${status}: ${error.message}`);
    },
    status: async (id) => {
      const { ok, status, body } = await call(`/v1/transfers/${id}`);
      if (!ok) throw new Error(`Stripe responds with ${status}`);
      return body.reversed
        ? { status: "returned", reason: "the transfer was reversed at Stripe" }
        : { status: "confirmed", bank_reference: id };
    },
  };
};
