/** Rate limits: a token bucket for each principal. */

/** The limit of every principal. */
export interface RateLimit {
  /** The rate at which a bucket fills. */
  readonly requestsPerSecond: number;
  /** The number of requests in a full bucket; at least 1. */
  readonly burst: number;
}

interface Bucket {
  requests: number;
  filledAt: number;
}

/** Above this number of buckets, full ones are removed, because they limit nothing. */
const BUCKETS_KEPT = 10_000;

/** Takes one request of a principal; returns 0, or the number of whole seconds until the next one is available. */
export type Take = (principalId: string) => number;

/** Buckets that start full, of this process only. `now` counts milliseconds and never goes back. */
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
