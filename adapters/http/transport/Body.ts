/** Reads request bodies within their limits. */
import { Effect, Either } from "effect";
import type { Reservation } from "./BodyMemory.ts";
import * as Failure from "./Failure.ts";
import type { Request, Response } from "./HttpMessage.ts";

/** True if the declared length of a body exceeds the limit. */
export const isDeclaredTooLarge = (request: Request, limitBytes: number): boolean => {
  const declared = request.header("content-length");
  return declared !== undefined && Number(declared) > limitBytes;
};

const joinChunks = (chunks: ReadonlyArray<Uint8Array>, length: number): Uint8Array => {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
};

/** Collects chunks up to a limit. */
export interface Collector {
  /** Adds a chunk; returns null, or the response that refuses it, and then drops the collected chunks. */
  readonly add: (chunk: Uint8Array) => Response | null;
  readonly bytes: () => Uint8Array;
}

/** A collector of at most `limitBytes`, within the memory of all requests. */
export const collector = (limitBytes: number, reservation: Reservation): Collector => {
  const chunks: Array<Uint8Array> = [];
  let length = 0;
  return {
    add: (chunk) => {
      length += chunk.length;
      const problem =
        length > limitBytes
          ? Failure.contentTooLarge(limitBytes)
          : reservation.add(chunk.length)
            ? null
            : Failure.overloaded;
      if (problem === null) chunks.push(chunk);
      else chunks.length = 0;
      return problem;
    },
    bytes: () => joinChunks(chunks, length),
  };
};

/**
 * Reads a body of undeclared length to its end, drops it and returns its length; fails as soon as the limit is exceeded.
 * The size is thus the first error that is reported, as with a declared length.
 */
export const measure = (request: Request, limitBytes: number): Effect.Effect<number, Failure.Rejected> =>
  Effect.async((resume) => {
    let length = 0;
    request.body({
      chunk: (bytes) => {
        length += bytes.length;
        if (length <= limitBytes) return true;
        resume(Effect.fail(new Failure.Rejected({ response: Failure.contentTooLarge(limitBytes) })));
        return false;
      },
      end: () => resume(Effect.succeed(length)),
    });
  });

/** Reads the whole body; refuses it as soon as it exceeds the limit, without reading the rest. */
export const read = (
  request: Request,
  limitBytes: number,
  reservation: Reservation,
  done: (outcome: Either.Either<Uint8Array, Response>) => void,
): void => {
  const body = collector(limitBytes, reservation);
  request.body({
    chunk: (bytes) => {
      const problem = body.add(bytes);
      if (problem !== null) done(Either.left(problem));
      return problem === null;
    },
    end: (outcome) =>
      done(
        outcome === "complete"
          ? Either.right(body.bytes())
          : Either.left(Failure.badRequest("The body ended early")),
      ),
  });
};
