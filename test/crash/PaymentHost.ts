/**
 * A host that pays: the engine with HTTP, a worker and a bank, in a process that dies where it is told to.
 * Settings in the environment: DATABASE_URL, BANK_FOLDER, ADMIN_TOKEN, AHEAD_MILLISECONDS, DEATH, DEATH_OCCURRENCE.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Effect, Layer, Redacted, Runtime } from "effect";
import { ApiKeys, IdSource, Outbox, PaymentProvider, Payments, Quittance, Storage, Worker } from "quittance";
import * as Http from "quittance/http";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { bank, type Death, type Mood } from "./Bank.ts";
import { shortLeases } from "./Engine.ts";

const setting = (name: string): string => process.env[name] ?? "";

let occurrences = 0;
const die = (moment: Death): void => {
  if (moment !== setting("DEATH")) return;
  occurrences += 1;
  if (occurrences === Number(setting("DEATH_OCCURRENCE"))) process.kill(process.pid, "SIGKILL");
};

/** By the last digit of the reference, so that a bank keeps its mind. */
const moodOf = (reference: string, times: number): Mood => {
  const digit = Number.parseInt(reference.slice(-1), 16);
  if (digit < 2) return "refuses finally";
  if (digit < 5) return times === 0 ? "refuses for now" : "accepts";
  return digit < 8 ? "accepts and times out" : "accepts";
};

let isAnswered = false;
const provider = bank(setting("BANK_FOLDER"), moodOf, die);
const payments = Layer.succeed(PaymentProvider.PaymentProvider, {
  ...provider,
  send: (order) =>
    Effect.tap(provider.send(order), () => {
      isAnswered = true;
    }),
});

const engine = Layer.merge(
  Layer.provideMerge(Quittance.layer({ documents: "auto" }), IdSource.layer),
  Layer.provide(
    ApiKeys.layerVerifier,
    Layer.succeed(ApiKeys.AdminToken, Redacted.make(setting("ADMIN_TOKEN"))),
  ),
).pipe(
  Layer.updateService(Outbox.Outbox, (outbox) => ({
    ...outbox,
    complete: (claim) =>
      Effect.suspend(() => {
        if (isAnswered) die("after the answer, before the message is completed");
        isAnswered = false;
        return outbox.complete(claim);
      }),
  })),
  Layer.provide([Pdf.layer, payments, shortLeases]),
  Layer.provideMerge(Postgres.layer({ url: Redacted.make(setting("DATABASE_URL")) })),
);

const bodyOf = async (incoming: IncomingMessage): Promise<Payments.PaymentEvent> => {
  const chunks: Array<Buffer> = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString("utf8"));
};

const serve = Effect.gen(function* () {
  const storage = yield* Storage.Storage;
  const runtime = yield* Effect.runtime<Http.Services | Payments.Payments>();
  const worker = yield* Worker.Worker;
  const api = Http.nodeHandler(runtime, { ready: storage.ready });
  const report = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const told = await bodyOf(incoming);
    const taking = Effect.flatMap(Payments.Payments, (service) => service.recordPaymentEvent(told));
    const exit = await Runtime.runPromiseExit(runtime)(taking);
    outgoing.writeHead(exit._tag === "Success" ? 200 : 503).end();
  };
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === "/report") void report(incoming, outgoing);
    else api(incoming, outgoing);
  });
  yield* Effect.async<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void));
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : "";
  yield* Effect.sync(() => process.stdout.write(`listening on http://127.0.0.1:${port}\n`));
  return yield* worker.run;
});

await Effect.runPromise(Effect.provide(serve, engine));
