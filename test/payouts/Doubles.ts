/**
 * Payments by the bundled server and a hostile payment service: two servers work on one database, are killed at any moment,
 * while the accounts of the partner change, and afterwards the money that left is compared with what the store says.
 */
import * as os from "node:os";
import * as path from "node:path";
import { Effect, Layer, ManagedRuntime } from "effect";
import {
  Attributions,
  type Ids,
  PaymentProvider,
  PayoutDetails,
  Quittance,
  Settlements,
  type Storage,
} from "quittance";
import { checkInvariants, listAll } from "quittance/testing";
import type { Cluster } from "../crash/Database.ts";
import { type Running, startNode } from "../crash/Process.ts";
import * as Given from "../services/Given.ts";
import { type Random, random } from "../support/Random.ts";
import { type ChangingAccounts, changingAccounts } from "./ChangingAccounts.ts";
import {
  type Counts,
  type HostilePaymentService,
  type Effect as Movement,
  start,
} from "./HostilePaymentService.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const BATCH = 500;
const SEEDING = 8;
/** Accounts that are confirmed one after the other while settlements are approved, and later while they are paid. */
const CHANGES = 8;

export interface DoublesReport extends Counts {
  readonly payments: number;
  readonly attempts: number;
  readonly kills: number;
  readonly paid: number;
  /** Settlements for which more money left than one payment. */
  readonly doubles: number;
  /** Changes of the account, and settlements whose account was retired, for which another one was chosen. */
  readonly changes: number;
  readonly redirected: number;
  /** The accounts to which money went. */
  readonly accounts: number;
  readonly problems: ReadonlyArray<string>;
  readonly seconds: number;
}

/** The engine of this process: it creates, initiates and looks; the worker runs in the servers alone. */
const engineOver = (cluster: Cluster) =>
  ManagedRuntime.make(
    Quittance.layer({ documents: "manual", payoutAccounts: "second_person" }).pipe(
      Layer.provide([
        Given.RENDERER,
        Layer.succeed(
          PaymentProvider.PaymentProvider,
          PaymentProvider.provider({
            send: () => Effect.never,
            takes: PayoutDetails.PayoutType.literals.map((type) => ({ type, currencies: "*" })),
          }),
        ),
      ]),
      Layer.provideMerge(cluster.layer),
    ),
  );

const serve = (cluster: Cluster, service: HostilePaymentService): Promise<Running> =>
  startNode(
    [path.join(ROOT, "dist/adapters/server/main.js"), "serve"],
    {
      DATABASE_URL: cluster.url,
      PORT: "0",
      QUITTANCE_ADMIN_TOKEN: "platform-token-of-the-payout-tests-01",
      QUITTANCE_DOCUMENTS: "manual",
      QUITTANCE_PAYOUTS: service.url,
      QUITTANCE_PAYOUTS_SECRET: SECRET,
      QUITTANCE_PAYOUTS_PRIVATE: "on",
      QUITTANCE_SEND_TIMEOUT_SECONDS: "1",
      QUITTANCE_LEASE_SECONDS: "5",
      LOG_LEVEL: "error",
      LOG_FORMAT: "json",
    },
    os.tmpdir(),
  );

type Scene = Effect.Effect.Success<ReturnType<typeof Given.scene>>;

/** A settlement of one sale, ready to be paid. */
const payable = (scene: Scene, accounts: ChangingAccounts, commissionId: Ids.CommissionId) =>
  Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const { customerId, workspaceId, partnerId, owner } = scene;
    const commissionIds = [commissionId];
    const { id } = yield* settlements.create(owner, { customerId, workspaceId, partnerId, commissionIds });
    yield* settlements.approve(owner, id);
    accounts.approved(id);
    for (const kind of ["report", "invoice"] as const)
      yield* Given.upload({ ...scene, settlementId: id }, kind);
  });

/** Creates that many settlements that await payment; the account changes between their approvals. */
const seed = (payments: number, decide: Random) =>
  Effect.gen(function* () {
    const scene = yield* Given.scene({ selfBilled: true });
    yield* Given.formula(scene);
    const { createBatch } = yield* Attributions.Attributions;
    for (let from = 0; from < payments; from += BATCH) {
      const count = Math.min(BATCH, payments - from);
      const attributions = Array.from({ length: count }, (_, index) =>
        Given.sale(scene, 1_000 * (from + index + 1)),
      );
      yield* createBatch(scene.owner, { mode: "atomic", attributions });
    }
    const commissions = yield* listAll(scene.customerId, "commission");
    const accounts = changingAccounts(scene, decide);
    const size = Math.ceil(payments / CHANGES);
    for (let from = 0; from < payments; from += size) {
      // The last account stays, so that some are paid without another choice.
      if (from > 0) yield* accounts.replace;
      yield* Effect.forEach(commissions.slice(from, from + size), ({ id }) => payable(scene, accounts, id), {
        concurrency: SEEDING,
        discard: true,
      });
    }
    return { scene, accounts };
  });

/** Initiates all payments due, including those whose last attempt failed or was returned. */
const initiateAll = ({ customerId }: Scene, accounts: ChangingAccounts) =>
  Effect.gen(function* () {
    const settlements = yield* Settlements.Settlements;
    const found = yield* listAll(customerId, "settlement", { statuses: ["awaiting_payment"] });
    yield* Effect.forEach(found, ({ id }) => accounts.initiate(settlements, id), {
      concurrency: SEEDING,
      discard: true,
    });
    return found.length;
  });

const openCount = (customerId: Ids.CustomerId) =>
  Effect.map(listAll(customerId, "settlement", { statuses: ["payment_initiated"] }), ({ length }) => length);

/** The differences between a settlement and its payments. */
function* misfits(
  { id, status, payableAmount, events }: Storage.Listed["settlement"],
  movements: ReadonlyArray<Movement>,
  accounts: ReadonlyArray<string>,
): Generator<string> {
  const left = movements.filter(({ kind }) => kind === "paid");
  const back = movements.filter(({ kind }) => kind === "returned");
  const net = left.length - back.length;
  if (net > 1) yield `double: settlement ${id} in ${status.type} was paid ${net} times`;
  if (new Set(left.map(({ reference }) => reference)).size !== left.length)
    yield `settlement ${id} was paid twice under one reference`;
  // A return that is reported before its confirmation is left to a person.
  const isNoted = events.some(({ event }) => event.type === "payment_anomaly" && event.kind === "returned");
  if (net !== (status.type === "paid" ? 1 : 0) && !(net === 0 && isNoted))
    yield `settlement ${id} in ${status.type}: ${net} payments stand`;
  const references = events.flatMap(({ event }) =>
    event.type === "initiate_payment" ? [event.payment_reference as string] : [],
  );
  for (const { amount, account, reference } of left)
    if (amount !== payableAmount || account !== accounts[references.indexOf(reference)])
      yield `settlement ${id}: ${amount} to ${account}`;
}

/** Makes that many payments while two servers are killed repeatedly. */
export const doubles = async (
  cluster: Cluster,
  {
    payments,
    kills,
    seed: own,
  }: { readonly payments: number; readonly kills: number; readonly seed: number },
): Promise<DoublesReport> => {
  const startedAt = Date.now();
  const decide: Random = random(own);
  const service = await start(SECRET, decide.fork());
  const hosts: Array<Running> = [await serve(cluster, service)];
  const runtime = engineOver(cluster);
  let killed = 0;
  let isDone = false;
  let striking: Promise<void> | undefined;
  /** Kills servers at any moment of the work, and starts another in the place of each. */
  const strike = async (fate: Random): Promise<void> => {
    while (killed < kills && !isDone) {
      await new Promise((resolve) => setTimeout(resolve, fate.integer(50, 1_500)));
      const place = fate.integer(0, hosts.length - 1);
      await hosts[place]?.kill();
      killed++;
      hosts[place] = await serve(cluster, service);
    }
  };
  try {
    const { scene, accounts } = await runtime.runPromise(seed(payments, decide.fork()));
    hosts.push(await serve(cluster, service));
    striking = strike(decide.fork());
    const limit = Date.now() + 60_000 + payments * 100;
    for (;;) {
      const host = decide.pick(hosts);
      const left = await service.deliver(host.url);
      const open = await runtime.runPromise(openCount(scene.customerId));
      const again = await runtime.runPromise(initiateAll(scene, accounts));
      if (again === 0 && open === 0 && left === 0) break;
      if (accounts.isMissing() || accounts.counts().changes < 2 * CHANGES)
        await runtime.runPromise(accounts.change);
      if (Date.now() > limit) throw new Error(`${again} wait, ${open} are open, ${left} reports are left`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    await striking;
    await runtime.runPromise(checkInvariants(scene.customerId));
    const settlements = await runtime.runPromise(listAll(scene.customerId, "settlement"));
    const bySettlement = new Map<string, Array<Movement>>();
    for (const movement of service.effects)
      bySettlement.set(movement.settlementId, [...(bySettlement.get(movement.settlementId) ?? []), movement]);
    const problems = [
      ...service.problems,
      ...accounts.problems,
      ...settlements.flatMap((settlement) => [
        ...misfits(settlement, bySettlement.get(settlement.id) ?? [], accounts.attemptsOf(settlement.id)),
      ]),
      ...(settlements.length === payments ? [] : [`${settlements.length} settlements`]),
      ...(service.counts.believed === 0 ? [] : [`${service.counts.believed} forged reports were believed`]),
    ];
    return {
      payments,
      attempts: settlements.reduce((sum, { attempt }) => sum + attempt, 0),
      kills: killed,
      paid: settlements.filter(({ status }) => status.type === "paid").length,
      doubles: problems.filter((problem) => problem.startsWith("double")).length,
      ...accounts.counts(),
      accounts: new Set(service.effects.map(({ account }) => account)).size,
      ...service.counts,
      problems,
      seconds: Math.round((Date.now() - startedAt) / 1_000),
    };
  } finally {
    isDone = true;
    await striking;
    await Promise.all(hosts.map(({ kill }) => kill()));
    await runtime.dispose();
    service.close();
  }
};
