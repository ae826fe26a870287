/** Files that the sides of a settlement attach to what they say: what is taken, who reads it, and what refuses it. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Documents,
  Erasures,
  Events,
  type Ids,
  Principal,
  SettlementDocuments,
  Settlements,
  Storage,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;
const documents = SettlementDocuments.SettlementDocuments;
const settlements = Settlements.Settlements;
type Scene = Given.Scene & { readonly settlementId: Ids.SettlementId };

const bytesOf = (text: string) => new TextEncoder().encode(text);
const file = (fileName = "order.pdf", content = "%PDF-1.7") => ({ fileName, bytes: bytesOf(content) });

const partnerOf = ({ owner, partnerId }: Given.Scene, principalId = "portal"): Principal.Principal => ({
  ...{ ...owner, kind: "partner", partnerIds: [partnerId], principalId },
});

const attach = (principal: Principal.Principal, { settlementId }: Scene, given = file()) =>
  Effect.flatMap(documents, (service) => service.attach(principal, settlementId, given));

const read = (principal: Principal.Principal, { settlementId }: Scene, id: Ids.DocumentId) =>
  Effect.flatMap(documents, (service) => service.downloadAttachment(principal, settlementId, id));

const comment = (
  principal: Principal.Principal,
  { settlementId }: Scene,
  attachmentIds: ReadonlyArray<Ids.DocumentId>,
) =>
  Effect.flatMap(settlements, (service) =>
    service.comment(principal, settlementId, { text: "as attached", attachmentIds }),
  );

const eventsOf = ({ owner, settlementId }: Scene) =>
  Effect.flatMap(settlements, ({ list }) =>
    Effect.map(list(owner, { ids: [settlementId] }), ({ items: [found] }) =>
      (found?.events ?? []).map(({ event }) => event),
    ),
  );

const stored = ({ customerId, settlementId }: Scene) =>
  Effect.flatMap(Storage.Storage, (storage) => storage.documentsOf(customerId, settlementId));

describe("an attachment", () => {
  it.effect("of a dispute, its resolution and a comment is read by both sides, under its name", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { owner, settlementId } = scene;
        const partner = partnerOf(scene);
        const { dispute, resolveDispute } = yield* settlements;
        const { id: order } = yield* attach(partner, scene, file("C:\\orders\\<order> 17.pdf"));
        const { id: receipt } = yield* attach(partner, scene, file("receipt.pdf", "%PDF-receipt"));
        const { id: answer } = yield* attach(owner, scene, file("", "%PDF-answer"));
        yield* dispute(partner, settlementId, { reason: "not returned", attachmentIds: [receipt, order] });
        yield* resolveDispute(owner, settlementId, { resolution: "rejected", attachmentIds: [answer] });
        const { id: photo } = yield* attach(partner, scene, file("photo.jpg", "%PDF-photo"));
        yield* comment(partner, scene, [photo]);
        const said = (yield* eventsOf(scene)).flatMap((event) =>
          "attachments" in event && event.attachments !== undefined
            ? [[event.type, ...event.attachments]]
            : [],
        );
        expect(said).toEqual([
          [
            "dispute_settlement",
            { id: receipt, file_name: "receipt.pdf", byte_length: 12 },
            { id: order, file_name: "order 17.pdf", byte_length: 8 },
          ],
          ["resolve_dispute", { id: answer, file_name: `attachment-${settlementId}.pdf`, byte_length: 11 }],
          ["comment_settlement", { id: photo, file_name: "photo.jpg", byte_length: 10 }],
        ]);
        for (const reader of [partner, owner, Principal.platform("operator")])
          for (const [id, content] of [
            [receipt, "%PDF-receipt"],
            [answer, "%PDF-answer"],
            [photo, "%PDF-photo"],
          ] as const) {
            const { bytes, document } = yield* read(reader, scene, id);
            expect([new TextDecoder().decode(bytes), document.kind]).toEqual([content, "attachment"]);
          }
        yield* checkInvariants(scene.customerId);
      }),
    ),
  );

  it.effect("is no document of the accounts: it is not downloaded as one, and replaces none", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { owner, settlementId } = scene;
        yield* Given.upload(scene, "invoice", { number: "17" });
        const before = yield* Given.settlement(scene, settlementId);
        const { id } = yield* attach(owner, scene);
        expect(yield* Given.settlement(scene, settlementId)).toEqual(before);
        yield* comment(owner, scene, [id]);
        const { document } = yield* (yield* documents).download(owner, settlementId, "invoice");
        expect([document.number, document.revision]).toEqual(["17", 1]);
        expect(yield* Given.settlement(scene, settlementId)).toMatchObject({
          status: { type: "awaiting_payment" },
          uploads: ["invoice"],
        });
      }),
    ),
  );

  it.effect("is read by nobody before a message names it, not by its sender either", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const partner = partnerOf(scene);
        const { id } = yield* attach(partner, scene);
        for (const reader of [partner, scene.owner])
          expect(yield* Given.refusal(read(reader, scene, id))).toBe(
            "attachment of the settlement not found",
          );
        yield* comment(partner, scene, [id]);
        yield* read(scene.owner, scene, id);
      }),
    ),
  );

  it.effect("is read by no other partner and no other customer, and under no other settlement", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const other = yield* Given.drafted([10_000]);
        const { id } = yield* attach(scene.owner, scene);
        yield* comment(scene.owner, scene, [id]);
        const stranger = { ...partnerOf(scene), partnerIds: [other.partnerId] };
        for (const reader of [stranger, other.owner])
          expect(yield* Given.refusal(read(reader, scene, id))).toBe("settlement not found");
        expect(yield* Given.refusal(read(other.owner, other, id))).toBe(
          "attachment of the settlement not found",
        );
        expect(yield* Given.refusal(attach(stranger, scene))).toBe("settlement not found");
        expect(yield* Given.refusal(attach({ ...scene.owner, scopes: ["settlements:read"] }, scene))).toBe(
          "The credential lacks the scope settlements:write",
        );
      }),
    ),
  );

  it.effect("that is empty, too large or of another type is refused, and nothing is stored", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const wrong = [
          ["", "file: must not be empty"],
          ["%PDF-".padEnd(21, "x"), "file: must have at most 20 bytes"],
          ["GIF89a", "file: must be a PDF, PNG, JPEG or XML file; its first bytes are of none"],
        ] as const;
        for (const [content, message] of wrong)
          expect(yield* Given.refusal(attach(partnerOf(scene), scene, file("a.pdf", content)))).toBe(message);
        expect(yield* stored(scene)).toEqual([]);
      }),
      { policy: { uploadBytesMax: 20 } },
    ),
  );

  it.effect("past the limit of its side is refused, while the other side has its own", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const partner = partnerOf(scene);
        yield* attach(partner, scene);
        yield* comment(partner, scene, [(yield* attach(partner, scene)).id]);
        expect(yield* Given.refusal(attach(partner, scene))).toBe(
          "upload_limit: the settlement has 2 attachments of the partner, and keeps at most 2",
        );
        yield* attach(scene.owner, scene, file("a.pdf", "%PDF-".padEnd(12, "x")));
        expect(yield* Given.refusal(attach(scene.owner, scene, file("b.pdf", "%PDF-".padEnd(9, "x"))))).toBe(
          "upload_limit: the settlement keeps at most 20 bytes of attachments of the customer, and would have 21",
        );
        expect(yield* stored(scene)).toHaveLength(3);
      }),
      { policy: { uploadsMax: 2, uploadsBytesMax: 20 } },
    ),
  );

  it.effect("uses up nothing of what may be uploaded as documents", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* attach(scene.owner, scene);
        yield* Given.upload(scene, "invoice");
        expect((yield* Given.statusOf(scene)).type).toBe("awaiting_payment");
      }),
      { policy: { uploadsMax: 1 } },
    ),
  );

  it.effect("is stored once under an idempotency key", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const service = yield* documents;
        const options = { idempotency: { key: "k", requestSha256: "0a" } };
        const first = yield* service.attach(scene.owner, scene.settlementId, file(), options);
        const again = yield* service.attach(scene.owner, scene.settlementId, file(), options);
        expect(again).toEqual({ id: first.id, replayed: true });
        expect(yield* stored(scene)).toHaveLength(1);
      }),
    ),
  );
});

describe("a message", () => {
  it.effect("names no attachment that is unknown, of another settlement, or of the other side", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { owner, settlementId } = scene;
        yield* Given.sell(scene, 20_000);
        const elsewhere = { ...scene, settlementId: yield* Given.draft(scene) };
        const partner = partnerOf(scene);
        const { id: own } = yield* attach(partner, scene);
        const { id: theirs } = yield* attach(owner, scene);
        const { id: foreign } = yield* attach(partner, elsewhere);
        const report = (yield* Given.settlement(scene, settlementId)).reportReference;
        const unknown = crypto.randomUUID() as Ids.DocumentId;
        const { dispute } = yield* settlements;
        const before = yield* eventsOf(scene);
        for (const id of [unknown, foreign, theirs, report as Ids.DocumentId]) {
          const message =
            "attachment_ids.1: must be an attachment that the same side has uploaded to the settlement";
          expect(yield* Given.refusal(comment(partner, scene, [own, id]))).toBe(message);
          expect(
            yield* Given.refusal(
              dispute(partner, settlementId, { reason: "too low", attachmentIds: [own, id] }),
            ),
          ).toBe(message);
        }
        expect(yield* eventsOf(scene)).toEqual(before);
      }),
    ),
  );

  it.effect("names no attachment that another one has named", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { owner, settlementId } = scene;
        const { dispute, resolveDispute } = yield* settlements;
        const { id } = yield* attach(owner, scene);
        const { id: fresh } = yield* attach(owner, scene);
        yield* comment(owner, scene, [id]);
        const message = "attachment_used: attachment_ids.1: another message has named this attachment";
        const attachmentIds = [fresh, id];
        expect(yield* Given.refusal(comment(owner, scene, attachmentIds))).toBe(message);
        expect(yield* Given.refusal(dispute(owner, settlementId, { reason: "too low", attachmentIds }))).toBe(
          message,
        );
        yield* dispute(owner, settlementId, { reason: "too low" });
        for (const resolution of ["upheld", "rejected"] as const)
          expect(
            yield* Given.refusal(resolveDispute(owner, settlementId, { resolution, attachmentIds })),
          ).toBe(message);
        expect((yield* Given.statusOf(scene)).type).toBe("disputed");
      }),
    ),
  );

  it.effect("names 1 to 5 attachments, each once", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.drafted([10_000]);
        const ids = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => attach(scene.owner, scene));
        const named = ids.map(({ id }) => id);
        const twice = [named[0], named[0]] as ReadonlyArray<Ids.DocumentId>;
        for (const [given, message] of [
          [[], "attachmentIds: must have 1 to 5 ids"],
          [named, "attachmentIds: must have 1 to 5 ids"],
          [twice, "attachmentIds: must not name an attachment twice"],
        ] as const)
          expect(yield* Given.refusal(comment(scene.owner, scene, given))).toBe(message);
        yield* comment(scene.owner, scene, named.slice(1));
      }),
    ),
  );

  it.effect("of a settlement that has ended takes an attachment", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        yield* Given.payByHand(scene);
        const partner = partnerOf(scene);
        yield* comment(partner, scene, [(yield* attach(partner, scene)).id]);
        expect((yield* Given.statusOf(scene)).type).toBe("paid");
      }),
    ),
  );
});

describe("erasing a partner", () => {
  it.effect("removes its attachments and their names, those that no message names included", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* Given.approved([10_000]);
        const { owner, customerId, partnerId } = scene;
        yield* Given.payByHand(scene);
        const partner = partnerOf(scene);
        const { id } = yield* attach(partner, scene, file("Nordlys.pdf"));
        const { id: unnamed } = yield* attach(partner, scene, file("Nordlys 2.pdf"));
        yield* comment(partner, scene, [id]);
        yield* Given.wait(11 * 366 * Given.DAY);
        const { partner: erase } = yield* Erasures.Erasures;
        yield* erase(Principal.platform("operator"), partnerId);
        const store = yield* Documents.DocumentStore;
        for (const gone of [id, unnamed]) expect(yield* store.get(customerId, gone)).toBeNull();
        const left = JSON.stringify([yield* eventsOf(scene), yield* stored(scene)]);
        expect(left).not.toContain("Nordlys");
        expect(left).toContain('"file_name":"[erased]"');
        const feed = yield* (yield* Events.Events).list(owner, { limit: 1_000 });
        expect(JSON.stringify(feed)).not.toContain("Nordlys");
        expect(yield* Given.refusal(read(owner, scene, id))).toBe(
          "the attachment was erased with the personal data of the settlement",
        );
        expect(yield* Given.refusal(attach(owner, scene))).toBe(
          "settlement_state: a settlement whose personal data was erased cannot take an attachment",
        );
        expect(yield* Given.refusal(comment(partner, scene, [unnamed]))).toMatch(/^settlement_state: /);
        yield* checkInvariants(customerId);
        expect((yield* (yield* Events.Events).verify(owner)).broken).toBeNull();
      }),
    ),
  );
});
