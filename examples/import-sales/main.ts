/**
 * Imports a CSV of sales into a running server: one partner per agent, one schema, one formula each, every line an
 * attribution; then settles and pays each agent and prints what each earned.
 *
 *   npx tsx examples/import-sales/main.ts [sales.csv] [--url http://127.0.0.1:3000] [--key qk_…] [--refund invoice_id]
 *
 * With --refund the attributions of one invoice are cancelled afterwards: the agent's next settlement is negative and
 * waits in review.
 *
 * Columns used: line_id, invoice_id, invoice_date, agent_id, agent, genre, unit_price, quantity. Rock earns 12 %, all else
 * 8.5 %. Each sale counts for the date of its invoice, in UTC.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { Client } from "./Client.ts";
import { progress, table } from "./Screen.ts";

interface Sale {
  readonly line: string;
  readonly invoice: string;
  /** RFC 3339. */
  readonly date: string;
  readonly agentId: string;
  readonly agent: string;
  readonly genre: string;
  readonly unitPrice: number;
  readonly quantity: number;
}

interface Agent {
  readonly name: string;
  readonly partnerId: string;
  readonly sales: ReadonlyArray<Sale>;
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    url: { type: "string", default: "http://127.0.0.1:3000" },
    key: { type: "string" },
    refund: { type: "string" },
  },
});

/** Reads the file's columns by their names; this file format quotes nothing. */
const readSales = (file: string): ReadonlyArray<Sale> => {
  const [header = "", ...lines] = readFileSync(file, "utf8").trimEnd().split(/\r?\n/);
  const columns = header.split(",");
  return lines.map((text) => {
    const cells = text.split(",");
    const cell = (name: string): string => {
      const value = cells[columns.indexOf(name)];
      if (value === undefined) throw new Error(`the file has no column ${name}`);
      return value;
    };
    return {
      line: cell("line_id"),
      invoice: cell("invoice_id"),
      date: `${cell("invoice_date").replace(" ", "T")}Z`,
      agentId: cell("agent_id"),
      agent: cell("agent"),
      genre: cell("genre"),
      unitPrice: Number(cell("unit_price")),
      quantity: Number(cell("quantity")),
    };
  });
};

const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const percent = (value: number) => ({ type: "literal", value: { type: "percent", value } });
const property = (name: string) => ({ type: "property", name });

/** Price × quantity in dollars, × 100 for cents, × the rate of the genre; rounded once, to the cent. */
const EXPRESSION = {
  type: "multiply",
  operands: [
    property("unit_price"),
    property("quantity"),
    number(100),
    {
      type: "case",
      branches: [
        {
          when: {
            type: "compare",
            operator: "equal",
            left: property("genre"),
            right: { type: "literal", value: { type: "string", value: "Rock" } },
          },
          then: percent(12),
        },
      ],
      else: percent(8.5),
    },
  ],
};

const SCHEMA = [
  { name: "line", type: "string", required: true },
  { name: "invoice", type: "string", required: true },
  { name: "genre", type: "string", required: true },
  { name: "unit_price", type: "number", required: true },
  { name: "quantity", type: "number", required: true },
];

process.on("uncaughtException", ({ message, cause }) => {
  console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  process.exit(1);
});

const client = new Client(options.url, options.key);
const workspace_id = randomUUID();

const enrol = async (sales: ReadonlyArray<Sale>, schema_id: string): Promise<ReadonlyArray<Agent>> => {
  const byAgent = new Map<string, Array<Sale>>();
  for (const sale of sales) byAgent.set(sale.agentId, [...(byAgent.get(sale.agentId) ?? []), sale]);
  return Promise.all(
    [...byAgent.values()].map(async (ofAgent) => {
      const name = ofAgent[0]?.agent ?? "";
      const partner_id = await client.create("partners", { name, workspace_id });
      await client.create("commission-formulas", {
        partner_id,
        workspace_id,
        schema_id,
        name: "12 % on Rock, 8.5 % on everything else",
        currency: "USD",
        start_datetime: "2020-01-01T00:00:00Z",
        expression: EXPRESSION,
      });
      return { name, partnerId: partner_id, sales: ofAgent };
    }),
  );
};

/** Sends every sale as an attribution, sixteen at a time. Each run of the program uses a workspace of its own. */
const credit = async (agents: ReadonlyArray<Agent>, schema_id: string, total: number): Promise<void> => {
  const queue = agents.flatMap((agent) => agent.sales.map((sale) => ({ sale, partner_id: agent.partnerId })));
  const bar = progress("attributions", total);
  const send = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { line, invoice, date, genre, unitPrice, quantity } = next.sale;
      const properties = { line, invoice, genre, unit_price: unitPrice, quantity };
      await client.create("attributions", {
        partner_id: next.partner_id,
        schema_id,
        workspace_id,
        external_reference: line,
        occurred_at: date,
        properties,
      });
      bar.step();
    }
  };
  await Promise.all(Array.from({ length: 16 }, send));
  bar.end();
};

/** Drafts and approves a settlement of everything the agent has not settled. */
const approve = async (agent: Agent): Promise<string> => {
  const filters = { partner_ids: agent.partnerId, settlement_status: "unsettled" };
  const commissions = await client.all("commissions", "commissions", filters);
  const id = await client.create("settlements", {
    customer_id: String(commissions[0]?.customer_id),
    workspace_id,
    partner_id: agent.partnerId,
    commission_ids: commissions.map((commission) => commission.id),
  });
  await client.act(`settlements/${id}/approve`);
  return id;
};

/** Settles and pays one agent's commissions: draft, approval, report, the agent's invoice, payment. */
const settle = async (agent: Agent): Promise<void> => {
  const id = await approve(agent);
  await client.reach(id, "awaiting_invoice");
  await client.upload(
    `settlements/${id}/invoice`,
    "invoice.pdf",
    `%PDF-1.7 stands for the invoice of ${agent.name} for settlement ${id}\n`,
  );
  await client.act(`settlements/${id}/mark-as-paid`);
  await client.reach(id, "paid");
};

/** Cancels the attributions of an invoice and settles again: the next settlement takes back what was paid for them. */
const refund = async (invoice: string): Promise<void> => {
  const agent = agents.find(({ sales }) => sales.some((sale) => sale.invoice === invoice));
  if (agent === undefined) throw new Error(`the file has no invoice ${invoice}`);
  const attributions = await client.all("attributions", "attributions", { partner_ids: agent.partnerId });
  const refunded = attributions.filter(({ view }) => view.properties?.invoice === invoice);
  for (const { id } of refunded) await client.cancel(`attributions/${id}`, `invoice ${invoice} was refunded`);
  const id = await approve(agent);
  const { view } = await client.reach(id, "negative_review");
  console.log(`${agent.name}: ${refunded.length} sales of invoice ${invoice} refunded,`);
  console.log(`the next settlement is ${cents(Number(view.total))} USD and waits in ${view.status.type}`);
};

const cents = (amount: number): string => (amount / 100).toFixed(2);

const summary = async (agent: Agent): Promise<ReadonlyArray<string>> => {
  const commissions = await client.all("commissions", "commissions", { partner_ids: agent.partnerId });
  const settlements = await client.all("settlements", "settlements", { partner_ids: agent.partnerId });
  const sum = (of: ReadonlyArray<number>): string => cents(of.reduce((total, amount) => total + amount, 0));
  return [
    agent.name,
    String(agent.sales.length),
    sum(commissions.map(({ view }) => Number(view.computed_amount))),
    sum(commissions.map(({ view }) => Number(view.settled_amount))),
    sum(settlements.filter(({ view }) => view.status.type === "paid").map(({ view }) => Number(view.total))),
  ];
};

const sales = readSales(positionals[0] ?? new URL("sales.csv", import.meta.url).pathname);
const schema_id = await client.create("attribution-schemas", {
  workspace_id,
  name: "Sale",
  properties: SCHEMA,
});
const agents = await enrol(sales, schema_id);
await credit(agents, schema_id, sales.length);
for (const agent of agents) await settle(agent);
console.log(
  table(
    ["agent", "attributions", "earned USD", "settled USD", "paid USD"],
    await Promise.all(agents.map(summary)),
  ),
);
console.log(`workspace ${workspace_id}`);
if (options.refund !== undefined) await refund(options.refund);
