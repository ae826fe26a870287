/** `quittance receipts` on a server and on a store, as an operator calls it. */
import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { open, type Quittance } from "quittance/promise";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callCommand } from "../callCommand.ts";
import { folder } from "../running.ts";

const workspaceId = randomUUID();
const customerId = randomUUID();
const here = folder();
let quittance: Quittance;
let server: Server;
let environment: Record<string, string> = {};
let partnerId = "";
let schemaId = "";
let other = "";
let credited = "";

const me = () => quittance.as({ customerId });

const sell = async (externalReference: string, more: object = {}): Promise<string> =>
  (
    await me().attributions.create({
      ...{ partnerId, schemaId, workspaceId, externalReference, properties: { cents: 1_000 } },
      ...more,
    })
  ).id;

beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
  const { key } = await me().apiKeys.create({ name: "operator" });
  const named = async (name: string) => (await me().partners.create({ name, workspaceId })).id;
  partnerId = await named("Ada Lind");
  const finder = await named("Bo Marsh");
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  const schema = async (name: string) =>
    (await me().attributionSchemas.create({ workspaceId, name, properties })).id;
  [schemaId, other] = [await schema("Sale"), await schema("Renewal")];
  await me().commissionFormulas.create({
    ...{ partnerId, schemaId, workspaceId, name: "when paid", currency: "EUR", release: "on_receipt" },
    ...{ startDatetime: "2020-01-01T00:00:00Z", expressionText: "cents" },
  });
  for (let number = 1; number <= 5; number++) await sell(`order-${number}`);
  await sell("order-1", { schemaId: other });
  const shared = await sell("order-9", {
    credits: [{ partnerId }, { partnerId: finder, role: "finder" }],
  });
  const { items } = await me().attributions.list({ originIds: [shared], partnerIds: [finder] });
  credited = items[0]?.id ?? "";
  server = createServer(await quittance.nodeHandler()).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  environment = { QUITTANCE_URL: `http://127.0.0.1:${port}`, QUITTANCE_KEY: key };
});
afterAll(async () => {
  here.remove();
  server.close();
  await quittance.close();
});
afterEach(() => {
  process.exitCode = undefined;
});

const call = (...words: ReadonlyArray<string>) => callCommand(words, environment);

const state = async (lines: ReadonlyArray<string>, ...options: ReadonlyArray<string>) => {
  const file = join(here.path, "receipts.csv");
  writeFileSync(file, lines.join("\n"));
  const { code, text } = await call("receipts", file, ...options);
  return { code, text: text.replaceAll(file, "receipts.csv") };
};

/** The amount that is released of each sale of the file, by its reference. */
const released = async (): Promise<Readonly<Record<string, number>>> => {
  const sales = (await me().attributions.list({ schemaIds: [schemaId], perPage: 100 })).items;
  const { items } = await me().commissions.list({ perPage: 100 });
  return Object.fromEntries(
    sales.flatMap(({ id, externalReference }) => {
      const own = items.find(({ attributionId }) => attributionId === id);
      return own === undefined || externalReference === null
        ? []
        : [[externalReference, (own.computedAmount ?? 0) - (own.waitingAmount ?? 0)]];
    }),
  );
};

const HEADER = "external_reference,received,of,received_at";

describe("quittance receipts", () => {
  it("states nothing when a row is wrong, and names each wrong row", async () => {
    const lines = [
      HEADER,
      "order-2,1,2,",
      "order-77,1,2,",
      "order-1,1,2,",
      "order-3,half,2,",
      "order-3,1,0,",
      "order-3,,2,",
      "order-3,1,2,01/2026",
      "order-3,1,2,2999-01-01",
      ",1,2,",
    ];
    const refused = await state(lines);
    expect(refused.code).toBe(1);
    expect(refused.text.trimEnd().split("\n")).toEqual([
      'row 2 (line 3): there is no sale "order-77"',
      'row 3 (line 4): "order-1" is the reference of 2 sales: state schema_id as well',
      'row 4 (line 5): received: must be a number, not "half"',
      "row 5 (line 6): of: must be greater than 0",
      "row 6 (line 7): received is empty",
      expect.stringMatching(/^row 7 \(line 8\): received_at: must be a date like/),
      "row 8 (line 9): received_at: must not be more than 5 minutes in the future",
      "row 9 (line 10): external_reference is empty",
      expect.stringMatching(/nothing was stored: 8 of 9 rows cannot be imported/),
    ]);
    expect((await released())["order-2"]).toBe(0);
  });

  it("states every row, those of one sale in their order, and nothing twice", async () => {
    const lines = [
      HEADER,
      "order-2,1,4,2026-01-01",
      "order-3,1,1,",
      "order-2,3,4,2026-01-02",
      "order-2,2,4,2026-01-01",
    ];
    expect(await state(lines, "--dry-run")).toEqual({
      code: 0,
      text: "4 rows can be imported; nothing was stored\n",
    });
    expect((await released())["order-3"]).toBe(0);
    for (const counts of ["3 rows stored, 0 not stored, 1", "0 rows stored, 0 not stored, 4"]) {
      expect((await state(lines)).text).toMatch(new RegExp(`^${counts} without effect \\(`));
      expect(await released()).toMatchObject({ "order-2": 750, "order-3": 1_000, "order-4": 0 });
    }
    const { text } = await state(lines, "--json");
    expect(JSON.parse(text)).toEqual({ rows: 4, bad: 0, stored: 0, unchanged: 4, refused: 0 });
    const [sale] = (await me().attributions.list({ externalReferences: ["order-3"] })).items;
    expect(sale?.events.map(({ event }) => event.type)).toEqual(["create_attribution", "state_received"]);
  });

  it("continues at a row, and skips bad rows where it is allowed to", async () => {
    const lines = [HEADER, "order-4,1,1,", "order-77,1,1,", "order-5,1,2,"];
    const skipped = await state(lines, "--from-row", "2", "--skip-bad-rows", "--json");
    expect(skipped.code).toBe(1);
    expect(JSON.parse(skipped.text.trimEnd().split("\n").at(-1) ?? "")).toEqual({
      ...{ rows: 2, bad: 1, stored: 1, refused: 0 },
    });
    expect(await released()).toMatchObject({ "order-4": 0, "order-5": 500 });
  });

  it("finds a sale by its id, or by its reference under a schema; another credit than the origin is none", async () => {
    const sales = (await me().attributions.list({ externalReferences: ["order-1"] })).items;
    const own = sales.find((sale) => sale.schemaId === schemaId)?.id ?? "";
    const lines = ["attribution_id,received,of", `${own.toUpperCase()},1,2`, `${credited},1,2`, "x,1,2"];
    expect((await state(lines)).text.trimEnd().split("\n").slice(0, 2)).toEqual([
      expect.stringMatching(
        /^row 2 \(line 3\): ".+" is a credit of the sale .+: state the receipt of the sale$/,
      ),
      'row 3 (line 4): attribution_id must be a UUID, not "x"',
    ]);
    await state(lines.slice(0, 2));
    expect((await released())["order-1"]).toBe(500);
    await state(["schema_id,external_reference,received,of", `${schemaId},order-1,2,2`]);
    expect((await released())["order-1"]).toBe(1_000);
  });

  it.each([
    ["external_reference,received", /has no column "of"; it has external_reference, received$/],
    ["received,of", /needs one column "attribution_id", or "external_reference"/],
    ["attribution_id,external_reference,received,of", /needs one column/],
    ["external_reference,received,of,unit", /has a column "unit"; it may have attribution_id,/],
  ])("refuses the columns %s", async (header, message) => {
    const refused = await state([header, "a,1,2,3"]);
    expect(refused).toEqual({ code: 2, text: expect.stringMatching(message) });
  });
});
