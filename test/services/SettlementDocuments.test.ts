/** Who creates the documents of a settlement, which uploads are accepted, and what is stored. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Either, Stream } from "effect";
import { Documents, SettlementDocuments, Storage } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;
const documents = SettlementDocuments.SettlementDocuments;

describe("the worker", () => {
  it.effect("creates no documents if the policy leaves them to the caller", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_report");
        yield* Given.upload(scene, "report");
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_invoice");
      }),
      { policy: { documents: "manual" } },
    ),
  );

  it.effect("records on the settlement why its document cannot be created", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        expect(yield* Given.settlement(scene, scene.settlementId)).toMatchObject({
          status: { type: "awaiting_report" },
          documentProblem: { kind: "report", code: "missing_font", message: "install the font" },
        });
      }),
      {
        render: () =>
          Effect.fail(new Documents.RenderingRefused({ code: "missing_font", message: "install the font" })),
      },
    ),
  );
});

describe("uploading a document", () => {
  it.effect("links it, and stores its number, dates and tax", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice", { number: "2026-17", taxAmount: 250 });
        expect(yield* Given.settlement(scene, scene.settlementId)).toMatchObject({
          status: { type: "awaiting_payment" },
          invoiceNumber: "2026-17",
          taxAmount: 250,
          payableAmount: 1_250,
        });
      }),
    ),
  );

  it.effect("again before payment begins replaces it as the next revision", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice", { number: "2026-17" });
        yield* Given.upload(scene, "invoice", { number: "2026-18" });
        const { document } = yield* (yield* documents).download(scene.owner, scene.settlementId, "invoice");
        expect([document.number, document.revision]).toEqual(["2026-18", 2]);
      }),
    ),
  );

  it.effect("is refused if the service issues the document", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000], { selfBilled: true });
        yield* Given.approve(scene);
        yield* Given.upload(scene, "report");
        expect(yield* Given.refusal(Given.upload(scene, "invoice"))).toBe(
          "billing_mode: the service issues this invoice; uploads are not accepted",
        );
      }),
    ),
  );

  it.effect("is refused for an empty file, and for one above the policy's limit", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { upload } = yield* documents;
        const of = (length: number) =>
          Given.refusal(
            upload(scene.owner, scene.settlementId, "invoice", {
              fileName: "invoice.pdf",
              bytes: new Uint8Array(length),
            }),
          );
        expect([yield* of(0), yield* of(11)]).toEqual([
          "file: must not be empty",
          "file: must have at most 10 bytes",
        ]);
      }),
      { policy: { uploadBytesMax: 10 } },
    ),
  );

  it.effect("is refused for a type that the policy does not allow, before anything is read", () => {
    const bytes = new TextEncoder().encode("MZ executable");
    const attempt = (host: Given.Host) =>
      rule(
        Effect.gen(function* () {
          const scene = yield* Given.approved([10_000]);
          const { upload } = yield* documents;
          const file = { fileName: "invoice.pdf", bytes };
          const unknown = Build.fresh.settlement();
          return [
            yield* Effect.either(upload(scene.owner, scene.settlementId, "invoice", file)),
            yield* Effect.either(upload(scene.owner, unknown, "invoice", file)),
          ].map((item) => (Either.isLeft(item) ? item.left.message : "taken"));
        }),
        host,
      );
    return Effect.gen(function* () {
      const message = "file: must be a PDF, PNG, JPEG or XML file; its first bytes are of none";
      expect(yield* attempt({})).toEqual([message, message]);
      const uploadTypes = ["application/pdf", "application/octet-stream"] as const;
      expect(yield* attempt({ policy: { uploadTypes } })).toEqual(["taken", "settlement not found"]);
    });
  });

  it.effect("is refused after the policy's number of uploads, replaced ones and other kinds included", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* Given.approve(scene);
        yield* Given.upload(scene, "report");
        yield* Given.upload(scene, "invoice", { number: "1" });
        yield* Given.upload(scene, "invoice", { number: "2" });
        expect(yield* Given.refusal(Given.upload(scene, "invoice", { number: "3" }))).toBe(
          "upload_limit: the settlement has 3 uploaded documents, and keeps at most 3",
        );
        const { invoiceNumber } = yield* Given.settlement(scene, scene.settlementId);
        expect(invoiceNumber).toBe("2");
        const { customerId, settlementId } = scene;
        const kept = yield* (yield* Storage.Storage).documentsOf(customerId, settlementId);
        expect(kept.map(({ kind, revision }) => [kind, revision])).toEqual([
          ["invoice", 1],
          ["invoice", 2],
          ["report", 1],
        ]);
      }),
      { policy: { documents: "manual", uploadsMax: 3 } },
    ),
  );

  it.effect("does not count the documents that the service issued", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice");
        expect(yield* Given.refusal(Given.upload(scene, "invoice"))).toMatch(/^upload_limit: /);
      }),
      { policy: { uploadsMax: 1 } },
    ),
  );

  it.effect("is refused beyond the policy's bytes of all uploads", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.upload(scene, "invoice");
        yield* Given.upload(scene, "invoice");
        expect(yield* Given.refusal(Given.upload(scene, "invoice"))).toBe(
          "upload_limit: the settlement keeps at most 20 bytes of uploaded documents, and would have 24",
        );
      }),
      { policy: { uploadsBytesMax: 20 } },
    ),
  );

  it.effect("accepts no dates and no tax for a report", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        yield* Given.approve(scene);
        expect(yield* Given.refusal(Given.upload(scene, "report", { taxAmount: 1 }))).toBe(
          "tax_amount: is not allowed for a report",
        );
      }),
    ),
  );

  it.effect("is allowed to the partner of the settlement", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const owner = { ...scene.owner, kind: "partner" as const, partnerIds: [scene.partnerId] };
        yield* Given.upload({ ...scene, owner }, "invoice");
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
      }),
    ),
  );
});

describe("exporting a settlement's lines", () => {
  it.effect("returns each line with its attribution, in the order of the settlement, in any state", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000, 20_000]);
        const { lines } = yield* (yield* documents).exportLines(scene.owner, scene.settlementId);
        const found = Chunk.toReadonlyArray(yield* Stream.runCollect(lines));
        const commissions = yield* Given.commissions(scene);
        expect(found.map(({ amount, attributionId }) => [amount, attributionId])).toEqual(
          commissions.map(({ computedAmount, attributionId }) => [computedAmount, attributionId]),
        );
      }),
    ),
  );
});
