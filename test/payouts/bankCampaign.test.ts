/** Payment files and statements in random order: money leaves once, and every booking counts once. */
import { expect, it } from "vitest";
import { campaign } from "./BankCampaign.ts";

it.each(Array.from({ length: 8 }, (_, index) => index + 1))("campaign %i finds nothing", async (seed) => {
  expect(await campaign(seed)).toEqual([]);
});
