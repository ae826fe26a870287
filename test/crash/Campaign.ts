/** Crash cycles: load, kill at a moment that a seed decides, audit at rest, start again on what is left. */
import { Effect } from "effect";
import { audit, auditDocuments } from "./Audit.ts";
import { close } from "./Closing.ts";
import type { Cluster, Database } from "./Database.ts";
import { drain } from "./Engine.ts";
import { isRepeatable, Journal, outcome } from "./Journal.ts";
import { dispatch, type Load, load, work } from "./Load.ts";
import type { Running } from "./Process.ts";
import { type Random, random } from "./Random.ts";
import { serve } from "./Server.ts";
import { settle } from "./World.ts";

/** What is killed, and what is left running meanwhile. */
export type Variant =
  /** The only server. */
  | { readonly name: "one server"; readonly database: Database }
  /** One of two servers without worker and a worker of its own; then the others. */
  | { readonly name: "two servers and a worker"; readonly database: Database }
  /** PostgreSQL, under a server that stays; then that server. */
  | { readonly name: "the database"; readonly database: Cluster };

/** How many cycles, of how much load. */
export interface Size {
  readonly cycles: number;
  readonly seed: number;
  /** Users at the same time. */
  readonly users: number;
  /** Answers between a start and a kill: at least and at most. */
  readonly answers: readonly [number, number];
}

/** What a campaign saw. */
export interface Report {
  readonly cycles: number;
  readonly acknowledged: number;
  /** Commands whose answer a kill took away, and how many of these turned out to be stored on repetition or not. */
  readonly lost: number;
  readonly settlements: number;
  readonly paid: number;
  readonly documents: number;
  /** Everything that should not be; empty when the promise holds. */
  readonly problems: ReadonlyArray<string>;
  /** The kills, in words: the same for the same seed. */
  readonly schedule: ReadonlyArray<string>;
  readonly milliseconds: number;
}

const WAIT_LIMIT_MILLISECONDS = 30_000;

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
  /** Servers that users talk to. */
  readonly servers: ReadonlyArray<Running>;
  readonly workers: ReadonlyArray<Running>;
}

const everyone = ({ servers, workers }: Fleet): ReadonlyArray<Running> => [...servers, ...workers];

const start = async ({ name, database }: Variant): Promise<Fleet> => {
  if (name !== "two servers and a worker") {
    return { servers: [await serve(database.url, { worker: true })], workers: [] };
  }
  const [one, other, worker] = await Promise.all([
    serve(database.url, { worker: false }),
    serve(database.url, { worker: false }),
    serve(database.url, { worker: true }),
  ]);
  return { servers: [one, other], workers: [worker] };
};

/** Asks again for everything unknown, and for the latest of what was answered: the journal judges the answers. */
const repeatLost = async (load: Load, random: Random): Promise<void> => {
  const repeatable = load.journal.entries.filter(isRepeatable);
  const unknown = repeatable.filter((entry) => outcome(entry) === "unknown");
  const known = repeatable.filter((entry) => outcome(entry) === "done").slice(-15);
  await Promise.all([...unknown, ...known].map((entry) => dispatch(load, random, entry)));
};

/** One kill in words and as numbers. */
interface Strike {
  readonly answers: number;
  readonly delayMilliseconds: number;
  readonly victim: number;
  readonly outageMilliseconds: number;
}

const strikeOf = (random: Random, [least, most]: Size["answers"]): Strike => ({
  answers: random.integer(least, most),
  delayMilliseconds: random.integer(0, 30),
  victim: random.integer(0, 2),
  outageMilliseconds: random.integer(0, 400),
});

const told = ({ answers, delayMilliseconds, victim, outageMilliseconds }: Strike): string =>
  `${answers} answers + ${delayMilliseconds} ms, process ${victim}, ${outageMilliseconds} ms`;

const killFirst = async (variant: Variant, fleet: Fleet, load: Load, strike: Strike): Promise<void> => {
  if (variant.name === "the database") {
    await variant.database.kill();
    await pause(strike.outageMilliseconds);
    await variant.database.restart();
    const before = load.acknowledged;
    await until("the server to find its database again", () => load.acknowledged >= before + 20);
  }
  if (variant.name === "two servers and a worker") {
    const victim = everyone(fleet)[strike.victim];
    const left = load.urls.filter((url) => url !== victim?.url);
    load.urls.splice(0, load.urls.length, ...left);
    await victim?.kill();
    await pause(strike.outageMilliseconds);
  }
};

const cycle = async (variant: Variant, load: Load, random: Random, size: Size, strike: Strike) => {
  const fleet = await start(variant);
  try {
    load.urls.splice(0, load.urls.length, ...fleet.servers.map(({ url }) => url));
    await repeatLost(load, random);
    const target = load.acknowledged + strike.answers;
    const working = work(load, random, size.users);
    await until("answers under load", () => load.acknowledged >= target);
    await pause(strike.delayMilliseconds);
    await killFirst(variant, fleet, load, strike);
    await Promise.all(everyone(fleet).map(({ kill }) => kill()));
    load.stopped = true;
    await working;
  } finally {
    load.stopped = true;
    await Promise.all(everyone(fleet).map(({ kill }) => kill()));
  }
  await variant.database.atRest();
};

const first = async ({ database }: Variant) => {
  const server = await serve(database.url, { worker: false });
  try {
    return await settle(server.url);
  } finally {
    await server.kill();
  }
};

/** Runs the cycles of a variant on a new customer, then closes its books. Stops at the first cycle that finds a problem. */
export const campaign = async (variant: Variant, size: Size): Promise<Report> => {
  const startedAt = Date.now();
  const decide = random(size.seed);
  const strikes = Array.from({ length: size.cycles }, () => strikeOf(decide, size.answers));
  const world = await first(variant);
  const state = load(world, new Journal());
  const { layer } = variant.database;
  const examine = () => Effect.runPromise(Effect.provide(audit(world, state.journal), layer));
  let lost = 0;
  let problems: ReadonlyArray<string> = [];
  let done = 0;
  for (const strike of strikes) {
    await cycle(variant, state, decide.fork(), size, strike);
    lost += state.journal.entries.filter((entry) => entry.answers.at(-1)?.type === "lost").length;
    done += 1;
    problems = (await examine()).problems;
    if (problems.length > 0) break;
  }
  const end = await Effect.runPromise(
    Effect.gen(function* () {
      if (problems.length > 0) return { problems, paid: 0, documents: 0, settlements: 0 };
      yield* drain;
      const { books, problems: found } = yield* audit(world, state.journal);
      const ofDocuments = yield* auditDocuments(world, books);
      const paid = books.settlements.filter(({ row }) => row.status.type === "paid").length;
      const documents = books.settlements.flatMap(({ log }) =>
        log.filter(({ event }) => event.type.startsWith("link_")),
      ).length;
      const closing = yield* close(world);
      return {
        problems: [...found, ...ofDocuments, ...closing.problems],
        paid,
        documents,
        settlements: books.settlements.length,
      };
    }).pipe(Effect.provide(layer)),
  );
  return {
    ...end,
    cycles: done,
    acknowledged: state.acknowledged,
    lost,
    schedule: strikes.map(told),
    milliseconds: Date.now() - startedAt,
  };
};
