/** How often one principal may ask: a bucket of requests each, filled evenly, so that a burst is paid back by waiting. */

/** The bound of every principal. */
export interface RateLimit {
  /** How fast a bucket fills. */
  readonly requestsPerSecond: number;
  /** How many requests a full bucket holds; at least 1. */
  readonly burst: number;
}

interface Bucket {
  requests: number;
  filledAt: number;
}

/** Buckets beyond this number are looked through for full ones, which are as good as none. */
const BUCKETS_KEPT = 10_000;

/** Takes one request of a principal's; answers 0, or after how many whole seconds there will be one. */
export type Take = (principalId: string) => number;

/** Buckets that start full; they live in this process alone. `now` counts milliseconds and never goes back. */
export const make = ({ requestsPerSecond, burst }: RateLimit, now = () => performance.now()): Take => {
  const buckets = new Map<string, Bucket>();
  const fill = (bucket: Bucket, at: number): void => {
    bucket.requests = Math.min(burst, bucket.requests + ((at - bucket.filledAt) / 1000) * requestsPerSecond);
    bucket.filledAt = at;
  };
  const forgetFull = (at: number): void => {
    for (const [principalId, bucket] of buckets) {
      fill(bucket, at);
      if (bucket.requests >= burst) buckets.delete(principalId);
    }
  };
  return (principalId) => {
    const at = now();
    let bucket = buckets.get(principalId);
    if (bucket === undefined) {
      if (buckets.size >= BUCKETS_KEPT) forgetFull(at);
      bucket = { requests: burst, filledAt: at };
      buckets.set(principalId, bucket);
    }
    fill(bucket, at);
    if (bucket.requests < 1) return Math.ceil((1 - bucket.requests) / requestsPerSecond);
    bucket.requests -= 1;
    return 0;
  };
};
