/** Files of sales as other systems write them: their dates and numbers, and the rows that are left out. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";
import type { Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importFile } from "../../adapters/server/importing/ImportFile.ts";
import type { Target } from "../../adapters/server/Target.ts";
import { earningPartner, openTarget } from "./ImportTarget.ts";

const customerId = crypto.randomUUID();
const folder = mkdtempSync(join(tmpdir(), "sales-"));
let engine: Quittance;
let target: Target;
/** The batches that were sent. */
let batches = 0;
/** An import of wrong rows sets it. */
const { exitCode } = process;

beforeAll(async () => {
  ({ engine, target } = await openTarget(customerId, (path) => {
    if (path === "attributions/batch") batches += 1;
  }));
});
afterAll(async () => {
  process.exitCode = exitCode;
  rmSync(folder, { recursive: true });
  await engine.close();
});

/** A partner who earns each cent of a sale; `imported` imports rows, and returns what is stored by reference. */
const scene = async () => {
  const { attributions, commissions } = engine.as({ customerId });
  const { partnerId, schemaId, workspaceId } = await earningPartner(engine, customerId);
  const imported = async (fields: object, format: "csv" | "ndjson", lines: ReadonlyArray<string>) => {
    const [file, mapping] = [join(folder, `sales.${format}`), join(folder, "mapping.json")];
    writeFileSync(file, lines.join("\n"));
    const place = { workspace_id: workspaceId, schema_id: schemaId, partner_id: partnerId };
    writeFileSync(mapping, JSON.stringify({ ...place, external_reference: { column: "order" }, ...fields }));
    batches = 0;
    const request = {
      ...{ file, format, mapping, fromRow: 1, dryRun: false, skipBadRows: false, json: true },
      withoutReferences: false,
    };
    await Effect.runPromise(Effect.scoped(importFile(request, Effect.succeed(target))));
    const amounts = new Map(
      (await commissions.list({ partnerIds: [partnerId] })).items.map((commission) => [
        commission.attributionId,
        commission.computedAmount,
      ]),
    );
    const { items } = await attributions.list({ partnerIds: [partnerId] });
    return items
      .map(({ id, externalReference, occurredAt }) => [
        externalReference,
        new Date(occurredAt ?? "").toISOString(),
        amounts.get(id),
      ])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])));
  };
  return { imported };
};

describe("a file of sales", () => {
  it("has its amounts multiplied by the factor of their column once", async () => {
    const { imported } = await scene();
    const fields = {
      occurred_at: { column: "at", date: {} },
      properties: { cents: { column: "paid", number: { decimal: ".", currency: "$", factor: "100" } } },
    };
    const rows = ["a;2025-11-02 10:11:12 UTC;$1,020.05", "b;2025-11-02 10:11:12 +0200;($20.00)"];
    expect(await imported(fields, "csv", ["order;at;paid", ...rows])).toEqual([
      ["a", "2025-11-02T10:11:12.000Z", 102_005],
      ["b", "2025-11-02T08:11:12.000Z", -2_000],
    ]);
  });

  it("has the days and months of its dates in the order that its mapping states", async () => {
    const { imported } = await scene();
    const fields = (form: string, time_zone: string) => ({
      occurred_at: { column: "at", date: { form, time_zone } },
      properties: { cents: { column: "paid", number: { decimal: "," } } },
    });
    await imported(fields("day_first", "Europe/Berlin"), "csv", ["order;at;paid", "a;03.02.2025;1.000"]);
    expect(
      await imported(fields("month_first", "America/New_York"), "csv", [
        "order;at;paid",
        "b;03/02/2025 09:30;1000,00",
      ]),
    ).toEqual([
      ["a", "2025-02-02T23:00:00.000Z", 1_000],
      ["b", "2025-03-02T14:30:00.000Z", 1_000],
    ]);
  });

  it("leaves out the rows that its mapping does not take, and no row that is wrong", async () => {
    const { imported } = await scene();
    const fields = {
      only: { status: ["paid", "2"], order: "not_empty" },
      occurred_at: { column: "at", date: { form: "epoch_milliseconds" } },
      properties: { cents: { column: "amount.value", number: { factor: "0.5" } } },
    };
    const row = (order: unknown, status: unknown, value: unknown) =>
      JSON.stringify({ order, status, at: 1_762_078_272_000, amount: { value } });
    const rows = [row("a", "paid", 10), row("b", "refunded", "?"), row("", "paid", 10), row("c", 2, "30")];
    const stored = [
      ["a", "2025-11-02T10:11:12.000Z", 5],
      ["c", "2025-11-02T10:11:12.000Z", 15],
    ];
    expect(await imported(fields, "ndjson", rows)).toEqual(stored);
    expect(batches).toBe(1);
    for (const wrong of [row("d", "paid", "?"), row("d", ["paid"], 10), "{"]) {
      expect(await imported(fields, "ndjson", [row("e", "paid", 10), wrong])).toEqual(stored);
      expect(batches).toBe(0);
    }
  });
});
