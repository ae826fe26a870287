/** Speaks to a server that may die at any moment: every request ends in an answer or in the knowledge that none came. */

const ANSWER_LIMIT_MILLISECONDS = 45_000;

/** What came back. */
export interface Answered {
  readonly type: "answered";
  readonly status: number;
  /** Parsed when it is JSON, else null. */
  readonly body: unknown;
  readonly text: string;
  readonly replayed: boolean;
}

/** An answer, or none: the connection broke, or nothing came in time. */
export type Answer = Answered | { readonly type: "lost" };

/** A request as it can be sent again. */
export interface Request {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1/`. */
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

/** Sends a request under a credential. */
export const send = async (url: string, token: string, request: Request): Promise<Answer> => {
  try {
    const response = await fetch(`${url}/api/v1/${request.path}`, {
      method: request.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(request.json === undefined ? {} : { "content-type": "application/json" }),
        ...(request.key === undefined ? {} : { "idempotency-key": request.key }),
      },
      body: bodyOf(request),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MILLISECONDS),
    });
    const text = await response.text();
    const replayed = response.headers.get("idempotent-replayed") === "true";
    return { type: "answered", status: response.status, body: parsed(text), text, replayed };
  } catch {
    return { type: "lost" };
  }
};

/** The field of a JSON object, or undefined. */
export const field = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

/** The `id` of an answer that made a record, or null. */
export const idOf = (answer: Answer): string | null => {
  const id = answer.type === "answered" ? field(answer.body, "id") : null;
  return typeof id === "string" ? id : null;
};

/** The records of a list answer under their name; none when the answer is no list. */
export const listed = (answer: Answer, name: string): ReadonlyArray<unknown> => {
  const items = answer.type === "answered" ? field(answer.body, name) : null;
  return Array.isArray(items) ? items : [];
};
