/**
 * The test-kit: laws for adapters, invariants of whatever a store holds, random runs against a reference model, and what
 * tests are built from.
 */
export * as Books from "./Books.ts";
export * as Build from "./Build.ts";
export { owner } from "./commands/Cast.ts";
export {
  type Options as ConcurrentRunOptions,
  playTogether,
  runConcurrent,
} from "./commands/ConcurrentRun.ts";
export { type Options as ModelRunOptions, playCommands, RunFailed, runModel } from "./commands/ModelRun.ts";
export { type Options as PermutationRunOptions, runPermutations } from "./commands/PermutationRun.ts";
export { Broken, type Play, type Statistics } from "./commands/Play.ts";
export type { Finding } from "./commands/Trace.ts";
export * as DoubleEntry from "./DoubleEntry.ts";
export type { Invariant } from "./invariant/Invariant.ts";
export { checkInvariants, findings, InvariantBroken, invariants } from "./invariants.ts";
export { type Failure, type Law, LawBroken, type Ports } from "./Law.ts";
export type { Command } from "./model/Command.ts";
export { predict } from "./model/Model.ts";
export { all, portrait } from "./Portrait.ts";
export { difference } from "./Replay.ts";
export * as Scene from "./Scene.ts";
export { storageContract } from "./storageContract.ts";
