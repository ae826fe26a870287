/** HTTP requests to a server that may be killed at any moment: each resolves to a response or to its loss. */

const RESPONSE_LIMIT_MILLISECONDS = 45_000;

/** The response to a request. */
export interface HttpResponse {
  readonly type: "response";
  readonly status: number;
  /** The parsed JSON; null when the text is no JSON. */
  readonly body: unknown;
  readonly text: string;
  readonly replayed: boolean;
}

/** A response; or `lost`: the connection broke, or no response arrived in time. */
export type RequestResult = HttpResponse | { readonly type: "lost" };

/** A request that can be sent more than once. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Relative to `/api/v1/`. */
  readonly path: string;
  readonly json?: unknown;
  readonly file?: { readonly name: string; readonly content: string };
  readonly key?: string;
}

const bodyOf = ({ json, file }: Request): string | FormData | null => {
  if (file === undefined) return json === undefined ? null : JSON.stringify(json);
  const form = new FormData();
  form.set("file", new Blob([file.content]), file.name);
  return form;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** Sends a request with a bearer token. */
export const send = async (url: string, token: string, request: Request): Promise<RequestResult> => {
  try {
    const response = await fetch(`${url}/api/v1/${request.path}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(request.json === undefined ? {} : { "content-type": "application/json" }),
        ...(request.key === undefined ? {} : { "idempotency-key": request.key }),
      },
      body: bodyOf(request),
      signal: AbortSignal.timeout(RESPONSE_LIMIT_MILLISECONDS),
    });
    const text = await response.text();
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { type: "response", status: response.status, body: parsed(text), text, replayed };
  } catch {
    return { type: "lost" };
  }
};

/** The field of a JSON object, or undefined. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** The `id` in the body of a response; null when there is none. */
export const idOf = (response: RequestResult): string | null => {
  const id = response.type === "response" ? field(response.body, "id") : null;
  return typeof id === "string" ? id : null;
};

/** The records of a page, from the field `name` of the body; none when the response is no page. */
export const listed = (response: RequestResult, name: string): ReadonlyArray<unknown> => {
  const items = response.type === "response" ? field(response.body, name) : null;
  return Array.isArray(items) ? items : [];
};
