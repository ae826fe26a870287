/** Laws: checks of a store that need no particular test runner. */
import { Data, Effect } from "effect";
import { sameJson } from "../domain/Json.ts";
import type { Directory } from "../ports/Directory.ts";
import type { DocumentStore } from "../ports/Documents.ts";
import type { Outbox } from "../ports/Outbox.ts";
import type { IdempotencyKeyUsed, Storage, StorageError, VersionConflict } from "../ports/Storage.ts";

/** The ports that an adapter supplies together. */
export type Ports = Storage | Directory | Outbox | DocumentStore;

/** A law does not hold; the message names the value found and the value expected. */
export class LawBroken extends Data.TaggedError("LawBroken")<{ readonly message: string }> {}

/** Every failure of a law; a store's own error that the law does not expect breaks the law as well. */
export type Failure = LawBroken | VersionConflict | IdempotencyKeyUsed | StorageError;

/** One law of a port. */
export interface Law {
  /** The port's sentence, and the case of it that is checked. */
  readonly name: string;
  /** The port's sentence, word by word. */
  readonly sentence: string;
  /** Checks the law on records of new customers, which stay in the store; the store may hold other customers. */
  readonly check: Effect.Effect<void, Failure, Ports>;
}

/** A law: one case of a sentence. */
export const law = (sentence: string, example: string, check: Law["check"]): Law => ({
  name: `${sentence} (${example})`,
  sentence,
  check,
});

const LENGTH_SHOWN = 1_500;

/** Formats a value for a message; big integers have their suffix, and long texts are cut. */
export const formatValue = (value: unknown): string => {
  const text =
    JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}n` : part)) ??
    String(value);
  return text.length > LENGTH_SHOWN ? `${text.slice(0, LENGTH_SHOWN)}… (${text.length} characters)` : text;
};

/** Passes when a condition holds. */
export const expect = (holds: boolean, message: string): Effect.Effect<void, LawBroken> =>
  holds ? Effect.void : Effect.fail(new LawBroken({ message }));

/** Passes when two plain values are equal; the order of object keys does not matter. */
export const expectSame = (what: string, found: unknown, expected: unknown): Effect.Effect<void, LawBroken> =>
  expect(
    sameJson(found, expected),
    `${what}: found ${formatValue(found)}, expected ${formatValue(expected)}`,
  );

/** Passes when two lists hold equal values in any order; `key` identifies a value within its list. */
export const expectSameSet = <Value>(
  what: string,
  found: ReadonlyArray<Value>,
  expected: ReadonlyArray<Value>,
  key: (value: Value) => string,
): Effect.Effect<void, LawBroken> => {
  const sortByKey = (values: ReadonlyArray<Value>) =>
    values.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  return expectSame(what, sortByKey(found), sortByKey(expected));
};

/** Passes when a commit fails with {@link VersionConflict}. */
export const expectVersionConflict = <R>(
  what: string,
  commit: Effect.Effect<void, VersionConflict | IdempotencyKeyUsed | StorageError, R>,
): Effect.Effect<void, LawBroken | StorageError, R> =>
  Effect.flatMap(Effect.either(commit), (exit): Effect.Effect<void, LawBroken | StorageError> => {
    if (exit._tag === "Right")
      return Effect.fail(new LawBroken({ message: `${what}: was stored, expected VersionConflict` }));
    switch (exit.left._tag) {
      case "VersionConflict":
        return expect(exit.left.what !== "", `${what}: VersionConflict does not name what changed`);
      case "IdempotencyKeyUsed":
        return Effect.fail(
          new LawBroken({ message: `${what}: IdempotencyKeyUsed, expected VersionConflict` }),
        );
      case "StorageError":
        return Effect.fail(exit.left);
    }
  });

/** Passes when exactly one of several concurrent commits is stored and the others fail with a conflict; returns its index. */
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
      `${what}: expected one stored and the others VersionConflict, found ${tags.join(", ")}`,
    );
    return tags.indexOf("stored");
  });
