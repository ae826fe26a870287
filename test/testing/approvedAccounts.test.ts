/** B2 on a payment to an account without an IBAN, as the services write it, and with each damage to its account. */
import { Effect } from "effect";
import { BillingProfiles, PaymentFiles, type PaymentProvider, PayoutAccounts, Settlements } from "quittance";
import { files } from "quittance/payouts";
import { findViolations, LedgerSnapshot } from "quittance/testing";
import { beforeAll, describe, expect, it } from "vitest";
import * as Given from "../services/Given.ts";

type Snapshot = LedgerSnapshot.LedgerSnapshot;

/** Files that pay to accounts in the United Kingdom, in any currency. */
const provider = (): PaymentProvider.PaymentProviderService => {
  const given = files({ formats: ["wise-csv"] });
  const takes = [{ type: "uk", currencies: "*" }] as const;
  if (given.files === null) throw new Error("files are written");
  const formats = given.files.formats.map((format) => ({ ...format, takes }));
  return { ...given, takes, files: { ...given.files, formats } };
};

const details = { sort_code: "200000", account_number: "55779911", holder: "Nordlys Ltd" };

/** The snapshot of a customer whose payment to such an account is in a file. */
const paid = Effect.gen(function* () {
  const scene = yield* Given.drafted([10_000], { selfBilled: true });
  const { propose } = yield* PayoutAccounts.PayoutAccounts;
  yield* (yield* BillingProfiles.BillingProfiles).write(scene.owner, {
    ...{ legalName: "Havn & Mark GmbH", address: Given.SELF_BILLING.address, vatNumber: "DE123456789" },
  });
  yield* propose(scene.owner, scene.partnerId, { type: "uk", details });
  yield* Given.approveAndDrain(scene);
  yield* (yield* Settlements.Settlements).initiatePayment(scene.owner, scene.settlementId);
  yield* (yield* PaymentFiles.PaymentFiles).create(scene.owner);
  return yield* LedgerSnapshot.readSnapshot(scene.customerId);
});

let snapshot: Snapshot;
beforeAll(async () => {
  const used = provider();
  snapshot = await Effect.runPromise(Effect.orDie(Given.rule(paid, { send: used.send, provider: used })));
});

/** The snapshot after a change of every object in its files and partners. */
const changed = (change: (value: Readonly<Record<string, unknown>>) => unknown): Snapshot => {
  const { bankFiles, controls } = snapshot;
  const parts = JSON.parse(JSON.stringify({ bankFiles, controls }), (_, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? change(value) : value,
  );
  return { ...snapshot, ...parts };
};

const inPayment = (fields: Readonly<Record<string, string>>) =>
  changed((value) =>
    "remittance" in value && "account" in value
      ? { ...value, account: { type: "uk", details: { ...details, ...fields } } }
      : value,
  );

const without = (type: string) => (): Snapshot => ({
  ...snapshot,
  controls: snapshot.controls.map((record) =>
    record.kind === "partner"
      ? { ...record, log: record.log.filter(({ event }) => event.type !== type) }
      : record,
  ),
});

const proposedOtherwise = (): Snapshot =>
  changed((value) =>
    value.type === "propose_payout_account" && value.account_type === "uk"
      ? { ...value, details: { ...details, sort_code: "200001" } }
      : value,
  );

const broken = (given: Snapshot) =>
  findViolations(given)
    .filter(({ name }) => name === "B2")
    .map(({ detail }) => detail.replace(/[0-9a-f-]{36}/g, "…"));

describe("a payment to an account in the United Kingdom", () => {
  it("is in a file, and breaks no rule", () => {
    expect(snapshot.bankFiles.files.map(({ payments }) => payments[0]?.account)).toEqual([
      { type: "uk", details },
    ]);
    expect(findViolations(snapshot)).toEqual([]);
  });

  it.each([[{ sort_code: "200001" }], [{ account_number: "55779912" }], [{ holder: "Sydlys Ltd" }]])(
    "breaks B2 with %j in the payment",
    (fields) => {
      expect(broken(inPayment(fields))).toEqual(["payment … to an account that was not approved"]);
    },
  );

  it.each([
    ["was not confirmed", without("confirm_payout_account")],
    ["was not proposed", without("propose_payout_account")],
    ["was proposed with another sort code", proposedOtherwise],
  ])("breaks B2 if the account %s in the partner's log", (_, damage) => {
    expect(broken(damage())).toEqual(["settlement …: account … was not confirmed by the log of partner …"]);
  });
});
