/** Laws of unique keys: a second record with the same key is refused. */
import { Effect } from "effect";
import { Directory } from "../../../ports/Directory.ts";
import type { Change, ExternalReference } from "../../../ports/Storage.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectOneStored, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const CONFLICTS =
  "`VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.";

const REFERENCE = "order 1 % \\ _ 'é'";

const foundByReferences = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, schemaId } = scene;
  const otherSchema = Build.schema(scene);
  const elsewhere = { ...scene, schemaId: otherSchema.row.id };
  const texts = [REFERENCE, "order 2", `${REFERENCE} `, "order 3"];
  const own = texts.map((externalReference) => Build.attribution(scene, { externalReference }));
  const others = texts.map((externalReference) => Build.attribution(elsewhere, { externalReference }));
  yield* Scene.commit(customerId, [otherSchema, ...own, ...others, Build.attribution(scene)]);
  const stranger = yield* Scene.create();
  yield* Scene.commit(stranger.customerId, [Build.attribution(stranger, { externalReference: "order 4" })]);
  const find = (...references: ReadonlyArray<ExternalReference>) =>
    Effect.map(storage.findByExternalReferences(customerId, references), (found) =>
      found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  const sortRows = (rows: ReadonlyArray<{ readonly row: { readonly id: string } }>) =>
    rows.map(({ row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const of = (externalReference: string, schema = schemaId) => ({ schemaId: schema, externalReference });
  yield* expectSame("no reference", yield* find(), []);
  yield* expectSame("the attribution of a reference", yield* find(of(REFERENCE)), sortRows(own.slice(0, 1)));
  for (const unknown of ["order 1", "order 4", "Order 2", "\u0000", "\ud800"]) {
    yield* expectSame("an unknown reference", yield* find(of(unknown)), []);
    yield* expectSame(
      "an unknown reference among known ones",
      yield* find(of(unknown), of("order 3"), of("order 2", otherSchema.row.id)),
      sortRows([own[3], others[1]].filter((candidate) => candidate !== undefined)),
    );
  }
  const all = texts.flatMap((text) => [of(text), of(text, otherSchema.row.id)]);
  yield* expectSame(
    "references that are repeated",
    yield* find(...all, ...all.toReversed()),
    sortRows([...own, ...others]),
  );
  const many = Array.from({ length: 1_000 }, (_, index) => of(`order ${index}`));
  yield* expectSame(
    "two among a thousand",
    yield* find(...many),
    sortRows([own[1], own[3]].filter((candidate) => candidate !== undefined)),
  );
});

const externalReferences = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const reference = REFERENCE;
  const first = Build.attribution(scene, { externalReference: reference });
  const again = () => Build.attribution(scene, { externalReference: reference });
  yield* Scene.commit(scene.customerId, [first]);
  yield* expectVersionConflict("a reference used twice", Scene.commit(scene.customerId, [again()]));
  const otherSchema = Build.schema(scene);
  const elsewhere = { ...scene, schemaId: otherSchema.row.id };
  const otherAttribution = Build.attribution(elsewhere, { externalReference: reference });
  yield* Scene.commit(scene.customerId, [otherSchema, otherAttribution]);
  yield* Scene.commit(scene.customerId, [Build.attribution(scene), Build.attribution(scene)]);
  const stranger = yield* Scene.create();
  yield* Scene.commit(stranger.customerId, [Build.attribution(stranger, { externalReference: reference })]);
  const duplicates = [again(), again()].map(({ row, ...change }) => ({
    ...change,
    row: { ...row, externalReference: "duplicate" },
  }));
  yield* expectVersionConflict(
    "a reference used twice by one commit",
    Scene.commit(scene.customerId, duplicates),
  );
});

const partnerReferences = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const holding = (owner: typeof scene = scene) => Build.partner(owner, { externalReference: REFERENCE });
  const first = holding();
  yield* Scene.commit(customerId, [first]);
  yield* expectVersionConflict("a reference used twice", Scene.commit(customerId, [holding()]));
  const other = yield* Scene.create({ customerId });
  yield* Scene.commit(customerId, [holding(other)]);
  const stranger = yield* Scene.create();
  yield* Scene.commit(stranger.customerId, [
    holding({ ...stranger, workspaceId: scene.workspaceId }),
    Build.partner(stranger),
    Build.partner(stranger),
  ]);
  const second = Build.partner(scene);
  yield* Scene.commit(customerId, [second]);
  const take = (row: typeof first.row, externalReference: string | null) =>
    Build.referencedPartner(row, externalReference);
  const taken = take(second.row, REFERENCE);
  yield* expectVersionConflict("a reference that another has", Scene.commit(customerId, [taken]));
  const given = take(first.row, null);
  yield* Scene.commit(customerId, [given]);
  yield* Scene.commit(customerId, [taken]);
  yield* expectVersionConflict(
    "a reference that was given away",
    Scene.commit(customerId, [take(given.row, REFERENCE)]),
  );
  const where = { externalReferences: [REFERENCE], workspaceIds: [scene.workspaceId] };
  const found = yield* storage.list(customerId, "partner", { where, page: 1, perPage: 3, order: "asc" });
  yield* expectSame("the partner of the reference", found.items, [taken.row]);
  yield* expectOneStored(
    "one reference, four concurrent partners",
    [1, 2, 3, 4].map(() => Scene.commit(customerId, [Build.partner(scene, { externalReference: "raced" })])),
  );
});

const racingReferences = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const racers = Array.from({ length: 6 }, () =>
    Scene.commit(scene.customerId, [Build.attribution(scene, { externalReference: "order 2" })]),
  );
  yield* expectOneStored("one reference, six concurrent creations", racers);
});

const movedReferences = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId, schemaId } = scene;
  const externalReference = "order 5";
  const first = Build.attribution(scene, { externalReference });
  yield* Scene.commit(customerId, [first]);
  const expectHolder = (when: string, holder: typeof first.row) =>
    Effect.flatMap(storage.findByExternalReferences(customerId, [{ schemaId, externalReference }]), (found) =>
      expectSame(`the attribution of the reference ${when}`, found, [holder]),
    );
  const replace = (row: typeof first.row) => {
    const newer = Build.attribution(scene, {
      externalReference,
      replaces: row.id,
      createdAt: Build.EPOCH + 1,
    });
    const replaced = Build.replacedAttribution(row, newer.row.id);
    return { newer, replaced, changes: [replaced, newer] };
  };
  const failing = replace(first.row);
  const renamed = Build.renamedPartner({ ...scene.partner, version: 7 }, "Vestlys ApS");
  yield* expectVersionConflict(
    "a reference that moves with a change that conflicts",
    Scene.commit(customerId, [...failing.changes, renamed]),
  );
  yield* expectHolder("after a conflict", first.row);
  const racers = Array.from({ length: 4 }, () => replace(first.row));
  yield* expectOneStored(
    "a reference that moves, four concurrent commits",
    racers.map(({ changes }) => Scene.commit(customerId, changes)),
  );
  const [old] = yield* storage.find(customerId, "attribution", [first.row.id]);
  const winner = racers.find(({ newer }) => newer.row.id === old?.replacedBy);
  yield* expectSame("the replaced attribution", old, winner?.replaced.row);
  if (winner !== undefined) yield* expectHolder("after it has moved", winner.newer.row);
  yield* expectVersionConflict(
    "a reference that is used again after it has moved",
    Scene.commit(customerId, [Build.attribution(scene, { externalReference })]),
  );
});

const pairs = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const attribution = Build.attribution(scene);
  yield* Scene.commit(scene.customerId, [attribution]);
  const racers = Array.from({ length: 4 }, () =>
    Scene.commit(scene.customerId, [Build.commission(attribution.row, scene.formula, 5)]),
  );
  yield* expectOneStored(
    "a commission of one attribution under one formula, created four times concurrently",
    racers,
  );
  const found = yield* storage.commissionsOf(scene.customerId, [attribution.row.id]);
  yield* expect(found.length === 1, `expected one commission, found ${found.length}`);
});

const documents = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const draft = yield* Scene.draft(scene, yield* Scene.commissions(scene, [10]));
  const other = yield* Scene.draft(scene, yield* Scene.commissions(scene, [20]));
  const document = (kind: "report" | "invoice", revision = 1) => Build.document(draft, { kind, revision });
  const report = document("report");
  const invoice = document("invoice");
  yield* Scene.commit(customerId, [report]);
  yield* expectVersionConflict(
    "a second report of one settlement",
    Scene.commit(customerId, [document("report")]),
  );
  const expectDocuments = (when: string, expected: ReadonlyArray<typeof report>) =>
    Effect.flatMap(storage.documentsOf(customerId, draft.id), (found) =>
      expectSame(
        `the documents ${when}`,
        found,
        expected.map(({ row }) => row),
      ),
    );
  yield* expectDocuments("before the invoice", [report]);
  yield* Scene.commit(customerId, [invoice]);
  yield* expectDocuments("with the invoice", [invoice, report]);
  const replacement = document("report", 2);
  yield* Scene.commit(customerId, [replacement, Build.document(other, { kind: "report" })]);
  yield* expectDocuments("with the replaced report", [invoice, report, replacement]);
  yield* expectVersionConflict(
    "a second report of the same revision",
    Scene.commit(customerId, [document("report", 2)]),
  );
  const attachments = [1, 2].map((revision) =>
    Build.document(draft, { kind: "attachment", side: "partner", revision }),
  );
  yield* Scene.commit(customerId, attachments);
  yield* expectDocuments("with attachments", [...attachments, invoice, report, replacement]);
  yield* expectVersionConflict(
    "a second attachment of the same revision",
    Scene.commit(customerId, [Build.document(draft, { kind: "attachment", side: "customer", revision: 2 })]),
  );
  yield* expectSame(
    "the replaced report by its id",
    yield* storage.find(customerId, "document", [report.row.id]),
    [report.row],
  );
});

const apiKeys = Effect.gen(function* () {
  const [customerId, other] = [Build.fresh.customer(), Build.fresh.customer()];
  const key = Build.apiKey(customerId);
  yield* Scene.commit(customerId, [key]);
  const { keyId } = key.row;
  yield* expectVersionConflict(
    "a public part used twice",
    Scene.commit(customerId, [Build.apiKey(customerId, { keyId })]),
  );
  yield* expectVersionConflict(
    "a public part used by another customer",
    Scene.commit(other, [Build.apiKey(other, { keyId })]),
  );
});

const paymentReferences = Effect.gen(function* () {
  const directory = yield* Directory;
  const scene = yield* Scene.create();
  const prepareInitiation = (payment_reference = Build.fresh.payment()) =>
    Effect.gen(function* () {
      const earned = yield* Scene.earn(scene, [10]);
      const draft = yield* Scene.draft(
        scene,
        earned.map(({ commission }) => commission),
      );
      const approved = yield* Scene.advance(draft, Build.approvalEvents(draft));
      const event = { type: "initiate_payment" as const, payment_reference, attempt: 1 };
      return { approved, event, commit: Scene.advance(approved, [event]) };
    });
  const one = yield* prepareInitiation();
  const first = one.event.payment_reference;
  yield* expectSame(
    "a reference before its payment was initiated",
    yield* directory.paymentReference(first),
    null,
  );
  const paying = yield* one.commit;
  const route = { customerId: scene.customerId, settlementId: paying.id };
  yield* expectSame(
    "a reference whose payment is in flight",
    yield* directory.paymentReference(first),
    route,
  );
  const failed = yield* Scene.advance(paying, [
    { type: "fail_payment", payment_reference: first, reason: "closed" },
  ]);
  const second = Build.fresh.payment();
  yield* Scene.advance(failed, [{ type: "initiate_payment", payment_reference: second, attempt: 2 }]);
  yield* expectSame("the reference of the failed attempt", yield* directory.paymentReference(first), route);
  yield* expectSame("the reference of the next attempt", yield* directory.paymentReference(second), route);
  const other = yield* prepareInitiation(first);
  yield* expectVersionConflict("a reference given to another settlement", Effect.asVoid(other.commit));
  yield* expectSame(
    "the reference after another settlement was refused it",
    yield* directory.paymentReference(first),
    route,
  );
});

const commandIds = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const command = { id: Build.fresh.command(), actor: Build.ACTOR, at: Build.EPOCH };
  const commit = () => Scene.commit(scene.customerId, [Build.partner(scene)], { command });
  yield* commit();
  yield* expectVersionConflict("a stored command, committed again", commit());
});

const samePartner = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const change: Change = Build.partner(scene);
  yield* expectOneStored("one new record, saved four times concurrently", [
    Scene.commit(scene.customerId, [change]),
    Scene.commit(scene.customerId, [change]),
    Scene.commit(scene.customerId, [change]),
    Scene.commit(scene.customerId, [change]),
  ]);
});

/** Every law of unique keys. */
export const keys: ReadonlyArray<Law> = [
  law(CONFLICTS, "an external reference is unique per customer and schema", externalReferences),
  law(CONFLICTS, "an external reference of a partner is unique per workspace", partnerReferences),
  law(
    "The attributions that have one of the external references, each once, of one snapshot, in any order.",
    "stored, unknown, repeated, and of other schemas and customers",
    foundByReferences,
  ),
  law(CONFLICTS, "an external reference, six concurrent creations", racingReferences),
  law(
    "An attribution that exists may lose its external reference: the same change set may then save a new one with it.",
    "an external reference that moves to a new attribution, by four concurrent commits",
    movedReferences,
  ),
  law(CONFLICTS, "one commission per attribution and formula, four concurrent creations", pairs),
  law(CONFLICTS, "one document per settlement, kind and revision", documents),
  law(
    "The settlement's documents of every kind, those that were replaced included, by kind and revision.",
    "report and invoice",
    documents,
  ),
  law(CONFLICTS, "the public part of an API key is unique", apiKeys),
  law(CONFLICTS, "a payment reference belongs to one settlement", paymentReferences),
  law(
    "The settlement for which a payment reference was ever issued, or null.",
    "before, during and after its payment attempt",
    paymentReferences,
  ),
  law(CONFLICTS, "the id of a command is unique", commandIds),
  law(CONFLICTS, "the id of a new record, four concurrent creations", samePartner),
];
