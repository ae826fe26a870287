/** What the three servers share: the record, and what they tell the process that started them. */

/** How many attributions are there when lists are asked for. */
export const STORED = 1_000;

/** One attribution as lists show it. */
export const shown = (id: string, customerId: string, body: Sale, createdAt: string) => ({
  id,
  partner_id: body.partner_id,
  customer_id: customerId,
  schema_id: body.schema_id,
  metadata: { agent_id: null, workspace_id: body.workspace_id, occurred_at: createdAt },
  events: [{ datetime: createdAt, event: { type: "create_attribution", properties: body.properties } }],
  view: { status: "confirmed", properties: body.properties, created_at: createdAt },
});

/** The body of a request that creates an attribution. */
export interface Sale {
  readonly partner_id: string;
  readonly schema_id: string;
  readonly workspace_id: string;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

/** What the load generator needs to know of a server. */
export interface Ready {
  readonly port: number;
  readonly token: string;
  /** The sale to post, by what its partner earns; without a formula nothing. */
  readonly sales: Readonly<Record<string, Sale>>;
}

/** Tells the parent process that the server listens, and whenever it asks, how much the server has computed. */
export const tell = (ready: Ready): void => {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1e6);
  });
  process.send?.(ready);
};

/** Any sale: the servers without an engine look nothing up. */
export const sale = (): Sale => ({
  partner_id: crypto.randomUUID(),
  schema_id: crypto.randomUUID(),
  workspace_id: crypto.randomUUID(),
  properties: { order_value: 12_000, plan: "pro" },
});
