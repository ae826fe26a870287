/** The words of the pages for one kind of reader: the team of the customer, or the partner who is paid. */
import type { EventOf, Settlement, SettlementStatus } from "../api/Records.ts";
import type { EventWords } from "./EventWords.ts";

/**
 * Groups of states; each group has a colour and a shape. `waiting`: the reader has to act. `moving`: the service or a payment provider
 * acts, no person; it looks like `open`. `done` and `stopped` are the ends, in which a settlement holds no commissions.
 */
export type Family = "open" | "moving" | "waiting" | "done" | "stopped";

/** A state in words. */
export interface State {
  readonly words: string;
  readonly family: Family;
}

/** A heading, and what it means or what to do. */
export interface Message {
  readonly title: string;
  readonly text: string;
}

/** The words for requests that failed. */
export interface FailureWords {
  /** What a conflict with this token means, and what to do; `details` is the server's sentence. */
  readonly conflict: (token: string, details: string) => string;
  readonly invalidKey: Message;
  /** The session of the browser has ended. */
  readonly sessionEnded: Message;
  /** What to do when the key, or the person in a session, lacks a right; `details` is the server's sentence. */
  readonly missingRight: (details: string) => string;
  readonly unreachable: Message;
  /** A failure of the server; `requestId` is that of its log, null when it is not known. */
  readonly failed: (requestId: string | null) => Message;
}

/** The words for one kind of reader. */
export interface Words {
  /** The names of the states, for filters, in the order of a settlement's life. */
  readonly states: Readonly<Record<SettlementStatus, string>>;
  /** The state of a settlement. */
  readonly stateOf: (settlement: Settlement) => State;
  /** What is to be pointed out next to the state. */
  readonly remarksOn: (settlement: Settlement) => ReadonlyArray<State>;
  /** Who acts next on a settlement, and what happens then. */
  readonly nextStep: (settlement: Settlement) => string;
  /** What keeps a settlement from moving on; the bank account's problem is null when there is none. */
  readonly problemsOf: (settlement: Settlement, accountProblem: string | null) => ReadonlyArray<Message>;
  /**
   * That nothing can be paid to the account of a settlement, or that it has none; null in a state in which the reader cannot help. With
   * a confirmed account there is one to choose.
   */
  readonly noAccount: (settlement: Settlement, isOneConfirmed?: boolean) => Message | null;
  /** Who writes the invoice. */
  readonly billing: Readonly<Record<NonNullable<Settlement["billingMode"]>, string>>;
  /** Who writes the credit note of a settlement in which the partner owes the amount. */
  readonly claimBilling: Words["billing"];
  /** The name of the amount with tax. */
  readonly payable: string;
  /** Beside a line that an open dispute names. */
  readonly disputedLine: string;
  /** The two sides of a settlement. */
  readonly sides: Readonly<Record<EventOf<"comment_settlement">["side"], string>>;
  /** Who receives what the reader says. */
  readonly otherSide: string;
  readonly events: EventWords;
  readonly failures: FailureWords;
  /** What is said of an amount that waits until the buyer has paid. */
  readonly waits: (amount: string) => string;
  /** The state of a commission of which nothing but that is left. */
  readonly waitsForBuyer: string;
  /** The name of all such amounts together. */
  readonly waiting: string;
  /** Of a sale without commissions. */
  readonly noCommissions: string;
}
