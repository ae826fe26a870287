/** A process that locks a folder, prints that, and releases the lock some milliseconds after SIGTERM. */
import { setTimeout as sleep } from "node:timers/promises";
import { Effect, Either } from "effect";
import { lockFolder } from "../../../adapters/pglite/Lock.ts";

const [folder = "", milliseconds = "0"] = process.argv.slice(2);

const told = new Promise((resolve) => process.once("SIGTERM", resolve));
// A pending promise does not keep a process running; a timer does.
const running = setInterval(() => {}, 1_000);

const held = Effect.gen(function* () {
  yield* lockFolder(folder);
  yield* Effect.sync(() => process.stdout.write("held\n"));
  yield* Effect.promise(() => told);
  yield* Effect.promise(() => sleep(Number(milliseconds)));
});
const outcome = await Effect.runPromise(Effect.either(Effect.scoped(held)));
if (Either.isLeft(outcome)) process.stdout.write(`refused ${String(outcome.left)}\n`);
clearInterval(running);
