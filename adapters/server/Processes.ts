/**
 * Serves with one process or several. Several share the port and nothing else but the database: a killed one loses nothing
 * that was acknowledged, and the others continue its background work.
 */
import cluster from "node:cluster";
import { Effect } from "effect";
import type { Storage } from "quittance";
import { type CommandFailed, commandFailure } from "./CommandFailed.ts";
import * as Log from "./Log.ts";
import * as Migration from "./Migration.ts";
import * as Child from "./processes/Child.ts";
import { PORT_OF_PARENT } from "./processes/Message.ts";
import { supervise } from "./processes/Parent.ts";
import { type Host, serve as serveOne } from "./Serve.ts";
import type { Settings } from "./Settings.ts";

const serveHere = (
  settings: Settings,
  host?: Host,
  isDemo = false,
): Effect.Effect<never, CommandFailed | Storage.StorageError> =>
  Effect.mapError(serveOne(settings, host, isDemo), (failure) =>
    "reason" in failure ? failure : commandFailure(`cannot listen: ${failure.message}`),
  );

/** Serves until interrupted. With several processes the database is migrated once, before they start. */
export const serve = (
  settings: Settings,
  count: number,
  isDemo = false,
): Effect.Effect<never, CommandFailed | Storage.StorageError> => {
  if (count === 1) return serveHere(settings, undefined, isDemo);
  if (cluster.isWorker) {
    const port = Number(process.env[PORT_OF_PARENT] ?? settings.port);
    return serveHere({ ...settings, port }, Child.host());
  }
  return Effect.provide(
    Effect.zipRight(Migration.migrate(settings.database), supervise(count)),
    Log.layer(settings),
  );
};
