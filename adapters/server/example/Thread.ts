/**
 * The entry file of the thread of the example company: an engine of its own, with a store in memory, served on a socket that
 * only the server connects to. A thread has its own metrics, its own heap with a limit, and its own turn of the event loop.
 */
import type { Server } from "node:http";
import { setPriority } from "node:os";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Cause, Effect, Either, Exit, Schema } from "effect";
import { BillingProfile, BillingProfiles, type Ids, Principal, Storage, Webhooks, Worker } from "quittance";
import * as Http from "quittance/http";
import { consoleFiles } from "../Console.ts";
import { createKey } from "../DevelopmentKey.ts";
import { PROFILE } from "../demo/Company.ts";
import { fill } from "../demo/Demo.ts";
import { engine } from "../Engine.ts";
import * as Log from "../Log.ts";
import { readSettings, type Settings } from "../Settings.ts";
import * as Store from "../Store.ts";
import type { Message, Start } from "./Message.ts";

/** Gives requests of the server precedence where processors are few. */
const NICENESS = 10;

/** No setting of the operator's own: neither mail nor secrets. Files for a bank leave it to people whether money moves. */
const ENVIRONMENT = {
  DATABASE_URL: "memory:",
  QUITTANCE_PAYOUTS: "files",
  QUITTANCE_PAYOUTS_FORMAT: "pain.001.001.09",
  QUITTANCE_RATE_LIMIT: "50:500",
  QUITTANCE_CONNECTIONS_MAX: "100",
};

/** Endpoints can be added, and nothing is sent to them. */
const SENDS_NOTHING: Webhooks.WebhookSenderService = {
  problem: () => null,
  send: () => Effect.fail(new Webhooks.WebhookFailed({ message: "the example company sends nothing" })),
};

const isStart = (data: unknown): data is Start =>
  typeof data === "object" && data !== null && "thread" in data && data.thread === "quittance/example";

const listen = (server: Server, socket: string): Effect.Effect<void, Error> =>
  Effect.async((resume) => {
    server.once("error", (error) => resume(Effect.fail(error)));
    server.listen(socket, () => resume(Effect.void));
  });

const settingsOf = ({ logLevel, logFormat }: Start): Settings => ({
  ...Either.getOrThrow(readSettings(ENVIRONMENT, false)),
  logFormat,
  // Its requests are nobody's business; its errors are ours.
  logLevel: logLevel === "off" ? "off" : "error",
});

/** States the account that files for the bank pay from, so that a month can be paid to its end. */
const stateAccount = (customerId: Ids.CustomerId) =>
  Effect.gen(function* () {
    const bank_account = {
      beneficiary_name: PROFILE.legal_name,
      iban: "DE02120300000000202051",
      bic: "BYLADEM1001",
    };
    const { write } = yield* BillingProfiles.BillingProfiles;
    yield* write(
      Principal.customer(customerId, "example"),
      Schema.decodeUnknownSync(BillingProfile.Write)({ ...PROFILE, bank_account }),
    );
  });

/** Fills the store, then serves until the thread is ended. */
const serve = (start: Start, post: (message: Message) => void) => {
  const settings = settingsOf(start);
  return Effect.gen(function* () {
    const { key, customerId } = yield* createKey("example");
    yield* fill(customerId, (done, of) => Effect.sync(() => post({ type: "filling", done, of })));
    yield* stateAccount(customerId);
    const worker = yield* Worker.Worker;
    const runtime = yield* Effect.runtime<Http.Services>();
    const { ready } = yield* Storage.Storage;
    const { rateLimit, connectionsMax } = settings;
    const server = Http.nodeServer(runtime, {
      ready,
      ...(rateLimit === null ? {} : { rateLimit }),
      connectionsMax,
      files: consoleFiles({ signIn: null, publicUrl: null, mail: null, example: "here" }),
    });
    yield* listen(server, start.socket);
    yield* Effect.forkScoped(worker.run);
    post({ type: "ready", key });
    return yield* Effect.never;
  }).pipe(
    Effect.scoped,
    Effect.provide(engine(settings, Store.layer(settings.database), () => SENDS_NOTHING)),
    Effect.provide(Log.layer(settings)),
  );
};

const run = (port: MessagePort, start: Start): void => {
  // Only on Linux does a thread have a priority of its own.
  if (process.platform === "linux") setPriority(NICENESS);
  const post = (message: Message): void => port.postMessage(message);
  Effect.runCallback(serve(start, post), {
    onExit: (exit) => {
      if (Exit.isSuccess(exit)) return;
      const error = Cause.squash(exit.cause);
      post({ type: "failed", reason: error instanceof Error ? error.message : String(error) });
    },
  });
};

if (parentPort !== null && isStart(workerData)) run(parentPort, workerData);
