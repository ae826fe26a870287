import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "@effect/vitest";
import { Effect, Layer } from "effect";
import { Ids, Partners, Principal, Quittance } from "quittance";
import * as Pdf from "quittance/pdf";
import { storageContract } from "quittance/testing";
import { afterAll, expect } from "vitest";
import { layer } from "../../examples/file-store/FileStore.ts";

const folder = mkdtempSync(join(tmpdir(), "quittance-file-store-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const fresh = (): string => join(folder, `${++files}.jsonl`);

describe("the file store of the examples satisfies the storage contract", () => {
  for (const law of storageContract) {
    it.live(law.name, () => Effect.provide(law.check, layer(fresh())));
  }
});

const workspaceId = Ids.WorkspaceId.make("6f1c2d4e-0000-4000-8000-000000000002");
const me = Principal.customer(Ids.CustomerId.make("6f1c2d4e-0000-4000-8000-000000000001"));

describe("a commit to the file store", () => {
  const names = (file: string) =>
    Effect.gen(function* () {
      const partners = yield* Partners.Partners;
      return (yield* partners.list(me)).items.map(({ name }) => name);
    }).pipe(Effect.provide(engine(file)));
  const engine = (file: string) =>
    Quittance.layer().pipe(Layer.provide(Pdf.layer), Layer.provide(layer(file)));
  const enrol = (file: string, name: string) =>
    Effect.flatMap(Partners.Partners, (partners) => partners.create(me, { name, workspaceId })).pipe(
      Effect.provide(engine(file)),
    );

  it.live("is there after a restart", () =>
    Effect.gen(function* () {
      const file = fresh();
      yield* enrol(file, "Ada");
      yield* enrol(file, "Bo");
      expect(yield* names(file)).toEqual(["Ada", "Bo"]);
    }),
  );

  it.live("survives a crash in the middle of the next line; only that line is lost", () =>
    Effect.gen(function* () {
      const file = fresh();
      yield* enrol(file, "Ada");
      appendFileSync(file, '{"port":"storage","method":"comm');
      yield* enrol(file, "Bo");
      expect(yield* names(file)).toEqual(["Ada", "Bo"]);
      expect(readFileSync(file, "utf8").trimEnd().split("\n")).toHaveLength(2);
    }),
  );
});
