/** Shared by the tests of servers on a Citus cluster: servers, the command line, and a customer's first records. */
import { expect } from "vitest";
import { type Running, startNode } from "../../crash/Process.ts";
import { SELF_BILLING } from "../../http/Scene.ts";
import { MAIN, run } from "../../server/running.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
export const ADMIN_TOKEN = "platform-token-of-the-cluster-tests-01";
const WAIT_MILLISECONDS = 240_000;
export const LIMIT_MILLISECONDS = 900_000;

export const BILLING_PROFILE = {
  legal_name: "Havn & Mark GmbH",
  address: SELF_BILLING.address,
  vat_number: "DE123456789",
  bank_account: { beneficiary_name: "Havn & Mark GmbH", iban: "DE02120300000000202051", bic: "BYLADEM1001" },
};
export const ORDER_VALUE = { type: "property", name: "order_value" };
export const percent = (amount: object, value: number) => ({
  type: "multiply",
  operands: [amount, { type: "literal", value: { type: "percent", value } }],
});
export const OF_MONTH = {
  type: "aggregate",
  function: "sum",
  value: ORDER_VALUE,
  window: { type: "calendar", unit: "month" },
};
export const SINCE = "2020-01-01T00:00:00Z";

export type Json = Readonly<Record<string, unknown>>;

export const serve = (url: string, worker: "on" | "off"): Promise<Running> =>
  startNode(
    [MAIN, "serve"],
    {
      DATABASE_URL: url,
      PORT: "0",
      QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN,
      QUITTANCE_WORKER: worker,
      QUITTANCE_WEBHOOKS_PRIVATE: "on",
      QUITTANCE_PAYOUTS: "sepa",
      LOG_LEVEL: "error",
    },
    ROOT,
  );

/** Runs a command of `quittance`; returns its standard output, fails when it fails. */
export const command = async (url: string, ...args: ReadonlyArray<string>): Promise<string> => {
  const { ended, output, errors } = run(ROOT, args, { DATABASE_URL: url });
  expect([await ended, errors()]).toEqual([0, ""]);
  return output();
};

/** Repeats a read until the predicate holds. */
export const eventually = async <A>(read: () => Promise<A>, holds: (found: A) => boolean): Promise<A> => {
  for (const end = Date.now() + WAIT_MILLISECONDS; ; ) {
    const found = await read();
    if (holds(found)) return found;
    if (Date.now() > end) throw new Error(`waited too long: ${JSON.stringify(found)}`);
    await new Promise((resume) => setTimeout(resume, 100));
  }
};
