/** An invariant: a statement about a customer's snapshot that no sequence of commands may break. */
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";

/** One named statement. */
export interface Invariant {
  /** Short and stable: M for money, S for states, L for logs. */
  readonly name: string;
  /** What it says, in words. */
  readonly statement: string;
  /** What breaks it, one detail per finding; nothing when it holds. */
  readonly violations: (snapshot: LedgerSnapshot) => Iterable<string>;
}
