/** Files of what buyers have paid: the batches in which their rows are stated. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";
import type { Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stateReceipts } from "../../adapters/server/importing/Receipts.ts";
import type { Target } from "../../adapters/server/Target.ts";
import { earningPartner, openTarget } from "./ImportTarget.ts";

const customerId = crypto.randomUUID();
const folder = mkdtempSync(join(tmpdir(), "receipts-"));
let engine: Quittance;
let target: Target;
/** The receipts of each batch that was sent. */
const batches: Array<ReadonlyArray<unknown>> = [];

beforeAll(async () => {
  ({ engine, target } = await openTarget(customerId, (_path, body) => {
    if (body !== undefined && "receipts" in body) batches.push(body.receipts as ReadonlyArray<unknown>);
  }));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await engine.close();
});

/** Two sales of 1,000 that wait for their buyers; `waiting` returns how much of each still waits. */
const scene = async () => {
  const { attributions, commissions } = engine.as({ customerId });
  const place = await earningPartner(engine, customerId, "on_receipt");
  const sell = async () => (await attributions.create({ ...place, properties: { cents: 1_000 } })).id;
  const sales = [await sell(), await sell()] as const;
  const waiting = async () => {
    const { items } = await commissions.list({ partnerIds: [place.partnerId] });
    return sales.map((sale) => items.find(({ attributionId }) => attributionId === sale)?.waitingAmount);
  };
  return { sales, waiting };
};

const state = async (format: "csv" | "ndjson", lines: ReadonlyArray<string>) => {
  const file = join(folder, `receipts.${format}`);
  writeFileSync(file, lines.join("\n"));
  batches.length = 0;
  const request = { file, format, fromRow: 1, dryRun: false, skipBadRows: false, json: true };
  await Effect.runPromise(Effect.scoped(stateReceipts(request, Effect.succeed(target))));
  return batches.map(({ length }) => length);
};

describe("a file of receipts", () => {
  it("is stated in the order of its rows, and no batch has two rows of one sale", async () => {
    const { sales, waiting } = await scene();
    const [first, second] = sales;
    const rows = [`${first},1,4`, `${second},1,2`, `${first.toUpperCase()},3,4`, `${first},2,4`];
    expect(await state("csv", ["attribution_id,received,of", ...rows])).toEqual([2, 1, 1]);
    expect(await waiting()).toEqual([500, 500]);
  });

  it("may be JSON lines, and a row of an earlier moment changes nothing", async () => {
    const { sales, waiting } = await scene();
    const [first, second] = sales;
    const rows = [
      { attribution_id: first, received: 3, of: 4, received_at: "2026-01-02" },
      { attribution_id: second, received: "80", of: 80 },
      { attribution_id: first, received: 1, of: 4, received_at: "2026-01-01" },
    ];
    expect(
      await state(
        "ndjson",
        rows.map((row) => JSON.stringify(row)),
      ),
    ).toEqual([2, 1]);
    expect(await waiting()).toEqual([250, 0]);
  });
});
