/**
 * A cache of what creating attributions reads each time: the ownership of a partner, and a schema, which never change; and
 * the formulas of the two. Every commit that relies on those requires their version, so an outdated entry stores nothing.
 */
import { Array as Arrays, Context, Effect, Layer } from "effect";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { CustomerId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Ownership } from "../../domain/Principal.ts";
import {
  type Earnings,
  type FormulaSet,
  type Records,
  Storage,
  type StorageError,
} from "../../ports/Storage.ts";
import * as BoundedCache from "../process/BoundedCache.ts";
import { type AccumulatingFormula, accumulatingAmong } from "./AccumulatingFormulas.ts";
import { Evaluator } from "./Evaluator.ts";

/** A partner and a schema of a customer, and the formulas for what the partner earns under it. */
export interface FormulaContext {
  readonly partner: Ownership;
  readonly schema: AttributionSchema;
  readonly formulaSet: FormulaSet;
  /** Those of the formulas that accumulate. */
  readonly accumulating: ReadonlyArray<AccumulatingFormula>;
}

/** A formula context as the store has it: a record that the customer does not have is null, and then so is the formula set. */
export type Found = { readonly [Part in keyof FormulaContext]: FormulaContext[Part] | null };

/** A partner and a schema. */
export interface FormulaSetKey {
  readonly partnerId: PartnerId;
  readonly schemaId: SchemaId;
}

/** Reads formula contexts, from memory where it can. */
export interface FormulaSetCacheService {
  /**
   * The contexts of the keys, in their order. With `fresh` it reads the store: after a version conflict, the cached formula
   * sets are out of date. Absence is not cached. Reads partners and schemas once, and the formula sets of a hundred
   * partners of a schema at a time.
   */
  readonly find: (
    customerId: CustomerId,
    keys: ReadonlyArray<FormulaSetKey>,
    fresh: boolean,
  ) => Effect.Effect<ReadonlyArray<Found>, StorageError>;
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

/** Partners whose formulas one statement reads; a partner may have many large formulas. */
const PARTNERS_PER_READ = 100;

/** The size of a plain value in memory, for each byte of its JSON. */
const BYTES_PER_BYTE = 2;

/** A schema, and the formula sets of partners for it. */
interface Parts {
  readonly schema: AttributionSchema;
  readonly formulaSets: ReadonlyMap<PartnerId, FormulaSet>;
}

/** What the store has of a partner and a schema that do not exist. */
export const NOTHING: Found = { partner: null, schema: null, formulaSet: null, accumulating: null };

const nameOf = (customerId: CustomerId, { partnerId, schemaId }: FormulaSetKey): string =>
  `${customerId}/${partnerId}/${schemaId}`;

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const evaluator = yield* Evaluator;
  const cache = BoundedCache.make<FormulaContext>(ENTRIES_MAX, {
    bytesMax: BYTES_MAX,
    // The formulas that accumulate are among those of the formula set.
    bytesOf: ({ accumulating: _, ...context }) => BYTES_PER_BYTE * JSON.stringify(context).length,
  });

  /** The formula sets of partners for one schema, by partner. */
  const formulaSetsOf = (
    customerId: CustomerId,
    schemaId: SchemaId,
    partnerIds: ReadonlyArray<PartnerId>,
  ): Effect.Effect<ReadonlyMap<PartnerId, FormulaSet>, StorageError> =>
    Effect.map(
      Effect.forEach(Arrays.chunksOf(partnerIds, PARTNERS_PER_READ), (some) =>
        storage.formulaSets(customerId, schemaId, some),
      ),
      (found) =>
        new Map(
          found.flat().map(({ partnerId, version, formulas }) => [partnerId, { version, formulas }] as const),
        ),
    );

  /** Reads the contexts of keys, and caches those that are complete. */
  const load = (
    customerId: CustomerId,
    keys: ReadonlyArray<FormulaSetKey>,
  ): Effect.Effect<ReadonlyArray<Found>, StorageError> =>
    Effect.gen(function* () {
      const idsOf = <Id>(of: (key: FormulaSetKey) => Id) => [...new Set(keys.map(of))];
      const foundPartners = yield* storage.find(
        customerId,
        "partner",
        idsOf(({ partnerId }) => partnerId),
      );
      const partners = new Map(foundPartners.map((partner) => [partner.id, partner]));
      const foundSchemas = yield* storage.find(
        customerId,
        "schema",
        idsOf(({ schemaId }) => schemaId),
      );
      const schemas = new Map<SchemaId, Parts>();
      for (const schema of foundSchemas) {
        const own = keys.filter((key) => key.schemaId === schema.id && partners.has(key.partnerId));
        const partnerIds = own.map(({ partnerId }) => partnerId);
        schemas.set(schema.id, {
          schema,
          formulaSets: yield* formulaSetsOf(customerId, schema.id, partnerIds),
        });
      }
      return keys.map((key): Found => {
        const stored = partners.get(key.partnerId);
        const partner =
          stored === undefined
            ? null
            : { customerId, workspaceId: stored.workspaceId, partnerId: key.partnerId };
        const parts = schemas.get(key.schemaId);
        const schema = parts?.schema ?? null;
        const formulaSet = parts?.formulaSets.get(key.partnerId) ?? null;
        if (partner === null || schema === null || formulaSet === null)
          return { partner, schema, formulaSet: null, accumulating: null };
        const accumulating = accumulatingAmong(evaluator, schema, formulaSet.formulas);
        const context = { partner, schema, formulaSet, accumulating };
        cache.set(nameOf(customerId, key), context);
        return context;
      });
    });

  return FormulaSetCache.of({
    find: (customerId, keys, fresh) =>
      Effect.suspend(() => {
        const known = keys.map((key) => (fresh ? undefined : cache.get(nameOf(customerId, key))));
        const absent = keys.filter((_, index) => known[index] === undefined);
        if (absent.length === 0) return Effect.succeed(known.filter((candidate) => candidate !== undefined));
        return Effect.map(load(customerId, absent), (loaded) => {
          const rest = loaded.values();
          return known.map((item) => item ?? rest.next().value ?? NOTHING);
        });
      }),
  });
});

/** An empty cache. */
export const layer: Layer.Layer<FormulaSetCache, never, Storage | Evaluator> = Layer.effect(
  FormulaSetCache,
  make,
);
