/**
 * The engine with HTTP, a worker and a bank, in a process that kills itself at a given point.
 * Environment: DATABASE_URL, BANK_FOLDER, ADMIN_TOKEN, KILL_POINT (a kill point), KILL_OCCURRENCE (at which passage, from 1).
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { Effect, Layer, Redacted, Runtime } from "effect";
import { ApiKeys, IdSource, Outbox, PaymentProvider, Payments, Quittance, Storage, Worker } from "quittance";
import * as Http from "quittance/http";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { type Behaviour, bank, type KillPoint } from "./Bank.ts";
import { shortLeases } from "./Engine.ts";

const setting = (name: string): string => process.env[name] ?? "";

let occurrences = 0;
const reach = (moment: KillPoint): void => {
  if (moment !== setting("KILL_POINT")) return;
  occurrences += 1;
  if (occurrences === Number(setting("KILL_OCCURRENCE"))) process.kill(process.pid, "SIGKILL");
};

/** Decided by the last digit of the reference, so that the bank responds in the same way after a restart. */
const behaviourOf = (reference: string, times: number): Behaviour => {
  const digit = Number.parseInt(reference.slice(-1), 16);
  if (digit < 2) return "refuses finally";
  if (digit < 5) return times === 0 ? "refuses for now" : "accepts";
  return digit < 8 ? "accepts and times out" : "accepts";
};

let hasResponded = false;
const provider = bank(setting("BANK_FOLDER"), behaviourOf, reach);
const payments = Layer.succeed(PaymentProvider.PaymentProvider, {
  ...provider,
  send: (order) =>
    Effect.tap(provider.send(order), () => {
      hasResponded = true;
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
        if (hasResponded) reach("after the response, before the message is completed");
        hasResponded = false;
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
    const event = await bodyOf(incoming);
    const recording = Effect.flatMap(Payments.Payments, (service) => service.recordPaymentEvent(event));
    const exit = await Runtime.runPromiseExit(runtime)(recording);
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
