/** Caches values that are computed from short texts: a document repeats most of its characters many times. */

/** The size of the cache: more than the characters of a document with random characters of all scripts. */
const CACHED_MAX = 50_000;

/** The function with a cache, which is emptied when it is full. */
export const memoize = <A>(compute: (text: string) => A): ((text: string) => A) => {
  const cache = new Map<string, A>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (cache.size >= CACHED_MAX) cache.clear();
    const value = compute(text);
    cache.set(text, value);
    return value;
  };
};
