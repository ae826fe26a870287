#!/usr/bin/env node
/** The command line: `quittance serve | migrate | outbox | help | version`. What a command needs is loaded when it is asked for. */
import { readFileSync } from "node:fs";
import * as NodeRuntime from "@effect/platform-node/NodeRuntime";
import { Effect, Either } from "effect";
import type { Storage } from "quittance";
import { invocation, usage } from "./CommandLine.ts";

/** The exit code of a start that the operator has to mend. */
const MISCONFIGURED = 2;

const stop = (line: string): Effect.Effect<never> =>
  Effect.sync(() => {
    process.stderr.write(`quittance: ${line}\n`);
    return process.exit(MISCONFIGURED);
  });

/** The innermost message of a failure, on one line. */
const messageOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause);
  // A name with several addresses fails once for each; the error around them says nothing.
  if (cause instanceof AggregateError && cause.errors.length > 0) return messageOf(cause.errors[0]);
  const inner = cause.cause instanceof Error ? messageOf(cause.cause) : "";
  return (inner === "" ? cause.message : inner).split("\n")[0] ?? "";
};

const unusable = (failure: Storage.StorageError | NodeJS.ErrnoException): Effect.Effect<never> =>
  stop(
    "reason" in failure
      ? `the database cannot be used: ${messageOf(failure.cause)}`
      : `cannot listen: ${failure.message}`,
  );

const version = (): string => {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL(import.meta.resolve("quittance/package.json")), "utf8"),
  );
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : "";
};

const main = Either.match(invocation(process.argv.slice(2), process.env, process.stderr.isTTY === true), {
  onLeft: stop,
  onRight: (asked) => {
    switch (asked.command) {
      case "help":
        return Effect.sync(() => console.log(usage()));
      case "version":
        return Effect.sync(() => console.log(version()));
      case "migrate":
        return Effect.promise(() => import("./Store.ts")).pipe(
          Effect.flatMap(({ migrate }) => migrate(asked.settings.database, asked.distribute)),
          Effect.catchAll(unusable),
        );
      case "outbox":
        return Effect.promise(() => import("./OutboxCommand.ts")).pipe(
          Effect.flatMap(({ outbox }) => outbox(asked.settings.database, asked.ask)),
          Effect.catchAll(unusable),
        );
      case "serve":
        return Effect.promise(() => import("./Serve.ts")).pipe(
          Effect.flatMap(({ serve }) => serve(asked.settings)),
          Effect.catchAll(unusable),
        );
    }
  },
});

NodeRuntime.runMain(main, { disablePrettyLogger: true });
