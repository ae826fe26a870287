/** `quittance policy` and `quittance runs` on a server, as an operator calls them. */
import { randomUUID } from "node:crypto";
import { open, type Quittance } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Served, serve } from "./served.ts";

const workspaceId = randomUUID();
let quittance: Quittance;
let served: Served;

beforeAll(async () => {
  quittance = await open({ database: "memory:", worker: false });
  const me = quittance.as({ customerId: randomUUID() });
  const { key } = await me.apiKeys.create({ name: "operator" });
  const { id: partnerId } = await me.partners.create({ name: "Ada Lind", workspaceId });
  await me.partners.create({ name: "Bo Marsh", workspaceId });
  const properties = [{ name: "cents", type: "number", required: true }] as const;
  const { id: schemaId } = await me.attributionSchemas.create({ workspaceId, name: "Sale", properties });
  const scope = { partnerId, workspaceId, schemaId };
  const terms = { name: "All", currency: "USD", startDatetime: "2020-01-01T00:00:00Z" };
  await me.commissionFormulas.create({ ...scope, ...terms, expression: { type: "property", name: "cents" } });
  await me.attributions.create({ ...scope, properties: { cents: 120 } });
  served = await serve(quittance, key);
});
afterAll(async () => {
  await served.close();
});

const PLACE = ["--workspace", workspaceId];

describe("the command line", () => {
  it("changes a policy, previews a run, starts one and shows it", async () => {
    const set = ["--minimum", "USD=100", "--cadence", "monthly,1,Europe/Copenhagen"];
    expect(await served.call("policy", "set", ...PLACE, ...set)).toEqual({ code: 0, text: "changed\n" });
    await served.call("policy", "set", ...PLACE, "--hold-days", "0", "--negative", "carry_forward");
    expect(JSON.parse((await served.call("policy", "show", ...PLACE, "--json")).text)).toMatchObject({
      ...{ minimum: { USD: 100 }, negative: "carry_forward" },
      cadence: { type: "monthly", day: 1, time_zone: "Europe/Copenhagen" },
    });
    const dry = await served.call("runs", "start", ...PLACE, "--dry-run");
    expect(dry.text).toMatch(/1\.20 USD +1 +0 +draft\n/);
    expect(dry.text).toContain("nothing_due");
    expect(dry.text).toContain("1 drafts of 1 commissions: 1.20 USD");
    const started = await served.call("runs", "start", ...PLACE);
    const id = /^started (\S+)\n$/.exec(started.text)?.[1] ?? "";
    expect((await served.call("runs", "list", ...PLACE)).text).toMatch(
      new RegExp(`${id} +running .* 0 of 2`),
    );
    expect((await served.call("runs", "show", id)).text).toContain("running: 0 of 2 partners");
  });

  it("changes a partner's own terms, and removes them again", async () => {
    const { items } = await quittance.as({ customerId: await customerOf() }).partners.list();
    const partner = [...PLACE, "--partner", items[0]?.id ?? ""];
    const own = async () =>
      JSON.parse((await served.call("policy", "show", ...partner, "--json")).text).hold_days;
    await served.call("policy", "set", ...partner, "--hold-days", "3");
    expect(await own()).toBe(3);
    await served.call("policy", "set", ...partner, "--hold-days", "workspace");
    expect(await own()).toBeNull();
  });

  it("reports invalid input in one line, with its exit code", async () => {
    const wrong = async (...words: ReadonlyArray<string>) => {
      const { code, text } = await served.call(...words);
      return `${code} ${text}`;
    };
    expect(await wrong("policy", "set", ...PLACE, "--minimum", "EUR=1,USD=1,EUR=2")).toMatch(
      /^2 --minimum must name a currency once/,
    );
    expect(await wrong("policy", "set", ...PLACE, "--minimum", "5000")).toMatch(
      /^2 --minimum must be amounts/,
    );
    expect(await wrong("policy", "set", ...PLACE)).toMatch(/^2 policy set takes at least one field/);
    expect(await wrong("policy", "set", ...PLACE, "--cadence", "monthly,1,Mars/Base")).toMatch(
      /^2 .*cadence\.time_zone: must be an IANA time zone/,
    );
    expect(await wrong("runs", "start", ...PLACE, "--partners", randomUUID())).toMatch(
      /^2 .*partner_ids\.0: must be the id of a partner/,
    );
    expect(await wrong("runs", "show", randomUUID())).toMatch(/^1 .*settlement run not found/);
  });
});

/** The customer of the key. */
const customerOf = async (): Promise<string> => {
  const response = await fetch(`${served.environment.QUITTANCE_URL}/api/v1/principal`, {
    headers: { authorization: `Bearer ${served.environment.QUITTANCE_KEY}` },
  });
  return ((await response.json()) as { readonly customer_id: string }).customer_id;
};
