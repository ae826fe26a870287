import { existsSync, readFileSync } from "node:fs";

const DEVELOPMENT_KEY = ".quittance/dev-key";

/** How long to wait for a report or an invoice. A server that does much else at the time needs seconds for the first. */
const BACKGROUND_LIMIT_MILLISECONDS = 120_000;

export interface Row {
  readonly id: string;
  readonly customer_id: string;
  readonly view: {
    readonly status: { readonly type: string };
    readonly properties?: { readonly [name: string]: unknown };
    readonly [field: string]: unknown;
  };
}

/** A client of the HTTP interface: JSON in, JSON out. A failed request throws an error with the server's message. */
export class Client {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, key: string | undefined) {
    const known =
      key ??
      process.env.QUITTANCE_KEY ??
      (existsSync(DEVELOPMENT_KEY) ? readFileSync(DEVELOPMENT_KEY, "utf8").trim() : undefined);
    if (known === undefined)
      throw new Error(
        `no key: pass --key, set QUITTANCE_KEY, or start the server here for ${DEVELOPMENT_KEY}`,
      );
    this.#url = `${url}/api/v1/`;
    this.#headers = { authorization: `Bearer ${known}` };
  }

  async #send(method: string, path: string, body?: string | FormData): Promise<Response> {
    const json: Record<string, string> =
      typeof body === "string" ? { "content-type": "application/json" } : {};
    const response = await fetch(this.#url + path, {
      method,
      headers: { ...this.#headers, ...json },
      body: body ?? null,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  }

  /** Creates a record and returns its id. */
  async create(path: string, body: object): Promise<string> {
    const { id } = (await (await this.#send("POST", path, JSON.stringify(body))).json()) as { id: string };
    return id;
  }

  /** Performs an action without a response body. */
  async act(path: string): Promise<void> {
    await this.#send("POST", path);
  }

  /** Cancels a record, with the reason. */
  async cancel(path: string, reason: string): Promise<void> {
    await this.#send("DELETE", path, JSON.stringify({ reason }));
  }

  /** Uploads a file. */
  async upload(path: string, name: string, content: string): Promise<void> {
    const form = new FormData();
    form.set("file", new Blob([content]), name);
    await this.#send("POST", path, form);
  }

  /** Every record of a list, page by page. */
  async all(path: string, field: string, filters: Record<string, string>): Promise<ReadonlyArray<Row>> {
    const rows: Array<Row> = [];
    for (let page = 1; ; page++) {
      const query = new URLSearchParams({ ...filters, page: String(page), per_page: "100" });
      const body = (await (await this.#send("GET", `${path}?${query}`)).json()) as Record<string, unknown>;
      rows.push(...(body[field] as ReadonlyArray<Row>));
      if (rows.length >= Number(body.total)) return rows;
    }
  }

  /** Waits until a settlement has a state, because a worker makes reports and invoices in the background. */
  async reach(settlementId: string, type: string): Promise<Row> {
    for (const end = Date.now() + BACKGROUND_LIMIT_MILLISECONDS; Date.now() < end; ) {
      const [settlement] = await this.all("settlements", "settlements", { ids: settlementId });
      if (settlement?.view.status.type === type) return settlement;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`settlement ${settlementId} did not reach ${type}`);
  }
}
