/** How many statements a command sends does not depend on how many attributions it creates. */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import {
  type Attribution,
  Attributions,
  CommissionFormulas,
  Currency,
  Partners,
  Principal,
  Quittance,
} from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { expect } from "vitest";
import { database } from "../../support/postgres.ts";
import { recordingPool } from "../../support/recordingPool.ts";

const PARTNERS = 30;

/** A statement of the storage port; others set the scope of the next one. */
const isOfPort = (text: string): boolean => text.includes("quittance.");

it.live(
  "a batch of attributions with external references is read with at most four statements, and stored with one",
  () =>
    Effect.gen(function* () {
      const { pool, texts } = recordingPool(Redacted.value(yield* database()));
      const story = Effect.gen(function* () {
        const scene = yield* Scene.create();
        const { customerId, schemaId, workspaceId } = scene;
        const me = Principal.customer(customerId);
        const partners = yield* Partners.Partners;
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        const { createBatch } = yield* Attributions.Attributions;
        const partnerIds = yield* Effect.forEach(Array.from({ length: PARTNERS }), (_, index) =>
          Effect.gen(function* () {
            const { id: partnerId } = yield* partners.create(me, { name: `Partner ${index}`, workspaceId });
            yield* formulas.create(me, {
              ...{ partnerId, schemaId, workspaceId, name: "Share", currency: Currency.Currency.make("EUR") },
              startDatetime: Build.EPOCH - Build.DAY,
              expression: { type: "literal", value: { type: "number", value: 5 } },
            });
            return partnerId;
          }),
        );
        const batch = (from: number, size: number, order_value = 5): Attribution.CreateBatch => ({
          mode: "independent",
          attributions: Array.from({ length: size }, (_, index) => ({
            ...{ schemaId, workspaceId, properties: { order_value } },
            partnerId: partnerIds[index % PARTNERS] ?? scene.partnerId,
            externalReference: `order ${from + index}`,
          })),
        });
        /** What a batch returns, and the statements that it sends. */
        const sent = (asked: Attribution.CreateBatch) =>
          Effect.gen(function* () {
            const before = texts.length;
            const { results } = yield* createBatch(me, asked);
            return { results, statements: texts.slice(before).filter(isOfPort).length };
          });
        const first = yield* sent(batch(0, 100));
        expect(first.statements).toBe(5);
        expect((yield* sent(batch(100, 1_000))).statements).toBe(2);
        // What is stored already is returned without a commit, and refused with other content.
        const again = yield* sent(batch(0, 100));
        expect(again).toEqual({ results: first.results, statements: 1 });
        const changed = yield* sent(batch(0, 100, 6));
        expect(changed.statements).toBe(1);
        expect(changed.results).toEqual(
          first.results.map(() => ({
            refusal: "Conflict",
            message: expect.stringMatching(/^external_reference_reuse:/),
          })),
        );
      });
      const engine = Quittance.layer().pipe(
        Layer.provide(Pdf.layer),
        Layer.provideMerge(Postgres.layer({ pool, migrate: false })),
      );
      yield* Effect.provide(story, engine);
      yield* Effect.promise(() => pool.end());
    }).pipe(Effect.scoped),
);
