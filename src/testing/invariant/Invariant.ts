/** An invariant: a statement about a customer's ledger that no sequence of commands may break. */
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";

/** One named statement. */
export interface Invariant {
  /** Short and stable: M for money, B for banks, S for states, L for logs. */
  readonly name: string;
  /** The statement in words. */
  readonly statement: string;
  /** The violations, one detail each; nothing when the invariant holds. */
  readonly violations: (snapshot: LedgerSnapshot) => Iterable<string>;
}
