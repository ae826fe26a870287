/** What the server and the thread of the example company tell each other. */
import type { LogLevel, Settings } from "../Settings.ts";

/** The start parameters of the thread. */
export interface Start {
  /** Distinguishes a start of the entry from other imports of the module. */
  readonly thread: "quittance/example";
  /** The path of the socket on which it serves. */
  readonly socket: string;
  readonly logLevel: LogLevel;
  readonly logFormat: Settings["logFormat"];
}

/** From the thread. */
export type Message =
  /** It writes the history of the company; `done` of `of` months are written. */
  | { readonly type: "filling"; readonly done: number; readonly of: number }
  /** It serves; the key opens its console. */
  | { readonly type: "ready"; readonly key: string }
  /** It has ended; the reason is for people. */
  | { readonly type: "failed"; readonly reason: string };
