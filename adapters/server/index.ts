/** The bundled server, for hosts that start it from their own code. */
export { serve } from "./Serve.ts";
export {
  invocation,
  type LogLevel,
  SETTINGS,
  type Setting,
  type Settings,
  usage,
} from "./Settings.ts";
export { migrate } from "./Store.ts";
export { type Database, databaseOf, type Tracing } from "./Value.ts";
