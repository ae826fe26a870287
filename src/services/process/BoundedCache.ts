/** A bounded cache with first-in, first-out eviction: by number, and by bytes where values differ in size. */

/** A cache of values by key. */
interface BoundedCache<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

/** The limit on the size of all values together. */
interface Bound<Value> {
  readonly bytesMax: number;
  /** The approximate size of a value with its parts; called once for each value that is cached. */
  readonly bytesOf: (value: Value) => number;
}

const UNBOUNDED: Bound<unknown> = { bytesMax: Number.POSITIVE_INFINITY, bytesOf: () => 0 };

/** A cache of up to `limit` values and `bytesMax` bytes; a value that exceeds `bytesMax` by itself is not cached. */
export const make = <Value>(
  limit: number,
  { bytesMax, bytesOf }: Bound<Value> = UNBOUNDED,
): BoundedCache<Value> => {
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => entries.get(key)?.value,
    set: (key, value) => {
      drop(key);
      const bytes = bytesOf(value);
      if (bytes > bytesMax) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (entries.size <= limit && total <= bytesMax) break;
        drop(oldest);
      }
    },
  };
};
