/** Commands whose response may be lost: sent again under the same key until the server says what became of them. */
import { QuittanceError } from "quittance/client";
import type { Commands } from "./Client.ts";

/** What is known of a command. */
export type Progress<Result> =
  | { readonly type: "ready" }
  | { readonly type: "sending" }
  /** Refused: nothing was stored. */
  | { readonly type: "refused"; readonly failure: unknown; readonly wasUnknown: boolean }
  /** No response arrived, or that of a server which failed: it may be stored. */
  | { readonly type: "unknown"; readonly isAsking: boolean }
  /** Stored. `wasStored`: already by a request whose response was lost; null when the response does not tell. */
  | {
      readonly type: "done";
      readonly result: Result;
      readonly wasUnknown: boolean;
      readonly wasStored: boolean | null;
    };

/** True if the server may have stored a command that failed like this. */
export const isUnknown = (failure: unknown): boolean =>
  failure instanceof QuittanceError && failure.code === "INTERNAL_ERROR";

/** The pauses in milliseconds before the command is sent again by itself. */
const PAUSES = [1_000, 2_000, 4_000, 8_000];

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

const wasReplayed = (result: unknown): boolean | null =>
  typeof result === "object" && result !== null && "replayed" in result ? result.replayed === true : null;

/**
 * Sends a command, and again while its outcome is unknown; reports each step to `show`. Always the same request under the same key,
 * so that it has no second effect. Ends when the outcome is known, after the last pause, or with the signal.
 */
export const sendUntilKnown = async <Result>(
  send: (commands: Commands) => Promise<Result>,
  commands: Commands,
  {
    wasUnknown = false,
    show,
    signal,
  }: {
    readonly wasUnknown?: boolean;
    readonly show: (progress: Progress<Result>) => void;
    readonly signal: AbortSignal;
  },
): Promise<void> => {
  show(wasUnknown ? { type: "unknown", isAsking: true } : { type: "sending" });
  for (let attempt = 0; ; attempt += 1) {
    const isRepeated = wasUnknown || attempt > 0;
    try {
      const result = await send(commands);
      if (signal.aborted) return;
      const wasStored = isRepeated ? wasReplayed(result) : null;
      show({ type: "done", result, wasUnknown: isRepeated, wasStored });
      return;
    } catch (failure) {
      if (signal.aborted) return;
      if (!isUnknown(failure)) {
        show({ type: "refused", failure, wasUnknown: isRepeated });
        return;
      }
    }
    const milliseconds = PAUSES[attempt];
    show({ type: "unknown", isAsking: milliseconds !== undefined });
    if (milliseconds === undefined) return;
    try {
      await pause(milliseconds, signal);
    } catch {
      return;
    }
  }
};
