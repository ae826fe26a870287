/** Exports of other systems: partners and commissions with the amounts that were computed there, and the comparison afterwards. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Effect } from "effect";
import type { Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Target } from "../../adapters/server/Target.ts";
import { agrees } from "../../adapters/server/takeover/Reconciliation.ts";
import { SYSTEMS } from "../../adapters/server/takeover/System.ts";
import { takeOver } from "../../adapters/server/takeover/Takeover.ts";
import { openTarget } from "./ImportTarget.ts";

const customerId = crypto.randomUUID();
const folder = mkdtempSync(join(tmpdir(), "takeover-"));
let engine: Quittance;
let target: Target;
/** Rows that are wrong, and totals that differ, set it. */
const { exitCode } = process;

beforeAll(async () => {
  ({ engine, target } = await openTarget(customerId, () => {}));
});
afterAll(async () => {
  process.exitCode = exitCode;
  rmSync(folder, { recursive: true });
  await engine.close();
});

type Name = keyof typeof SYSTEMS;

const exported = (name: Name): string => {
  const file = `../../examples/takeover/${name}.${SYSTEMS[name].format}`;
  return readFileSync(new URL(file, import.meta.url), "utf8");
};

/** Takes over an export. */
const taken = async (
  name: Name,
  workspaceId: string,
  text = exported(name),
  totals: string | null = null,
) => {
  const system = SYSTEMS[name];
  const file = join(folder, `export.${system.format}`);
  writeFileSync(file, text);
  const request = { file, system, workspaceId, totals, dryRun: false, skipBadRows: false, json: true };
  return Effect.runPromise(Effect.scoped(takeOver(request, Effect.succeed(target))));
};

/** What both say, and why they differ. */
const summary = (lines: Awaited<ReturnType<typeof taken>>) =>
  lines.map(({ name, currency, theirs, ours, reasons }) => [
    `${name} ${currency}`,
    ...[theirs.earned, ours.earned, theirs.paid, ours.paid].map(Number),
    ...reasons,
  ]);

/** What is due in a workspace, in all. */
const due = async (workspaceId: string): Promise<number> =>
  (
    await engine.as({ customerId }).commissions.list({ workspaceIds: [workspaceId], perPage: 100 })
  ).items.reduce((sum, { computedAmount, paidAmount }) => sum + (computedAmount ?? 0) - paidAmount, 0);

const EXPECTED = {
  rewardful: [
    ["Ada Lind EUR", 1_200, 1_200, 0, 0],
    ["Ada Lind USD", 5_999, 5_999, 3_000, 3_000],
    ["Bo Marsh USD", 1_470, 1_470, 1_470, 1_470],
  ],
  dub: [
    ["Ada Lind USD", 23_980, 23_980, 25_000, 25_000],
    ["Bo Marsh JPY", 3_160, 3_160, 0, 0],
    ["Bo Marsh USD", 500, 500, 500, 500],
  ],
  partnerstack: [
    ["Ada Lind USD", 6_980, 6_980, 5_000, 5_000],
    ["Bo Marsh GBP", 0, 0, 0, 0],
    ["Bo Marsh USD", 2_500, 2_500, 2_500, 2_500],
  ],
  "odoo-oca": [
    ["Ada Lind EUR", 6_250, 6_250, 5_000, 5_000],
    ["Bo Marsh EUR", 3_000, 3_000, 4_000, 4_000],
  ],
} as const;

const ADA = "5768bd90-7953-493f-ae6c-000000000001";

/** The reference of a commission in the export of Rewardful. */
const reference = (number: number): string => `39e68c88-000${number}-4510-b3b4-43c75016a00${number}`;

describe("an export of another system", () => {
  it("has the totals that were computed there, settles what was paid, and is stored once", async () => {
    for (const name of Object.keys(EXPECTED) as ReadonlyArray<Name>) {
      const workspaceId = crypto.randomUUID();
      const lines = await taken(name, workspaceId);
      expect(summary(lines)).toEqual(EXPECTED[name]);
      expect(lines.every(agrees)).toBe(true);
      expect(await due(workspaceId)).toBe(
        EXPECTED[name].reduce((sum, [, , earned, , paid]) => sum + earned - paid, 0),
      );
      expect(summary(await taken(name, workspaceId))).toEqual(EXPECTED[name]);
    }
  });

  it("names every commission and every stated total that differs", async () => {
    const workspaceId = crypto.randomUUID();
    const me = engine.as({ customerId });
    await taken("rewardful", workspaceId);
    const cancelled = await me.attributions.list({
      externalReferences: [reference(2)],
      workspaceIds: [workspaceId],
    });
    await me.attributions.cancel(cancelled.items[0]?.id ?? "", { reason: "by mistake" });
    const totals = join(folder, "totals.csv");
    writeFileSync(totals, `partner,currency,total\n${ADA},EUR,20.00\n`);
    const rows = exported("rewardful").split("\n");
    const changed = [
      ...[rows[0], rows[1], rows[3], rows[4]],
      rows[4]?.replace(reference(5), reference(6)).replace('"voided"', '"due"').replace("09-02T", "09-03T"),
    ];
    const third = JSON.stringify({ ...JSON.parse(rows[2] ?? ""), state: "voided" });
    const lines = await taken("rewardful", workspaceId, [...changed, third].join("\n"), totals);
    expect(summary(lines)).toEqual([
      [
        ...["Ada Lind EUR", 2_000, 1_200, 0, 0],
        "the stated total is 20.00, the rows of the export add up to 12.00",
      ],
      ["Ada Lind USD", 3_000, 5_999, 3_000, 3_000, `${reference(3)}: void there, 29.99 here`],
      ["Bo Marsh USD", 2_370, 900, 1_470, 1_470, `${reference(2)}: 14.70 there, 0.00 here`],
    ]);
    const fewer = await taken("rewardful", workspaceId, `${rows[0]}\n${rows[3]}`);
    expect(summary(fewer)).toContainEqual([
      ...["Ada Lind USD", 3_000, 5_999, 3_000, 3_000],
      `${reference(3)}: 29.99 here, not in the export`,
    ]);
  });

  it("stores nothing of a file with a row whose payment is doubtful", async () => {
    const row = JSON.parse(exported("rewardful").split("\n")[0] ?? "");
    for (const change of [
      { paid_at: null },
      { state: "approved" },
      { amount: 30.5 },
      { currency: "XXX" },
      { paid_at: "2026-07-02T00:00:00Z" },
      { sale: { ...row.sale, affiliate: { id: "", first_name: "Ada", last_name: "Lind" } } },
    ]) {
      const workspaceId = crypto.randomUUID();
      expect(await taken("rewardful", workspaceId, JSON.stringify({ ...row, ...change }))).toEqual([]);
      expect((await engine.as({ customerId }).partners.list({ workspaceIds: [workspaceId] })).total).toBe(0);
    }
  });
});
