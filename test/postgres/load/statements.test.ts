/** The number of SQL statements of a command does not depend on the number of attributions that it creates. */
import { it } from "@effect/vitest";
import { Effect, Layer, Redacted } from "effect";
import {
  type Attribution,
  Attributions,
  CommissionFormulas,
  Currency,
  PartnerLinks,
  Partners,
  Principal,
  Quittance,
  Storage,
} from "quittance";
import * as Pdf from "quittance/pdf";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { expect } from "vitest";
import { connected, database } from "../../support/postgres.ts";
import { recordingPool } from "../../support/recordingPool.ts";

const PARTNERS = 30;

/** True if a statement belongs to a command, and neither sets the tenant scope nor compacts rollups. */
const isOfCommand = (text: string): boolean =>
  text.includes("quittance.") && !text.includes("quittance.compact_rollups");

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
        /** Creates a batch; returns its result and its statements. */
        const sent = (asked: Attribution.CreateBatch) =>
          Effect.gen(function* () {
            const before = texts.length;
            const { results } = yield* createBatch(me, asked);
            return { results, statements: texts.slice(before).filter(isOfCommand).length };
          });
        const first = yield* sent(batch(0, 100));
        // With the workspace's time zone and the version of its links, which the process keeps.
        expect(first.statements).toBe(7);
        expect((yield* sent(batch(100, 1_000))).statements).toBe(2);
        // Attributions that are stored already need no commit; with other content they are refused.
        const again = yield* sent(batch(0, 100));
        expect(again).toEqual({ results: first.results, statements: 1 });
        const changed = yield* sent(batch(0, 100, 6));
        expect(changed.statements).toBe(1);
        expect(changed.results).toEqual(
          first.results.map(() => ({
            refusal: "Conflict",
            token: "external_reference_reuse",
            field: null,
            message: expect.stringMatching(/^external_reference_reuse:/),
          })),
        );
      });
      const engine = Quittance.layer().pipe(
        Layer.provide(Pdf.layer),
        Layer.provideMerge(Postgres.layer({ pool, migrate: false })),
      );
      yield* Effect.ensuring(
        Effect.provide(story, engine),
        Effect.promise(() => pool.end()),
      );
    }).pipe(Effect.scoped),
);

it.live("a sale of one partner takes one statement, which is that of a store without credits and links", () =>
  Effect.gen(function* () {
    const { pool, texts } = recordingPool(Redacted.value(yield* database()));
    const story = Effect.gen(function* () {
      const scene = yield* Scene.create();
      const { customerId, partnerId, schemaId, workspaceId } = scene;
      const me = Principal.customer(customerId);
      const { create } = yield* Attributions.Attributions;
      yield* Effect.flatMap(CommissionFormulas.CommissionFormulas, (formulas) =>
        formulas.create(me, {
          ...{ partnerId, schemaId, workspaceId, name: "Share", currency: Currency.Currency.make("EUR") },
          startDatetime: Build.EPOCH - Build.DAY,
          expression: { type: "literal", value: { type: "number", value: 5 } },
        }),
      );
      const sale = { partnerId, schemaId, workspaceId, properties: { order_value: 5 } };
      const sent = (more: Partial<Attribution.Create> = {}) =>
        Effect.gen(function* () {
          const before = texts.length;
          yield* create(me, { ...sale, ...more });
          return texts.slice(before).filter(isOfCommand);
        });
      yield* sent();
      const plain = yield* sent();
      expect(plain).toHaveLength(1);
      // Others are linked, and somebody shares a sale with this partner.
      const elsewhere = yield* Scene.create({ customerId });
      const partners = yield* Partners.Partners;
      const partnerIn = (id: typeof workspaceId) =>
        Effect.map(partners.create(me, { name: "Other", workspaceId: id }), (made) => made.id);
      yield* Effect.flatMap(PartnerLinks.PartnerLinks, (links) =>
        Effect.flatMap(partnerIn(elsewhere.workspaceId), (uplinePartnerId) =>
          links.create(me, { partnerId: elsewhere.partnerId, uplinePartnerId, role: "manager" }),
        ),
      );
      const other = yield* partnerIn(workspaceId);
      yield* sent({
        credits: [
          { partnerId, share: "0.5" },
          { partnerId: other, share: "0.5" },
        ],
      });
      expect(yield* sent()).toEqual(plain);
      expect(yield* sent({ credits: [{ partnerId }] })).toEqual(plain);
    });
    const engine = Quittance.layer().pipe(
      Layer.provide(Pdf.layer),
      Layer.provideMerge(Postgres.layer({ pool, migrate: false })),
    );
    yield* Effect.ensuring(
      Effect.provide(story, engine),
      Effect.promise(() => pool.end()),
    );
  }).pipe(Effect.scoped),
);

/** The blocks of attributions and their indexes read so far. A session reports its reads when it ends. */
const BLOCKS = `select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::integer as blocks
from pg_statio_user_tables where schemaname = 'quittance' and relname = 'attributions'`;

/** The other sessions of the database, which have not reported yet. */
const SESSIONS = `select from pg_stat_activity t
where t.datname = current_database() and t.pid <> pg_backend_pid() and t.backend_type = 'client backend'`;

it.live("twenty external references are found among thousands by reading few blocks", () =>
  Effect.gen(function* () {
    const url = yield* database();
    const client = yield* connected(url);
    const blocks = Effect.promise(async () => {
      while ((await client.query(SESSIONS)).rowCount !== 0)
        await new Promise((resume) => setTimeout(resume, 20));
      const { rows } = await client.query<{ readonly blocks: number }>(BLOCKS);
      return rows[0]?.blocks ?? 0;
    });
    const inSession = <A, E>(effect: Effect.Effect<A, E, Storage.Storage>) =>
      Effect.provide(effect, Postgres.layer({ url, migrate: false }));
    const { customerId, schemaId } = yield* inSession(
      Effect.gen(function* () {
        const scene = yield* Scene.create();
        const sales = Array.from({ length: 5_000 }, (_, index) =>
          Build.attribution(scene, { externalReference: `order ${index}` }),
        );
        yield* Scene.commit(scene.customerId, sales);
        return scene;
      }),
    );
    const externalReferences = Array.from({ length: 20 }, (_, index) => `order ${250 * index}`);
    const query = { where: { externalReferences }, page: 1, perPage: 100, order: "asc" } as const;
    const before = yield* blocks;
    const found = yield* inSession(
      Effect.gen(function* () {
        const storage = yield* Storage.Storage;
        const listed = yield* storage.list(customerId, "attribution", query);
        const references = externalReferences.map((externalReference) => ({ schemaId, externalReference }));
        return [listed.total, (yield* storage.findByExternalReferences(customerId, references)).length];
      }),
    );
    expect(found).toEqual([20, 20]);
    expect((yield* blocks) - before).toBeLessThan(600);
  }).pipe(Effect.scoped),
);
