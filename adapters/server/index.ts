/** The bundled server, for hosts that start it from their own code. */

export { invocation, usage } from "./CommandLine.ts";
export { serve } from "./Serve.ts";
export { type LogLevel, SETTINGS, type Setting, type Settings } from "./Settings.ts";
export { migrate } from "./Store.ts";
export { type Database, databaseOf, type Tracing } from "./Value.ts";
