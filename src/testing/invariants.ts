/** Invariants: what must hold of a customer's records after any sequence of commands, checked from the store alone. */
import { Data, Effect } from "effect";
import type { CustomerId } from "../domain/Ids.ts";
import type { Storage, StorageError } from "../ports/Storage.ts";
import { bankFiles } from "./invariant/BankFiles.ts";
import { chainsOfSales } from "./invariant/Chains.ts";
import { credits } from "./invariant/Credits.ts";
import type { Invariant } from "./invariant/Invariant.ts";
import { logs } from "./invariant/Log.ts";
import { money } from "./invariant/Money.ts";
import { numbers } from "./invariant/Numbers.ts";
import { payments } from "./invariant/Payments.ts";
import { plans } from "./invariant/Plans.ts";
import { state } from "./invariant/State.ts";
import { statements } from "./invariant/Statements.ts";
import { taxes } from "./invariant/Taxes.ts";
import { totals } from "./invariant/Totals.ts";
import { type LedgerSnapshot, readSnapshot } from "./LedgerSnapshot.ts";

/** An invariant does not hold. */
export class InvariantBroken extends Data.TaggedError("InvariantBroken")<{
  /** The name of the invariant: `M1`, `S2`, `L1` … */
  readonly name: string;
  /** The record and what is wrong with it. */
  readonly detail: string;
}> {
  override get message(): string {
    return `${this.name}: ${this.detail}`;
  }
}

/** Every invariant, money first. */
export const invariants: ReadonlyArray<Invariant> = [
  ...money,
  ...payments,
  ...bankFiles,
  ...taxes,
  ...numbers,
  ...totals,
  ...statements,
  ...state,
  ...credits,
  ...plans,
  ...chainsOfSales,
  ...logs,
];

/** Every violation of every invariant in a snapshot; empty when all hold. */
export const findViolations = (snapshot: LedgerSnapshot): ReadonlyArray<InvariantBroken> =>
  invariants.flatMap(({ name, violations: broken }) =>
    [...broken(snapshot)].map((detail) => new InvariantBroken({ name, detail })),
  );

/**
 * Passes when every invariant holds of a customer's records; fails with the first that does not.
 * Reads every record and log of the customer, so nothing else may write meanwhile.
 */
export const checkInvariants = (
  customerId: CustomerId,
): Effect.Effect<void, InvariantBroken | StorageError, Storage> =>
  Effect.flatMap(readSnapshot(customerId), (snapshot) => {
    const [first] = findViolations(snapshot);
    return first === undefined ? Effect.void : Effect.fail(first);
  });
