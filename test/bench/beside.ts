/** Shared by benches that time creations of attributions while a worker handles a large task: engine, customer, commissions, times. */

import { cpus } from "node:os";
import { Context, Effect, Layer, Redacted } from "effect";
import {
  AttributionSchemas,
  Attributions,
  type Ids,
  Partners,
  Principal,
  Quittance,
  Storage,
  Worker,
} from "quittance";
import type { Expression } from "quittance/formula";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build } from "quittance/testing";
import { median } from "./median.ts";
import { server } from "./settle/measure.ts";

export const BATCH = 1_000;
/** Creations without the task, for comparison. */
const BEFORE = 500;
/** Partners that are assigned to a plan at a time: so many are recomputed before the response, so that no work is left. */
export const ASSIGNED = 100;
export const POLL_MILLISECONDS = 100;

const began = performance.now();
export const progress = (text: string): void =>
  console.error(`${((performance.now() - began) / 1_000).toFixed(0).padStart(4)} s  ${text}`);

/** The expression for a percentage of the order value. */
export const percent = (value: number): Expression => ({
  type: "multiply",
  operands: [
    { type: "property", name: "order_value" },
    { type: "literal", value: { type: "percent", value } },
  ],
});

const customerId = Build.fresh.customer();
export const workspaceId = Build.fresh.workspace();
export const owner = Principal.customer(customerId);

export const createSchema = Effect.flatMap(AttributionSchemas.AttributionSchemas, ({ create }) =>
  create(owner, {
    name: "Sale",
    workspaceId,
    properties: [{ name: "order_value", type: "number", required: true }],
  }),
);

/** Creates so many partners. */
export const createPartners = (count: number) =>
  Effect.flatMap(Partners.Partners, ({ create }) =>
    Effect.forEach(
      Array.from({ length: count }, (_, index) => `Partner ${index}`),
      (name) => Effect.map(create(owner, { name, workspaceId }), ({ id }) => id),
      { concurrency: 8 },
    ),
  );

/** Creates attributions, in batches, so that each partner has so many commissions. */
export const earn = (partnerIds: ReadonlyArray<Ids.PartnerId>, schemaId: Ids.SchemaId, commissions: number) =>
  Effect.gen(function* () {
    const { createBatch } = yield* Attributions.Attributions;
    const all = partnerIds.flatMap((partnerId) =>
      Array.from({ length: commissions }, (_, index) => ({
        ...{ partnerId, schemaId, workspaceId },
        properties: { order_value: 1_000 + index },
      })),
    );
    for (let from = 0; from < all.length; from += BATCH)
      yield* createBatch(owner, { mode: "atomic", attributions: all.slice(from, from + BATCH) });
    progress(`created ${all.length} attributions with a commission each`);
  });

/** Creates attributions one after the other and records milliseconds: `without` the task, and `until` the task is done. */
export const creations = (partnerIds: ReadonlyArray<Ids.PartnerId>, schemaId: Ids.SchemaId) =>
  Effect.gen(function* () {
    const { create } = yield* Attributions.Attributions;
    const [before, during]: [Array<number>, Array<number>] = [[], []];
    let count = 0;
    const creation = (times: Array<number>) =>
      Effect.suspend(() => {
        const started = performance.now();
        const partnerId = partnerIds[count++ % partnerIds.length] as Ids.PartnerId;
        return Effect.map(
          create(owner, { partnerId, schemaId, workspaceId, properties: { order_value: 1_000 } }),
          () => times.push(performance.now() - started),
        );
      });
    return {
      without: Effect.repeatN(creation(before), BEFORE - 1),
      until: <A, E, R>(done: Effect.Effect<A, E, R>) =>
        Effect.raceFirst(done, Effect.forever(creation(during))),
      print: (): void => {
        console.log(`creations meanwhile                  ${String(during.length).padStart(6)}`);
        console.log(
          `median creation before, during       ${median(before).toFixed(1)} ms, ${median(during).toFixed(1)} ms`,
        );
      },
    };
  });

/** Prints the machine and the size of the task. */
export const printSize = (partners: number, commissions: number): void => {
  console.log(`${cpus().length} cores (${cpus()[0]?.model}), Node ${process.version}`);
  console.log(`${partners} partners with ${commissions} commissions each`);
};

type WrapStorage = (storage: Storage.StorageService) => Storage.StorageService;

const engine = (url: string, wrap: WrapStorage) =>
  Worker.layerBackground.pipe(
    Layer.provideMerge(Quittance.layer()),
    Layer.provide(Pdf.layer),
    Layer.provideMerge(
      Layer.map(Postgres.layer({ url: Redacted.make(url) }), (store) =>
        Context.add(store, Storage.Storage, wrap(Context.get(store, Storage.Storage))),
      ),
    ),
  );

/** Runs a bench with a background worker on a new PostgreSQL server, whose store the bench may wrap. */
export const withWorker = <E>(
  bench: Effect.Effect<void, E, Layer.Layer.Success<ReturnType<typeof engine>>>,
  wrap: WrapStorage = (storage) => storage,
): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(server, (url) => Effect.provide(bench, engine(url, wrap)))));
