/** The server's setting of the version of payment files, from the environment to the file for the bank. */
import { Effect } from "effect";
import { FORMAT_NAMES } from "quittance/payouts";
import { afterEach, describe, expect, it } from "vitest";
import { commandLine } from "../../adapters/server/CommandLine.ts";
import { problemsOf } from "../payouts/Definition.ts";
import { ask, folder, listening, run } from "./running.ts";

let here = folder();
afterEach(() => {
  here.remove();
  here = folder();
});

const SETTINGS = { DATABASE_URL: "memory:", PORT: "0", QUITTANCE_PAYOUTS: "sepa" };
const ADDRESS = { street: "Havnegade 1", city: "Aarhus", region: "", postal_code: "8000", country: "DK" };
const ACCOUNT = { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" };
const PARTNER = {
  ...{ name: "Nordlys ApS", billing_mode: "self_billing" },
  self_billing_data: {
    ...{ legal_name: "Nordlys ApS", address: ADDRESS, vat_number: "DK12345678", payment_terms_days: 14 },
    ...{ bank_account: ACCOUNT, tax_config: { treatment: "exempt", label: "Exempt", rate_bps: null } },
  },
};
const PERCENT = {
  type: "multiply",
  operands: [
    { type: "property", name: "cents" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

/** Pays a settlement by file, and returns the file. */
const payByFile = async (url: string, key: string): Promise<string> => {
  const write = (method: string, path: string, body: object = {}) => ask(url, key, method, path, body);
  const post = async (path: string, body: object = {}) => (await write("POST", path, body)).id;
  const get = async (path: string): Promise<Record<string, ReadonlyArray<Record<string, unknown>>>> =>
    (await ask(url, key, "GET", path)) as never;
  const owner = { workspace_id: crypto.randomUUID() };
  const profile = { legal_name: "Shop A/S", address: ADDRESS, vat_number: "DK87654321" };
  await write("PUT", "billing-profile", { ...profile, bank_account: ACCOUNT });
  const partner = { ...owner, partner_id: await post("partners", { ...PARTNER, ...owner }) };
  const properties = [{ name: "cents", type: "number", required: true }];
  const schema = await post("attribution-schemas", { ...owner, name: "Sale", properties });
  const scope = { ...partner, schema_id: schema };
  const formula = { ...scope, name: "10 %", currency: "EUR", start_datetime: "2020-01-01T00:00:00Z" };
  await post("commission-formulas", { ...formula, expression: PERCENT });
  await post("attributions", { ...scope, properties: { cents: 12_345 } });
  const [commission] = (await get("commissions")).commissions ?? [];
  const [{ customer_id } = {}] = (await get("partners")).partners ?? [];
  const settlement = { ...partner, customer_id, commission_ids: [commission?.id] };
  const id = await post("settlements", settlement);
  await post(`settlements/${id}/approve`);
  const isPayable = async () =>
    JSON.stringify((await get(`settlements?ids=${id}`)).settlements).includes('"awaiting_payment"');
  await expect.poll(isPayable).toBe(true);
  await post(`settlements/${id}/initiate-payment`);
  const file = await post("payment-files");
  const headers = { authorization: `Bearer ${key}` };
  return await (await fetch(`${url}/api/v1/payment-files/${file}`, { headers })).text();
};

describe("QUITTANCE_PAYOUTS_FORMAT", () => {
  it.each([
    ["not set", {}, "pain.001.001.09"],
    ["set", { QUITTANCE_PAYOUTS_FORMAT: "pain.001.001.03" }, "pain.001.001.03"],
  ] as const)("that is %s decides the version of files", async (_, environment, format) => {
    const server = run(here.path, ["serve"], { ...SETTINGS, ...environment });
    const url = await listening(server);
    const key = /^development key, stored in \S+: (\S+)$/m.exec(server.output())?.[1] ?? "";
    const text = await payByFile(url, key);
    server.process.kill("SIGTERM");
    expect(await server.ended).toBe(0);
    expect(problemsOf(text, format)).toEqual([]);
  });

  it.each([
    [
      { QUITTANCE_PAYOUTS_FORMAT: "nacha" },
      "QUITTANCE_PAYOUTS_FORMAT must be one of pain.001.001.03, pain.001.001.09 with QUITTANCE_PAYOUTS=sepa; for other formats set QUITTANCE_PAYOUTS=files",
    ],
    [
      { QUITTANCE_PAYOUTS: "files", QUITTANCE_PAYOUTS_FORMAT: "nacha", QUITTANCE_NACHA_COMPANY_ID: "1" },
      "the format nacha needs QUITTANCE_NACHA_COMPANY_ID and QUITTANCE_NACHA_BANK",
    ],
    [
      { QUITTANCE_NACHA_BANK: "021000022" },
      'QUITTANCE_NACHA_BANK must be nine digits with a valid check digit, not "021000022"',
    ],
    [
      { QUITTANCE_NACHA_COMPANY_ID: "acme" },
      'QUITTANCE_NACHA_COMPANY_ID must be 1 to 10 capital letters and digits, not "acme"',
    ],
    [
      { QUITTANCE_WISE_CURRENCY: "Euro" },
      'QUITTANCE_WISE_CURRENCY must be a currency code such as EUR, not "Euro"',
    ],
  ] as const)("with %j stops the start with one line", async (environment, line) => {
    const start = commandLine(["serve"], { ...SETTINGS, ...environment }, false);
    const { message, exitCode } = await Effect.runPromise(Effect.flip(start));
    expect([exitCode, message]).toEqual([2, line]);
  });

  it.each(["pain.001.001.11", "03"])('as "%s" stops the start with one line', async (format) => {
    const environment = { ...SETTINGS, QUITTANCE_PAYOUTS_FORMAT: format };
    const start = commandLine(["serve"], environment, false);
    const { message, exitCode } = await Effect.runPromise(Effect.flip(start));
    expect(exitCode).toBe(2);
    expect(message).toBe(
      `QUITTANCE_PAYOUTS_FORMAT must be some of ${FORMAT_NAMES.join(", ")}, separated by commas, not "${format}"`,
    );
  });
});
