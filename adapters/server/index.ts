/** The bundled server, for hosts that start it from their own code. */

export { consoleFiles } from "./Console.ts";
export { migrate } from "./Migration.ts";
export { serve } from "./Serve.ts";
export {
  type Environment,
  type LogLevel,
  readSettings,
  SETTINGS,
  type Setting,
  type Settings,
} from "./Settings.ts";
export { type Database, databaseOf, type IdentityProvider, type Tracing } from "./Value.ts";
