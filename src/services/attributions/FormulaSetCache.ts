/**
 * A cache of what creating attributions reads each time: the ownership of a partner, and a schema, which never change; and
 * the formulas of the two. Every commit that relies on those requires their version, so an outdated entry stores nothing.
 */
import { Context, Effect, Layer } from "effect";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { CustomerId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Ownership } from "../../domain/Principal.ts";
import { type FormulaSet, Storage, type StorageError } from "../../ports/Storage.ts";
import { type AccumulatingFormula, accumulatingAmong } from "../accumulation/AccumulatingFormulas.ts";
import * as BoundedCache from "../process/BoundedCache.ts";
import { Evaluator } from "./Evaluator.ts";

/** A partner and a schema of a customer, and the formulas that say what the one earns for the other. */
export interface FormulaContext {
  readonly partner: Ownership;
  readonly schema: AttributionSchema;
  readonly formulaSet: FormulaSet;
  /** Those of the formulas that accumulate. */
  readonly accumulating: ReadonlyArray<AccumulatingFormula>;
}

/** A formula context as the store has it: a record that the customer does not have is null, and then so is the formula set. */
export type Found = { readonly [Part in keyof FormulaContext]: FormulaContext[Part] | null };

/** Reads formula contexts, from memory where it can. */
export interface FormulaSetCacheService {
  /** With `fresh` it reads the store: after a version conflict, the cached formula set is out of date. Absence is not cached. */
  readonly find: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
    fresh: boolean,
  ) => Effect.Effect<Found, StorageError>;
}

/** The cache in force. */
export class FormulaSetCache extends Context.Tag("quittance/services/FormulaSetCache")<
  FormulaSetCache,
  FormulaSetCacheService
>() {}

/** Formula contexts in the cache. */
const ENTRIES_MAX = 10_000;

/** The size of all of them together. */
const BYTES_MAX = 64 * 1024 * 1024;

/** The size of a plain value in memory, for each byte of its JSON. */
const BYTES_PER_BYTE = 2;

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const evaluator = yield* Evaluator;
  const cache = BoundedCache.make<FormulaContext>(ENTRIES_MAX, {
    bytesMax: BYTES_MAX,
    // The formulas that accumulate are among those of the formula set.
    bytesOf: ({ accumulating: _, ...context }) => BYTES_PER_BYTE * JSON.stringify(context).length,
  });

  const load = (
    key: string,
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
  ): Effect.Effect<Found, StorageError> =>
    Effect.gen(function* () {
      const [found] = yield* storage.find(customerId, "partner", [partnerId]);
      const [schema = null] = yield* storage.find(customerId, "schema", [schemaId]);
      const partner = found === undefined ? null : { customerId, workspaceId: found.workspaceId, partnerId };
      if (partner === null || schema === null)
        return { partner, schema, formulaSet: null, accumulating: null };
      const formulaSet = yield* storage.formulaSet(customerId, partnerId, schemaId);
      const accumulating = accumulatingAmong(evaluator, schema, formulaSet.formulas);
      const context = { partner, schema, formulaSet, accumulating };
      cache.set(key, context);
      return context;
    });

  return FormulaSetCache.of({
    find: (customerId, partnerId, schemaId, fresh) => {
      const key = `${customerId}/${partnerId}/${schemaId}`;
      const known = fresh ? undefined : cache.get(key);
      return known === undefined ? load(key, customerId, partnerId, schemaId) : Effect.succeed(known);
    },
  });
});

/** An empty cache. */
export const layer: Layer.Layer<FormulaSetCache, never, Storage | Evaluator> = Layer.effect(
  FormulaSetCache,
  make,
);
