/** A bounded memory of values by key: when it is full, the value kept longest gives way. */

/** What is kept. */
export interface Kept<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
}

/** Keeps up to `limit` values. */
export const make = <Value>(limit: number): Kept<Value> => {
  const values = new Map<string, Value>();
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      const oldest = values.size < limit || values.has(key) ? undefined : values.keys().next().value;
      if (oldest !== undefined) values.delete(oldest);
      values.set(key, value);
    },
  };
};
