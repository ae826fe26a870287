/** PayPal payouts as their published schema describes them, without an account: strict about fields, once per batch id. */
import { type Answer, type Asked, fieldProblem, type Rules, type Served, serve } from "./StandIn.ts";

const CLIENT = { id: "client", secret: "secret" };

const HEADER: Rules = {
  sender_batch_id: { isRequired: true, form: /^.{1,256}$/ },
  email_subject: { isRequired: false, form: /^.{0,255}$/ },
  email_message: { isRequired: false, form: /^.{0,1000}$/ },
  recipient_type: { isRequired: false, form: /^(EMAIL|PHONE|PAYPAL_ID)$/ },
};
const ITEM: Rules = {
  recipient_type: { isRequired: true, form: /^(EMAIL|PHONE|PAYPAL_ID)$/ },
  receiver: { isRequired: true, form: /^.{1,127}$/ },
  sender_item_id: { isRequired: false, form: /^.{1,63}$/ },
  note: { isRequired: false, form: /^.{0,1000}$/ },
};
/** Up to seven digits before the point; currencies without cents take none. */
const AMOUNT: Rules = {
  currency: { isRequired: true, form: /^[A-Z]{3}$/ },
  value: { isRequired: true, form: /^\d{1,9}(\.\d{2})?$/ },
};
const NO_CENTS = ["HUF", "JPY", "TWD"];

interface Payout {
  readonly id: string;
  readonly receiver: string;
  readonly amount: { readonly currency: string; readonly value: string };
}

type Json = Record<string, unknown>;

const objectOf = (value: unknown): Json =>
  typeof value === "object" && value !== null ? (value as Json) : {};

export interface PayPalStandIn extends Served {
  readonly client: typeof CLIENT;
  /** Every payout that was made. */
  readonly payouts: ReadonlyMap<string, Payout>;
  /** What became of the items to a receiver; PENDING unless stated. */
  readonly outcomes: Map<string, string>;
  /** How many of the next payouts are made although their response is lost. */
  lost: number;
  /** True if the balance is empty. */
  isEmpty: boolean;
}

export const payPalStandIn = async (): Promise<PayPalStandIn> => {
  const payouts = new Map<string, Payout>();
  const outcomes = new Map<string, string>();
  const state = { lost: 0, isEmpty: false };
  const refuse = (
    status: number,
    name: string,
    message: string,
    links: ReadonlyArray<object> = [],
  ): Answer => [status, { name, message, debug_id: "d", details: [], links }];

  const create = (body: string): Answer => {
    const { sender_batch_header: header, items, ...rest } = objectOf(JSON.parse(body));
    const [item, ...others] = Array.isArray(items) ? items.map(objectOf) : [];
    const { amount, ...fields } = item ?? {};
    const problem =
      (Object.keys(rest).length > 0 ? `unknown ${Object.keys(rest)[0]}` : null) ??
      fieldProblem(objectOf(header), HEADER) ??
      (others.length > 0 ? "more than one item" : null) ??
      fieldProblem(fields, ITEM) ??
      fieldProblem(objectOf(amount), AMOUNT);
    if (problem !== null) return refuse(400, "VALIDATION_ERROR", problem);
    const { currency, value } = objectOf(amount) as Payout["amount"];
    if (NO_CENTS.includes(currency) === value.includes("."))
      return refuse(400, "VALIDATION_ERROR", `${value} is no amount of ${currency}`);
    const batch = String(objectOf(header).sender_batch_id);
    const earlier = payouts.get(batch);
    if (earlier !== undefined)
      return refuse(400, "USER_BUSINESS_ERROR", "Batch with given sender_batch_id already exists", [
        { href: `https://api.example/v1/payments/payouts/${earlier.id}`, rel: "self", method: "GET" },
      ]);
    if (state.isEmpty) return refuse(422, "INSUFFICIENT_FUNDS", "Sender does not have sufficient funds");
    const id = `PB${payouts.size + 1}`;
    payouts.set(batch, { id, receiver: String(fields.receiver), amount: { currency, value } });
    if (state.lost > 0) {
      state.lost--;
      return null;
    }
    return [201, { batch_header: { payout_batch_id: id, batch_status: "PENDING" }, links: [] }];
  };

  const read = (id: string): Answer => {
    const found = [...payouts.entries()].find(([, payout]) => payout.id === id);
    if (found === undefined) return refuse(404, "RESOURCE_NOT_FOUND", "no such payout");
    const [batch, { receiver, amount }] = found;
    const transaction_status = outcomes.get(receiver) ?? "PENDING";
    const failed = transaction_status === "FAILED" ? { errors: { message: "Receiver is restricted" } } : {};
    return [
      200,
      {
        batch_header: { payout_batch_id: id, batch_status: "SUCCESS" },
        items: [
          {
            ...{
              payout_item_id: `${id}I`,
              payout_batch_id: id,
              transaction_status,
              transaction_id: `${id}T`,
            },
            payout_item: { recipient_type: "EMAIL", receiver, amount, sender_item_id: batch },
            ...failed,
          },
        ],
      },
    ];
  };

  const answer = ({ method, url, headers, body }: Asked): Answer => {
    if (`${method} ${url.pathname}` === "POST /v1/oauth2/token") {
      const expected = Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString("base64");
      return headers.authorization === `Basic ${expected}` && body === "grant_type=client_credentials"
        ? [200, { access_token: "token", token_type: "Bearer", expires_in: 32_400 }]
        : [401, { error: "invalid_client" }];
    }
    if (headers.authorization !== "Bearer token") return refuse(401, "AUTHENTICATION_FAILURE", "no token");
    if (`${method} ${url.pathname}` === "POST /v1/payments/payouts") return create(body);
    const id = /^\/v1\/payments\/payouts\/([^/]+)$/.exec(url.pathname)?.[1];
    return method === "GET" && id !== undefined ? read(id) : refuse(404, "NOT_FOUND", "no such path");
  };

  const served = await serve(answer);
  return Object.assign(state, served, { client: CLIENT, payouts, outcomes });
};
