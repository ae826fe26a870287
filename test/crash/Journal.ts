/** What was asked of the server and what it answered: the only memory that no crash can take. */
import type { Answer, Answered, Request } from "./Wire.ts";
import { idOf } from "./Wire.ts";

/** What a command is meant to do, in terms that its effect can be found by. */
export type Intent =
  | {
      readonly type: "create_attribution";
      readonly reference: string;
      readonly partnerId: string;
      /** ISO text; null when the request has none. */
      readonly occurredAt: string | null;
    }
  | { readonly type: "cancel_attribution"; readonly id: string }
  | {
      readonly type: "create_settlement";
      readonly partnerId: string;
      readonly commissionIds: ReadonlyArray<string>;
    }
  /** Appends one event of that type to a settlement, or is refused. */
  | { readonly type: "settlement_event"; readonly id: string; readonly event: string }
  /** Appends one event with that name to a formula, or is refused. */
  | { readonly type: "update_formula"; readonly id: string; readonly name: string }
  /** Appends one event with that name to a plan, which each formula of the plan passes once, or is refused. */
  | { readonly type: "update_plan"; readonly id: string; readonly name: string }
  /** Starts one settlement run. */
  | { readonly type: "start_run" };

/** Whether a command has taken effect, as far as its answers tell. */
export type Outcome = "done" | "refused" | "unknown";

/** One command, sent once or several times. */
export interface Entry {
  readonly intent: Intent;
  readonly request: Request;
  /** Of every time it was sent, in the order in which answers came or failed to come. */
  readonly answers: Array<Answer>;
}

const isDefinite = (answer: Answer): answer is Answered => answer.type === "answered" && answer.status < 500;

const isSuccess = (answer: Answer): answer is Answered =>
  answer.type === "answered" && answer.status >= 200 && answer.status < 300;

/** The first success, or null. */
export const success = ({ answers }: Entry): Answered | null => answers.find(isSuccess) ?? null;

/** What the answers tell. After a lost answer only a later definite one settles the matter. */
export const outcome = (entry: Entry): Outcome => {
  if (success(entry) !== null) return "done";
  const last = entry.answers.at(-1);
  return last !== undefined && isDefinite(last) ? "refused" : "unknown";
};

/** Whether the last time it was sent it got a success or a refusal. */
export const isAnsweredLast = ({ answers }: Entry): boolean => {
  const last = answers.at(-1);
  return last !== undefined && isDefinite(last);
};

/** Whether sending it again is safe by contract: it names a key, or an external reference of its own. */
export const isRepeatable = ({ request, intent }: Entry): boolean =>
  request.key !== undefined || intent.type === "create_attribution";

/** A journal of one customer's commands. */
export class Journal {
  readonly #entries: Array<Entry> = [];
  readonly #problems: Array<string> = [];

  get entries(): ReadonlyArray<Entry> {
    return this.#entries;
  }

  /** What was wrong with answers as such: unforeseen statuses, a repetition answered differently. */
  get problems(): ReadonlyArray<string> {
    return this.#problems;
  }

  /** Writes a command down before it is sent. */
  open(intent: Intent, request: Request): Entry {
    const entry: Entry = { intent, request, answers: [] };
    this.#entries.push(entry);
    return entry;
  }

  /** Sends a command and writes down what came of it. */
  async send(entry: Entry, sender: (request: Request) => Promise<Answer>): Promise<Answer> {
    const answer = await sender(entry.request);
    this.#judge(entry, answer);
    entry.answers.push(answer);
    return answer;
  }

  #judge(entry: Entry, answer: Answer): void {
    if (answer.type === "lost") return;
    const { method, path } = entry.request;
    const told = `${method} ${path}: ${answer.status} ${answer.text}`;
    if (answer.status >= 500 && answer.status !== 503) this.#problems.push(`unforeseen answer: ${told}`);
    if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
      this.#problems.push(`refused although well formed: ${told}`);
    }
    const first = success(entry);
    if (first === null || !isDefinite(answer)) return;
    if (answer.status !== first.status || answer.text !== first.text) {
      this.#problems.push(`answered ${first.status} ${first.text} first, then ${told}`);
    }
    if (entry.request.key !== undefined && isSuccess(answer) && !answer.replayed && !first.replayed) {
      this.#problems.push(`carried out twice under one key: ${told}`);
    }
  }
}

/** The id that the answers to a command name, or null. */
export const answeredId = (entry: Entry): string | null => {
  const first = success(entry);
  return first === null ? null : idOf(first);
};
