/** Servers with the companies that are walked through: the example company; an empty and a hostile one on one server. */
import { Principal } from "quittance";
import { call, folder, listening, run } from "../../server/running.ts";
import { createHostile, type Hostile } from "./HostileCompany.ts";
import { type Company, companyOf } from "./Walk.ts";

const ADMIN_TOKEN = "admin-token-of-the-walk-through-every-page";

export interface Companies {
  readonly empty: Company;
  readonly hostile: Company & Hostile;
  readonly stop: () => Promise<void>;
}

/** Starts a server that pays by SEPA files, and fills one of two customers. */
export const startCompanies = async (): Promise<Companies> => {
  const place = folder();
  const settings = { LOG_LEVEL: "off", QUITTANCE_PAYOUTS: "sepa", QUITTANCE_ADMIN_TOKEN: ADMIN_TOKEN };
  const started = run(place.path, ["serve", "--port", "0", "--database-url", "memory:"], settings);
  const url = await listening(started);
  const keyOf = async (customer_id: string): Promise<string> =>
    (
      await call(url, ADMIN_TOKEN, "POST", "api-keys", {
        customer_id,
        name: "team",
        scopes: Principal.ALL_SCOPES,
      })
    ).body.key;
  const customerId = crypto.randomUUID();
  const key = await keyOf(customerId);
  const hostile = await createHostile(url, key, customerId);
  return {
    empty: companyOf(url, await keyOf(crypto.randomUUID())),
    hostile: { ...companyOf(url, key), ...hostile },
    stop: async () => {
      started.process.kill("SIGTERM");
      await started.ended;
      place.remove();
    },
  };
};
