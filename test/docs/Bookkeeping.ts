/** Runs the examples of the finance pages on a service, and prints the results as rows of the pages' tables. */
import { Principal } from "quittance";
import { ADMIN, start } from "../../docs/generate/Service.ts";

const CUSTOMER = "5f0c0000-0000-4000-8000-000000000001";
const WORKSPACE = "5f0c0000-0000-4000-8000-000000000002";

// biome-ignore lint/suspicious/noExplicitAny: the story reads fields of many responses, and a missing one fails it
type Json = any;

/** The facts of an uploaded document. */
type Parts = Readonly<Record<string, string>>;

/** How a partner is billed: no tax means that the partner writes its own invoices. */
export type Tax = { readonly treatment: string; readonly label: string; readonly rate_bps?: number } | null;

/** A partner who earns 10 % of each sale. */
export interface Partner {
  readonly id: string;
  readonly name: string;
  readonly schemaId: string;
}

const TEN_PERCENT = {
  type: "multiply",
  operands: [
    { type: "property", name: "cents" },
    { type: "literal", value: { type: "percent", value: 10 } },
  ],
};

const BUYER = {
  legal_name: "Harbour Market GmbH",
  address: { street: "Am Sandtorkai 1", city: "Hamburg", region: "", postal_code: "20457", country: "DE" },
  vat_number: "DE123456789",
  document_numbers: { prefix: "HM", year: true },
};

const billing = (name: string, tax: Tax): object =>
  tax === null
    ? {}
    : {
        billing_mode: "self_billing",
        self_billing_data: {
          legal_name: name,
          address: {
            street: "Havnegade 1",
            city: "København",
            region: "",
            postal_code: "1058",
            country: "DK",
          },
          vat_number: "DK12345678",
          payment_terms_days: 30,
          bank_account: { beneficiary_name: name, iban: "DK5000400440116243", bic: "NDEADKKK" },
          tax_config: tax,
        },
      };

/** An amount of cents as people write it: `−1,234.50`. */
export const money = (cents: number | bigint): string => {
  const digits = String(cents).replace("-", "").padStart(3, "0");
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${cents < 0 ? "−" : ""}${whole}.${digits.slice(-2)}`;
};

/** A row of a table. */
export const row = (...cells: ReadonlyArray<string>): string =>
  `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;

/** A customer, Harbour Market GmbH, on a service with a clock of its own. */
export const open = async () => {
  const service = await start();
  service.at("2025-12-01T08:00:00Z");
  const call = async (credential: string, method: string, path: string, json?: object, parts?: Parts) => {
    const asked = parts === undefined ? { json } : { file: { name: "invoice.pdf", text: "%PDF-1.7", parts } };
    const { status, body } = await service.call(credential, { method, path, ...asked });
    if (status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(body)}`);
    return body as Json;
  };
  const { key } = await call(ADMIN, "POST", "/api-keys", {
    customer_id: CUSTOMER,
    scopes: Principal.ALL_SCOPES,
  });
  const ask = (method: string, path: string, json?: object, parts?: Parts): Promise<Json> =>
    call(key, method, path, json, parts);
  await ask("PUT", "/billing-profile", BUYER);

  return {
    at: service.at,
    stop: service.stop,
    partner: async (name: string, tax: Tax): Promise<Partner> => {
      const scope = { workspace_id: WORKSPACE };
      const { id } = await ask("POST", "/partners", { ...scope, name, ...billing(name, tax) });
      const properties = [{ name: "cents", type: "number", required: true }];
      const schema = await ask("POST", "/attribution-schemas", { ...scope, name: "Sale", properties });
      await ask("POST", "/commission-formulas", {
        ...scope,
        partner_id: id,
        schema_id: schema.id,
        name: "10 % of each sale",
        currency: "EUR",
        start_datetime: "2025-01-01T00:00:00Z",
        expression: TEN_PERCENT,
      });
      return { id, name, schemaId: schema.id };
    },
    /** States the rate of tax that the partner's own invoices have. */
    expectTax: ({ id }: Partner, invoice_tax_bps: number) =>
      ask("PUT", `/settlement-policies/${WORKSPACE}/partners/${id}`, { invoice_tax_bps }),
    sell: async (partner: Partner, cents: number): Promise<string> => {
      const sale = { workspace_id: WORKSPACE, partner_id: partner.id, schema_id: partner.schemaId };
      return (await ask("POST", "/attributions", { ...sale, properties: { cents } })).id;
    },
    cancelSale: (saleId: string) => ask("DELETE", `/attributions/${saleId}`, { reason: "goods returned" }),
    /** Drafts and approves everything due to a partner, and lets the worker create the documents. */
    settle: async (partner: Partner): Promise<string> => {
      const { commissions } = await ask("GET", `/commissions?partner_ids=${partner.id}&due=nonzero`);
      const { id } = await ask("POST", "/settlements", {
        customer_id: CUSTOMER,
        workspace_id: WORKSPACE,
        partner_id: partner.id,
        commission_ids: commissions.map((commission: Json) => commission.id),
      });
      await ask("POST", `/settlements/${id}/approve`);
      await service.work();
      return id;
    },
    review: async (id: string, decision: string): Promise<void> => {
      await ask("POST", `/settlements/${id}/review`, { decision });
      await service.work();
    },
    upload: (id: string, parts: Parts) => ask("POST", `/settlements/${id}/invoice`, undefined, parts),
    pay: (id: string) => ask("POST", `/settlements/${id}/mark-as-paid`),
    view: async (id: string): Promise<Json> =>
      (await ask("GET", `/settlements?ids=${id}`)).settlements[0].view,
    /** The statement of a partner as rows: date, text, amount, balance. */
    statement: async (partner: Partner, from: string, to: string): Promise<ReadonlyArray<string>> => {
      const found = await ask("GET", `/partners/${partner.id}/statement?from=${from}&to=${to}`);
      const sum = (date: string, text: string, balance: number): string =>
        `| ${date.slice(0, 10)} | ${text} | | ${money(balance)} |`;
      return [
        sum(found.from, "Opening balance", found.opening_balance),
        ...found.movements.map(({ datetime, text, amount, balance }: Json) =>
          row(datetime.slice(0, 10), text, money(amount), money(balance)),
        ),
        sum(found.to, "Closing balance", found.closing_balance),
      ];
    },
    /** The journal of a partner as rows: date, text, account, debit, credit. */
    journal: async (partner: Partner): Promise<ReadonlyArray<string>> => {
      const { entries } = await ask("GET", `/journal?from=2025-01-01T00:00:00Z&partner_ids=${partner.id}`);
      return entries.flatMap(({ datetime, text, lines }: Json) =>
        lines.map(({ account, debit, credit }: Json, index: number) =>
          row(
            index === 0 ? datetime.slice(0, 10) : "",
            index === 0 ? text : "",
            `\`${account}\``,
            debit === undefined ? "" : money(debit),
            credit === undefined ? "" : money(credit),
          ),
        ),
      );
    },
  };
};
