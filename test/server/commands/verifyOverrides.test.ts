/** `quittance verify` on overrides: silent where they rest on what the sellers earn, and a wrong amount on either side is named. */
import { Effect } from "effect";
import pg from "pg";
import type { Ids } from "quittance";
import { open } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { verify } from "../../../adapters/server/verification/Verification.ts";
import type {} from "../../support/postgresSetup.ts";
import { prepare } from "./Store.ts";

const admin = inject("postgres").url;
const NAME = `quittance_verify_overrides_${process.pid}`;
const url = Object.assign(new URL(admin), { pathname: `/${NAME}` }).href;
const database = { type: "postgres", url } as const;

let customerId: Ids.CustomerId;
let manager: string;

const query = async (at: string, text: string): Promise<ReadonlyArray<{ readonly id: string }>> => {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<{ readonly id: string }>(text)).rows;
  } finally {
    await client.end();
  }
};

const found = async (): Promise<ReadonlyArray<string>> => {
  const problems: Array<string> = [];
  await Effect.runPromise(
    verify(
      database,
      customerId,
      ({ check, problem }) => Effect.sync(() => problems.push(`${check}: ${problem}`)),
      () => {},
    ),
  );
  return problems.filter((problem) => problem.startsWith("amounts: "));
};

/** Sets the amount of the commission of a partner, in its row alone. */
const setAmount = (partner: string, amount: number) =>
  query(
    url,
    `update quittance.commissions set computed_amount = ${amount} where id =
      (select id from quittance.commissions where partner_id ${partner} order by id limit 1) returning id`,
  );

beforeAll(async () => {
  await query(admin, `create database ${NAME} template ${inject("postgres").template}`);
  const team = await prepare(url);
  customerId = team.customerId as Ids.CustomerId;
  const quittance = await open({ database: url, worker: false });
  const me = quittance.as({ customerId });
  const [seller] = (await me.partners.list()).items;
  const partnerId = seller?.id ?? "";
  const { workspaceId, schemaId } = team;
  manager = (await me.partners.create({ name: "Cleo Nord", workspaceId })).id;
  const startDatetime = "2026-01-01T00:00:00Z";
  await me.partnerLinks.create({ partnerId, uplinePartnerId: manager, role: "manager", startDatetime });
  const terms = { workspaceId, schemaId, name: "Formula", currency: "EUR", startDatetime };
  await me.commissionFormulas.create({ ...terms, partnerId, expressionText: "1000" });
  await me.commissionFormulas.create({
    ...{ ...terms, partnerId: manager, roles: ["manager"] },
    expressionText: "20 % of sale.sellers_commission + 1",
  });
  await me.attributions.create({
    ...{ partnerId, schemaId, workspaceId },
    properties: { line: "1", genre: "Rock", unit_price: 1.99, quantity: 2 },
  });
  await quittance.close();
});

afterAll(() => query(admin, `drop database if exists ${NAME} with (force)`));

describe("verify, overrides", () => {
  it("finds nothing in a sound store", async () => {
    const [row] = await query(
      url,
      `select id from quittance.commissions where partner_id = '${manager}' and computed_amount > 200`,
    );
    expect(row).toBeDefined();
    expect(await found()).toEqual([]);
  });

  it("names an override that is not its formula over the sellers' amounts", async () => {
    const [damaged] = await setAmount(`= '${manager}'`, 7);
    expect(await found()).toEqual([
      expect.stringMatching(new RegExp(`^amounts: commission ${damaged?.id} is 7; formula .* gives [0-9]+$`)),
    ]);
  });

  it("names both sides where the amount of a seller is changed", async () => {
    const [damaged] = await setAmount(`<> '${manager}'`, 90_000);
    const problems = await found();
    expect(problems).toHaveLength(2);
    expect(problems.some((problem) => problem.includes(`commission ${damaged?.id} is 90000`))).toBe(true);
  });
});
