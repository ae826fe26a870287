/** Transfers of Stripe Connect as their published schema describes them, without an account: strict about fields, once per idempotency key. */
import { type Answer, type Asked, fieldProblem, type Rules, type Served, serve } from "./StandIn.ts";

const KEY = "sk_test_1";

const TRANSFER: Rules = {
  amount: { isRequired: true, form: /^[1-9]\d{0,8}$/ },
  currency: { isRequired: true, form: /^[a-z]{3}$/ },
  destination: { isRequired: true, form: /^acct_\w+$/ },
  transfer_group: { isRequired: false, form: /^.{1,255}$/ },
  description: { isRequired: false, form: /^.*$/ },
};

interface Transfer {
  readonly id: string;
  readonly amount: string;
  readonly currency: string;
  readonly destination: string;
  readonly transfer_group: string;
  reversed: boolean;
}

export interface StripeStandIn extends Served {
  readonly key: string;
  readonly transfers: ReadonlyArray<Transfer>;
  /** How many of the next transfers are made although their response is lost. */
  lost: number;
  /** True if the balance is empty. */
  isEmpty: boolean;
  /** Forgets every idempotency key, as Stripe does after a day. */
  readonly forget: () => void;
}

export const stripeStandIn = async (): Promise<StripeStandIn> => {
  const transfers: Array<Transfer> = [];
  const answers = new Map<string, { readonly body: string; readonly answer: NonNullable<Answer> }>();
  const state = { lost: 0, isEmpty: false };
  const refuse = (status: number, message: string, code?: string): NonNullable<Answer> => [
    status,
    { error: { type: "invalid_request_error", message, ...(code === undefined ? {} : { code }) } },
  ];

  const make = (body: string): NonNullable<Answer> => {
    const fields = Object.fromEntries(new URLSearchParams(body));
    if (fields.destination === "acct_gone") return refuse(400, "No such destination: 'acct_gone'");
    if (state.isEmpty)
      return refuse(
        400,
        "You have insufficient available funds in your Stripe account",
        "balance_insufficient",
      );
    const { amount = "", currency = "", destination = "", transfer_group = "" } = fields;
    const transfer = { amount, currency, destination, transfer_group, reversed: false };
    const made = { id: `tr_${transfers.length + 1}`, ...transfer };
    transfers.push(made);
    return [200, { object: "transfer", ...made, amount: Number(amount) }];
  };

  const create = ({ body, headers }: Asked): Answer => {
    if (headers["content-type"]?.startsWith("application/x-www-form-urlencoded") !== true)
      return refuse(400, "must be a form");
    const problem = fieldProblem(Object.fromEntries(new URLSearchParams(body)), TRANSFER);
    // Nothing is stored of requests whose parameters are wrong.
    if (problem !== null) return refuse(400, problem, "parameter_invalid");
    const key = String(headers["idempotency-key"] ?? "");
    const earlier = answers.get(key);
    if (earlier !== undefined)
      return earlier.body === body
        ? earlier.answer
        : [
            400,
            {
              error: { type: "idempotency_error", message: "Keys can only be used with the same parameters" },
            },
          ];
    const answer = make(body);
    if (key !== "") answers.set(key, { body, answer });
    if (answer[0] === 200 && state.lost > 0) {
      state.lost--;
      return null;
    }
    return answer;
  };

  const answer = (asked: Asked): Answer => {
    const { method, url, headers } = asked;
    if (headers.authorization !== `Bearer ${KEY}`) return [401, { error: { type: "invalid_request_error" } }];
    if (url.pathname === "/v1/transfers" && method === "POST") return create(asked);
    if (url.pathname === "/v1/transfers") {
      const group = url.searchParams.get("transfer_group");
      const data = transfers.filter(({ transfer_group }) => transfer_group === group);
      return [200, { object: "list", data, has_more: false }];
    }
    const found = transfers.find(({ id }) => url.pathname === `/v1/transfers/${id}`);
    return found === undefined ? refuse(404, "No such transfer") : [200, { object: "transfer", ...found }];
  };

  const served = await serve(answer);
  return Object.assign(state, served, { key: KEY, transfers, forget: () => answers.clear() });
};
