/** Caches what is computed of short texts: a document repeats its characters far more often than it brings new ones. */

/** Values that are kept: more than a document of random characters of all scripts has. */
const KEPT_MAX = 50_000;

/** The function with a cache, which is emptied when it is full. */
export const memoize = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const kept = new Map<string, A>();
  return (text) => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    if (kept.size >= KEPT_MAX) kept.clear();
    const value = compute(text);
    kept.set(text, value);
    return value;
  };
};
