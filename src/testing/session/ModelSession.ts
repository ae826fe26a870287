/** A model session: performs each command on the engine and on the model, and compares them afterwards. */

import { Effect, Exit } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import { sameJson } from "../../domain/Json.ts";
import type { ChangeSet } from "../../ports/Storage.ts";
import type { BatchResult } from "../../services/Attributions.ts";
import type { CommandHistory } from "../generation/ChoiceContext.ts";
import { runViolations } from "../invariant/Runs.ts";
import { findViolations } from "../invariants.ts";
import { formatValue } from "../Law.ts";
import type { Command } from "../model/Command.ts";
import { predictWithFollowUps, withCommissionIds, withReference } from "../model/Model.ts";
import type { Prediction } from "../model/prediction/Prediction.ts";
import { payeeOf } from "../model/records/PayoutAccounts.ts";
import type { Part } from "../model/world/Result.ts";
import type { Policy, World } from "../model/world/World.ts";
import { empty } from "../model/world/World.ts";
import { listAll, stateDump } from "../StateDump.ts";
import { perform } from "./Call.ts";
import { countEffects } from "./EffectCounts.ts";
import { type Harness, run } from "./Harness.ts";
import { bookDifferences } from "./JournalComparison.ts";
import { compareStore } from "./ModelComparison.ts";
import { generatedBy, type Outcome } from "./Outcome.ts";
import { createPrincipals, type Principals } from "./Principals.ts";
import { digest, seededRandom } from "./SeededRandom.ts";
import { readStore } from "./StoreView.ts";
import { type Finding, Trace } from "./Trace.ts";
import { valueDifference } from "./ValueDifference.ts";

/** The moment at which every run begins: shortly before a month and a week end. */
export const START = Date.parse("2026-01-31T22:30:00.000Z");

/** Thrown when a check of a run fails; lists the findings. */
export class FindingsError extends Error {
  readonly findings: ReadonlyArray<Finding>;

  constructor(findings: ReadonlyArray<Finding>) {
    super(findings.map(({ name, detail }) => `${name}: ${detail}`).join("\n"));
    this.findings = findings;
  }
}

/** Counts over several runs. */
export interface Statistics {
  commands: number;
  /** Commands by class and outcome. */
  readonly outcomes: Map<string, number>;
  /** Steps of settlements by row of the table. */
  readonly rows: Map<string, number>;
  /** A digest of every command and outcome, in order. */
  transcript: number;
}

/** Empty statistics. */
export const noStatistics = (): Statistics => ({
  commands: 0,
  outcomes: new Map(),
  rows: new Map(),
  transcript: digest(""),
});

export interface ModelSession {
  readonly harness: Harness;
  readonly principals: Principals;
  readonly trace: Trace;
  readonly statistics: Statistics;
  /** Every command performed, in order. */
  readonly performed: Array<Command>;
  /** The references of the payment orders that the provider received. */
  readonly orderedReferences: Set<string>;
  world: World;
  history: CommandHistory;
}

/** A new session over an open harness. */
export const createSession = (
  harness: Harness,
  {
    seed,
    policy,
    statistics,
    performed,
  }: { readonly seed: number; readonly policy: Policy } & Pick<ModelSession, "statistics" | "performed">,
): ModelSession => ({
  harness,
  principals: createPrincipals(seededRandom(seed ^ 0x5eed)),
  trace: new Trace(statistics.rows),
  statistics,
  performed,
  orderedReferences: new Set(),
  world: empty(harness.clock.now, policy),
  history: { keyed: [], count: 0 },
});

/** The name of a command in findings and statistics. */
export const nameOf = (command: Command): string => {
  switch (command.type) {
    case "act":
      return command.action.type;
    case "list":
      return `list ${command.kind}s`;
    case "statistics":
      return `${command.of} statistics`;
    case "report_payment":
      return `payment ${command.fact}`;
    default:
      return command.type;
  }
};

/** An outcome in a word: `ok`, `replayed`, a conflict's token, or the kind of refusal. */
export const labelOf = (outcome: Outcome): string =>
  outcome.type === "succeeded"
    ? outcome.replayed
      ? "replayed"
      : "ok"
    : outcome.type === "refused"
      ? (outcome.token ?? outcome.tag)
      : "failed";

/** The difference between the predicted and the actual results of a batch; null when there is none. */
const batchMismatch = (parts: ReadonlyArray<Part>, results: ReadonlyArray<BatchResult>): string | null => {
  const idOf = (part: number): string | null => {
    const result = results[part];
    return result !== undefined && "id" in result ? result.id : null;
  };
  const isExpected = (part: Part, index: number): boolean => {
    const result = results[index];
    switch (part.type) {
      case "created":
        return idOf(index) !== null;
      case "existing":
        return idOf(index) === part.id;
      case "repeated":
        return idOf(index) === idOf(part.part);
      case "refused":
        return (
          result !== undefined &&
          "refusal" in result &&
          result.refusal === part.tag &&
          (part.tokens.length === 0 || part.tokens.some((token) => result.message.startsWith(`${token}: `)))
        );
    }
  };
  return parts.length === results.length && parts.every(isExpected)
    ? null
    : `the batch returned ${formatValue(results)}, the model says ${formatValue(parts)}`;
};

/** The difference between the predicted and the actual outcome; null when there is none. */
export const outcomeMismatch = ({ expected }: Prediction, outcome: Outcome): string | null => {
  if (outcome.type === "failed") return outcome.detail;
  if (expected.type === "refused") {
    const due = expected.tokens.length === 0 ? expected.tag : expected.tokens.join(" or ");
    if (outcome.type !== "refused" || outcome.tag !== expected.tag)
      return `${labelOf(outcome)}, the model says ${due}`;
    if (expected.tag !== "Conflict") return null;
    if (outcome.token === null || !expected.tokens.includes(outcome.token))
      return `${labelOf(outcome)}, the model says ${due}`;
    return outcome.message.startsWith(`${outcome.token}: `)
      ? null
      : `the message does not begin with its token:  ${outcome.message}`;
  }
  if (outcome.type === "refused") return `${labelOf(outcome)} (${outcome.message}), the model says success`;
  if (expected.replayed !== outcome.replayed) return `replayed is ${outcome.replayed}`;
  if (expected.id !== null && expected.id !== outcome.id)
    return `id ${outcome.id}, the model says ${expected.id}`;
  if (expected.parts !== undefined) return batchMismatch(expected.parts, outcome.results ?? []);
  return expected.body === undefined || isSameBody(expected.body, outcome.body)
    ? null
    : `${formatValue(outcome.body)}, the model says ${formatValue(expected.body)}`;
};

/** Formats a command in one line, with the id of its principal only. */
export const describeCommand = (command: Command): string =>
  formatValue("principal" in command ? { ...command, principal: command.principal.principalId } : command);

/** Formats a value as JSON, big integers as strings of digits. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));

const isSameBody = (a: unknown, b: unknown): boolean =>
  sameJson(JSON.parse(toJson(a)), JSON.parse(toJson(b)));

/** The change sets that the last command stored for the session's own customers. */
export const commitsOf = ({ harness, principals }: ModelSession): ReadonlyArray<ChangeSet> =>
  harness.recorded.commits.flatMap(({ customerId, changeSet }) =>
    principals.customers.includes(customerId) ? [changeSet] : [],
  );

/** Findings when a refusal, a replay or a command without effect has stored something. */
const storeFindings = (
  session: ModelSession,
  { expected, stores }: Prediction,
  outcome: Outcome,
): ReadonlyArray<Finding> => {
  const { documents } = session.harness.recorded;
  const commits = commitsOf(session);
  const found: Array<Finding> = [];
  if (outcome.type === "refused" && (commits.length > 0 || documents.size > 0)) {
    found.push({ name: "L3", detail: "a refused command has stored something" });
  }
  if (outcome.type !== "succeeded" || expected.type !== "succeeded") return found;
  if (outcome.replayed && (commits.length > 0 || documents.size > 0)) {
    found.push({ name: "L5", detail: "a replayed command has stored something" });
  }
  const changes = commits.reduce((sum, commit) => sum + commit.changes.length + commit.outbox.length, 0);
  if (!stores && changes > 0) {
    found.push({ name: "L4", detail: "an accepted command that changes nothing has stored changes" });
  }
  return found;
};

/** The payment order that the model expects for the current attempt; null for an unknown settlement. */
const expectedOrder = ({ world }: ModelSession, settlementId: string) => {
  const settlement = world.settlements.find(({ id }) => id === settlementId);
  if (settlement === undefined) return null;
  const { id, customerId, partnerId, currency, references, payableAmount } = settlement;
  return {
    reference: references.at(-1),
    customerId,
    settlementId: id,
    partnerId,
    amount: payableAmount,
    currency,
    account: payeeOf(settlement),
  };
};

/** Checks that payment orders equal the approved amounts and that no reference is used twice; throws {@link FindingsError}. */
const checkOrders = (session: ModelSession): void => {
  for (const order of session.harness.recorded.orders) {
    if (!session.principals.customers.includes(order.customerId)) continue;
    const expected = expectedOrder(session, order.settlementId);
    const again = session.orderedReferences.has(order.reference) ? " a second time" : "";
    session.orderedReferences.add(order.reference);
    if (again !== "" || !isSameBody(expected, order))
      throw new FindingsError([
        {
          name: "M10",
          detail: `ordered${again} ${formatValue(order)}, the model says ${formatValue(expected)}`,
        },
      ]);
  }
};

/** Runs an effect that must succeed and returns its value; throws {@link FindingsError} when it fails. */
export const runOrThrow = async <A, E>(
  session: ModelSession,
  effect: Parameters<typeof run<A, E>>[1],
): Promise<A> => {
  const exit = await run(session.harness, effect);
  if (Exit.isSuccess(exit)) return exit.value;
  throw new FindingsError([{ name: "store", detail: String(exit.cause) }]);
};

/** Reads what the model cannot predict: the ids of new commissions, and payment references. */
export const learnIds = async (session: ModelSession): Promise<void> => {
  const unnamed = session.world.commissions.filter(({ id }) => id === null);
  if (unnamed.length > 0) {
    const attributionIds = [...new Set(unnamed.map(({ attributionId }) => attributionId))];
    for (const customerId of session.principals.customers) {
      const rows = await runOrThrow(session, listAll(customerId, "commission", { attributionIds }));
      session.world = withCommissionIds(session.world, rows);
    }
  }
  for (const { id, customerId, hasReference, references, attempt } of session.world.settlements) {
    if (!hasReference || references.length === attempt) continue;
    const [row] = await runOrThrow(session, session.harness.storage.find(customerId, "settlement", [id]));
    if (row?.paymentReference != null) session.world = withReference(session.world, id, row.paymentReference);
  }
};

const KEYED_MAX = 20;

const recordCommand = ({ history }: ModelSession, command: Command): CommandHistory => {
  const keyed =
    command.type === "report_payment" || ("idempotency" in command && command.idempotency !== null);
  return {
    keyed: keyed ? [command, ...history.keyed].slice(0, KEYED_MAX) : history.keyed,
    count: history.count + 1,
  };
};

/** The number of commands between two comparisons of the whole state before and after a refused command. */
const STATE_DUMP_EVERY = 97;

const dumpStates = ({ harness, principals }: ModelSession) =>
  Effect.forEach(principals.customers, (customerId: CustomerId) => stateDump(customerId)).pipe(
    Effect.map((all) => JSON.stringify(all)),
    Effect.provide(harness.runtime),
  );

/** Performs one command on engine and model and compares them; throws {@link FindingsError}. */
export const step = async (session: ModelSession, command: Command): Promise<Outcome> => {
  const { harness, statistics, trace } = session;
  const prediction = predictWithFollowUps(session.world, command);
  session.performed.push(command);
  harness.recorded.commits.length = 0;
  harness.recorded.documents.clear();
  harness.recorded.orders.length = 0;
  const watches = prediction.expected.type === "refused" && session.history.count % STATE_DUMP_EVERY === 0;
  const before = watches ? await runOrThrow(session, dumpStates(session)) : null;
  const outcome = await perform(harness, command);
  const found: Array<Finding> = [];
  for (const changeSet of commitsOf(session)) found.push(...trace.record(changeSet));
  found.push(...storeFindings(session, prediction, outcome));
  if (before !== null && before !== (await runOrThrow(session, dumpStates(session)))) {
    found.push({ name: "L3", detail: "a refused command has changed what the store shows" });
  }
  const problem = outcomeMismatch(prediction, outcome);
  if (problem !== null) found.push({ name: "outcome", detail: `${nameOf(command)}: ${problem}` });
  if (found.length > 0) throw new FindingsError([...found, ...(await invariantFindings(session))]);
  const worldBefore = session.world;
  session.world = prediction.next(generatedBy(outcome, harness.recorded.commits));
  await learnIds(session);
  checkOrders(session);
  await compareStatuses(session, worldBefore);
  session.history = recordCommand(session, command);
  statistics.commands += 1;
  const name = `${nameOf(command)}: ${labelOf(outcome)}`;
  statistics.outcomes.set(name, (statistics.outcomes.get(name) ?? 0) + 1);
  countEffects(command, outcome, { world: session.world, before: worldBefore }, statistics.outcomes);
  statistics.transcript = digest(`${nameOf(command)} ${toJson(outcome)}`, statistics.transcript);
  return outcome;
};

/** Compares the statuses of the settlements that the command changes in the model. */
const compareStatuses = async (session: ModelSession, before: World): Promise<void> => {
  for (const settlement of session.world.settlements) {
    if (before.settlements.includes(settlement)) continue;
    const { id, customerId, status } = settlement;
    const [row] = await runOrThrow(session, session.harness.storage.find(customerId, "settlement", [id]));
    const different = valueDifference(status, row?.status, "status");
    if (different === null) continue;
    const detail = `settlement ${id}: ${different}`;
    throw new FindingsError([{ name: "state", detail }, ...(await invariantFindings(session))]);
  }
};

/** The invariant violations in the store now. */
export const invariantFindings = async (session: ModelSession): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = [];
  for (const customerId of session.principals.customers) {
    const { snapshot } = await runOrThrow(session, readStore(customerId));
    found.push(...findViolations(snapshot).map(({ name, detail }) => ({ name, detail })));
  }
  return found;
};

/** Compares everything the store shows with the model, and checks the invariants; throws {@link FindingsError}. */
export const compare = async (session: ModelSession): Promise<void> => {
  const found: Array<Finding> = [];
  for (const customerId of session.principals.customers) {
    const { snapshot, view } = await runOrThrow(session, readStore(customerId));
    found.push(...findViolations(snapshot).map(({ name, detail }) => ({ name, detail })));
    const drafts = view.settlements.map(({ row }) => row);
    for (const violation of runViolations(view.runs, view.results ?? [], drafts))
      found.push({ name: violation.slice(0, 2), detail: violation });
    const different = compareStore(customerId, view)(session.world);
    if (different !== null) found.push({ name: "state", detail: different });
    // A store whose lines contradict its logs may have no statement to show; what contradicts is the finding.
    if (customerId === session.principals.customers[0] && found.length === 0) {
      found.push(...(await runOrThrow(session, bookDifferences(session.harness, customerId, snapshot))));
    }
  }
  if (found.length > 0) throw new FindingsError(found);
};
