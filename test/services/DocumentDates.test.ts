/** The dates of documents: days of the workspace, in order within a series. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Attributions,
  BillingProfiles,
  type DocumentNumber,
  type Documents,
  type Ids,
  Settlements,
  Workspaces,
} from "quittance";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, DAY, NOW } = Given;

const HOUR = 3_600_000;

/** Sets the clock to a moment. */
const waitUntil = (date: string) => Given.wait(Date.parse(date) - NOW);

const setZone = ({ owner, workspaceId }: Given.Scene, timeZone: string) =>
  Effect.flatMap(Workspaces.Workspaces, ({ write }) => write(owner, workspaceId, { timeZone }));

const setNumbers = ({ owner }: Given.Scene, documentNumbers: DocumentNumber.DocumentNumbers) =>
  Effect.flatMap(BillingProfiles.BillingProfiles, ({ write }) =>
    write(owner, {
      legalName: "Kontor A/S",
      address: { street: "Torvet 2", city: "Aarhus", region: "", postalCode: "8000", country: "DK" },
      vatNumber: "DK87654321",
      documentNumbers,
    }),
  );

/** Settles another sale of the scene's partner, and returns the settlement with its documents. */
const settleAnother = (scene: Given.Scene) =>
  Effect.gen(function* () {
    const attributionId = yield* Given.sell(scene, 1_000);
    const settlementId = yield* Given.draft(scene);
    yield* Given.approveAndDrain({ ...scene, settlementId });
    return { attributionId, ...(yield* Given.settlement(scene, settlementId)) };
  });

/** A self-billed partner with a formula, in a workspace of a time zone. */
const sceneIn = (timeZone: string) =>
  Effect.gen(function* () {
    const scene = yield* Given.scene({ selfBilled: true });
    yield* Given.formula(scene);
    yield* setZone(scene, timeZone);
    return scene;
  });

describe("a document", () => {
  it.effect("has the day and the year of its workspace, and is due days later", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* sceneIn("Asia/Tokyo");
        yield* setNumbers(scene, { prefix: "HM", year: true });
        yield* waitUntil("2026-12-31T15:00:00Z");
        const settled = yield* settleAnother(scene);
        expect(settled).toMatchObject({
          reportNumber: "HM-REP-2027-000001",
          invoiceNumber: "HM-2027-000001",
          invoiceDate: "2027-01-01",
          dueDate: "2027-01-31",
        });
        expect(rendered.map(({ kind, issuedOn, dueDate }) => [kind, issuedOn, dueDate])).toEqual([
          ["report", "2027-01-01", null],
          ["invoice", "2027-01-01", "2027-01-31"],
        ]);
        yield* checkInvariants(scene.customerId);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("is of the year before where the new one has not begun", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* sceneIn("America/New_York");
        yield* setNumbers(scene, { prefix: "HM", year: true });
        yield* waitUntil("2027-01-01T04:59:59Z");
        expect(yield* settleAnother(scene)).toMatchObject({
          ...{ invoiceNumber: "HM-2026-000001", invoiceDate: "2026-12-31" },
        });
        yield* Given.wait(1_000);
        expect(yield* settleAnother(scene)).toMatchObject({
          ...{ invoiceNumber: "HM-2027-000001", invoiceDate: "2027-01-01" },
        });
      }),
    ),
  );

  it.effect("is not dated before its predecessor in its series, after a change of zone or of the clock", () =>
    rule(
      Effect.gen(function* () {
        const scene = yield* sceneIn("Asia/Tokyo");
        yield* setNumbers(scene, { prefix: "HM" });
        yield* waitUntil("2026-06-30T16:00:00Z");
        const dates = [(yield* settleAnother(scene)).invoiceDate];
        yield* setZone(scene, "America/New_York");
        dates.push((yield* settleAnother(scene)).invoiceDate);
        yield* Given.wait(-3 * DAY);
        dates.push((yield* settleAnother(scene)).invoiceDate);
        yield* Given.wait(3 * DAY + 36 * HOUR);
        dates.push((yield* settleAnother(scene)).invoiceDate);
        expect(dates).toEqual(["2026-07-01", "2026-07-01", "2026-07-01", "2026-07-02"]);
        // The reports have a series of their own.
        yield* setNumbers(scene, { prefix: "HM", series: "partner" });
        yield* Given.wait(-36 * HOUR);
        expect((yield* settleAnother(scene)).invoiceDate).toBe("2026-06-30");
      }),
    ),
  );

  it.effect("is named by its date in the documents that correct it", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* sceneIn("Asia/Tokyo");
        yield* waitUntil("2026-12-31T23:30:00Z");
        const sold = yield* settleAnother(scene);
        yield* Given.payByHand({ ...scene, settlementId: sold.id });
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, sold.attributionId, { reason: "refund" });
        yield* setZone(scene, "UTC");
        const settlementId = yield* Given.draft(scene);
        yield* Given.approveAndDrain({ ...scene, settlementId });
        const { review } = yield* Settlements.Settlements;
        yield* review(scene.owner, settlementId, { decision: "issue_credit_note" });
        yield* Given.drain;
        const note = rendered.find(({ kind }) => kind === "credit_note");
        expect(note?.corrects.map(({ number, issuedOn }) => [number, issuedOn])).toEqual([
          [sold.invoiceNumber, "2027-01-01"],
        ]);
        expect(note?.lines.flatMap(({ corrects }) => corrects.map(({ date }) => date))).toEqual([
          "2027-01-01",
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("is named by the report's date where there is no other number", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene);
        yield* setZone(scene, "Asia/Tokyo");
        yield* waitUntil("2026-12-31T23:30:00Z");
        const sold = yield* settleAnother(scene);
        yield* Given.payByHand({ ...scene, settlementId: sold.id });
        const { cancel } = yield* Attributions.Attributions;
        yield* cancel(scene.owner, sold.attributionId, { reason: "refund" });
        yield* Given.approveAndDrain({ ...scene, settlementId: yield* Given.draft(scene) });
        const report = rendered.filter(({ kind }) => kind === "report").at(-1);
        expect(report?.lines.flatMap(({ corrects }) => corrects)).toMatchObject([
          { kind: "report", number: sold.reportNumber, date: "2027-01-01" },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("is rendered again where the zone changes meanwhile", () => {
    const dates: Array<string> = [];
    let changeZone: Effect.Effect<unknown, unknown> = Effect.void;
    return rule(
      Effect.gen(function* () {
        const scene = yield* sceneIn("UTC");
        yield* waitUntil("2026-12-31T23:30:00Z");
        const workspaces = yield* Workspaces.Workspaces;
        const { owner, workspaceId } = scene;
        changeZone = workspaces.write(owner, workspaceId, { timeZone: "Asia/Tokyo" });
        yield* Given.sell(scene, 1_000);
        const settlementId: Ids.SettlementId = yield* Given.draft(scene);
        yield* Given.approveAndDrain({ ...scene, settlementId });
        expect((yield* Given.settlement(scene, settlementId)).invoiceDate).toBe("2027-01-01");
        expect(dates).toEqual(["report 2026-12-31", "report 2027-01-01", "invoice 2027-01-01"]);
      }),
      {
        render: ({ kind, issuedOn }) =>
          Effect.gen(function* () {
            dates.push(`${kind} ${issuedOn}`);
            const change = changeZone;
            changeZone = Effect.void;
            yield* Effect.orDie(change);
            return { bytes: new Uint8Array([1]), extension: "bin" };
          }),
      },
    );
  });
});
