/** Showing what a task of many steps has found so far, at a pace that leaves time for the task itself. */

/** Shows values at most once in an interval. */
export interface Paced<Value> {
  /** Says that there is something new to show; `read` is called when it is shown, and returns what there is then. */
  readonly report: (read: () => Value) => void;
  /** Shows what was reported and is not shown yet. */
  readonly flush: () => void;
}

/** Shows the newest of many reports, at most one in each interval of `milliseconds`. */
export const paced = <Value>(show: (value: Value) => void, milliseconds: number): Paced<Value> => {
  let newest: (() => Value) | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const read = newest;
    newest = null;
    if (read !== null) show(read());
  };
  return {
    report: (read) => {
      newest = read;
      timer ??= setTimeout(flush, milliseconds);
    },
    flush,
  };
};
