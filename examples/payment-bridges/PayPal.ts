/** PayPal payouts to e-mail addresses: one payout of one item for each payment, known by its reference. */
import { type Company, type Order, Refused, type Status } from "./Bridge.ts";

export interface PayPalOptions {
  /** `https://api-m.paypal.com`, or that of the sandbox. */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Currencies in which PayPal takes cents, and those in which it takes none. */
const WITH_CENTS = "AUD BRL CAD CHF CZK DKK EUR GBP HKD ILS MXN MYR NOK NZD PHP PLN SEK SGD THB USD".split(
  " ",
);
const WITHOUT_CENTS: Readonly<Record<string, bigint>> = { JPY: 1n, HUF: 100n, TWD: 100n };

/** An amount in the smallest unit as PayPal writes it. */
const moneyOf = ({ amount, currency }: Order): string => {
  const minor = BigInt(amount);
  if (WITH_CENTS.includes(currency)) return `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;
  const unit = WITHOUT_CENTS[currency];
  if (unit === undefined) throw new Refused(`currency: PayPal pays no ${currency}`);
  if (minor % unit !== 0n) throw new Refused(`amount: PayPal pays ${currency} without decimals`);
  return String(minor / unit);
};

/** The statuses of an item that are not pending. */
const ENDED: Readonly<Record<string, "confirmed" | "failed" | "returned">> = {
  SUCCESS: "confirmed",
  ...{ FAILED: "failed", DENIED: "failed", BLOCKED: "failed", CANCELED: "failed" },
  ...{ RETURNED: "returned", REFUNDED: "returned", REVERSED: "returned" },
};

interface Item {
  readonly transaction_status: string;
  readonly transaction_id?: string;
  readonly errors?: { readonly message: string };
}

export const payPal = ({ url, clientId, clientSecret }: PayPalOptions): Company => {
  const call = async (path: string, init: RequestInit) => {
    const response = await fetch(`${url}${path}`, init);
    const body = await response.json();
    return { status: response.status, ok: response.ok, body };
  };
  const authorized = async (path: string, body?: object) => {
    const credentials = Buffer.from(`${clientId}:${clientSecret}`).toString("base64");
    const token = await call("/v1/oauth2/token", {
      method: "POST",
      headers: { authorization: `Basic ${credentials}`, "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials",
    });
    if (!token.ok) throw new Error(`PayPal gives no token (${token.status})`);
    return await call(path, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token.body.access_token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };

  return {
    send: async (order) => {
      const { type, details } = order.payout_account ?? { type: "iban", details: {} };
      if (type !== "email" || details.service !== "paypal")
        throw new Refused("payout_account: must be of the type email with the service paypal");
      const { status, ok, body } = await authorized("/v1/payments/payouts", {
        sender_batch_header: { sender_batch_id: order.reference },
        items: [
          {
            ...{ recipient_type: "EMAIL", receiver: details.address, sender_item_id: order.reference },
            amount: { currency: order.currency, value: moneyOf(order) },
          },
        ],
      });
      if (ok) return body.batch_header.payout_batch_id;
      // A reference that PayPal has already is refused with a link to its payout.
      const links: ReadonlyArray<{ readonly href: string }> = body.links ?? [];
      const earlier = links
        .map(({ href }) => /\/v1\/payments\/payouts\/([^/?]+)/.exec(href)?.[1])
        .find(Boolean);
      if (earlier !== undefined) return earlier;
      if (status === 400) throw new Refused(`PayPal: ${body.message}`);
      throw new Error(`PayPal responds with ${status}: ${body.message}`);
    },
    status: async (id): Promise<Status> => {
      const { ok, status, body } = await authorized(`/v1/payments/payouts/${id}`);
      if (!ok) throw new Error(`PayPal responds with ${status}`);
      const [item] = (body.items ?? []) as ReadonlyArray<Item>;
      const found = ENDED[item?.transaction_status ?? body.batch_header.batch_status];
      if (found === undefined || (item === undefined && found === "confirmed")) return { status: "pending" };
      return found === "confirmed"
        ? { status: found, bank_reference: item?.transaction_id ?? id }
        : { status: found, reason: item?.errors?.message ?? `PayPal: ${item?.transaction_status}` };
    },
  };
};
