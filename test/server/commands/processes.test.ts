/** `quittance serve --processes 2`: a killed process loses nothing that was acknowledged, and is replaced. */
import { readFileSync } from "node:fs";
import { Effect, Redacted } from "effect";
import { afterAll, expect, it } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { folder, listening, run } from "../running.ts";

const here = folder();
afterAll(() => here.remove());

const TOKEN = "an-admin-token-of-more-than-32-characters";
const KILLS = 3;
const SENDERS = 4;
const WORKSPACE = "6f1c2d4e-0000-4000-8000-000000000002";

type Send = (
  method: string,
  path: string,
  key: string,
  body?: object,
) => Promise<{ status: number; body: { id: string; key: string } }>;

const sender =
  (url: string): Send =>
  async (method, path, key, body) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // A connection that was being passed to a killed process gets no response.
      signal: AbortSignal.timeout(5_000),
    });
    return { status: response.status, body: (await response.json()) as { id: string; key: string } };
  };

/** The processes that serve: the children of the parent process. */
const childrenOf = (pid: number | undefined): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .trim()
    .split(" ")
    .filter((id) => id !== "")
    .map(Number);

const until = async (what: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await what())) await new Promise((resolve) => setTimeout(resolve, 50));
};

it(`processes of a server that are killed ${KILLS} times under load lose no acknowledged command`, async () => {
  const program = Effect.gen(function* () {
    const url = yield* database();
    const client = yield* connected(url);
    yield* Effect.promise(async () => {
      const server = run(here.path, ["serve", "--processes", "2", "--port", "0"], {
        DATABASE_URL: Redacted.value(url),
        QUITTANCE_ADMIN_TOKEN: TOKEN,
        LOG_FORMAT: "json",
      });
      const address = await listening(server);
      const send = sender(address);
      const customer_id = crypto.randomUUID();
      const { key } = (await send("POST", "api-keys", TOKEN, { customer_id })).body;
      const acknowledged = new Set<string>();
      let isOver = false;
      const load = async (number: number): Promise<void> => {
        for (let count = 0; !isOver; count++) {
          const name = `${number}-${count}`;
          // A request of a killed process gets no response; whether its command is stored is unknown.
          const made = await send("POST", "partners", key, { name, workspace_id: WORKSPACE }).catch(
            () => null,
          );
          if (made?.status === 201) acknowledged.add(made.body.id);
        }
      };
      const senders = Array.from({ length: SENDERS }, (_, number) => load(number));
      const first = new Set(childrenOf(server.process.pid));
      expect(first.size).toBe(2);
      for (let kill = 0; kill < KILLS; kill++) {
        await until(() => acknowledged.size >= 20 * (kill + 1));
        const [victim = 0] = childrenOf(server.process.pid);
        process.kill(victim, "SIGKILL");
        await until(() => {
          const now = childrenOf(server.process.pid);
          return now.length === 2 && !now.includes(victim);
        });
      }
      await until(() => acknowledged.size >= 20 * (KILLS + 1));
      isOver = true;
      await Promise.all(senders);
      const { rows } = await client.query<{ id: string }>("select id from quittance.partners");
      const stored = new Set(rows.map(({ id }) => id));
      expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
      expect(server.errors()).toMatch(/"message":"a process ended, a new one is started".*"end":"SIGKILL"/);

      // Each process returns the metrics of both, labelled by process; metrics of the store occur once.
      await until(async () => {
        const text = await (await fetch(`${address}/metrics`)).text();
        return text.includes('process="1"') && text.includes('process="2"');
      });
      const metrics = await (await fetch(`${address}/metrics`)).text();
      expect(metrics.match(/^# TYPE process_cpu_seconds_total counter$/gm)).toHaveLength(1);
      expect(metrics.match(/^process_cpu_seconds_total\{process="[12]"\} /gm)).toHaveLength(2);
      expect(metrics.match(/^quittance_outbox_waiting\{lane="payments"\} /gm)).toHaveLength(1);

      const last = childrenOf(server.process.pid);
      server.process.kill("SIGTERM");
      expect(await server.ended).toBe(0);
      for (const pid of last) expect(() => process.kill(pid, 0)).toThrow();
    });
  });
  await Effect.runPromise(Effect.scoped(program));
});

it("several processes are refused on an embedded store, and so is an invalid number of them", async () => {
  for (const [args, line] of [
    [
      ["--processes", "2", "--database-url", "pglite://data"],
      /^quittance: --processes needs a database on a server/,
    ],
    [["--processes", "two"], /^quittance: --processes must be a number from 1 to 256/],
  ] as const) {
    const server = run(here.path, ["serve", ...args]);
    expect(await server.ended).toBe(2);
    expect(server.errors()).toMatch(line);
  }
});

it("the parent prints the line of a process and ends when none can start", async () => {
  const holder = run(here.path, ["serve", "--port", "0", "--database-url", "memory:"]);
  const { port } = new URL(await listening(holder));
  const program = Effect.gen(function* () {
    const url = Redacted.value(yield* database());
    const server = run(here.path, ["serve", "--processes", "2", "--port", port], { DATABASE_URL: url });
    expect(yield* Effect.promise(() => server.ended)).toBe(1);
    expect(server.errors()).toMatch(/^quittance: cannot listen: .*EADDRINUSE/m);
  });
  await Effect.runPromise(Effect.scoped(program));
  holder.process.kill("SIGTERM");
  await holder.ended;
});
