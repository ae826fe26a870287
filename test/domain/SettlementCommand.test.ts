import { SettlementMachine } from "quittance";
import { expect, it } from "vitest";

it("has a default policy without approval rules, with payment outside and documents from the worker", () => {
  expect(SettlementMachine.DEFAULT_POLICY).toEqual({
    documents: "auto",
    fourEyes: false,
    staleDrafts: "allow",
    payouts: false,
    payoutAccounts: "at_once",
    paymentOverdueDays: 5,
    retentionYears: 10,
    uploadBytesMax: 10 * 1024 * 1024,
    uploadTypes: ["application/pdf", "image/png", "image/jpeg", "application/xml"],
    uploadsMax: 20,
    uploadsBytesMax: 50 * 1024 * 1024,
    feed: true,
  });
});
