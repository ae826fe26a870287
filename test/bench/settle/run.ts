/**
 * `npm run bench:settle`: every command on a settlement of 10,000 commissions through the services, for customers of several
 * sizes. Each database has two other customers of 100,000 commissions; one of them approves settlements of plain lines and
 * of lines that claw back paid amounts. Measures with autovacuum off on tables never analysed, and after ANALYZE. Compares
 * creating and paying with bare set-based SQL that stores the same rows. Everything is durable when it returns. Rounds
 * alternate between sizes; ratios compare medians.
 *
 * `npm run bench:settle -- --sizes 10000,500000 --statistics analysed --rounds 9 --lines 10000`
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { Effect, Layer, Redacted, type Scope } from "effect";
import type pg from "pg";
import { type Ids, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { type LargeCustomer, make } from "../../support/largeCustomer.ts";
import { approve, refund } from "../../support/settlementApproval.ts";
import { COMMANDS, repeat } from "../../support/settlementCommands.ts";
import * as Bare from "./bare.ts";
import { connection, server, Times } from "./measure.ts";

const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "10000,100000,1000000" },
    statistics: { type: "string", default: "never,analysed" },
    rounds: { type: "string", default: "9" },
    lines: { type: "string", default: "10000" },
  },
});
const LINES = Number(values.lines);
const ROUNDS = Number(values.rounds);
const SIZES = values.sizes.split(",").map(Number);
/** `never` is first, because ANALYZE cannot be undone. */
const STATISTICS = ["never", "analysed"].filter((candidate) =>
  values.statistics.split(",").includes(candidate),
);

const NEIGHBOURS = 2;
const NEIGHBOUR = 100_000;
/** The percentage of the first round; each repetition adds two. */
const PERCENT = 10;

const began = performance.now();
const progress = (text: string): void =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

/** A database with one customer of the measured size and its neighbours. */
interface Place {
  readonly size: number;
  readonly client: pg.Client;
  readonly customer: LargeCustomer;
  /** The customer whose commissions the bare SQL settles. */
  readonly neighbour: LargeCustomer;
  /** The customer whose settlements are approved. */
  readonly approving: LargeCustomer;
  /** The paid commissions of `approving` whose attributions are cancelled. */
  readonly refunds: ReadonlyArray<Ids.CommissionId>;
  readonly run: <A, E>(
    effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof engine>>>,
  ) => Effect.Effect<A, E>;
}

const engine = (url: string) =>
  Quittance.layer().pipe(
    Layer.provide(Pdf.layer),
    Layer.provideMerge(Postgres.layer({ url: Redacted.make(url), maxConnections: 2 })),
  );

const place = (admin: pg.Client, url: string, size: number): Effect.Effect<Place, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const name = `settle_${size}`;
    yield* Effect.promise(() => admin.query(`create database ${name}`));
    const own = new URL(url);
    own.pathname = `/${name}`;
    const context = yield* Layer.build(engine(own.href));
    const client = yield* connection(own.href);
    const run = Effect.provide(context);
    const populated = (count: number) => run(make(client, { size: count, due: LINES }));
    const approving = yield* populated(NEIGHBOUR);
    const refunds = yield* refund(client, approving, LINES);
    let neighbour = approving;
    for (let more = 1; more < NEIGHBOURS; more++) neighbour = yield* populated(NEIGHBOUR);
    const customer = yield* populated(size);
    progress(`${size} commissions beside ${NEIGHBOURS} × ${NEIGHBOUR}`);
    return { size, client, customer, neighbour, approving, refunds, run };
  });

const bare = ({ client, neighbour }: Place, times: Times, size: number) =>
  Effect.gen(function* () {
    const ids = neighbour.due.map(({ id }) => id);
    const amounts = neighbour.due.map(({ amount }) => amount);
    const id = yield* times.of(
      `create, bare ${size}`,
      Effect.promise(() => Bare.create(client, neighbour, ids, amounts)),
    );
    yield* times.of(
      `mark as paid, bare ${size}`,
      Effect.promise(() => Bare.pay(client, neighbour, id)),
    );
  });

/** Approves plain lines, and as many lines that claw back paid amounts, of a customer with {@link NEIGHBOUR} commissions. */
const approvals = ({ approving, refunds, size, run }: Place, times: Times) =>
  Effect.gen(function* () {
    const plain = approving.due.map(({ id }) => id);
    yield* run(approve(approving, plain, (effect) => times.of(`approve ${size}`, effect)));
    yield* run(approve(approving, refunds, (effect) => times.of(`approve refunds ${size}`, effect)));
  });

const round = (here: Place, times: Times, percent: number) =>
  Effect.gen(function* () {
    yield* here.run(
      repeat(here.customer, percent, (command, effect) => times.of(`${command} ${here.size}`, effect)),
    );
    yield* approvals(here, times);
    yield* bare(here, times, here.size);
  });

const cell = (text: string): string => text.padStart(12);

const print = (statistics: string, times: Times): void => {
  console.log(`\n${statistics}: medians of ${ROUNDS} rounds in ms, settlements of ${LINES} lines`);
  const heads = SIZES.map((size) => cell(String(size))).join("");
  console.log(`${"commissions of the customer".padEnd(28)}${heads}${cell("last / first")}`);
  const first = SIZES[0] ?? 0;
  const last = SIZES[SIZES.length - 1] ?? 0;
  const line = (name: string, of: (size: number) => number, digits: number): void => {
    const cells = SIZES.map((size) => cell(of(size).toFixed(digits))).join("");
    console.log(`${name.padEnd(28)}${cells}${cell((of(last) / of(first)).toFixed(2))}`);
  };
  for (const command of COMMANDS) line(command, (size) => times.median(`${command} ${size}`), 0);
  const approval = (size: number): number => times.median(`approve ${size}`);
  const refunding = (size: number): number => times.median(`approve refunds ${size}`);
  line("approve, at a neighbour", approval, 0);
  line("approve refunds, there", refunding, 0);
  line("refunds / plain lines", (size) => refunding(size) / approval(size), 2);
  for (const command of ["create", "mark as paid"]) {
    const ours = (size: number): number => times.median(`${command} ${size}`);
    const theirs = (size: number): number => times.median(`${command}, bare ${size}`);
    line(`${command}, bare SQL`, theirs, 0);
    line(`${command}, ours / bare SQL`, (size) => ours(size) / theirs(size), 2);
  }
};

const bench = Effect.gen(function* () {
  const url = yield* server;
  const admin = yield* connection(url);
  yield* Effect.promise(() => admin.query("alter system set autovacuum = off"));
  yield* Effect.promise(() => admin.query("select pg_reload_conf()"));
  const places = yield* Effect.forEach(SIZES, (size) => place(admin, url, size));
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  let percent = PERCENT;
  for (const statistics of STATISTICS) {
    if (statistics === "analysed") {
      for (const { client } of places) yield* Effect.promise(() => client.query("vacuum (analyze)"));
    }
    yield* Effect.promise(() => admin.query("checkpoint"));
    const times = new Times();
    for (let number = 0; number <= ROUNDS; number++) {
      // The first round is a warm-up.
      const recorded = number === 0 ? new Times() : times;
      for (const here of places) yield* round(here, recorded, percent);
      percent += 2;
      progress(`${statistics}: ${number === 0 ? "warmed up" : `round ${number} of ${ROUNDS}`}`);
    }
    print(statistics === "never" ? "never analysed, autovacuum off" : "after ANALYZE", times);
  }
});

await Effect.runPromise(Effect.scoped(bench));
