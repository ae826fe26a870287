/** The source of new ids: UUID version 7 of the clock and of randomness; tests give a seeded one. */
import { Clock, Context, Effect, Layer, type Schema } from "effect";
import { uuidV7 } from "../domain/Ids.ts";
import type { Timestamp } from "../domain/Timestamp.ts";

/** What a host may supply; {@link layer} is what the engine uses otherwise. */
export interface IdSourceService {
  /** A new id of a kind, such as `PartnerId`: a UUID in lower case; ids that one process creates later sort later. */
  readonly next: <Id extends string>(kind: Schema.Schema<Id, string>) => Effect.Effect<Id>;
  /** The same at once, for a caller that has read the clock. */
  readonly nextAt: <Id extends string>(kind: Schema.Schema<Id, string>, now: Timestamp) => Id;
  /** That many random bytes, unguessable. */
  readonly randomBytes: (length: number) => Effect.Effect<Uint8Array>;
}

/** The source of ids. */
export class IdSource extends Context.Tag("quittance/ports/IdSource")<IdSource, IdSourceService>() {}

declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

/**
 * A source over the given randomness. Inside one millisecond, and when the clock steps back, a 12-bit counter keeps
 * ids ascending; when it runs over, the next millisecond is borrowed.
 */
export const make = (randomBytes: (length: number) => Uint8Array): IdSourceService => {
  let last = 0;
  let counter = 0;
  const nextAt = <Id extends string>(_kind: Schema.Schema<Id, string>, now: Timestamp): Id => {
    const random = randomBytes(10);
    if (now > last) {
      last = now;
      counter = (((random[0] ?? 0) & 0x07) << 8) | (random[1] ?? 0);
    } else if (++counter > 0xfff) {
      last += 1;
      counter = 0;
    }
    random[0] = counter >> 8;
    random[1] = counter & 0xff;
    // A UUID in lower case satisfies the schema of any id.
    return uuidV7(last, random) as Id;
  };
  return {
    next: (kind) => Effect.map(Clock.currentTimeMillis, (now) => nextAt(kind, now)),
    nextAt,
    randomBytes: (length) => Effect.sync(() => randomBytes(length)),
  };
};

/** Bytes read from the platform at a time: a call for a few costs as much as one for thousands. */
const POOL_BYTES = 8_192;

/** The platform's cryptographic randomness; every byte is used once. */
const openRandomPool = (): ((length: number) => Uint8Array) => {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (length) => {
    if (pool.length - used < length) {
      pool = crypto.getRandomValues(new Uint8Array(Math.max(POOL_BYTES, length)));
      used = 0;
    }
    used += length;
    return pool.slice(used - length, used);
  };
};

/** Ids from the platform's cryptographic randomness. */
export const layer: Layer.Layer<IdSource> = Layer.sync(IdSource, () => make(openRandomPool()));
