/** Shared by the three servers: the record, and the messages to the process that started them. */

/** The number of attributions stored before lists are read. */
export const STORED = 1_000;

/** One attribution as an item of a list. */
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

/** The message of a server that listens. */
export interface Ready {
  readonly port: number;
  readonly token: string;
  /** The sales to post, by name: of a partner without a formula, and of one with a formula. */
  readonly sales: Readonly<Record<string, Sale>>;
}

/** Sends the parent process that the server listens, and at each message from it the server's CPU seconds. */
export const announce = (ready: Ready): void => {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1e6);
  });
  process.send?.(ready);
};

/** A sale with random ids, for the servers that look nothing up. */
export const sale = (): Sale => ({
  partner_id: crypto.randomUUID(),
  schema_id: crypto.randomUUID(),
  workspace_id: crypto.randomUUID(),
  properties: { order_value: 12_000, plan: "pro" },
});
