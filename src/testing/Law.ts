/** Laws: statements about a store that either hold or name what broke them, whatever test runner asks. */
import { Data, Effect } from "effect";
import { sameJson } from "../domain/Json.ts";
import type { Directory } from "../ports/Directory.ts";
import type { DocumentStore } from "../ports/Documents.ts";
import type { Outbox } from "../ports/Outbox.ts";
import type { IdempotencyKeyUsed, Storage, StorageError, VersionConflict } from "../ports/Storage.ts";

/** The ports that an adapter supplies together. */
export type Ports = Storage | Directory | Outbox | DocumentStore;

/** A law does not hold; the message says what was found and what was due. */
export class LawBroken extends Data.TaggedError("LawBroken")<{ readonly message: string }> {}

/** Every way in which checking a law fails; a store's own error where none is due breaks the law as well. */
export type Failure = LawBroken | VersionConflict | IdempotencyKeyUsed | StorageError;

/** One law of a port. */
export interface Law {
  /** The port's own sentence, and the case of it that is checked. */
  readonly name: string;
  /** The port's own sentence. */
  readonly sentence: string;
  /** Checks the law on records of customers made for it alone; the store may hold others, and keeps these. */
  readonly check: Effect.Effect<void, Failure, Ports>;
}

/** A law that one case of a sentence states. */
export const law = (sentence: string, example: string, check: Law["check"]): Law => ({
  name: `${sentence} (${example})`,
  sentence,
  check,
});

const LENGTH_SHOWN = 1_500;

/** A value as text for a message; big integers with their suffix, long texts cut. */
export const formatValue = (value: unknown): string => {
  const text =
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part)) ??
    String(value);
  return text.length > LENGTH_SHOWN ? `${text.slice(0, LENGTH_SHOWN)}… (${text.length} characters)` : text;
};

/** Passes when a condition holds. */
export const expect = (holds: boolean, message: string): Effect.Effect<void, LawBroken> =>
  holds ? Effect.void : Effect.fail(new LawBroken({ message }));

/** Passes when two plain values are equal, whatever the order of their keys. */
export const expectSame = (what: string, found: unknown, due: unknown): Effect.Effect<void, LawBroken> =>
  expect(sameJson(found, due), `${what}: found ${formatValue(found)}, due ${formatValue(due)}`);

/** Passes when two lists hold equal values in any order; `key` tells the values of a list apart. */
export const expectSameSet = <Value>(
  what: string,
  found: ReadonlyArray<Value>,
  due: ReadonlyArray<Value>,
  key: (value: Value) => string,
): Effect.Effect<void, LawBroken> => {
  const sorted = (values: ReadonlyArray<Value>) =>
    values.toSorted((one, other) => (key(one) < key(other) ? -1 : key(one) > key(other) ? 1 : 0));
  return expectSame(what, sorted(found), sorted(due));
};

/** Passes when a commit is refused because something it relied on has moved. */
export const expectVersionConflict = <R>(
  what: string,
  commit: Effect.Effect<void, VersionConflict | IdempotencyKeyUsed | StorageError, R>,
): Effect.Effect<void, LawBroken | StorageError, R> =>
  Effect.flatMap(Effect.either(commit), (exit): Effect.Effect<void, LawBroken | StorageError> => {
    if (exit._tag === "Right")
      return Effect.fail(new LawBroken({ message: `${what}: was stored, VersionConflict was due` }));
    switch (exit.left._tag) {
      case "VersionConflict":
        return expect(exit.left.what !== "", `${what}: VersionConflict does not say what moved`);
      case "IdempotencyKeyUsed":
        return Effect.fail(
          new LawBroken({ message: `${what}: was IdempotencyKeyUsed, VersionConflict was due` }),
        );
      case "StorageError":
        return Effect.fail(exit.left);
    }
  });

/** Passes when exactly one of several commits that run at once is stored; tells which. The others are refused as stale. */
export const expectOneStored = <R>(
  what: string,
  commits: ReadonlyArray<Effect.Effect<void, VersionConflict | IdempotencyKeyUsed | StorageError, R>>,
): Effect.Effect<number, LawBroken, R> =>
  Effect.gen(function* () {
    const exits = yield* Effect.all(commits.map(Effect.either), { concurrency: "unbounded" });
    const tags = exits.map((exit) => (exit._tag === "Right" ? "stored" : exit.left._tag));
    yield* expect(
      tags.filter((tag) => tag === "stored").length === 1 &&
        tags.every((tag) => tag === "stored" || tag === "VersionConflict"),
      `${what}: one stored and the others VersionConflict was due, found ${tags.join(", ")}`,
    );
    return tags.indexOf("stored");
  });
