/** Connections cut under load, and a paying host killed at exact points: each payment reference is paid once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, postgres } from "./Database.ts";
import { payments } from "./PaymentCampaign.ts";
import { expectNoProblems, LIMIT_MILLISECONDS, SEED, tenths } from "./Proof.ts";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await postgres();
});
afterAll(() => cluster?.remove());

it(
  "no acknowledged command is lost when connections to PostgreSQL are cut",
  () => expectNoProblems({ name: "the connections", database: cluster }, tenths(1)),
  LIMIT_MILLISECONDS,
);

it(
  "each payment is executed once when its host is killed between claim, order and completion",
  async () => {
    const report = await payments(cluster, 4, SEED);
    console.log(`seed ${SEED}, killed: a host that pays`, report);
    expect(report.problems).toEqual([]);
    expect(report.transfers).toBeGreaterThan(0);
  },
  LIMIT_MILLISECONDS,
);
