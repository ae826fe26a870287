/** A bounded cache with first-in, first-out eviction: by number, and by bytes where values differ in size. */

/** What is kept. */
export interface BoundedCache<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

/** How much values may take up together. */
export interface Bound<Value> {
  readonly bytesMax: number;
  /** About how many bytes a value takes up, its parts included; asked once for each value that is kept. */
  readonly bytesOf: (value: Value) => number;
}

const UNBOUNDED: Bound<unknown> = { bytesMax: Number.POSITIVE_INFINITY, bytesOf: () => 0 };

/** Keeps up to `limit` values, of `bytesMax` bytes together; one that is larger by itself is not kept. */
export const make = <Value>(
  limit: number,
  { bytesMax, bytesOf }: Bound<Value> = UNBOUNDED,
): BoundedCache<Value> => {
  const kept = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => kept.get(key)?.value,
    set: (key, value) => {
      drop(key);
      const bytes = bytesOf(value);
      if (bytes > bytesMax) return;
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (kept.size <= limit && total <= bytesMax) break;
        drop(oldest);
      }
    },
  };
};
