/** Reading data for a page: loading, ready or failed, and when it was read. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

export interface Loaded<Value> {
  /** The value read last; it stays while it is read again. */
  readonly value: Value | null;
  readonly failure: unknown;
  readonly isLoading: boolean;
  /** When the value was read. */
  readonly readAt: number | null;
  readonly reload: () => void;
}

interface State<Value> {
  readonly value: Value | null;
  readonly failure: unknown;
  readonly isLoading: boolean;
  readonly readAt: number | null;
  readonly key: string;
  /** The key of the value. */
  readonly valueKey: string;
}

const READ_AGAIN = "quittance-read-again";

/** Has everything that is shown read again. */
export const readAgain = (): void => {
  dispatchEvent(new Event(READ_AGAIN));
};

/**
 * Reads a value when the page appears, whenever `key` changes, and after a failure when the connection returns. A value
 * of another key is dropped when `keep` is false, or when reading fails. With a `given` value nothing is read when the page
 * appears.
 */
export const useLoad = <Value>(
  key: string,
  read: (signal: AbortSignal) => Promise<Value>,
  keep = false,
  given?: Value,
): Loaded<Value> => {
  const [state, setState] = useState<State<Value>>({
    value: given ?? null,
    failure: null,
    isLoading: given === undefined,
    readAt: null,
    key,
    valueKey: key,
  });
  const isGiven = useRef(given !== undefined);
  const [round, setRound] = useState(0);
  const latest = useRef(read);
  latest.current = read;
  useEffect(() => {
    if (isGiven.current) {
      isGiven.current = false;
      return;
    }
    const abort = new AbortController();
    setState((before) => ({
      ...before,
      value: keep || before.key === key ? before.value : null,
      failure: null,
      isLoading: true,
      key,
    }));
    latest
      .current(abort.signal)
      .then((value) => {
        if (!abort.signal.aborted)
          setState({ value, failure: null, isLoading: false, readAt: Date.now(), key, valueKey: key });
      })
      .catch((failure: unknown) => {
        if (abort.signal.aborted) return;
        // What was read for another key would be shown as if it were of this one.
        setState((before) => ({
          ...before,
          value: before.valueKey === key ? before.value : null,
          failure,
          isLoading: false,
        }));
      });
    return () => abort.abort();
  }, [key, round, keep]);
  const reload = useCallback(() => setRound((value) => value + 1), []);
  useEffect(() => {
    addEventListener(READ_AGAIN, reload);
    return () => removeEventListener(READ_AGAIN, reload);
  }, [reload]);
  const hasFailed = state.failure !== null;
  useEffect(() => {
    if (!hasFailed) return;
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, [hasFailed, reload]);
  const isStale = state.key !== key && !keep;
  return {
    ...state,
    value: isStale ? null : state.value,
    isLoading: state.isLoading || state.key !== key,
    reload,
  };
};

/** A value a moment after it has changed for the last time. */
export const useSettled = <Value>(value: Value, milliseconds: number): Value => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
};

/** Reads again at an interval while `isMoving` is true and the page is visible. */
export const useWatch = (isMoving: boolean, reload: () => void, milliseconds: number): void =>
  useEffect(() => {
    if (!isMoving) return;
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), milliseconds);
    return () => clearInterval(timer);
  }, [isMoving, reload, milliseconds]);
