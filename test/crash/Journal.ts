/** The requests to the server and its responses, in the memory of the test, which is never killed. */
import type { HttpResponse, Request, RequestResult } from "./Wire.ts";
import { idOf } from "./Wire.ts";

/** The effect of a command, with the fields by which the audit finds it in the store. */
export type Intent =
  | {
      readonly type: "create_attribution";
      readonly reference: string;
      readonly partnerId: string;
      /** RFC 3339; null when the request has none. */
      readonly occurredAt: string | null;
      /** How many partners' credits the sale has; 1 by default. */
      readonly credits?: number;
    }
  | { readonly type: "cancel_attribution"; readonly id: string }
  /** Cancels a sale with the reason, which no other command has, and records it anew with so many given credits; null: as before. */
  | {
      readonly type: "replace_sale";
      readonly id: string;
      readonly reason: string;
      readonly credits: number | null;
    }
  /** Changes the credits of a sale's uplines with the reason, which no other command has. */
  | { readonly type: "recredit_sale"; readonly id: string; readonly reason: string }
  /** Starts a recredit run with the reason, which no other command has, over the span; these sales were recorded before. */
  | {
      readonly type: "start_recredits";
      readonly reason: string;
      readonly saleIds: ReadonlyArray<string>;
    }
  /** Creates a link with the start, which no other has. */
  | { readonly type: "create_link"; readonly start: string }
  /** Gives a link the end, which no other command states. */
  | { readonly type: "end_link"; readonly id: string; readonly end: string }
  | {
      readonly type: "create_settlement";
      readonly partnerId: string;
      readonly commissionIds: ReadonlyArray<string>;
    }
  /** Appends one event of the type to a settlement unless refused. */
  | { readonly type: "settlement_event"; readonly id: string; readonly event: string }
  /** Appends one event with the name to a formula unless refused. */
  | { readonly type: "update_formula"; readonly id: string; readonly name: string }
  /** Appends one event with the name to a plan, and later to each of its formulas, unless refused. */
  | { readonly type: "update_plan"; readonly id: string; readonly name: string }
  /** States the rate, which no other command states, in the formula of each partner unless refused. */
  | { readonly type: "set_values"; readonly partnerIds: ReadonlyArray<string>; readonly rate: number }
  /** States that the buyer of a sale has paid so much, which no other command states, unless refused. */
  | { readonly type: "state_received"; readonly received: number }
  /** Starts one settlement run. */
  | { readonly type: "start_run" };

/** True if a command has taken effect, as far as its responses show. */
export type Outcome = "done" | "refused" | "unknown";

/** One command, sent once or several times. */
export interface Entry {
  readonly intent: Intent;
  readonly request: Request;
  /** One per time it was sent, in the order in which the responses arrived or were lost. */
  readonly results: Array<RequestResult>;
}

const isDefinite = (result: RequestResult): result is HttpResponse =>
  result.type === "response" && result.status < 500;

const isSuccess = (result: RequestResult): result is HttpResponse =>
  result.type === "response" && result.status >= 200 && result.status < 300;

/** The first response that is a success; null when there is none. */
export const success = ({ results }: Entry): HttpResponse | null => results.find(isSuccess) ?? null;

/** The outcome by the responses. After a lost response only a later definite one decides. */
export const outcome = (entry: Entry): Outcome => {
  if (success(entry) !== null) return "done";
  const last = entry.results.at(-1);
  return last !== undefined && isDefinite(last) ? "refused" : "unknown";
};

/** True if the latest response is a success or a refusal. */
export const isLastResultDefinite = ({ results }: Entry): boolean => {
  const last = results.at(-1);
  return last !== undefined && isDefinite(last);
};

/** True if the interface makes a repetition safe: the command has an idempotency key or a unique external reference. */
export const isRepeatable = ({ request, intent }: Entry): boolean =>
  request.key !== undefined || intent.type === "create_attribution";

/** All commands to one customer's records. */
export class Journal {
  readonly #entries: Array<Entry> = [];
  readonly #problems: Array<string> = [];

  get entries(): ReadonlyArray<Entry> {
    return this.#entries;
  }

  /** Responses that are wrong whatever the store contains: unexpected statuses, and repetitions with another response. */
  get problems(): ReadonlyArray<string> {
    return this.#problems;
  }

  /** Adds a command, before it is sent. */
  open(intent: Intent, request: Request): Entry {
    const entry: Entry = { intent, request, results: [] };
    this.#entries.push(entry);
    return entry;
  }

  /** Sends a command and adds the response, or its loss, to the entry. */
  async send(entry: Entry, sender: (request: Request) => Promise<RequestResult>): Promise<RequestResult> {
    const result = await sender(entry.request);
    this.#judge(entry, result);
    entry.results.push(result);
    return result;
  }

  #judge(entry: Entry, result: RequestResult): void {
    if (result.type === "lost") return;
    const { method, path } = entry.request;
    const description = `${method} ${path}: ${result.status} ${result.text}`;
    if (result.status >= 500 && result.status !== 503)
      this.#problems.push(`unexpected response: ${description}`);
    if (result.status === 400 || result.status === 401 || result.status === 403) {
      this.#problems.push(`refused although well formed: ${description}`);
    }
    const first = success(entry);
    if (first === null || !isDefinite(result)) return;
    // Without a key, a sale that was replaced meanwhile answers with the id of the newest; the audit knows the chain.
    const mayBeNewer = entry.intent.type === "create_attribution" && entry.request.key === undefined;
    if (result.status !== first.status || (result.text !== first.text && !mayBeNewer)) {
      this.#problems.push(`responded ${first.status} ${first.text} first, then ${description}`);
    }
    if (entry.request.key !== undefined && isSuccess(result) && !result.replayed && !first.replayed) {
      this.#problems.push(`carried out twice under one key: ${description}`);
    }
  }
}

/** The id in the first success of a command; null when there is none. */
export const idOfFirstSuccess = (entry: Entry): string | null => {
  const first = success(entry);
  return first === null ? null : idOf(first);
};
