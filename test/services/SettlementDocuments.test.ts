/** Who creates the documents of a settlement, which uploads are accepted, and what is stored. */
import { describe, expect, it } from "@effect/vitest";
import { Chunk, Effect, Stream } from "effect";
import { Documents, SettlementDocuments } from "quittance";
import * as Given from "./Given.ts";

const { rule } = Given;
const documents = SettlementDocuments.SettlementDocuments;

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe("the worker", () => {
  it.effect("creates a report for every approved settlement, and numbers those of a partner from 1", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { document, bytes } = yield* (yield* documents).download(
          scene.owner,
          scene.settlementId,
          "report",
        );
        expect([document.number, document.revision, text(bytes)]).toEqual([
          "REP-000001",
          1,
          "report REP-000001 1000",
        ]);
      }),
    ),
  );

  it.effect("creates the invoice of a partner in self-billing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000], { selfBilled: true });
        const { document } = yield* (yield* documents).download(scene.owner, scene.settlementId, "invoice");
        expect(document.number).toBe("INV-000001");
      }),
    ),
  );

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

  it.effect("is refused after payment, and stores nothing", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        expect(yield* Given.refusal(Given.upload(scene, "invoice"))).toMatch(/^settlement_state: /);
        const { document } = yield* (yield* documents).download(scene.owner, scene.settlementId, "invoice");
        expect(document.revision).toBe(1);
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

describe("downloading a document", () => {
  it.effect("is refused as not found before it is linked", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { download } = yield* documents;
        expect(yield* Given.refusal(download(scene.owner, scene.settlementId, "invoice"))).toBe(
          "invoice of the settlement not found",
        );
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
