/** The test-kit: laws for adapters, invariants of whatever a store holds, and what tests are built from. */
export * as Books from "./Books.ts";
export * as Build from "./Build.ts";
export * as DoubleEntry from "./DoubleEntry.ts";
export type { Invariant } from "./invariant/Invariant.ts";
export { checkInvariants, findings, InvariantBroken, invariants } from "./invariants.ts";
export { type Failure, type Law, LawBroken, type Ports } from "./Law.ts";
export { all, portrait } from "./Portrait.ts";
export { difference } from "./Replay.ts";
export * as Scene from "./Scene.ts";
export { storageContract } from "./storageContract.ts";
