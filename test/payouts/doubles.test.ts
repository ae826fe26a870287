/** Money leaves once per settlement, to the account of its approval, whoever is killed and whatever is reported. The long version is `verify.ts`. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Cluster, postgres } from "../crash/Database.ts";
import { doubles } from "./Doubles.ts";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await postgres();
});
afterAll(() => cluster?.remove());

it("thirty payments by two servers that are killed twice are each made once", async () => {
  const report = await doubles(cluster, { payments: 30, kills: 2, seed: 58 });
  console.log(report);
  expect(report.problems).toEqual([]);
  expect(report.doubles).toBe(0);
  expect(report.paid).toBe(30);
  // Most were approved for an account that was replaced before their payment.
  expect([report.changes > 7, report.redirected > 10, report.accounts > 1]).toEqual([true, true, true]);
  expect([report.unanswered > 0, report.forged > 0, report.refused > 0]).toEqual([true, true, true]);
});
