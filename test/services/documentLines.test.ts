/** The details of each line on documents: the sale, the terms, and the corrected line. */

import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  type Documents,
  Limits,
  Receipts,
  Settlements,
} from "quittance";
import type { Expression } from "quittance/formula";
import * as Given from "./Given.ts";

const { rule } = Given;

/** The lines of the report of a new settlement of everything. */
const report = (scene: Given.Scene, rendered: Array<Documents.DocumentContent>) =>
  Effect.gen(function* () {
    const settlementId = yield* Given.draft(scene);
    yield* Given.approve({ ...scene, settlementId });
    rendered.length = 0;
    yield* Given.drain;
    const content = rendered.find(({ kind }) => kind === "report");
    return { settlementId, lines: content?.lines ?? [] };
  });

const TIERS: Expression = {
  type: "graduated",
  amount: { type: "property", name: "order_value" },
  offset: {
    type: "aggregate",
    function: "sum",
    value: { type: "property", name: "order_value" },
    window: { type: "calendar", unit: "month" },
  },
  tiers: [
    {
      up_to: { type: "number", value: 15_000 },
      rate: { type: "literal", value: { type: "percent", value: 5 } },
    },
    { rate: { type: "literal", value: { type: "percent", value: 10 } } },
  ],
};

describe("the lines of a report", () => {
  it.effect("state the order reference, the schema with its displayed properties, and the terms", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const made = yield* Given.scene();
        const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(made.owner, {
          workspaceId: made.workspaceId,
          name: "Subscription",
          properties: [
            { name: "order_value", type: "number", required: true },
            { name: "seats", type: "number", required: false, default: 1 },
            { name: "plan", type: "string", required: false },
          ],
          displayProperties: ["plan", "seats"],
        });
        const scene = { ...made, schemaId };
        yield* Given.formula(scene);
        const { create } = yield* Attributions.Attributions;
        const order = Given.sale(scene, 10_000);
        yield* create(scene.owner, {
          ...order,
          properties: { order_value: 10_000, plan: "pro" },
          externalReference: "ORD-1",
        });
        yield* create(scene.owner, order);
        const long = { order_value: 10_000, plan: "光".repeat(Limits.SHOWN_VALUE_MAX + 1) };
        yield* create(scene.owner, { ...order, properties: long });
        const { lines } = yield* report(scene, rendered);
        expect(lines).toMatchObject([
          {
            ...{ externalReference: "ORD-1", schemaName: "Subscription", amount: 1_000, basis: "evaluated" },
            properties: [{ name: "plan", value: "pro" }],
            ...{ terms: { type: "rate", base: "10000", rate: "0.1" }, corrects: [] },
          },
          { externalReference: null, properties: [], corrects: [] },
          { properties: [{ name: "plan", value: `${"光".repeat(Limits.SHOWN_VALUE_MAX - 1)}…` }] },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("state the tiers of accumulating plans, from the totals of earlier sales", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        yield* Given.formula(scene, { expression: TIERS });
        yield* Given.sell(scene, 10_000);
        yield* Given.sell(scene, 10_000);
        const { lines } = yield* report(scene, rendered);
        expect(lines.map(({ terms }) => terms)).toEqual([
          { type: "tiers", base: "10000", tiers: [{ part: "10000", rate: "0.05", flat: "0" }] },
          {
            ...{ type: "tiers", base: "10000" },
            tiers: [
              { part: "5000", rate: "0.05", flat: "0" },
              { part: "5000", rate: "0.1", flat: "0" },
            ],
          },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("that correct earlier lines name those lines and the reason", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene({ selfBilled: true });
        yield* Given.formula(scene);
        const sold = yield* Given.sell(scene, 10_000);
        const first = yield* report(scene, rendered);
        yield* Given.payByHand({ ...scene, settlementId: first.settlementId });
        yield* (yield* Attributions.Attributions).cancel(scene.owner, sold, { reason: "refunded" });
        yield* Given.sell(scene, 20_000);
        const { lines } = yield* report(scene, rendered);
        const invoice = yield* Given.settlement(scene, first.settlementId);
        expect(lines.find(({ amount }) => amount === -1_000)).toMatchObject({
          ...{ basis: "attribution_cancelled", cancelReason: "refunded", terms: null },
          correction: { before: 1_000, after: 0 },
          corrects: [
            {
              ...{ settlementId: first.settlementId, amount: 1_000, kind: "invoice" },
              ...{ number: invoice.invoiceNumber, date: invoice.invoiceDate },
            },
          ],
        });
        expect(lines.find(({ amount }) => amount === 2_000)).toMatchObject({
          ...{ correction: null, corrects: [] },
        });
      }),
      Given.recording(rendered),
    );
  });

  it.effect(
    "of a commission that waits for the buyer state what was paid, and each further part what came before",
    () => {
      const rendered: Array<Documents.DocumentContent> = [];
      return rule(
        Effect.gen(function* () {
          const scene = yield* Given.scene();
          yield* Given.formula(scene, { release: "on_receipt" });
          const sold = yield* Given.sell(scene, 10_000);
          const { stateReceived } = yield* Receipts.Receipts;
          const lines: Array<Documents.DetailedLine> = [];
          for (const received of [300, 601, 1_000]) {
            yield* stateReceived(scene.owner, sold, { received, of: 1_000 });
            const stated = yield* report(scene, rendered);
            lines.push(...stated.lines);
            yield* Given.payByHand({ ...scene, settlementId: stated.settlementId });
          }
          yield* (yield* Attributions.Attributions).cancel(scene.owner, sold, { reason: "refunded" });
          yield* stateReceived(scene.owner, yield* Given.sell(scene, 20_000), { received: 7, of: 7 });
          lines.push(...(yield* report(scene, rendered)).lines);
          const part = { of: 1_000, earned: 1_000 };
          expect(lines).toMatchObject([
            {
              amount: 300,
              part: { ...part, received: 300, payable: 300 },
              correction: null,
              terms: { rate: "0.1" },
            },
            {
              ...{ amount: 301, part: { ...part, received: 601, payable: 601 } },
              ...{ correction: { before: 300, after: 601 }, corrects: [{ amount: 300 }] },
            },
            {
              ...{ amount: 399, part: { ...part, received: 1_000, payable: 1_000 } },
              ...{ correction: { before: 601, after: 1_000 }, corrects: [{ amount: 300 }, { amount: 301 }] },
            },
            { amount: -1_000, part: null, correction: { before: 1_000, after: 0 } },
            { amount: 2_000, part: null, correction: null },
          ]);
        }),
        Given.recording(rendered),
      );
    },
  );

  it.effect("that correct a rate state the commission before and after, in however many steps", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        const corrected = [yield* report(scene, rendered)];
        for (const rate of [12, 9]) {
          yield* Given.payByHand({ ...scene, settlementId: corrected.at(-1)?.settlementId as never });
          const expression = Given.percent(rate);
          yield* formulas.update(scene.owner, id, { expression, effectiveDatetime: Given.NOW });
          corrected.push(yield* report(scene, rendered));
        }
        expect(corrected.flatMap(({ lines }) => lines)).toMatchObject([
          { amount: 1_000, correction: null, corrects: [] },
          { amount: 200, correction: { before: 1_000, after: 1_200 }, corrects: [{ amount: 1_000 }] },
          {
            ...{ amount: -300, correction: { before: 1_200, after: 900 }, terms: { rate: "0.09" } },
            corrects: [{ amount: 1_000 }, { amount: 200 }],
          },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("that correct what was written off begin with what the ledger counts as settled", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const first = yield* report(scene, rendered);
        yield* (yield* Settlements.Settlements).writeOff(scene.owner, first.settlementId);
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        const recomputed = (rate: number) =>
          formulas.update(scene.owner, id, {
            ...{ expression: Given.percent(rate), effectiveDatetime: Given.NOW },
          });
        yield* recomputed(4);
        // 400 are settled by the write-off of 1,000: nothing is due, and nothing is claimed back.
        expect((yield* report(scene, rendered)).lines).toMatchObject([
          { amount: 0, correction: { before: 400, after: 400 }, corrects: [{ amount: 1_000 }] },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("that correct earlier lines add up if the amount changed after the draft", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const first = yield* report(scene, rendered);
        yield* Given.payByHand({ ...scene, settlementId: first.settlementId });
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        const change = (rate: number) =>
          formulas.update(scene.owner, id, {
            ...{ expression: Given.percent(rate), effectiveDatetime: Given.NOW },
          });
        yield* change(12);
        const settlementId = yield* Given.draft(scene);
        yield* change(15);
        rendered.length = 0;
        yield* Given.approveAndDrain({ ...scene, settlementId });
        expect(rendered[0]?.lines).toMatchObject([
          { amount: 200, terms: null, correction: { before: 1_000, after: 1_200 } },
        ]);
      }),
      Given.recording(rendered),
    );
  });

  it.effect("state no terms if the amount changed after the draft", () => {
    const rendered: Array<Documents.DocumentContent> = [];
    return rule(
      Effect.gen(function* () {
        const scene = yield* Given.scene();
        const id = yield* Given.formula(scene);
        yield* Given.sell(scene, 10_000);
        const settlementId = yield* Given.draft(scene);
        const formulas = yield* CommissionFormulas.CommissionFormulas;
        yield* formulas.update(scene.owner, id, {
          expression: Given.percent(20),
          effectiveDatetime: Given.NOW,
        });
        yield* Given.approveAndDrain({ ...scene, settlementId });
        expect(rendered[0]?.lines).toMatchObject([{ amount: 1_000, terms: null, basis: "evaluated" }]);
      }),
      Given.recording(rendered),
    );
  });
});
