import { connect } from "quittance/client";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ID = crypto.randomUUID();

let quittance: Quittance;
let closed: Quittance;
let callers: Readonly<Record<"promise" | "client", ReturnType<typeof connect>>>;

beforeAll(async () => {
  closed = await open({ database: "memory:", worker: false });
  await closed.close();
  quittance = await open({ database: "memory:", worker: false });
  const inProcess = quittance.as({ customerId: crypto.randomUUID() });
  const { key } = await inProcess.apiKeys.create({ name: "stacks" });
  const handler = await quittance.handler();
  callers = {
    // The methods that are called here have the same parameters.
    promise: inProcess as unknown as ReturnType<typeof connect>,
    client: connect({
      url: "http://engine.test",
      key,
      retries: 0,
      fetch: (input, init) => handler(new Request(input as string, init)),
    }),
  };
});
afterAll(() => quittance.close());

type Api = ReturnType<typeof connect>;

/** Calls that reject, each by another way through the code. */
const CALLS: Readonly<Record<string, (api: Api) => Promise<unknown>>> = {
  "a command": async (api) => await api.partners.create({ name: "", workspaceId: ID }),
  "an action": async (api) => await api.settlements.approve(ID),
  "a list": async (api) => await api.partners.list({ perPage: 0 }),
  "an unknown filter": async (api) => await api.partners.list({ idz: [ID] } as object),
  "a record by its id": async (api) => await api.partners.get(ID),
  "a loop over a list": async (api) => {
    for await (const one of api.partners.all({ page: 2 } as object)) expect(one).toBe(null);
  },
  "a loop by a cursor": async (api) => {
    for await (const one of api.events.all({ after: "x" })) expect(one).toBe(null);
  },
  "a document": async (api) => await api.documents.download(ID, "report"),
  waiting: async (api) => await api.settlements.waitFor(ID, ["paid"]),
  "one of several calls": async (api) =>
    await Promise.all([api.partners.list(), api.partners.create({ name: "", workspaceId: ID })]),
};

/** The lines of this file that a stack names. What waits with `then` is in none, so that they are those of the calls. */
const linesHere = (error: unknown): ReadonlyArray<string> =>
  error instanceof Error
    ? (error.stack ?? "").split("\n").filter((line) => line.includes("stacks.test"))
    : [];

describe.each(["promise", "client"] as const)("the stack of a rejected call of quittance/%s", (name) => {
  it.each(Object.keys(CALLS))("names the line that awaits %s", async (call) => {
    const error = await CALLS[call]?.(callers[name]).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(linesHere(error)).not.toEqual([]);
  });
});

describe("the stack of a rejected call of the engine of quittance/promise", () => {
  it.each<[string, () => Promise<unknown>]>([
    ["opening", async () => await open({ database: "none" })],
    ["opening with an unknown option", async () => await open({ databse: "none" } as never)],
    ["a handler", async () => await quittance.handler({ prefixx: "/" } as object)],
    ["a handler of Node", async () => await quittance.nodeHandler({ prefixx: "/" } as object)],
    ["a payment event", async () => await quittance.recordPaymentEvent({ reference: ID } as never)],
    ["work after the end", async () => await closed.drain()],
    ["messages that failed, after the end", async () => await closed.deadLetters.retry([ID])],
    [
      "a loop over messages that failed, after the end",
      async () => {
        for await (const one of closed.deadLetters.list()) expect(one).toBe(null);
      },
    ],
  ])("names the line that awaits %s", async (_, call) => {
    const error = await call().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(linesHere(error)).not.toEqual([]);
  });
});
