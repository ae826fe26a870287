import { Effect, Layer } from "effect";
import { Directory, Storage } from "quittance";
import * as Pglite from "quittance/pglite";
import * as Postgres from "quittance/postgres";
import { Build, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";
import { database, PATIENT } from "../../support/postgres.ts";

const STRINGS = [
  "'; drop table quittance.events; --",
  "\\'; select pg_sleep(10); --",
  '" or "1"="1',
  "$1 $2 $$ $body$ :name",
  "%_\\%",
  "{a,b,NULL}",
  '{"id": null}',
  "\u0001\u001f\u007f\u0085\u2028\ufeff",
  "😀 ẞ İ ﬁ 漢字",
  "?", // the placeholder of other SQL dialects
];

const story = Effect.gen(function* () {
  const storage = yield* Storage.Storage;
  const directory = yield* Directory.Directory;
  const scene = yield* Scene.create();
  const { customerId, schemaId } = scene;
  for (const text of STRINGS) {
    const partner = Build.partner(scene, { name: text });
    const attribution = Build.attribution(scene, { externalReference: text, properties: { [text]: text } });
    const remember = { principalId: text, key: text, requestSha256: text, result: { [text]: text }, at: 0 };
    yield* Scene.commit(customerId, [partner, attribution], { idempotencyRecord: remember });
    const [found] = yield* storage.find(customerId, "partner", [partner.row.id]);
    expect(found?.name).toBe(text);
    const references = [text, `${text} `].map((externalReference) => ({ schemaId, externalReference }));
    for (const asked of [references.slice(0, 1), references]) {
      const [referenced, ...others] = yield* storage.findByExternalReferences(customerId, asked);
      expect([referenced?.properties, others]).toEqual([{ [text]: text }, []]);
    }
    expect(yield* storage.findIdempotencyRecord(customerId, text, text)).toEqual(remember);
    const where = { name: text };
    const page = yield* storage.list(customerId, "partner", { where, page: 1, perPage: 100, order: "asc" });
    expect(page.items.map(({ id }) => id)).toContain(partner.row.id);
    expect(page.total).toBe(page.items.length);
    expect(yield* storage.find(customerId, "partner", [text])).toEqual([]);
    expect(yield* storage.log(customerId, "attribution", text)).toEqual([]);
    expect(yield* directory.apiKey(text)).toBe(null);
    expect(yield* directory.paymentReference(text)).toBe(null);
  }
  expect(yield* directory.apiKey("\u0000")).toBe(null);
});

const postgres = Layer.unwrapScoped(
  Effect.map(
    Effect.suspend(() => database()),
    (url) => Postgres.layer({ url, ...PATIENT }),
  ),
);

describe.each([
  ["PostgreSQL", postgres],
  ["PGlite", Pglite.layer("memory")],
] as const)("strings that look like something else on %s", (_, store) => {
  it("are stored, found and returned unchanged", () => Effect.runPromise(Effect.provide(story, store)));
});
