/** Senders of large bodies that never end them, against a server in a process of its own. */
import { execFileSync } from "node:child_process";
import * as Net from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folder, listening, type Run, run } from "./running.ts";

const MIB = 1024 * 1024;
const SENDERS = 400;
const ADMIN_TOKEN = "admin-token-of-the-memory-test-0123456789";

/** What a sender has sent when it stops: 3.9 of the 4 MiB that it has declared. */
const SENT = Buffer.alloc(Math.floor(3.9 * MIB), " ");

const place = folder();
let server: Run;
let port: number;
let token: string;

beforeAll(async () => {
  server = run(place.path, ["serve"], {
    PORT: "0",
    DATABASE_URL: "memory:",
    QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
    LOG_LEVEL: "off",
  });
  const url = await listening(server);
  port = Number(new URL(url).port);
  const made = await fetch(`${url}/api/v1/api-keys`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ customer_id: crypto.randomUUID() }),
  });
  const { key } = (await made.json()) as { readonly key: string };
  token = key;
});
afterAll(async () => {
  server.process.kill("SIGKILL");
  await server.ended;
  place.remove();
});

/** The memory of the server's process in MiB. */
const resident = (): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(server.process.pid)]).toString()) / 1_024;

/** What a sender gets whose head or body the server has not read in time, because the machine does much else. */
const LATE = "HTTP/1.1 408 Request Timeout";

/** The kinds of responses to the senders, and the greatest memory until that many responses. */
const send = async (authorization: string, answered: number) => {
  const head = [
    "POST /api/v1/attributions/batch HTTP/1.1",
    "host: x",
    "content-type: application/json",
    `content-length: ${4 * MIB}`,
    authorization,
  ].join("\r\n");
  const answers: Array<string> = [];
  const sockets = Array.from({ length: SENDERS }, () => {
    const socket = Net.connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.once("data", (answer) => answers.push(answer.toString("latin1").split("\r\n", 1).join()));
    socket.write(`${head}\r\n\r\n`);
    return new Promise<Net.Socket>((resolve) => socket.write(SENT, () => resolve(socket)));
  });
  let most = 0;
  const watch = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    most = Math.max(most, resident());
  };
  while (answers.length < answered) await watch();
  // A sender without a response has sent everything.
  for (const socket of await Promise.all(sockets)) socket.destroy();
  await watch();
  return { most, answers: [...new Set(answers)].filter((answer) => answer !== LATE) };
};

it(`${SENDERS} senders of 3.9 MiB without a credential use almost no memory`, async () => {
  const before = resident();
  const { most, answers } = await send("x-none: x", SENDERS);
  expect(answers).toEqual(["HTTP/1.1 401 Unauthorized"]);
  expect(most - before).toBeLessThan(100);
});

it(`${SENDERS} senders of 3.9 MiB with a credential use no more than the limit for all bodies`, async () => {
  // 64 MiB hold 16 of them, as 64 KiB of each do not count.
  const refused = SENDERS - 16;
  const before = resident();
  const { most, answers } = await send(`authorization: Bearer ${token}`, refused);
  expect(answers).toEqual(["HTTP/1.1 503 Service Unavailable"]);
  expect(most - before).toBeLessThan(300);
});
