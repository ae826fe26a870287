/**
 * What creating attributions looks up again and again, kept in memory: who owns a partner, and a schema, which never
 * change; and the formulas of the two, whose version every commit that relies on them requires.
 */
import { Context, Effect, Layer } from "effect";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { CustomerId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Ownership } from "../../domain/Principal.ts";
import { type FormulaSet, Storage, type StorageError } from "../../ports/Storage.ts";
import * as Kept from "../process/BoundedCache.ts";

/** A partner and a schema of a customer, and the formulas that say what the one earns for the other. */
export interface FormulaContext {
  readonly partner: Ownership;
  readonly schema: AttributionSchema;
  readonly formulaSet: FormulaSet;
}

/** What there is of the terms: a record that the customer does not have is null, and then there are no formulas. */
export type Found = { readonly [Part in keyof FormulaContext]: FormulaContext[Part] | null };

/** What looks up. */
export interface FormulaSetCacheService {
  /** `fresh` asks the store: after a commit has told that what was kept is stale. Absence is not kept. */
  readonly terms: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
    fresh: boolean,
  ) => Effect.Effect<Found, StorageError>;
}

/** The catalogue in force. */
export class FormulaSetCache extends Context.Tag("quittance/services/Catalogue")<
  FormulaSetCache,
  FormulaSetCacheService
>() {}

/** Terms kept. */
const KEPT = 10_000;

/** What they may take up together. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;

/** What a plain value takes up, for each byte of its JSON. */
const BYTES_PER_BYTE = 2;

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const kept = Kept.make<FormulaContext>(KEPT, {
    bytesMax: KEPT_BYTES_MAX,
    bytesOf: (terms) => BYTES_PER_BYTE * JSON.stringify(terms).length,
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
      if (partner === null || schema === null) return { partner, schema, formulaSet: null };
      const terms = {
        partner,
        schema,
        formulaSet: yield* storage.formulaSet(customerId, partnerId, schemaId),
      };
      kept.set(key, terms);
      return terms;
    });

  return FormulaSetCache.of({
    terms: (customerId, partnerId, schemaId, fresh) => {
      const key = `${customerId}/${partnerId}/${schemaId}`;
      const known = fresh ? undefined : kept.get(key);
      return known === undefined ? load(key, customerId, partnerId, schemaId) : Effect.succeed(known);
    },
  });
});

/** A catalogue that has kept nothing yet. */
export const layer: Layer.Layer<FormulaSetCache, never, Storage> = Layer.effect(FormulaSetCache, make);
