/**
 * The test-kit: laws for adapters, invariants of whatever a store holds, random runs against a reference model, and what
 * tests are built from.
 */

export * as Build from "./Build.ts";
export {
  type Options as ConcurrentRunOptions,
  playTogether,
  runConcurrent,
} from "./commands/ConcurrentRun.ts";
export { type Options as ModelRunOptions, playCommands, RunFailed, runModel } from "./commands/ModelRun.ts";
export { Broken, type ModelSession as Play, type Statistics } from "./commands/ModelSession.ts";
export { type Options as PermutationRunOptions, runPermutations } from "./commands/PermutationRun.ts";
export { owner } from "./commands/Principals.ts";
export type { Finding } from "./commands/Trace.ts";
export * as DoubleEntry from "./DoubleEntry.ts";
export type { Invariant } from "./invariant/Invariant.ts";
export { checkInvariants, findings, InvariantBroken, invariants } from "./invariants.ts";
export { type Failure, type Law, LawBroken, type Ports } from "./Law.ts";
export * as Books from "./LedgerSnapshot.ts";
export type { Command } from "./model/Command.ts";
export { predict } from "./model/Model.ts";
export { difference } from "./Replay.ts";
export * as Scene from "./Scene.ts";
export { all, stateDump as portrait } from "./StateDump.ts";
export { storageContract } from "./storageContract.ts";
