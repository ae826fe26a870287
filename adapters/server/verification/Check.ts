/** A check of a store: what must hold, and how what does not hold is found. */
import type { Stream } from "effect";
import type { Ids, Storage } from "quittance";
import type { Reader } from "../Snapshot.ts";

/** Something that is wrong in a store. */
export interface Finding {
  /** The name of the check or invariant. */
  readonly check: string;
  readonly customerId: Ids.CustomerId;
  /** The record and what is wrong with it. */
  readonly problem: string;
}

/** What has been looked at, by kind of record. */
export type Counter = (kind: string, count: number) => void;

/** One check. Its memory does not depend on the number of records. */
export interface Check {
  readonly name: string;
  /** What must hold, in words. */
  readonly statement: string;
  readonly find: (reader: Reader, counter: Counter) => Stream.Stream<Finding, Storage.StorageError>;
}

/** Findings that one statement reports at most; more of the same kind would add nothing. */
export const FINDINGS_MAX = 1_000;
