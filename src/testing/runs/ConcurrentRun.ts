/** Runs concurrent commands on shared records, in seeded interleavings or in real races, and checks that they are linearisable. */
import { Effect, FastCheck } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { StorageService } from "../../ports/Storage.ts";
import { type Class, type Intent, intents } from "../generation/Intent.ts";
import { isReceiving } from "../generation/ReceiptChoice.ts";
import { resolve } from "../generation/Resolve.ts";
import type { Command } from "../model/Command.ts";
import { finishWork } from "../model/settlements/Documents.ts";
import type { World } from "../model/world/World.ts";
import { call } from "../session/Call.ts";
import { compareStore } from "../session/ModelComparison.ts";
import {
  commitsOf,
  compare,
  describeCommand,
  FindingsError,
  invariantFindings,
  labelOf,
  learnIds,
  type ModelSession,
  nameOf,
  noStatistics,
  runOrThrow,
  type Statistics,
  step,
} from "../session/ModelSession.ts";
import { generatedBy, type Outcome, outcomeOf } from "../session/Outcome.ts";
import { digest, type SeededRandom, seededRandom } from "../session/SeededRandom.ts";
import { openStores } from "../session/SessionScope.ts";
import { readPartners } from "../session/StoreView.ts";
import * as CallScheduler from "./CallScheduler.ts";
import { type CommandWithOutcome, linearise } from "./Linearisation.ts";
import {
  createIdentities,
  type Options as ModelOptions,
  RunFailed,
  type RunOptions,
  runOnNextStore,
  runOrShrink,
  runSeedOf,
} from "./ModelRun.ts";
import { concernedBy, narrow } from "./Narrowing.ts";

/** Options of a concurrent run. */
export interface Options<E = never> extends Pick<ModelOptions<E>, "layer" | "seed" | "shared" | "shrinking"> {
  /** The number of groups of concurrent commands. */
  readonly interleavings: number;
  /** Groups of one run; 20 by default. */
  readonly length?: number;
  /** True if the seed determines the order of the store's calls; otherwise the commands race. */
  readonly seeded?: boolean;
  /** True if nothing in the layer is asynchronous, which spares seeded runs most of their time; false by default. */
  readonly isSynchronous?: boolean;
}

/** Classes of commands that conflict on one record; a group is one of these with up to three of {@link JOINING_CLASSES}. */
const CONFLICTING_CLASSES: ReadonlyArray<ReadonlyArray<Class>> = [
  ["create_attribution", "create_formula"],
  ["create_settlement", "create_settlement"],
  ["approve", "cancel"],
  ["cancel_attribution", "create_settlement"],
  ["mark_as_paid", "dispute"],
  ["mark_as_paid", "report_payment"],
  ["create_attribution", "update_formula", "create_settlement"],
  ["update_formula", "cancel_attribution"],
  ["create_formula", "cancel_attribution"],
  ["create_attribution", "cancel_formula", "create_settlement"],
  ["update_partner", "approve"],
  ["update_partner", "initiate_payment", "update_partner"],
  ["return_payment", "reconcile", "create_settlement"],
  ["report_payment", "report_payment", "create_settlement"],
  ["update_formula", "update_formula", "create_attribution"],
  ["write_off", "resolve_dispute", "withdraw_dispute"],
  ["upload", "dispute"],
  ["comment", "comment", "approve"],
  ["review", "write_off"],
  ["initiate_payment", "initiate_payment", "mark_as_paid"],
  ["cancel", "create_settlement"],
  ["repeat", "repeat", "create_attribution"],
  ["create_batch", "create_formula"],
  ["create_batch", "create_batch"],
  ["create_batch", "create_attribution", "update_formula"],
  ["create_batch", "cancel_formula", "create_batch"],
  ["explain", "update_formula", "cancel_attribution"],
  ["explain", "update_formula", "cancel_formula"],
  ["cancel_attribution", "cancel_attribution", "create_attribution"],
  ["cancel_attribution", "update_formula", "create_settlement"],
  ["assign", "create_attribution"],
  ["assign", "assign", "unassign"],
  ["update_plan", "create_attribution", "create_settlement"],
  ["update_plan", "cancel_attribution"],
  ["update_plan", "update_plan", "assign"],
  ["update_plan", "unassign", "update_formula"],
  ["cancel_plan", "update_plan", "create_settlement"],
  ["set_values", "create_attribution"],
  ["set_values", "set_values", "create_batch"],
  ["set_values", "cancel_attribution", "create_settlement"],
  ["set_values", "update_formula", "explain"],
  ["set_values", "update_plan", "create_attribution"],
  ["set_values", "assign", "unassign"],
  ["set_values", "assign", "create_attribution"],
  ["settle_by_run", "set_values"],
  ["settle_by_run", "accept_terms", "set_values"],
  ["settle_by_run", "update_plan"],
  ["settle_by_run", "accept_terms", "update_plan"],
  ["accept_terms", "update_plan", "accept_terms"],
  ["write_workspace", "create_attribution"],
  ["write_workspace", "create_batch", "cancel_attribution"],
  ["settle_by_run", "create_attribution", "cancel_attribution"],
  ["replace_attribution", "replace_attribution", "create_attribution"],
  ["replace_attribution", "cancel_attribution", "create_settlement"],
  ["replace_attribution", "update_formula", "create_settlement"],
  ["replace_attribution", "create_formula", "repeat"],
  ["replace_attribution", "write_workspace", "create_batch"],
  ["settle_by_run", "replace_attribution", "mark_as_paid"],
  ["settle_by_run", "create_settlement"],
  ["settle_by_run", "settle_by_run", "create_settlement"],
  ["settle_by_run", "write_policy", "update_formula"],
  ["settle_by_run", "cancel", "approve"],
  ["settle_by_run", "mark_as_paid", "update_partner"],
  ["link", "create_attribution", "update_formula"],
  ["link", "replace_attribution", "create_settlement"],
  ["update_formula", "update_formula", "create_settlement"],
];

/** Groups with a recrediting, in place of some of the others. */
const RECREDITING_CLASSES: ReadonlyArray<ReadonlyArray<Class>> = [
  ["recredit", "recredit", "create_attribution"],
  ["recredit", "cancel_attribution"],
  ["recredit", "replace_attribution", "create_settlement"],
  ["recredit", "create_formula", "repeat"],
  ["recredit", "update_formula"],
];

/** Classes that may join any group. */
const JOINING_CLASSES: ReadonlyArray<Class> = [
  "create_attribution",
  "cancel_attribution",
  "update_formula",
  "create_settlement",
  "advance",
  "approve",
  "write_off",
  "dispute",
];

/** Commands left out of groups: they contain several commands, or read ids that the model has not learnt yet. */
const EXCLUDED: ReadonlySet<Command["type"]> = new Set([
  "work",
  "recredit_run",
  "list",
  "statistics",
  "move_clock",
  "preview_settlement",
]);

/** Commands to perform concurrently, on records of one partner and of those that earn from the same sales. */
export interface Group {
  readonly customerId: CustomerId;
  readonly partnerIds: ReadonlyArray<PartnerId>;
  readonly commands: ReadonlyArray<Command>;
}

/** Chooses two to five commands on shared records; null when there are none. */
const chooseGroup = (session: ModelSession, intent: Intent, order: SeededRandom): Group | null => {
  const world = narrow(session.world, order);
  const [partner] = world.partners;
  if (partner === undefined) return null;
  const chosen = order.below(CONFLICTING_CLASSES.length);
  const recrediting =
    intent.picks[3] % 12 === 0 ? RECREDITING_CLASSES[chosen % RECREDITING_CLASSES.length] : null;
  const conflicting = recrediting ?? CONFLICTING_CLASSES[chosen] ?? [];
  const joining = order.below(6) === 0 ? order.below(4) : 0;
  const more = Array.from(
    { length: joining },
    () => JOINING_CLASSES[order.below(JOINING_CLASSES.length)] ?? "advance",
  );
  // What makes a group state a receipt would make each of its commands one.
  const received: ReadonlyArray<Class> = isReceiving({ principals: session.principals, intent })
    ? ["state_received"]
    : [];
  const first = intent.picks[0] + received.length;
  const commands = [...received, ...conflicting, ...more].slice(0, 5).flatMap((name, index) => {
    const [, ...others] = intent.picks;
    const [second = 0, third = 0, fourth = 0] = others.map((pick) => pick + index * order.below(3));
    const own: Intent = {
      ...intent,
      class: name,
      picks: [first, second, third, fourth],
      eligible: intent.eligible || order.below(3) > 0,
    };
    const history = { ...session.history, count: session.history.count + index };
    const creditPartners = session.world.partners;
    const command = resolve({
      ...{ principals: session.principals, world, history, intent: own, creditPartners },
    });
    return command === null || EXCLUDED.has(command.type) ? [] : [command];
  });
  const partnerIds = world.partners.map(({ id }) => id);
  return commands.length < 2 ? null : { customerId: partner.customerId, partnerIds, commands };
};

const performConcurrently = async (
  session: ModelSession,
  scheduler: CallScheduler.CallScheduler | null,
  choose: CallScheduler.Choose,
  commands: ReadonlyArray<Command>,
): Promise<ReadonlyArray<Outcome>> => {
  const calls = commands.map((command) => call(session.harness, command));
  const exits =
    scheduler === null
      ? await runOrThrow(
          session,
          Effect.forEach(calls, (serviceCall) => Effect.exit(serviceCall), { concurrency: "unbounded" }),
        )
      : await scheduler.runInterleaved(session.harness, choose, calls);
  return exits.map(outcomeOf);
};

const CHANGES_OF_PLANS: ReadonlySet<Command["type"]> = new Set([
  "update_plan",
  "withdraw_plan_version",
  "cancel_plan",
]);

/**
 * True if a group leaves work to the worker: a recomputation that was too busy, and the recomputation of a formula to
 * which a new settlement, or one of a run, has applied its plan.
 */
const leavesWork = (commands: ReadonlyArray<Command>, outcomes: ReadonlyArray<Outcome>): boolean =>
  outcomes.some((outcome) => outcome.type === "refused" && outcome.token === "busy") ||
  (commands.some(({ type }) => type === "create_settlement" || type === "settle_by_run") &&
    commands.some(({ type }) => CHANGES_OF_PLANS.has(type)));

/** The outcome of a worker that has processed every message. */
const WORKED: Outcome = { type: "succeeded", id: null, replayed: false, body: undefined };

/** Performs a group concurrently; throws {@link FindingsError} when no order explains its outcomes and the state after it. */
export const runGroup = async (
  session: ModelSession,
  scheduler: CallScheduler.CallScheduler | null,
  choose: CallScheduler.Choose,
  group: Group,
): Promise<void> => {
  const { harness, statistics, trace } = session;
  const { commands } = group;
  session.performed.push(...commands);
  harness.recorded.commits.length = 0;
  const outcomes = await performConcurrently(session, scheduler, choose, commands);
  const isLeft = leavesWork(commands, outcomes);
  const hasRuns = commands.some(({ type }) => type === "settle_by_run");
  if (isLeft) await runOrThrow(session, harness.services.worker.drain);
  const traced = commitsOf(session).flatMap((changeSet) => [...trace.record(changeSet)]);
  const { customerId } = group;
  const partnerIds = concernedBy(session.world, customerId, group.partnerIds);
  const seen = await runOrThrow(session, readPartners(customerId, partnerIds, hasRuns));
  const performed = commands.map(
    (command, index): CommandWithOutcome => ({
      command,
      outcome: outcomes[index] ?? { type: "failed", detail: "" },
    }),
  );
  const summary = performed.map(
    ({ command, outcome }) => `${describeCommand(command)} → ${labelOf(outcome)}`,
  );
  const differenceOf = compareStore(customerId, seen, partnerIds);
  let nearest: string | null = null;
  const worked = generatedBy(WORKED, harness.recorded.commits);
  const finish = (world: World): World => (isLeft ? finishWork(world, worked) : world);
  const generated = {
    commits: harness.recorded.commits,
    commissions: hasRuns ? seen.commissions.map(({ row }) => row) : [],
  };
  const linear = linearise(session.world, partnerIds, performed, generated, (world) => {
    const different = differenceOf(finish(world));
    nearest ??= different;
    return different === null;
  });
  const after = linear === null ? null : finish(linear);
  if (after === null || traced.length > 0) {
    const detail = `no order explains ${summary.join(" ∥ ")}: ${nearest ?? "none fits the outcomes"}`;
    const unexplained = after === null ? [{ name: "C1", detail }] : [];
    throw new FindingsError([...unexplained, ...traced, ...(await invariantFindings(session))]);
  }
  session.world = { ...after, now: harness.clock.now };
  await learnIds(session);
  session.history = {
    ...session.history,
    count: session.history.count + commands.length,
  };
  statistics.commands += commands.length;
  for (const { command, outcome } of performed) {
    const name = `${nameOf(command)}: ${labelOf(outcome)}`;
    statistics.outcomes.set(name, (statistics.outcomes.get(name) ?? 0) + 1);
  }
  statistics.transcript = digest(summary.join("\n"), statistics.transcript);
};

/** Single commands before the first group, so that it has records to share. */
const BEFORE = 12;
/** Single commands before each group. */
const BETWEEN = 1;

/** A step of a run: a single command or a concurrent group. */
interface Step {
  readonly intent: Intent;
  readonly concurrent: boolean;
}

const chooseSteps = (seed: number, groups: number): ReadonlyArray<Step> => {
  const length = BEFORE + groups * (BETWEEN + 1);
  const [all = []] = FastCheck.sample(intents(length), { seed, numRuns: 1 });
  return all.map((intent, index) => ({
    intent,
    concurrent: index >= BEFORE && (index - BEFORE) % (BETWEEN + 1) === BETWEEN,
  }));
};

/** Performs the steps in order; returns the number of groups. */
const runSteps = async (
  session: ModelSession,
  scheduler: CallScheduler.CallScheduler | null,
  seed: number,
  tries: ReadonlyArray<Step>,
): Promise<number> => {
  let groups = 0;
  for (const { intent, concurrent: together } of tries) {
    if (together) {
      const order = seededRandom(digest(JSON.stringify(intent), seed));
      const group = chooseGroup(session, intent, order);
      if (group === null) continue;
      // A group may make the worker perform what waits, where the model expects the runs of the group only.
      const isPending = session.world.settlementRuns.some(({ done }) => done === null);
      if (isPending) await step(session, { type: "work" });
      await runGroup(session, scheduler, ({ length }) => order.below(length), group);
      groups += 1;
    } else {
      const { principals, world, history } = session;
      const command = resolve({ principals, world, history, intent });
      if (command !== null) await step(session, command);
    }
  }
  await compare(session);
  return groups;
};

/**
 * Runs groups of concurrent commands until there are enough.
 * Throws {@link RunFailed} when no order of a group explains every outcome and the state after it.
 */
export const runConcurrent = async <E>({
  layer,
  seed,
  interleavings,
  length = 20,
  shared = false,
  seeded = !shared,
  shrinking = seeded,
  isSynchronous = false,
}: Options<E>): Promise<Statistics & { readonly interleavings: number }> => {
  const statistics = noStatistics();
  const open = openStores(layer, shared);
  const identityOf = createIdentities(shared);
  let count = 0;
  const attempt = (runSeed: number, tries: ReadonlyArray<Step>, into: Statistics) => {
    const scheduler = seeded ? CallScheduler.make({ isSynchronous }) : null;
    const wrap = scheduler?.wrap ?? ((storage: StorageService) => storage);
    const options: RunOptions = { seed: runSeed, identity: identityOf(runSeed), statistics: into, wrap };
    return runOnNextStore(open, options, async (session) => {
      const groups = await runSteps(session, scheduler, runSeed, tries);
      if (into === statistics) count += groups;
    });
  };
  try {
    for (let number = 0; count < interleavings; number++) {
      const runSeed = runSeedOf(seed, number);
      await runOrShrink({ runSeed, tries: chooseSteps(runSeed, length), statistics, attempt, shrinking });
    }
    return { ...statistics, interleavings: count };
  } finally {
    await open.close();
  }
};
