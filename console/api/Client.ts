/** The requests of these pages. */
import type {
  CommissionStatistics,
  Explanation,
  Line,
  Lists,
  Page,
  Principal,
  PropertyValue,
} from "./Records.ts";
import { Refused, Unreachable } from "./Refusal.ts";

export type Query = Readonly<
  Record<string, string | number | boolean | ReadonlyArray<string> | null | undefined>
>;

interface Ask {
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  readonly query?: Query;
  readonly json?: unknown;
  readonly form?: FormData;
  readonly accept?: string;
  readonly signal?: AbortSignal | undefined;
}

/** A file of the server, with the name under which to save it. */
export interface Download {
  readonly name: string;
  readonly blob: Blob;
}

export interface Draft {
  readonly customer_id: string;
  readonly workspace_id: string;
  readonly partner_id: string;
  readonly commission_ids: ReadonlyArray<string>;
}

const textOf = (query: Query): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) parameters.append(name, String(one));
  }
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
};

const refusalOf = async (response: Response): Promise<Refused> => {
  const requestId = response.headers.get("x-request-id");
  try {
    const { error_code, message } = (await response.json()) as { error_code: string; message: string };
    return new Refused(response.status, error_code, message, requestId);
  } catch {
    return new Refused(response.status, "", response.statusText, requestId);
  }
};

const fileNameOf = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "")?.[1] ?? "document.bin";

/** The requests with one key; `base` ends with a slash. */
export const makeClient = (base: string, key: string) => {
  const send = async (path: string, { method = "GET", query = {}, json, form, accept, signal }: Ask = {}) => {
    const isCommand = method !== "GET";
    let response: Response;
    try {
      response = await fetch(`${base}${path}${textOf(query)}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(accept === undefined ? {} : { accept }),
          ...(json === undefined ? {} : { "content-type": "application/json" }),
          ...(isCommand ? { "idempotency-key": crypto.randomUUID() } : {}),
        },
        body: form ?? (json === undefined ? null : JSON.stringify(json)),
        cache: "no-store",
        credentials: "omit",
        signal: signal ?? null,
      });
    } catch (failure) {
      if (signal?.aborted) throw failure;
      throw new Unreachable("no response");
    }
    if (!response.ok) throw await refusalOf(response);
    return response;
  };

  const read = async <Value>(path: string, ask: Ask = {}): Promise<Value> =>
    (await (await send(path, ask)).json()) as Value;

  const command = async (path: string, ask: Ask): Promise<{ readonly id: string } | null> => {
    const text = await (await send(path, ask)).text();
    return text === "" ? null : JSON.parse(text);
  };

  const list = async <Name extends keyof Lists>(
    name: Name,
    query: Query = {},
    signal?: AbortSignal,
  ): Promise<Page<Lists[Name]>> => {
    const found = await read<Record<string, unknown>>(name.replaceAll("_", "-"), { query, signal });
    return {
      items: found[name] as ReadonlyArray<Lists[Name]>,
      total: Number(found.total),
      page: Number(found.page),
      perPage: Number(found.per_page),
    };
  };

  /** The whole list, a page of 100 after the other; stops after `limit` records. */
  async function* walk<Name extends keyof Lists>(
    name: Name,
    query: Query,
    limit: number,
    signal?: AbortSignal,
  ): AsyncGenerator<Page<Lists[Name]>> {
    let seen = 0;
    for (let page = 1; ; page++) {
      const found = await list(name, { ...query, page, per_page: 100 }, signal);
      yield found;
      seen += found.items.length;
      if (found.items.length < 100 || seen >= found.total || seen >= limit) return;
    }
  }

  /** The records of these ids, in lists of at most 100. */
  const byIds = async <Name extends keyof Lists>(
    name: Name,
    ids: ReadonlyArray<string>,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Lists[Name]>> => {
    const distinct = [...new Set(ids)];
    const found = new Map<string, Lists[Name]>();
    for (let from = 0; from < distinct.length; from += 100) {
      const some = distinct.slice(from, from + 100);
      const { items } = await list(name, { ids: some, per_page: some.length }, signal);
      for (const item of items) found.set(item.id, item);
    }
    return found;
  };

  const download = async (path: string): Promise<Download> => {
    const response = await send(path);
    return { name: fileNameOf(response), blob: await response.blob() };
  };

  return {
    list,
    walk,
    byIds,
    download,
    principal: (signal?: AbortSignal) => read<Principal>("principal", { signal }),
    statistics: (query: Query, signal?: AbortSignal) =>
      read<CommissionStatistics>("commissions/stats", { query, signal }),
    explanation: (id: string, signal?: AbortSignal) =>
      read<Explanation>(`commissions/${id}/explanation`, { signal }),
    /** The explanation in sentences; null where the server has none. */
    sentences: async (id: string, signal?: AbortSignal): Promise<string | null> => {
      const response = await send(`commissions/${id}/explanation`, { accept: "text/plain", signal });
      return response.headers.get("content-type")?.startsWith("text/plain") ? response.text() : null;
    },
    preview: (draft: Draft) =>
      read<{ readonly currency: string; readonly total: number; readonly lines: ReadonlyArray<Line> }>(
        "settlements/preview",
        { method: "POST", json: draft },
      ),
    createSettlement: (draft: Draft) => command("settlements", { method: "POST", json: draft }),
    /** An action of a settlement, such as `approve`. */
    act: (id: string, action: string, json?: unknown) =>
      command(`settlements/${id}/${action}`, { method: "POST", ...(json === undefined ? {} : { json }) }),
    cancelDraft: (id: string) => command(`settlements/${id}`, { method: "DELETE" }),
    upload: (id: string, kind: string, file: File, facts: Readonly<Record<string, string>>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(facts)) if (value !== "") form.append(name, value);
      form.append("file", file, file.name);
      return command(`settlements/${id}/${kind}`, { method: "POST", form });
    },
    createPlan: (json: unknown) => command("commission-plans", { method: "POST", json }),
    changePlan: (id: string, json: unknown) => command(`commission-plans/${id}`, { method: "PATCH", json }),
    assign: (planId: string, json: unknown) =>
      command(`commission-plans/${planId}/partners`, { method: "POST", json }),
    unassign: (planId: string, partnerId: string, json: unknown) =>
      command(`commission-plans/${planId}/partners/${partnerId}`, { method: "DELETE", json }),
    createKey: (json: unknown) =>
      read<{ readonly id: string; readonly key: string }>("api-keys", { method: "POST", json }),
    revokeKey: (id: string) => command(`api-keys/${id}`, { method: "DELETE" }),
    cancelAttribution: (id: string, reason: string) =>
      command(`attributions/${id}`, { method: "DELETE", json: { reason } }),
  };
};

export type Client = ReturnType<typeof makeClient>;
export type Properties = Readonly<Record<string, PropertyValue>>;
