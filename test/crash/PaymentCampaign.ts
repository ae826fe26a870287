/** Kills a host at every point between the claim of a payment's outbox message and its completion; each payment is executed once. */
import * as fs from "node:fs";
import * as os from "node:os";
import * as path from "node:path";
import { Effect, Layer } from "effect";
import { PaymentProvider, type Storage } from "quittance";
import { checkInvariants, listAll } from "quittance/testing";
import { compiled } from "../support/compiled.ts";
import { type Random, random } from "../support/Random.ts";
import { type Booking, type Books, bank, books, KILL_POINTS } from "./Bank.ts";
import type { Cluster } from "./Database.ts";
import { drainWith } from "./Engine.ts";
import { type Running, startNode } from "./Process.ts";
import { field, idOf, listed, type Request, send } from "./Wire.ts";
import { ADMIN_TOKEN, createCustomer, type World } from "./World.ts";

/** The counts and problems of a payment campaign. */
export interface PaymentReport {
  readonly kills: ReadonlyArray<string>;
  /** Payment references that the engine assigned. */
  readonly references: number;
  /** Orders that reached the bank, including repetitions. */
  readonly orders: number;
  readonly transfers: number;
  readonly problems: ReadonlyArray<string>;
  readonly milliseconds: number;
}

const ROOT = path.resolve(import.meta.dirname, "../..");
const KILL_LIMIT_MILLISECONDS = 15_000;
const PAYMENTS_PER_ROUND = 4;

interface Kill {
  readonly moment: string;
  readonly occurrence: number;
}

/** The kill of a host that does not kill itself. */
export const NEVER: Kill = { moment: "never", occurrence: 0 };

let file: string | null = null;
/** The program of the host, compiled once. */
const program = (): string => {
  file ??= compiled(path.join(ROOT, "test/crash/PaymentHost.ts"));
  return file;
};

/** Starts the engine with HTTP, a worker with short leases, and a bank with its books in the folder. */
export const host = (cluster: Pick<Cluster, "url">, folder: string, kill: Kill): Promise<Running> =>
  startNode(
    [program()],
    {
      DATABASE_URL: cluster.url,
      BANK_FOLDER: folder,
      ADMIN_TOKEN,
      KILL_POINT: kill.moment,
      KILL_OCCURRENCE: String(kill.occurrence),
    },
    ROOT,
  );

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resume) => setTimeout(resume, milliseconds));

const sendOrFail = async (url: string, token: string, request: Request): Promise<string> => {
  const response = await send(url, token, request);
  if (response.type === "lost" || response.status >= 300)
    throw new Error(`${request.path}: ${JSON.stringify(response)}`);
  return idOf(response) ?? "";
};

/** Creates and approves a settlement of one sale of the self-billing partner. */
const createApprovedSettlement = async (url: string, world: World, value: number): Promise<void> => {
  const [earner] = world.earners;
  const owner = { partner_id: earner?.id, workspace_id: world.workspaceId };
  const post = (path: string, json?: object) => sendOrFail(url, world.token, { method: "POST", path, json });
  const attribution = await post("attributions", {
    ...owner,
    schema_id: world.schemaId,
    properties: { order_value: value },
  });
  const found = await send(url, world.token, {
    method: "GET",
    path: `commissions?attribution_ids=${attribution}`,
  });
  const id = await post("settlements", {
    ...owner,
    customer_id: world.customerId,
    commission_ids: listed(found, "commissions").map((commission) => field(commission, "id")),
  });
  await post(`settlements/${id}/approve`);
};

const statusOf = (settlement: unknown): unknown => field(field(field(settlement, "view"), "status"), "type");

const inState = async (url: string, world: World, state: string): Promise<ReadonlyArray<string>> => {
  const found = await send(url, world.token, { method: "GET", path: "settlements?per_page=100" });
  return listed(found, "settlements")
    .filter((settlement) => statusOf(settlement) === state)
    .map((settlement) => String(field(settlement, "id")));
};

const untilPayable = async (url: string, world: World, count: number): Promise<void> => {
  const deadline = Date.now() + 60_000;
  while ((await inState(url, world, "awaiting_payment")).length < count) {
    if (Date.now() > deadline) throw new Error("the worker has not created the invoices within a minute");
    await pause(100);
  }
};

/** Reports each transfer to the host twice; a report without a response may be repeated in the next round. */
const confirm = async (url: string, transfers: ReadonlyArray<Booking>): Promise<void> => {
  const reports = transfers.flatMap(({ reference }) => {
    const fact = { type: "confirmed", paymentReference: reference };
    const report = { provider: "bank", eventId: `${reference}/confirmed`, fact };
    return [report, report];
  });
  await Promise.all(
    reports.map((report) =>
      fetch(`${url}/report`, { method: "POST", body: JSON.stringify(report) }).catch(() => null),
    ),
  );
};

/** Initiates payments and reports earlier transfers, until the host has killed itself or the time limit has passed. */
const round = async (running: Running, world: World, decide: Random, folder: string): Promise<void> => {
  const earlier = decide.some(books(folder).transfers, 2);
  const payable = decide.some(await inState(running.url, world, "awaiting_payment"), PAYMENTS_PER_ROUND);
  const initiate = (id: string) =>
    send(running.url, world.token, {
      method: "POST",
      path: `settlements/${id}/initiate-payment`,
      ...(decide.chance(0.5) ? { key: `pay/${id}/${decide.integer(0, 1_000_000)}` } : {}),
    });
  await Promise.all([confirm(running.url, earlier), ...payable.map(initiate)]);
  const deadline = Date.now() + KILL_LIMIT_MILLISECONDS;
  while (!running.isGone() && Date.now() < deadline) await pause(20);
};

type Settlement = Storage.Listed["settlement"];

const referencesOf = ({ events }: Settlement, type: string): ReadonlyArray<string> =>
  events.flatMap(({ event }) =>
    event.type === type && "payment_reference" in event ? [event.payment_reference] : [],
  );

/** Compares one settlement with the bank's orders and transfers for it; yields the differences. */
function* compareWithBank(settlement: Settlement, { orders, transfers }: Books): Generator<string> {
  const given = referencesOf(settlement, "initiate_payment");
  const failed = new Set(referencesOf(settlement, "fail_payment"));
  const own = (bookings: ReadonlyArray<Booking>) =>
    bookings.filter(({ settlementId }) => settlementId === settlement.id);
  const label = `settlement ${settlement.id}`;
  const amount = settlement.payableAmount ?? settlement.total;
  const iban = settlement.approval?.selfBillingData?.bankAccount.iban;
  for (const order of own(orders)) {
    if (!given.includes(order.reference))
      yield `${label}: an order under ${order.reference}, which the engine never assigned`;
    if (order.amount !== amount || order.iban !== iban)
      yield `${label}: an order of ${order.amount} to ${order.iban}`;
  }
  const paid = own(transfers).map(({ reference }) => reference);
  if (paid.length > 1) yield `${label}: ${paid.length} transfers`;
  for (const reference of paid) if (failed.has(reference)) yield `${label}: paid under a failed ${reference}`;
  const due = settlement.status.type === "paid" || settlement.status.type === "payment_initiated" ? 1 : 0;
  if (paid.length !== due) yield `${label} in ${settlement.status.type}: ${paid.length} transfers`;
}

const examine = (world: World, folder: string) =>
  Effect.gen(function* () {
    // A bank that accepts every remaining order.
    const accepting = Layer.succeed(
      PaymentProvider.PaymentProvider,
      bank(
        folder,
        () => "accepts",
        () => {},
      ),
    );
    yield* drainWith(accepting);
    yield* checkInvariants(world.customerId);
    const settlements = yield* listAll(world.customerId, "settlement");
    const written = books(folder);
    const known = new Set<string>(settlements.map(({ id }) => id));
    return {
      references: settlements.flatMap((settlement) => referencesOf(settlement, "initiate_payment")).length,
      orders: written.orders.length,
      transfers: written.transfers.length,
      problems: [
        ...settlements.flatMap((settlement) => [...compareWithBank(settlement, written)]),
        ...written.transfers.flatMap(({ settlementId }) =>
          known.has(settlementId) ? [] : [`a transfer for ${settlementId}, which the store does not hold`],
        ),
      ],
    };
  });

/** Kills a host once in each round, at each kill point in turn, and compares bank and store at the end. */
export const payments = async (cluster: Cluster, rounds: number, seed: number): Promise<PaymentReport> => {
  const startedAt = Date.now();
  const decide = random(seed);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "quittance-bank-"));
  const kills = Array.from({ length: rounds }, (_, index) => ({
    moment: KILL_POINTS[index % KILL_POINTS.length] ?? "",
    occurrence: decide.integer(1, 2),
  }));
  const running = new Set<Running>();
  const started = async (kill: Kill): Promise<Running> => {
    const one = await host(cluster, folder, kill);
    running.add(one);
    return one;
  };
  try {
    const first = await started(NEVER);
    const world = await createCustomer(first.url, 1);
    const count = 3 * rounds + 1;
    for (let sale = 1; sale <= count; sale++) await createApprovedSettlement(first.url, world, sale * 1_000);
    await untilPayable(first.url, world, count);
    await first.kill();
    const notKilled: Array<string> = [];
    for (const [index, planned] of kills.entries()) {
      const one = await started(planned);
      await round(one, world, decide, folder);
      if (!one.isGone()) notKilled.push(`round ${index + 1}: the host was not killed ${planned.moment}`);
      await one.kill();
      await cluster.atRest();
    }
    const end = await Effect.runPromise(Effect.provide(examine(world, folder), cluster.layer));
    return {
      ...end,
      problems: [...notKilled, ...end.problems],
      kills: kills.map(({ moment, occurrence }) => `${moment}, time ${occurrence}`),
      milliseconds: Date.now() - startedAt,
    };
  } finally {
    await Promise.all([...running].map(({ kill }) => kill()));
    fs.rmSync(folder, { recursive: true, force: true });
  }
};
