/** Closed months: the journal of each one is what it was when the month was closed. */
import { Effect, Layer, Stream } from "effect";
import { Journals, PeriodSeals, Storage } from "quittance";
import * as NodeDigest from "../NodeDigest.ts";
import type { Check } from "./Check.ts";

const NAME = "closed months";

/** The check of closed months. */
export const periods: Check = {
  name: NAME,
  statement:
    "The journal of each closed month has the hash and the totals that were stored after its closing.",
  find: ({ customerId, storage }, counter) => {
    const finding = (problem: string) => ({ check: NAME, customerId, problem });
    const services = Layer.mergeAll(
      NodeDigest.layer,
      Journals.Journals.Default.pipe(
        Layer.provideMerge(Layer.succeed(Storage.Storage, storage)),
        Layer.provide(NodeDigest.layer),
      ),
    );
    return PeriodSeals.compare(customerId).pipe(
      Effect.map((compared) => {
        counter("closed month", compared.length);
        return compared.flatMap(({ month, problem }) =>
          problem === null ? [] : [finding(`the journal of ${month}: ${problem}`)],
        );
      }),
      Effect.catchAll((failure) =>
        failure instanceof Storage.StorageError
          ? Effect.fail(failure)
          : Effect.succeed([finding(`a journal cannot be read: ${failure.message}`)]),
      ),
      Effect.map(Stream.fromIterable),
      Effect.provide(services),
      Stream.unwrap,
    );
  },
};
