/**
 * Statements with the scope that row-level security gives them: the rows of one customer, of every customer, or none. The
 * runner sets the scope in the same round trip. A statement without a scope sees the routing tables only, unless it calls
 * a function that sets the customer itself.
 */
import { Storage } from "quittance";

/** Which rows a statement sees. */
export type TenantScope =
  /** The rows of the customer whose id is the parameter at this position, from 0. */
  | { readonly type: "customer"; readonly position: number }
  /** Every customer's rows, read only, as the role of the platform. */
  | { readonly type: "platform" }
  /** Every customer's messages in the outbox, to read, and no other table. */
  | { readonly type: "outbox" }
  /** Every customer's idempotency records, commands and webhook deliveries, to read and delete, and no other table. */
  | { readonly type: "prune" }
  /** No rows of customers but those of the routing tables. */
  | { readonly type: "none" };

/** A text with placeholders, and the rows that row-level security lets it see. */
export interface Statement {
  readonly text: string;
  readonly scope: TenantScope;
}

/** The type of a parameter. Arrays are written as array literals. */
export type Parameter = string | number | boolean | null | Uint8Array;

/** A statement on the rows of the customer whose id is the parameter with this number, from 1. */
export const forCustomer = (text: string, parameter = 1): Statement => ({
  text,
  scope: { type: "customer", position: parameter - 1 },
});

/** A statement that reads the rows of every customer. */
export const forPlatform = (text: string): Statement => ({ text, scope: { type: "platform" } });

/** A statement that reads the rows of one customer, named by the parameter with this number, or of every customer. */
export const forTenant = (tenant: Storage.Tenant, text: string, parameter = 1): Statement =>
  tenant === Storage.AllCustomers ? forPlatform(text) : forCustomer(text, parameter);

/** A statement that reads the messages of every customer in the outbox. */
export const forOutbox = (text: string): Statement => ({ text, scope: { type: "outbox" } });

/** A statement that removes old rows of every customer. */
export const forPruning = (text: string): Statement => ({ text, scope: { type: "prune" } });

/** A statement on routing tables, or a call of a function that sets the customer itself. */
export const withoutScope = (text: string): Statement => ({ text, scope: { type: "none" } });

/** A statement that runs before another one, in its transaction, and sets its scope. */
export interface Preamble {
  readonly text: string;
  readonly values: ReadonlyArray<string>;
}

const CUSTOMER = "select set_config('app.customer_id', $1, true)";

/** Where the tables carry no policies, as on a distributed database, no role is needed. */
const PLATFORM = `select set_config('role', 'quittance_platform', true)
where (select c.relrowsecurity from pg_class c where c.oid = 'quittance.attributions'::regclass)`;

const EVERY_CUSTOMER = {
  outbox: "select set_config('app.every_customer', 'outbox', true)",
  prune: "select set_config('app.every_customer', 'prune', true)",
};

/** The statement that sets a scope, given the parameters of the statement that has it; null when none is needed. */
export const preamble = (scope: TenantScope, parameters: ReadonlyArray<Parameter>): Preamble | null => {
  switch (scope.type) {
    case "customer":
      return { text: CUSTOMER, values: [String(parameters[scope.position])] };
    case "platform":
      return { text: PLATFORM, values: [] };
    case "outbox":
    case "prune":
      return { text: EVERY_CUSTOMER[scope.type], values: [] };
    case "none":
      return null;
  }
};
