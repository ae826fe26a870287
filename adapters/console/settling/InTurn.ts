/** One command for each of many records, one after the other or some at once, with a result for each. */
import type { Client, Commands } from "../api/Client.ts";
import { type Progress, sendUntilKnown } from "../api/Command.ts";

/** What became of the command for each record, in the order in which they were sent; the others were not sent. */
export type Results = ReadonlyMap<string, Progress<unknown>>;

/** How commands are sent. */
interface Sending {
  readonly client: Client;
  /** Called after each command with the results so far: always the same map, which later results are added to. */
  readonly show: (results: Results) => void;
  readonly signal: AbortSignal;
  /** The number of commands that are under way at the same time; 1 by default. */
  readonly lanes?: number;
}

/**
 * Sends the command of each id under an idempotency key of its own and reports the results after each. One that is refused, or
 * whose outcome stays unknown, does not stop the others. The signal stops them after the commands that are under way.
 */
export const sendInTurn = async (
  ids: ReadonlyArray<string>,
  send: (commands: Commands, id: string) => Promise<unknown>,
  { client, show, signal, lanes = 1 }: Sending,
): Promise<void> => {
  const results = new Map<string, Progress<unknown>>();
  const next = ids.values();
  const work = async (): Promise<void> => {
    for (const id of next) {
      if (signal.aborted) return;
      await sendUntilKnown((commands) => send(commands, id), client.commands(), {
        show: (progress) => results.set(id, progress),
        // A command that was sent is waited for, so that its row has a result.
        signal: new AbortController().signal,
      });
      show(results);
    }
  };
  await Promise.all(Array.from({ length: lanes }, work));
};
