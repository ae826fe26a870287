/** What the words of both readers say of the states of settlements. */
import type { Settlement, SettlementStatus } from "../api/Records.ts";
import { money } from "../format/Money.ts";
import type { Family, State } from "./Words.ts";

/** A settlement in a state. */
type In<Type extends SettlementStatus> = Omit<Settlement, "status"> & {
  readonly status: Extract<Settlement["status"], { readonly type: Type }>;
};

/** What the pages say to one kind of reader of settlements in a state, and what it can do with them. */
interface StateWords<Name extends string, Task, In> {
  readonly words: Name;
  readonly family: Family;
  /** Other words where a settlement in the state has more to say; null where it has not. */
  readonly shown?: (settlement: In) => State | null;
  /** Who acts next, and what happens then. */
  readonly next: (settlement: In) => string;
  /** The names of the actions that the state allows, the main one first; an action may have further conditions. */
  readonly actions: ReadonlyArray<string>;
  /** What the overview asks of the reader in the state. */
  readonly tasks: ReadonlyArray<Task>;
}

/** The states for one kind of reader. */
export type States<Name extends string, Task = unknown> = {
  readonly [Type in SettlementStatus]: StateWords<Name, Task, In<Type>>;
};

/** The row of the state of a settlement. */
export const stateIn = <Rows extends States<string>>(
  states: Rows,
  settlement: Settlement,
): StateWords<Rows[SettlementStatus]["words"], Rows[SettlementStatus]["tasks"][number], Settlement> =>
  states[settlement.status.type] as never;

/** The names of the states, in the order of a settlement's life. */
export const namesOf = <Name extends string>(
  states: States<Name>,
): Readonly<Record<SettlementStatus, Name>> =>
  Object.fromEntries(Object.entries(states).map(([type, { words }]) => [type, words])) as never;

/** True of the families of the ends. */
export const isEnd = (family: Family): boolean => family === "done" || family === "stopped";

/** True if the payment is made by a file that the bank has not received: no money has left. */
export const isBeforeHandOver = ({ paymentFileStatus }: Pick<Settlement, "paymentFileStatus">): boolean =>
  paymentFileStatus === "awaited" || paymentFileStatus === "created";

/** An amount without its sign, where the words say who pays whom. */
export const unsigned = (amount: number, currency: string): string => money(Math.abs(amount), currency);

/** Why the tax of an uploaded document needs an approver; empty when it needs none. */
export const taxReviewWords = ({ taxReview, total, currency }: Settlement): string => {
  if (taxReview === null) return "";
  const stated = `The document states ${unsigned(taxReview.taxAmount, currency)} tax`;
  return taxReview.expectedTaxAmount === null
    ? `${stated}. The policy had no rate for documents of the partner when the settlement was approved.`
    : `${stated}. The policy expects ${unsigned(taxReview.expectedTaxAmount, currency)} on ${unsigned(total, currency)}.`;
};
