/** Servers and databases killed under load: what was answered is there, the rest is whole or absent, nothing is paid twice. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { campaign, type Size, type Variant } from "./Campaign.ts";
import { type Cluster, pglite, postgres } from "./Database.ts";
import { payments } from "./PaymentCampaign.ts";

const SEED = Number(process.env.CRASH_SEED ?? 20_260_101);

const size = (cycles: number): Size => ({ cycles, seed: SEED, users: 6, answers: [40, 160] });

const proven = async (variant: Variant, cycles: number): Promise<void> => {
  const report = await campaign(variant, size(cycles));
  console.log(`seed ${SEED}, killed: ${variant.name}`, report);
  expect(report.problems).toEqual([]);
  expect(report.cycles).toBe(cycles);
};

describe("on PostgreSQL", () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await postgres();
  });
  afterAll(() => cluster?.remove());

  it("a server is killed", () => proven({ name: "one server", database: cluster }, 3), 120_000);
  it(
    "one of two servers and a worker is killed, then the others",
    () => proven({ name: "two servers and a worker", database: cluster }, 2),
    120_000,
  );
  it("the database is killed", () => proven({ name: "the database", database: cluster }, 2), 120_000);
  it("the connections are cut", () => proven({ name: "the connections", database: cluster }, 1), 120_000);
  it("a host that pays is killed between claim, order and completion", async () => {
    const report = await payments(cluster, 4, SEED);
    console.log(`seed ${SEED}, killed: a host that pays`, report);
    expect(report.problems).toEqual([]);
    expect(report.transfers).toBeGreaterThan(0);
  }, 120_000);
});

describe("on the embedded store", () => {
  it("a server is killed", async () => {
    const database = pglite();
    try {
      await proven({ name: "one server", database }, 2);
    } finally {
      await database.remove();
    }
  }, 120_000);
});

it("a database that forgets what it has acknowledged is found out", async () => {
  const database = await postgres({ forgetful: true });
  try {
    const { problems } = await campaign({ name: "the database", database }, size(1));
    expect(problems.filter((problem) => problem.startsWith("lost: ")).length).toBeGreaterThan(0);
  } finally {
    await database.remove();
  }
}, 120_000);
