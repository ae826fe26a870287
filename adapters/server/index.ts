/** The bundled server, for hosts that start it from their own code. */
export { serve } from "./Serve.ts";
export {
  type Database,
  databaseOf,
  invocation,
  type LogLevel,
  SETTINGS,
  type Setting,
  type Settings,
  usage,
} from "./Settings.ts";
export { migrate } from "./Store.ts";
