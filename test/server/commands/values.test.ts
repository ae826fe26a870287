/** `quittance values` and `quittance workspace` on a server, as an operator calls them. */
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
let plan = "";
let ada = "";

beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
  const me = quittance.as({ customerId });
  const { key } = await me.apiKeys.create({ name: "operator" });
  const named = async (name: string) => (await me.partners.create({ name, workspaceId })).id;
  const partnerIds = [await named("Ada Lind"), await named("Bo Marsh")];
  const stranger = await named("Cy Novak");
  ada = partnerIds[0] ?? "";
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
  ({ id: plan } = await me.commissionPlans.create({
    ...{ workspaceId, schemaId, name: "Rates", currency: "EUR", startDatetime: "2026-01-01T00:00:00Z" },
    expressionText: "cents * plan.rate",
    parameters: [
      { name: "rate", type: "number", default: 0.1 },
      { name: "vip", type: "boolean", default: false },
    ],
  }));
  await me.commissionPlans.assign(plan, { partnerIds });
  for (const partnerId of [...partnerIds, stranger])
    for (const occurredAt of ["2026-02-15T00:00:00Z", "2026-03-15T00:00:00Z"])
      await me.attributions.create({
        partnerId,
        schemaId,
        workspaceId,
        properties: { cents: 1_000 },
        occurredAt,
      });
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

const values = (rows: string, ...options: ReadonlyArray<string>) => {
  const file = join(here.path, "values.csv");
  writeFileSync(file, rows);
  return call("values", file, "--plan", plan, ...options);
};

const amounts = async () => {
  const { items } = await quittance.as({ customerId }).commissions.list();
  return items.map(({ computedAmount }) => computedAmount).toSorted();
};

describe("values of a file", () => {
  const FILE = "partner,effective_datetime,rate,vip\nAda Lind,2026-03-01,0.2,yes\nBo Marsh,,,true\n";

  it("are stated for the partners of a plan, and recompute their commissions", async () => {
    expect(await values(FILE, "--dry-run")).toEqual({
      code: 0,
      text: "the values of 2 rows can be stated; nothing was stored\n",
    });
    expect(await amounts()).toEqual([100, 100, 100, 100]);
    expect(await values(FILE)).toEqual({ code: 0, text: "the values of 2 rows are stated\n" });
    expect(await amounts()).toEqual([100, 100, 100, 200]);
    expect(await values(FILE, "--json")).toEqual({ code: 0, text: '{"rows":2,"bad":0,"stated":2}\n' });
    const { items } = await quittance.as({ customerId }).commissionFormulas.list({ partnerIds: [ada] });
    expect(items[0]?.parameterValues).toHaveLength(1);
  });

  it("are refused with the rows that are wrong, and none is stated", async () => {
    const rows = [
      "partner_id,effective_datetime,rate",
      `${ada},2026-03-01,much`,
      `${ada},March,0.3`,
      `${ada},,`,
    ];
    expect(await values([...rows, `${randomUUID().replace(/./, "0")},,1`].join("\n"))).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /^row 1 \(line 2\): rate must be a number, not "much"\nrow 2 \(line 3\): effective_datetime must be a date like .*\nrow 3 \(line 4\): it has no value\nrow 4 \(line 5\): there is no partner .*\nquittance: nothing was stated: 4 of 4 rows cannot be read; correct them\n$/,
      ),
    });
    expect(await values("partner,rate\nAda Lind,0.3\nCy Novak,0.3\n")).toEqual({
      code: 1,
      text: `row 2 (line 3): partner_id: must be the id of a partner that has the plan\nnothing was stated: partners.1.partner_id: must be the id of a partner that has the plan (400)`,
    });
    expect(await amounts()).toEqual([100, 100, 100, 200]);
  });

  it("need a partner and parameters of the plan", async () => {
    const file = join(here.path, "values.csv");
    const cases = [
      ["rate\n1\n", `${file} needs one column "partner_id", or "partner" with the partners' names`],
      [
        "partner,quota\nAda Lind,1\n",
        `${file} has a column "quota", which is no parameter of the plan; it has rate, vip`,
      ],
      ["partner\nAda Lind\n", `${file} has no column of a parameter; the plan has rate, vip`],
    ] as const;
    for (const [rows, text] of cases) expect(await values(rows)).toEqual({ code: 2, text });
    const other = randomUUID();
    expect(await call("values", file, "--plan", other)).toEqual({
      code: 2,
      text: `there is no commission plan ${other}`,
    });
  });
});

describe("a workspace", () => {
  const place = ["--workspace", workspaceId];

  it("is shown, and changed field by field", async () => {
    expect(JSON.parse((await call("workspace", "show", ...place, "--json")).text)).toEqual({
      ...{ id: workspaceId, name: null, time_zone: "UTC", updated_at: null },
    });
    await call("workspace", "set", ...place, "--time-zone", "Europe/Copenhagen");
    expect(await call("workspace", "set", ...place, "--name", "Denmark")).toEqual({
      code: 0,
      text: "changed\n",
    });
    expect((await call("workspace", "show", ...place)).text).toMatch(
      /name +Denmark\s+time_zone +Europe\/Copenhagen/,
    );
    expect(await call("workspace", "set", ...place)).toMatchObject({ code: 2 });
    expect(await call("workspace", "set", ...place, "--time-zone", "Mars/Olympus")).toEqual({
      code: 2,
      text: "nothing was changed: time_zone: must be an IANA time zone, such as Europe/Copenhagen (400)",
    });
  });
});

describe("values from a day on", () => {
  it("begin with that day in the time zone of the workspace", async () => {
    const me = quittance.as({ customerId });
    await me.workspaces.write(workspaceId, { timeZone: "Europe/Berlin" });
    expect(await values("partner,effective_on,rate\nAda Lind,2026-04-01,0.4\n")).toMatchObject({ code: 0 });
    const { items } = await me.commissionFormulas.list({ partnerIds: [ada] });
    expect(items[0]?.parameterValues.at(-1)?.effectiveDatetime).toBe(Date.parse("2026-03-31T22:00:00Z"));
    const rows = `partner_id,effective_on,effective_datetime,rate\n${ada},2026-02-30,,1\n${ada},2026-04-01,2026-04-01,1\n`;
    expect(await values(rows)).toMatchObject({
      code: 1,
      text: expect.stringMatching(
        /^row 1 \(line 2\): effective_on must be a date as YYYY-MM-DD, not "2026-02-30"\nrow 2 \(line 3\): only one of effective_datetime and effective_on can be stated\n/,
      ),
    });
  });
});
