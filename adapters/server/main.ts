#!/usr/bin/env node
/** The command line. What a command needs is loaded when it is run. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Cause, Effect, Exit } from "effect";
import { commandLine } from "./CommandLine.ts";
import { exitWith, note } from "./Output.ts";

// A reader that closes its end early (`quittance export … | head`) is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? 0 : 1);
});

const main = Effect.catchAll(
  commandLine(process.argv.slice(2), process.env, process.stderr.isTTY === true),
  ({ message, exitCode }) => Effect.zipRight(note(`quittance: ${message}`), exitWith(exitCode)),
);

NodeRuntime.runMain(main, {
  disablePrettyLogger: true,
  // A server that a signal stops ends with 0; the exit code of other commands shows that they did not finish.
  teardown: (exit, end) =>
    end(Exit.isSuccess(exit) || Cause.isInterruptedOnly(exit.cause) ? Number(process.exitCode ?? 0) : 1),
});
