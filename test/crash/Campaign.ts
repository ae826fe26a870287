/** Crash cycles: runs load, kills processes at a moment derived from a seed, audits the store, and restarts on the same data. */
import { Effect } from "effect";
import { type Random, random } from "../support/Random.ts";
import { audit, auditDocuments, auditPlans } from "./Audit.ts";
import { close } from "./Closing.ts";
import type { Cluster, Database } from "./Database.ts";
import { drain } from "./Engine.ts";
import { auditFeed } from "./Followers.ts";
import { isLastResultDefinite, isRepeatable, Journal, outcome } from "./Journal.ts";
import { dispatch, type Load, load } from "./Load.ts";
import type { Running } from "./Process.ts";
import * as Cutting from "./Proxy.ts";
import { serve } from "./Server.ts";
import { work } from "./Users.ts";
import { addPlans, addUplines, createCustomer, IDLE_PARTNERS } from "./World.ts";

/** Which processes run and which are killed first. At the end of a cycle all servers and workers are killed. */
export type Variant =
  /** Kills the only server. */
  | { readonly name: "one server"; readonly database: Database }
  /** Two servers without a worker and a separate worker: kills one of the three, then the others. */
  | { readonly name: "two servers and a worker"; readonly database: Database }
  /** Kills and restarts PostgreSQL while the server runs, then kills the server. */
  | { readonly name: "the database"; readonly database: Cluster }
  /** Cuts connections to PostgreSQL several times, some at an exact point of a commit, then kills the server. */
  | { readonly name: "the connections"; readonly database: Cluster };

/** The number of cycles and the load. */
export interface Size {
  readonly cycles: number;
  readonly seed: number;
  /** Concurrent users. */
  readonly users: number;
  /** The least and the greatest number of responses between a start and a kill. */
  readonly responses: readonly [number, number];
}

/** The counts and problems of a campaign. */
export interface Report {
  readonly cycles: number;
  readonly acknowledged: number;
  /** Commands without a definite response after a kill. */
  readonly lost: number;
  readonly settlements: number;
  /** Settlements marked as paid before the closing of `Closing.ts`. */
  readonly paid: number;
  readonly documents: number;
  /** Changes of plans, each applied to every formula of its plan. */
  readonly planChanges: number;
  /** Values of partners that are stated, after the first ones. */
  readonly rates: number;
  /** Completed settlement runs. */
  readonly runs: number;
  /** Events that all readers of the feed received during the campaign. */
  readonly followed: number;
  /** Every violation found; empty when there is none. */
  readonly problems: ReadonlyArray<string>;
  /** A description of each kill; the same seed gives the same kills. */
  readonly schedule: ReadonlyArray<string>;
  readonly milliseconds: number;
}

const WAIT_LIMIT_MILLISECONDS = 180_000;

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

const until = async (what: string, holds: () => boolean): Promise<void> => {
  const deadline = Date.now() + WAIT_LIMIT_MILLISECONDS;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`waited too long for ${what}`);
    await pause(1);
  }
};

interface Fleet {
  /** The servers that receive the users' requests. */
  readonly servers: ReadonlyArray<Running>;
  readonly workers: ReadonlyArray<Running>;
  /** The proxy between server and database; null when no connections are cut. */
  readonly proxy: Cutting.Proxy | null;
}

const everyone = ({ servers, workers }: Fleet): ReadonlyArray<Running> => [...servers, ...workers];

const start = async ({ name, database }: Variant): Promise<Fleet> => {
  if (name === "the connections") {
    const proxy = await Cutting.open(database.url);
    return { servers: [await serve(proxy.url, { worker: true })], workers: [], proxy };
  }
  if (name !== "two servers and a worker") {
    return { servers: [await serve(database.url, { worker: true })], workers: [], proxy: null };
  }
  const [one, other, worker] = await Promise.all([
    serve(database.url, { worker: false }),
    serve(database.url, { worker: false }),
    serve(database.url, { worker: true }),
  ]);
  return { servers: [one, other], workers: [worker], proxy: null };
};

/** Kills every process that still runs and closes the proxy; a second call does nothing. */
const stop = async (fleet: Fleet): Promise<void> => {
  await Promise.all(everyone(fleet).map(({ kill }) => kill()));
  await fleet.proxy?.close();
};

const REPEATED_AT_ONCE = 8;

/** How often a command is repeated at the end until its response is definite: a connection may be closed as it is used again. */
const TRIES_MAX = 3;

/** Repeats every repeatable command; the journal checks the responses. */
const repeatAll = async (load: Load, random: Random, tries = 1): Promise<void> => {
  const queue = load.journal.entries.filter(isRepeatable).filter(({ results }) => results.length > 0);
  const repeat = async (): Promise<void> => {
    for (let entry = queue.pop(); entry !== undefined; entry = queue.pop())
      for (let tried = 0; tried === 0 || (tried < tries && !isLastResultDefinite(entry)); tried++)
        await dispatch(load, random, entry);
  };
  await Promise.all(Array.from({ length: REPEATED_AT_ONCE }, repeat));
};

/** Repeats every repeatable command on a new server; returns the commands that got no definite response. */
const repeatAtTheEnd = async ({ database }: Variant, load: Load, random: Random) => {
  const server = await serve(database.url, { worker: false });
  try {
    load.urls.splice(0, load.urls.length, server.url);
    await repeatAll(load, random, TRIES_MAX);
  } finally {
    await server.kill();
  }
  await database.atRest();
  return load.journal.entries
    .filter((entry) => isRepeatable(entry) && outcome(entry) !== "refused" && !isLastResultDefinite(entry))
    .map(({ request }) => `no response to a repetition: ${request.method} ${request.path}`);
};

/** When and what one cycle kills. */
interface Strike {
  readonly responses: number;
  readonly delayMilliseconds: number;
  readonly victim: number;
  readonly outageMilliseconds: number;
  readonly cuts: ReadonlyArray<Cutting.Point | "now">;
}

const CUTS = ["now", "before it is sent", "right after it is sent", "before the reply arrives"] as const;

const strikeOf = (random: Random, [least, most]: Size["responses"]): Strike => ({
  responses: random.integer(least, most),
  delayMilliseconds: random.integer(0, 30),
  victim: random.integer(0, 2),
  outageMilliseconds: random.integer(0, 400),
  cuts: random.some([...CUTS, ...CUTS], 5),
});

const describeStrike = ({ name }: Variant, strike: Strike): string => {
  const moment = `after ${strike.responses} responses and ${strike.delayMilliseconds} ms`;
  switch (name) {
    case "one server":
      return moment;
    case "two servers and a worker":
      return `${moment}: process ${strike.victim}, the others ${strike.outageMilliseconds} ms later`;
    case "the database":
      return `${moment}: the database for ${strike.outageMilliseconds} ms, then the server`;
    case "the connections":
      return `${moment}: connections cut ${strike.cuts.join(", ")}, then the server`;
  }
};

const waitForResponses = (load: Load, count: number): Promise<void> => {
  const target = load.acknowledged + count;
  return until("the server to respond again", () => load.acknowledged >= target);
};

const cutAll = async (proxy: Cutting.Proxy, load: Load, strike: Strike): Promise<void> => {
  for (const point of strike.cuts) {
    if (point === "now") proxy.sever();
    else {
      let happened = false;
      void proxy.cut(point, strike.outageMilliseconds).then(() => {
        happened = true;
      });
      await until("a commit to cut", () => happened);
    }
    await waitForResponses(load, 10);
  }
};

const killFirst = async (variant: Variant, fleet: Fleet, load: Load, strike: Strike): Promise<void> => {
  if (variant.name === "the database") {
    await variant.database.kill();
    await pause(strike.outageMilliseconds);
    await variant.database.restart();
    await waitForResponses(load, 20);
  }
  if (fleet.proxy !== null) await cutAll(fleet.proxy, load, strike);
  if (variant.name === "two servers and a worker") {
    const victim = everyone(fleet)[strike.victim];
    const left = load.urls.filter((url) => url !== victim?.url);
    load.urls.splice(0, load.urls.length, ...left);
    await victim?.kill();
    await pause(strike.outageMilliseconds);
  }
};

/** Runs load on a fleet until its processes have been killed as planned. */
const runUntilKilled = async (
  variant: Variant,
  fleet: Fleet,
  load: Load,
  random: Random,
  size: Size,
  strike: Strike,
): Promise<void> => {
  load.urls.splice(0, load.urls.length, ...fleet.servers.map(({ url }) => url));
  await repeatAll(load, random);
  const target = load.acknowledged + strike.responses;
  const working = work(load, random, size.users);
  try {
    await until("responses under load", () => load.acknowledged >= target);
    await pause(strike.delayMilliseconds);
    await killFirst(variant, fleet, load, strike);
  } finally {
    await stop(fleet);
    load.stopped = true;
    await working;
  }
};

/** Runs one cycle; returns the error that ended it early and the servers' standard error, or an empty list. */
const cycle = async (...given: Parameters<typeof runUntilKilled>): Promise<ReadonlyArray<string>> => {
  const [{ database }, fleet] = given;
  try {
    await runUntilKilled(...given);
    await database.atRest();
    return [];
  } catch (error) {
    await stop(fleet);
    return [String(error), ...everyone(fleet).map(({ errors }) => errors())];
  }
};

/** Starts the first fleet and creates the customer. */
const first = async (variant: Variant): Promise<{ readonly fleet: Fleet; readonly load: Load }> => {
  const fleet = await start(variant);
  try {
    const url = fleet.servers[0]?.url ?? "";
    const idle = variant.name === "two servers and a worker" ? IDLE_PARTNERS : 0;
    const planned = await addPlans(url, await createCustomer(url), idle);
    return { fleet, load: load(await addUplines(url, planned), new Journal()) };
  } catch (error) {
    await stop(fleet);
    throw error;
  }
};

const NOTHING = { problems: [], paid: 0, documents: 0, settlements: 0, planChanges: 0, rates: 0, runs: 0 };

/** Handles the remaining outbox messages, audits all records, and settles everything that is due. */
const ending = ({ world, journal, followers }: Load) =>
  Effect.gen(function* () {
    yield* drain;
    const { books, runs, problems } = yield* audit(world, journal);
    const unfinished = runs.filter(({ state }) => state !== "done").map(({ id }) => `run ${id} is not done`);
    const documentProblems = [...(yield* auditDocuments(world, books)), ...auditPlans(books)];
    const feedProblems = yield* auditFeed(world, books, followers);
    const closingProblems = yield* close(world);
    const events = books.settlements.flatMap(({ log }) => log.map(({ event }) => event.type));
    return {
      problems: [...problems, ...unfinished, ...documentProblems, ...feedProblems, ...closingProblems],
      settlements: books.settlements.length,
      paid: events.filter((type) => type === "mark_as_paid").length,
      documents: events.filter((type) => type.startsWith("link_")).length,
      runs: runs.length,
      rates: books.formulas.reduce((sum, { row }) => sum + Math.max(0, row.parameterValues.length - 1), 0),
      planChanges: books.plans.reduce((sum, { log }) => sum + log.length - 1, 0),
    };
  });

/** Runs the cycles of a variant on a new customer, then settles everything due. Stops after the first cycle with a problem. */
export const campaign = async (variant: Variant, size: Size): Promise<Report> => {
  const startedAt = Date.now();
  const decide = random(size.seed);
  const strikes = Array.from({ length: size.cycles }, () => strikeOf(decide, size.responses));
  const { fleet, load: state } = await first(variant);
  const { world, journal } = state;
  const { layer } = variant.database;
  const examine = () =>
    audit(world, journal).pipe(
      Effect.flatMap(({ books, problems }) =>
        Effect.map(auditFeed(world, books, state.followers), (feedProblems) => [
          ...problems,
          ...feedProblems,
        ]),
      ),
      Effect.provide(layer),
      Effect.runPromise,
    );
  let lost = 0;
  let problems: ReadonlyArray<string> = [];
  let done = 0;
  for (const strike of strikes) {
    const sent = journal.entries.length;
    const running = done === 0 ? fleet : await start(variant);
    const failure = await cycle(variant, running, state, decide.fork(), size, strike);
    lost += journal.entries.slice(sent).filter((entry) => outcome(entry) === "unknown").length;
    done += 1;
    // An error of the cycle may make the audit fail too, which would hide the error.
    problems = failure.length > 0 ? failure : await examine();
    if (problems.length > 0) break;
  }
  const unconfirmed = problems.length > 0 ? [] : await repeatAtTheEnd(variant, state, decide);
  const end = problems.length > 0 ? NOTHING : await Effect.runPromise(Effect.provide(ending(state), layer));
  return {
    ...end,
    problems: [...problems, ...unconfirmed, ...end.problems],
    cycles: done,
    followed: state.followers.reduce((sum, { seen }) => sum + seen.length, 0),
    acknowledged: state.acknowledged,
    lost,
    schedule: strikes.map((strike) => describeStrike(variant, strike)),
    milliseconds: Date.now() - startedAt,
  };
};
