/** Limits the bytes of request bodies in memory, so that senders who never finish cannot exhaust it. */

/**
 * Bytes of one body that are not counted: a connection buffers as many anyway, and small requests must not fail because
 * others are large. The number of connections bounds their sum.
 */
const FREE_BYTES = 64 * 1024;

/** The bytes that one request holds. */
export interface Reservation {
  /** Adds bytes; returns whether they are within the limit. After the first `false`, or the end of the request, always `false`. */
  readonly add: (bytes: number) => boolean;
  /** Releases all bytes at the end of the request. */
  readonly release: () => void;
}

/**
 * Starts counting for one request. A body that takes a multiple of its size while it is handled is counted as often, but never
 * as more than there is: it is then the only one.
 */
export type BodyMemory = (times?: number) => Reservation;

/** Counts the bytes of bodies that requests hold, up to `bytesMax` for all together. */
export const make = (bytesMax: number): BodyMemory => {
  let total = 0;
  return (times = 1) => {
    let length = 0;
    let counted = 0;
    let isOpen = true;
    const release = (): void => {
      isOpen = false;
      total -= counted;
      counted = 0;
    };
    return {
      add: (bytes) => {
        length += bytes;
        const own = Math.max(0, length - FREE_BYTES);
        const more = Math.max(own, Math.min(own * times, bytesMax)) - counted;
        if (!isOpen || total + more > bytesMax) {
          release();
          return false;
        }
        counted += more;
        total += more;
        return true;
      },
      release,
    };
  };
};
