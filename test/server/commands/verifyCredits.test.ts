/** `quittance verify` on sales that several people earn from: silent on sound ones, and each kind of damage is named. */
import { Effect, Stream } from "effect";
import pg from "pg";
import type { Ids } from "quittance";
import { open } from "quittance/promise";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { forEachCustomer, type Reader } from "../../../adapters/server/Snapshot.ts";
import { credits } from "../../../adapters/server/verification/Credits.ts";
import { verify } from "../../../adapters/server/verification/Verification.ts";
import type {} from "../../support/postgresSetup.ts";
import { prepare } from "./Store.ts";

/** More than are read at once. */
const SALES = 102;
const PLAIN = 3;

const admin = inject("postgres").url;
const NAME = `quittance_verify_credits_${process.pid}`;
const url = Object.assign(new URL(admin), { pathname: `/${NAME}` }).href;
const database = { type: "postgres", url } as const;

/** A sale of 0.6 by Ada and 0.4 by Bo, whose manager is the same. */
interface Sale {
  readonly origin: string;
  readonly bo: string;
  readonly manager: string;
}

let teamId: Ids.CustomerId;
let plainId: Ids.CustomerId;
let ada: string;
const sales: Array<Sale> = [];

const query = async (at: string, ...texts: ReadonlyArray<string>): Promise<ReadonlyArray<number | null>> => {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    const changed: Array<number | null> = [];
    for (const text of texts) changed.push((await client.query(text)).rowCount);
    return changed;
  } finally {
    await client.end();
  }
};

/** A reader with the number of reads through it. */
const counted = (reader: Reader) => {
  const reads = { pages: 0, rows: 0 };
  const counting: Reader = {
    ...reader,
    rows: (...given) => {
      reads.rows++;
      return reader.rows(...given);
    },
    pages: (...given) => {
      reads.pages++;
      return reader.pages(...given);
    },
  };
  return { reads, counting };
};

/** What the check finds for a customer, and what it reads. */
const check = async (customerId: Ids.CustomerId) => {
  const found: Array<string> = [];
  const all: Array<ReturnType<typeof counted>["reads"]> = [];
  await Effect.runPromise(
    forEachCustomer(database, customerId, (reader) => {
      const { reads, counting } = counted(reader);
      all.push(reads);
      return Stream.runForEach(
        credits.find(counting, () => {}),
        (finding) => Effect.sync(() => found.push(`${finding.check}: ${finding.problem}`)),
      );
    }),
  );
  return { found, reads: all };
};

beforeAll(async () => {
  await query(admin, `create database ${NAME} template ${inject("postgres").template}`);
  const team = await prepare(url);
  const plain = await prepare(url);
  teamId = team.customerId as Ids.CustomerId;
  plainId = plain.customerId as Ids.CustomerId;
  const quittance = await open({ database: url, worker: false });
  const properties = { line: "1", genre: "Rock", unit_price: 1.99, quantity: 2 };
  const me = quittance.as({ customerId: teamId });
  const sellers = (await me.partners.list()).items;
  const idOf = (name: string): string => sellers.find((one) => one.name === name)?.id ?? "";
  ada = idOf("Ada Lind");
  const bo = idOf("Bo Marsh");
  const { workspaceId, schemaId } = team;
  const { id: manager } = await me.partners.create({ name: "Cleo Nord", workspaceId });
  for (const partnerId of [ada, bo])
    await me.partnerLinks.create({
      ...{ partnerId, uplinePartnerId: manager, role: "manager", startDatetime: "2026-01-01T00:00:00Z" },
    });
  for (let count = 0; count < SALES; count++) {
    const { id: origin } = await me.attributions.create({
      ...{ partnerId: ada, schemaId, workspaceId, properties },
      credits: [
        { partnerId: ada, share: "0.6" },
        { partnerId: bo, share: "0.4" },
      ],
    });
    sales.push({ origin, bo: "", manager: "" });
  }
  // An upline that was entered late, and withdrawn: the credit that was derived is cancelled alone.
  const link = {
    partnerId: bo,
    uplinePartnerId: manager,
    role: "recruiter",
    startDatetime: "2026-01-01T00:00:00Z",
  };
  const { id: late } = await me.partnerLinks.create(link);
  const recredited = sales[0]?.origin ?? "";
  await me.recredits.recredit(recredited, { reason: "entered late" });
  await me.partnerLinks.update(late, { endDatetime: link.startDatetime });
  await me.recredits.recredit(recredited, { reason: "withdrawn" });
  const other = quittance.as({ customerId: plainId });
  const [partner] = (await other.partners.list()).items;
  for (let count = 0; count < PLAIN; count++)
    await other.attributions.create({
      ...{
        partnerId: partner?.id ?? "",
        schemaId: plain.schemaId,
        workspaceId: plain.workspaceId,
        properties,
      },
    });
  await quittance.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<Sale>(
    `select o.id as origin, b.id as bo, m.id as manager from quittance.attributions o
     join quittance.attributions b on b.origin_id = o.id and b.credit->>'role' = 'seller'
     join quittance.attributions m on m.origin_id = o.id and m.credit->>'role' = 'manager' order by o.id`,
  );
  await client.end();
  sales.splice(0, sales.length, ...rows);
});

afterAll(() => query(admin, `drop database if exists ${NAME} with (force)`));

const share = (id: string, to: string): string =>
  `update quittance.attributions set credit = jsonb_set(credit, '{share}', '"${to}"') where id = '${id}'`;

/** What is damaged, the statement, and what must be found; each has a sale of its own, the last ones. */
const DAMAGES: ReadonlyArray<
  readonly [what: string, text: (sale: Sale) => string, found: (sale: Sale) => ReadonlyArray<string>]
> = [
  [
    "the share of a seller",
    ({ bo }) => share(bo, "0.3"),
    ({ origin, manager }) => [
      `S10: the shares of the sellers of sale ${origin} add up to 0.9`,
      `S13: attribution ${manager} has 1 of sale ${origin}, which is not what the sellers below have`,
    ],
  ],
  [
    "the share of an upline",
    ({ manager }) => share(manager, "0.5"),
    ({ origin, manager }) => [
      `S13: attribution ${manager} has 0.5 of sale ${origin}, which is not what the sellers below have`,
    ],
  ],
  [
    "the status of an origin",
    ({ origin }) =>
      `update quittance.attributions set status = 'cancelled', cancel_reason = 'returned' where id = '${origin}'`,
    ({ origin, bo, manager }) =>
      [bo, manager].map((id) => `S11: attribution ${id} is confirmed, and its origin ${origin} is not`),
  ],
  [
    "the status of a credit",
    ({ bo }) =>
      `update quittance.attributions set status = 'cancelled', cancel_reason = 'returned' where id = '${bo}'`,
    ({ origin, bo }) => [
      `S14: attribution ${bo} is cancelled, and was given for sale ${origin}`,
      `S14: attribution ${bo} is cancelled without its sale ${origin}, which was not recredited then`,
    ],
  ],
  [
    "the partner of a credit",
    ({ bo }) => `update quittance.attributions set partner_id = '${ada}' where id = '${bo}'`,
    ({ origin, bo }) => [
      `S12: partner ${ada} has one credit of sale ${origin} twice: ${bo}`,
      `S12: partner ${ada} has 2 first credits of sale ${origin}`,
    ],
  ],
  [
    "the credit of an origin",
    ({ origin }) => `update quittance.attributions set credit = null where id = '${origin}'`,
    ({ origin, bo, manager }) => [
      `S10: the shares of the sellers of sale ${origin} add up to 0.4`,
      ...[bo, manager].map(
        (id) => `S11: attribution ${id} names ${origin} as its origin, which is no origin`,
      ),
      `S13: attribution ${manager} has 1 of sale ${origin}, which is not what the sellers below have`,
    ],
  ],
  [
    "an origin that is gone",
    ({ origin }) => `delete from quittance.attributions where id = '${origin}'`,
    ({ origin, bo, manager }) => [
      `S10: the shares of the sellers of sale ${origin} add up to 0.4`,
      ...[bo, manager].map(
        (id) => `S11: attribution ${id} names ${origin} as its origin, which is no origin`,
      ),
      `S13: attribution ${manager} has 1 of sale ${origin}, which is not what the sellers below have`,
    ],
  ],
];

describe("verify, sales with several credits", () => {
  it("finds nothing in a sound store, and reads the credits of a page at once", async () => {
    expect(sales).toHaveLength(SALES);
    expect(await check(teamId)).toEqual({ found: [], reads: [{ pages: 1, rows: 2 }] });
  });

  it("reads plain sales once", async () => {
    expect(await check(plainId)).toEqual({ found: [], reads: [{ pages: 1, rows: 0 }] });
  });

  it(`names the sale of each of ${DAMAGES.length} kinds of damage, and no other`, async () => {
    const damaged = sales.slice(-DAMAGES.length);
    const each = damaged.map((sale, index) => DAMAGES[index]?.[1](sale) ?? "");
    // As somebody who can run statements of their own would, without triggers and foreign keys.
    const [, ...changed] = await query(url, "set session_replication_role = replica", ...each);
    expect(changed).toEqual(DAMAGES.map(() => 1));
    const { found } = await check(teamId);
    expect(found.toSorted()).toEqual(
      damaged.flatMap((sale, index) => DAMAGES[index]?.[2](sale) ?? []).toSorted(),
    );
    const reported: Array<string> = [];
    await Effect.runPromise(
      verify(
        database,
        teamId,
        ({ check, problem }) => Effect.sync(() => reported.push(`${check}: ${problem}`)),
        () => {},
      ),
    );
    expect(reported).toEqual(expect.arrayContaining(found));
  });
});
