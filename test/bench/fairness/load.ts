/**
 * The large requests, in a process of their own: settlements of 10,000 lines from draft to payment with their documents,
 * simulations of the greatest size, and batches of 1,000. Ends when the parent process sends `stop`.
 */
import { type Ask, client, expected } from "./client.ts";

/** The settlements, simulations and batches of the load. */
export interface Work {
  readonly url: string;
  readonly settlements: ReadonlyArray<{
    readonly token: string;
    readonly customerId: string;
    readonly workspaceId: string;
    readonly partnerId: string;
    /** The commissions of each settlement. */
    readonly sets: ReadonlyArray<ReadonlyArray<string>>;
  }>;
  readonly simulations: ReadonlyArray<{ readonly token: string; readonly body: string }>;
  readonly batches: ReadonlyArray<{ readonly token: string; readonly body: string }>;
}

/** The phases of a settlement, in order. */
export const PHASES = ["draft", "approve", "documents", "payment"] as const;

/** The number of completed requests of each kind, and the milliseconds of each settlement's phases. */
export interface Done {
  settlements: number;
  simulations: number;
  batches: number;
  readonly phases: Readonly<Record<(typeof PHASES)[number], Array<number>>>;
}

const POLL_MILLISECONDS = 200;
const done: Done = {
  settlements: 0,
  simulations: 0,
  batches: 0,
  phases: { draft: [], approve: [], documents: [], payment: [] },
};
let isOver = false;

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs a phase and records its milliseconds. */
const timed = async <A>(phase: (typeof PHASES)[number], run: () => Promise<A>): Promise<A> => {
  const startedAt = performance.now();
  const value = await run();
  done.phases[phase].push(performance.now() - startedAt);
  return value;
};

/** Waits until a settlement has its invoice, which the worker creates after the report, or until the load ends. */
const documents = async (ask: Ask, path: string, token: string): Promise<void> => {
  while (!isOver && (await expected(ask("HEAD", `${path}/invoice`, token), 200, 404)).status === 404) {
    await pause(POLL_MILLISECONDS);
  }
};

/** Takes one set after the other from draft to payment. */
const settle = async (ask: Ask, { token, sets, ...place }: Work["settlements"][number]): Promise<void> => {
  const { customerId: customer_id, workspaceId: workspace_id, partnerId: partner_id } = place;
  for (const commission_ids of sets) {
    if (isOver) return;
    const body = { customer_id, workspace_id, partner_id, commission_ids };
    const created = await timed("draft", () =>
      expected(ask("POST", "/api/v1/settlements", token, body), 201),
    );
    const path = `/api/v1/settlements/${JSON.parse(created.text).id}`;
    await timed("approve", () => expected(ask("POST", `${path}/approve`, token), 200));
    await timed("documents", () => documents(ask, path, token));
    if (isOver) return;
    await timed("payment", () => expected(ask("POST", `${path}/mark-as-paid`, token), 200));
    done.settlements += 1;
  }
  process.stderr.write("a customer has nothing left to settle\n");
};

const over = async (run: () => Promise<unknown>, kind: "simulations" | "batches"): Promise<void> => {
  while (!isOver) {
    await run();
    done[kind] += 1;
  }
};

const work = async ({ url, settlements, simulations, batches }: Work): Promise<void> => {
  const ask = client(url);
  await Promise.all([
    ...settlements.map((settlement) => settle(ask, settlement)),
    ...simulations.map(({ token, body }) =>
      over(
        () => expected(ask("POST", "/api/v1/commission-formulas/simulate", token, body), 200),
        "simulations",
      ),
    ),
    ...batches.map(({ token, body }) =>
      over(() => expected(ask("POST", "/api/v1/attributions/batch", token, body), 201), "batches"),
    ),
  ]);
  process.send?.(done);
};

process.on("message", (message: Work | "stop") => {
  if (message === "stop") isOver = true;
  else
    work(message).catch((error: unknown) => {
      process.stderr.write(`the load failed: ${error}\n`);
      process.exit(1);
    });
});
