/** A worker killed in the middle of a recredit run: the next one goes on, and every sale is recredited once. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, postgres } from "./Database.ts";
import { LIMIT_MILLISECONDS, SEED, tenths } from "./Proof.ts";
import { recredits } from "./RecreditCampaign.ts";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await postgres();
});
afterAll(() => cluster?.remove());

it(
  "every sale of a recredit run is recredited once when its worker is killed in the middle",
  async () => {
    const report = await recredits(cluster, tenths(2), SEED);
    console.log(`seed ${SEED}, killed: a worker that recredits`, report);
    expect(report.problems).toEqual([]);
    expect(report.changed).toBeGreaterThan(Math.max(...report.kills) / 2);
    expect(report.cancelled).toBe(7);
  },
  LIMIT_MILLISECONDS,
);
