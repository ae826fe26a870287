/** Waits until a settlement is in one of some states. */
import { TimeoutError } from "./QuittanceError.ts";
import { refuse } from "./Refuse.ts";

/** What waiting takes. */
export interface WaitOptions {
  /** Stops waiting; the call rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds; 30 seconds by default. */
  readonly timeout?: number;
}

const TIMEOUT_MILLISECONDS = 30_000;
const PAUSE_MILLISECONDS_MAX = 500;

/** Resolves after a time, and rejects with the reason of the signal if that aborts before. */
export const pause = (milliseconds: number, signal?: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });

interface WithStatus {
  readonly status: { readonly type: string };
}

/** Reads a settlement again with growing pauses, of 10 ms to half a second, until it is in one of the states. */
export const waitFor = async <Settlement extends WithStatus>(
  get: (options: Pick<WaitOptions, "signal">) => Promise<Settlement>,
  states: ReadonlyArray<string>,
  { timeout = TIMEOUT_MILLISECONDS, signal, ...unknown }: WaitOptions = {},
): Promise<Settlement> => {
  const [field] = Object.keys(unknown);
  if (field !== undefined) throw refuse(field, "is not a known option; known are timeout, signal");
  const until = performance.now() + timeout;
  for (let milliseconds = 10; ; milliseconds = Math.min(2 * milliseconds, PAUSE_MILLISECONDS_MAX)) {
    const settlement = await get({ signal });
    if (states.includes(settlement.status.type)) return settlement;
    const left = until - performance.now();
    if (left <= 0) {
      throw new TimeoutError(
        `the settlement is ${settlement.status.type}, and was not ${states.join(" or ")} within ${timeout} ms`,
      );
    }
    await pause(Math.min(milliseconds, left), signal);
  }
};
