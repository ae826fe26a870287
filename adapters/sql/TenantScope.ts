/**
 * On whose behalf a statement runs. Row-level security shows a statement the rows of the customer it names and no
 * others; a comment that its text begins with says where it names it, so that the connection can tell the database in
 * the same round trip. A statement that says nothing sees the routing tables only.
 */
import { Storage } from "quittance";

/** What is run before a statement, in its transaction, so that the policies know on whose behalf it runs. */
export interface Preamble {
  readonly text: string;
  /** The place of the customer's id among the parameters of the statement, from 0; null where none is needed. */
  readonly customerAt: number | null;
}

/** A text that runs on behalf of the customer whose id is the parameter with this number, from 1. */
export const forCustomer = (text: string, parameter = 1): string => `/* customer $${parameter} */ ${text}`;

/** A text that reads across customers, as the read-only role of the platform. */
export const forPlatform = (text: string): string => `/* platform */ ${text}`;

/** A text that reads one customer's rows, named by the parameter with this number, or everybody's. */
export const forTenant = (tenant: Storage.Tenant, text: string, parameter = 1): string =>
  tenant === Storage.AllCustomers ? forPlatform(text) : forCustomer(text, parameter);

/** A text that works on the messages of every customer in the outbox, and on nothing else. */
export const forOutbox = (text: string): string => `/* outbox */ ${text}`;

/** A text that removes what has aged of every customer, and sees nothing else. */
export const forPruning = (text: string): string => `/* prune */ ${text}`;

const MARK = /^\/\* (?:customer \$(\d+)|(platform)|(outbox|prune)) \*\//;

const CUSTOMER = "select set_config('app.customer_id', $1, true)";

/** Where the tables carry no policies, as on a distributed database, there is no role to take on either. */
const PLATFORM = `select set_config('role', 'quittance_platform', true)
where (select c.relrowsecurity from pg_class c where c.oid = 'quittance.attributions'::regclass)`;

const EVERY_CUSTOMER = {
  outbox: "select set_config('app.every_customer', 'outbox', true)",
  prune: "select set_config('app.every_customer', 'prune', true)",
};

/** What has to run before a text; null for one that runs on nobody's behalf. */
export const preamble = (text: string): Preamble | null => {
  const [, parameter, platform, work] = MARK.exec(text) ?? [];
  if (parameter !== undefined) return { text: CUSTOMER, customerAt: Number(parameter) - 1 };
  if (platform !== undefined) return { text: PLATFORM, customerAt: null };
  return work === "outbox" || work === "prune" ? { text: EVERY_CUSTOMER[work], customerAt: null } : null;
};
