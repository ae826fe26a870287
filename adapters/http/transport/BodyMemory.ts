/** How many bytes of request bodies are held at once, so that senders who never finish cannot use up the memory. */

/**
 * Bytes of one body that are not counted: a connection holds as many anyhow, and whoever sends little is not turned away
 * because others send much. How many there are of those is bounded by the number of connections.
 */
const FREE_BYTES = 64 * 1024;

/** What one request holds. */
export interface Held {
  /** Whether so many more bytes may be held. Once it has answered no, or the request has ended, it does not change. */
  readonly add: (bytes: number) => boolean;
  /** Gives back what was held: the request has ended. */
  readonly release: () => void;
}

/** Begins to count for one request. */
export type BodyMemory = () => Held;

/** Counts what requests hold of their bodies, up to `bytesMax` for all together. */
export const make = (bytesMax: number): BodyMemory => {
  let total = 0;
  return () => {
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
        const more = Math.max(0, length - FREE_BYTES) - counted;
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
