/**
 * The test-kit: the laws of the storage contract, the invariants of a store's records, random runs that compare the engine
 * with a reference model, and builders of rows, events and stored scenes.
 */

export * as Build from "./Build.ts";
export * as Decider from "./Decider.ts";
export * as DoubleEntry from "./DoubleEntry.ts";
export type { Invariant } from "./invariant/Invariant.ts";
export { changesOf, findRecreditViolations, recreditViolations, spanOf } from "./invariant/RecreditRuns.ts";
export { findRunViolations } from "./invariant/Runs.ts";
export { checkInvariants, findViolations, InvariantBroken, invariants } from "./invariants.ts";
export { type Failure, type Law, LawBroken, type Ports } from "./Law.ts";
export * as LedgerSnapshot from "./LedgerSnapshot.ts";
export type { Command } from "./model/Command.ts";
export { predict } from "./model/Model.ts";
export { replayDifference } from "./ReplayDifference.ts";
export { type Group, type Options as ConcurrentRunOptions, runConcurrent } from "./runs/ConcurrentRun.ts";
export {
  type GroupOptions,
  type InterleavingOptions,
  runInterleavings,
  runPreemptions,
} from "./runs/GroupRun.ts";
export { type Options as ModelRunOptions, RunFailed, runCommands, runModel } from "./runs/ModelRun.ts";
export { type Options as PermutationRunOptions, runPermutations } from "./runs/PermutationRun.ts";
export { type Options as ReplacementRunOptions, runReplacements } from "./runs/ReplacementRun.ts";
export * as Scene from "./Scene.ts";
export { listAll, stateDump } from "./StateDump.ts";
export { FindingsError, type ModelSession, type Statistics } from "./session/ModelSession.ts";
export { owner } from "./session/Principals.ts";
export type { Finding } from "./session/Trace.ts";
export { storageContract } from "./storageContract.ts";
