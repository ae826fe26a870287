/**
 * What creating attributions looks up again and again, kept in memory: schemas and the owners of partners, which never
 * change, and the formulas of a partner and schema, whose version every commit that relies on them requires.
 */
import { Context, Effect, Layer } from "effect";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import type { CustomerId, PartnerId, SchemaId } from "../domain/Ids.ts";
import type { Ownership } from "../domain/Principal.ts";
import { type Program, Storage, type StorageFailed } from "../ports/Storage.ts";
import * as Kept from "./Kept.ts";

/** What is looked up; null when there is no such record. Absence is not kept. */
export interface CatalogueService {
  readonly schema: (
    customerId: CustomerId,
    id: SchemaId,
  ) => Effect.Effect<AttributionSchema | null, StorageFailed>;
  readonly partner: (customerId: CustomerId, id: PartnerId) => Effect.Effect<Ownership | null, StorageFailed>;
  /** `fresh` asks the store: after a commit has told that what was kept is stale. */
  readonly program: (
    customerId: CustomerId,
    partnerId: PartnerId,
    schemaId: SchemaId,
    fresh: boolean,
  ) => Effect.Effect<Program, StorageFailed>;
}

/** The catalogue in force. */
export class Catalogue extends Context.Tag("quittance/services/Catalogue")<Catalogue, CatalogueService>() {}

/** Values kept of each kind. */
const KEPT = 10_000;

const make = Effect.gen(function* () {
  const storage = yield* Storage;
  const schemas = Kept.make<AttributionSchema>(KEPT);
  const partners = Kept.make<Ownership>(KEPT);
  const programs = Kept.make<Program>(KEPT);

  const through = <Value>(
    kept: Kept.Kept<Value>,
    key: string,
    load: Effect.Effect<Value | null, StorageFailed>,
    fresh = false,
  ): Effect.Effect<Value | null, StorageFailed> => {
    const known = fresh ? undefined : kept.get(key);
    return known !== undefined
      ? Effect.succeed(known)
      : Effect.tap(load, (loaded) =>
          Effect.sync(() => (loaded === null ? undefined : kept.set(key, loaded))),
        );
  };

  return Catalogue.of({
    schema: (customerId, id) =>
      through(
        schemas,
        `${customerId}/${id}`,
        Effect.map(storage.find(customerId, "schema", [id]), ([schema]) => schema ?? null),
      ),
    partner: (customerId, id) =>
      through(
        partners,
        `${customerId}/${id}`,
        Effect.map(storage.find(customerId, "partner", [id]), ([partner]) =>
          partner === undefined ? null : { customerId, workspaceId: partner.workspaceId, partnerId: id },
        ),
      ),
    program: (customerId, partnerId, schemaId, fresh) =>
      Effect.map(
        through(
          programs,
          `${customerId}/${partnerId}/${schemaId}`,
          storage.program(customerId, partnerId, schemaId),
          fresh,
        ),
        (program) => program ?? { version: 0, formulas: [] },
      ),
  });
});

/** A catalogue that has kept nothing yet. */
export const layer: Layer.Layer<Catalogue, never, Storage> = Layer.effect(Catalogue, make);
