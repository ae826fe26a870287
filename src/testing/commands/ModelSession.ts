/** One run under way: the engine and the model side by side, and everything that is checked after each command. */
import { Effect, Exit } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import { sameJson } from "../../domain/Json.ts";
import type { ChangeSet } from "../../ports/Storage.ts";
import type { BatchResult } from "../../services/Attributions.ts";
import { findings } from "../invariants.ts";
import { shown } from "../Law.ts";
import type { Command } from "../model/Command.ts";
import { predictWhole, withCommissionIds, withReference } from "../model/Model.ts";
import type { Part, Prediction } from "../model/Prediction.ts";
import type { Policy, World } from "../model/World.ts";
import { empty } from "../model/World.ts";
import { all, stateDump } from "../StateDump.ts";
import { type Answer, madeOf, perform } from "./Call.ts";
import type { Memory } from "./Choice.ts";
import { type Harness, run } from "./Harness.ts";
import { difference, differing, sight } from "./ModelComparison.ts";
import { type Principals, principals } from "./Principals.ts";
import { digest, seededRandom } from "./SeededRandom.ts";
import { type Finding, Trace } from "./Trace.ts";

/** The moment at which every run begins: shortly before a month and a week end. */
export const START = Date.parse("2026-01-31T22:30:00.000Z");

/** A run has come upon something wrong. */
export class Broken extends Error {
  readonly findings: ReadonlyArray<Finding>;

  constructor(findings: ReadonlyArray<Finding>) {
    super(findings.map(({ name, detail }) => `${name}: ${detail}`).join("\n"));
    this.findings = findings;
  }
}

/** What the answers of several runs come to. */
export interface Statistics {
  commands: number;
  /** Commands by class and answer. */
  readonly answers: Map<string, number>;
  /** Steps of settlements by row of the table. */
  readonly rows: Map<string, number>;
  /** Of every command and answer, in order. */
  transcript: number;
}

/** Statistics of nothing yet. */
export const noStatistics = (): Statistics => ({
  commands: 0,
  answers: new Map(),
  rows: new Map(),
  transcript: digest(""),
});

/** The run. */
export interface ModelSession {
  readonly harness: Harness;
  readonly cast: Principals;
  readonly trace: Trace;
  readonly statistics: Statistics;
  /** Every command performed, in order. */
  readonly done: Array<Command>;
  /** The references of payment orders that the provider was given. */
  readonly ordered: Set<string>;
  world: World;
  memory: Memory;
}

/** Begins a run over a harness that has just been opened. */
export const begin = (
  harness: Harness,
  seed: number,
  policy: Policy,
  statistics: Statistics,
  done: Array<Command>,
): ModelSession => ({
  harness,
  cast: principals(seededRandom(seed ^ 0x5eed)),
  trace: new Trace(statistics.rows),
  statistics,
  done,
  ordered: new Set(),
  world: empty(harness.clock.now, policy),
  memory: { keyed: [], count: 0 },
});

/** What a command is called in findings and statistics. */
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

/** An answer in a word: `ok`, `replayed`, a token, or what kind of refusal. */
export const labelOf = (answer: Answer): string =>
  answer.type === "answered"
    ? answer.replayed
      ? "replayed"
      : "ok"
    : answer.type === "refused"
      ? (answer.token ?? answer.tag)
      : "broken";

/** What is wrong with the results of a batch, or null. */
const partsProblem = (parts: ReadonlyArray<Part>, results: ReadonlyArray<BatchResult>): string | null => {
  const idOf = (part: number): string | null => {
    const result = results[part];
    return result !== undefined && "id" in result ? result.id : null;
  };
  const right = (part: Part, index: number): boolean => {
    const result = results[index];
    switch (part.type) {
      case "made":
        return idOf(index) !== null;
      case "known":
        return idOf(index) === part.id;
      case "again":
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
  return parts.length === results.length && parts.every(right)
    ? null
    : `the batch answers ${shown(results)}, the model says ${shown(parts)}`;
};

/** What is wrong with an answer, or null. */
export const answerProblem = ({ expected }: Prediction, answer: Answer): string | null => {
  if (answer.type === "broken") return answer.detail;
  if (expected.type === "refused") {
    const due = expected.tokens.length === 0 ? expected.tag : expected.tokens.join(" or ");
    if (answer.type !== "refused" || answer.tag !== expected.tag)
      return `${labelOf(answer)}, the model says ${due}`;
    if (expected.tag !== "Conflict") return null;
    if (answer.token === null || !expected.tokens.includes(answer.token))
      return `${labelOf(answer)}, the model says ${due}`;
    return answer.message.startsWith(`${answer.token}: `)
      ? null
      : `the message hides its token: ${answer.message}`;
  }
  if (answer.type === "refused") return `${labelOf(answer)} (${answer.message}), the model says success`;
  if (expected.replayed !== answer.replayed) return `replayed is ${answer.replayed}`;
  if (expected.id !== null && expected.id !== answer.id)
    return `id ${answer.id}, the model says ${expected.id}`;
  if (expected.parts !== undefined) return partsProblem(expected.parts, answer.results ?? []);
  return expected.body === undefined || sameAnswer(expected.body, answer.body)
    ? null
    : `${shown(answer.body)}, the model says ${shown(expected.body)}`;
};

/** A command in one line, its principal by id alone. */
export const told = (command: Command): string =>
  shown("principal" in command ? { ...command, principal: command.principal.principalId } : command);

/** A value as text, big integers as their digits. */
const written = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));

const sameAnswer = (one: unknown, other: unknown): boolean =>
  sameJson(JSON.parse(written(one)), JSON.parse(written(other)));

/** What the last command has stored of the run's own customers. */
export const commitsOf = ({ harness, cast }: ModelSession): ReadonlyArray<ChangeSet> =>
  harness.watched.commits.flatMap(({ customerId, changeSet }) =>
    cast.customers.includes(customerId) ? [changeSet] : [],
  );

/** What a refusal, an accepted command without effect, or a replay must not have done. */
const storeFindings = (
  play: ModelSession,
  { expected, stores }: Prediction,
  answer: Answer,
): ReadonlyArray<Finding> => {
  const { documents } = play.harness.watched;
  const commits = commitsOf(play);
  const found: Array<Finding> = [];
  if (answer.type === "refused" && (commits.length > 0 || documents.size > 0)) {
    found.push({ name: "L3", detail: "a refused command has stored something" });
  }
  if (answer.type !== "answered" || expected.type !== "answered") return found;
  if (answer.replayed && (commits.length > 0 || documents.size > 0)) {
    found.push({ name: "L5", detail: "a replayed command has stored something" });
  }
  const changes = commits.reduce((sum, commit) => sum + commit.changes.length + commit.outbox.length, 0);
  if (!stores && changes > 0) {
    found.push({ name: "L4", detail: "an accepted command that changes nothing has stored changes" });
  }
  return found;
};

/** The order that the model expects for the attempt under way, in its own words. */
const expectedOrder = ({ world }: ModelSession, settlementId: string) => {
  const settlement = world.settlements.find(({ id }) => id === settlementId);
  if (settlement === undefined) return null;
  const { id, customerId, partnerId, currency, references, payableAmount, selfBillingData } = settlement;
  const bankAccount = selfBillingData?.bankAccount;
  return {
    reference: references.at(-1),
    customerId,
    settlementId: id,
    partnerId,
    amount: payableAmount,
    currency,
    bankAccount,
  };
};

/** Payment orders that are not what was approved, or that a reference is given twice; {@link Broken} when there are. */
const checkOrders = (play: ModelSession): void => {
  for (const order of play.harness.watched.orders) {
    if (!play.cast.customers.includes(order.customerId)) continue;
    const expected = expectedOrder(play, order.settlementId);
    const again = play.ordered.has(order.reference) ? " a second time" : "";
    play.ordered.add(order.reference);
    if (again !== "" || !sameAnswer(expected, order))
      throw new Broken([
        { name: "M10", detail: `ordered${again} ${shown(order)}, the model says ${shown(expected)}` },
      ]);
  }
};

/** The value of an effect that should not fail; {@link Broken} when it does. */
export const succeed = async <A, E>(
  play: ModelSession,
  effect: Parameters<typeof run<A, E>>[1],
): Promise<A> => {
  const exit = await run(play.harness, effect);
  if (Exit.isSuccess(exit)) return exit.value;
  throw new Broken([{ name: "store", detail: String(exit.cause) }]);
};

/** Tells the model what it could not foretell: ids of new commissions, and payment references. */
export const learn = async (play: ModelSession): Promise<void> => {
  const unnamed = play.world.commissions.filter(({ id }) => id === null);
  if (unnamed.length > 0) {
    const attributionIds = [...new Set(unnamed.map(({ attributionId }) => attributionId))];
    for (const customerId of play.cast.customers) {
      const rows = await succeed(play, all(customerId, "commission", { attributionIds }));
      play.world = withCommissionIds(play.world, rows);
    }
  }
  for (const { id, customerId, hasReference, references, attempt } of play.world.settlements) {
    if (!hasReference || references.length === attempt) continue;
    const [row] = await succeed(play, play.harness.storage.find(customerId, "settlement", [id]));
    if (row?.paymentReference != null) play.world = withReference(play.world, id, row.paymentReference);
  }
};

const MEMORY = 20;

const remember = ({ memory }: ModelSession, command: Command): Memory => {
  const keyed =
    command.type === "report_payment" || ("idempotency" in command && command.idempotency !== null);
  return {
    keyed: keyed ? [command, ...memory.keyed].slice(0, MEMORY) : memory.keyed,
    count: memory.count + 1,
  };
};

/** How often a refused command is compared by everything the store shows before and after. */
const PORTRAIT_EVERY = 97;

const portraits = ({ harness, cast }: ModelSession) =>
  Effect.forEach(cast.customers, (customerId: CustomerId) => stateDump(customerId)).pipe(
    Effect.map((all) => JSON.stringify(all)),
    Effect.provide(harness.runtime),
  );

/** Performs one command on both sides and compares; fails with {@link Broken}. */
export const step = async (play: ModelSession, command: Command): Promise<Answer> => {
  const { harness, statistics, trace } = play;
  const prediction = predictWhole(play.world, command);
  play.done.push(command);
  harness.watched.commits.length = 0;
  harness.watched.documents.clear();
  harness.watched.orders.length = 0;
  const watches = prediction.expected.type === "refused" && play.memory.count % PORTRAIT_EVERY === 0;
  const before = watches ? await succeed(play, portraits(play)) : null;
  const answer = await perform(harness, command);
  const found: Array<Finding> = [];
  for (const changeSet of commitsOf(play)) found.push(...trace.follow(changeSet));
  found.push(...storeFindings(play, prediction, answer));
  if (before !== null && before !== (await succeed(play, portraits(play)))) {
    found.push({ name: "L3", detail: "a refused command has changed what the store shows" });
  }
  const problem = answerProblem(prediction, answer);
  if (problem !== null) found.push({ name: "answer", detail: `${nameOf(command)}: ${problem}` });
  if (found.length > 0) throw new Broken([...found, ...(await brokenInvariants(play))]);
  const worldBefore = play.world;
  play.world = prediction.next(madeOf(answer));
  await learn(play);
  checkOrders(play);
  await compareStatuses(play, worldBefore);
  play.memory = remember(play, command);
  statistics.commands += 1;
  const name = `${nameOf(command)}: ${labelOf(answer)}`;
  statistics.answers.set(name, (statistics.answers.get(name) ?? 0) + 1);
  statistics.transcript = digest(`${nameOf(command)} ${written(answer)}`, statistics.transcript);
  return answer;
};

/** The statuses of the settlements that the command has changed, or should have. */
const compareStatuses = async (play: ModelSession, before: World): Promise<void> => {
  for (const settlement of play.world.settlements) {
    if (before.settlements.includes(settlement)) continue;
    const { id, customerId, status } = settlement;
    const [row] = await succeed(play, play.harness.storage.find(customerId, "settlement", [id]));
    const different = differing(status, row?.status, "status");
    if (different === null) continue;
    const detail = `settlement ${id}: ${different}`;
    throw new Broken([{ name: "state", detail }, ...(await brokenInvariants(play))]);
  }
};

/** What the invariants find in the store now. */
export const brokenInvariants = async (play: ModelSession): Promise<ReadonlyArray<Finding>> => {
  const found: Array<Finding> = [];
  for (const customerId of play.cast.customers) {
    const { books } = await succeed(play, sight(customerId));
    found.push(...findings(books).map(({ name, detail }) => ({ name, detail })));
  }
  return found;
};

/** Compares everything that the store shows with the model, and checks the invariants; fails with {@link Broken}. */
export const compare = async (play: ModelSession): Promise<void> => {
  const found: Array<Finding> = [];
  for (const customerId of play.cast.customers) {
    const { books, seen } = await succeed(play, sight(customerId));
    found.push(...findings(books).map(({ name, detail }) => ({ name, detail })));
    const different = difference(play.world, customerId, seen);
    if (different !== null) found.push({ name: "state", detail: different });
  }
  if (found.length > 0) throw new Broken(found);
};
