/** Reads the interface as any program could, with integers of every size. */

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
export type Json = any;

const parse = (text: string): Json =>
  JSON.parse(text.replace(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,\]}])/g, '"whole:$&"'), (_, value) =>
    typeof value === "string" && value.startsWith("whole:") ? BigInt(value.slice(6)) : value,
  );

export interface Api {
  readonly get: (path: string) => Promise<Json>;
  /** A response as text, in English. */
  readonly text: (path: string) => Promise<string>;
  readonly post: (path: string, body: object) => Promise<Json>;
  /** Every record of a list, oldest first unless the path says otherwise. */
  readonly all: (path: string, name: string) => Promise<ReadonlyArray<Json>>;
  /** Records by id. */
  readonly byIds: (
    path: string,
    name: string,
    ids: ReadonlyArray<string>,
  ) => Promise<ReadonlyMap<string, Json>>;
}

/** The interface of a server for the holder of a key. */
export const apiOf = (url: string, key: string): Api => {
  const send = async (method: string, path: string, body?: object): Promise<Json> => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? null : parse(text);
  };
  const get = (path: string): Promise<Json> => send("GET", path);
  const all: Api["all"] = async (path, name) => {
    const found: Array<Json> = [];
    for (let page = 1; ; page++) {
      const body = await get(`${path}${path.includes("?") ? "&" : "?"}per_page=100&page=${page}`);
      found.push(...body[name]);
      if (found.length >= body.total || body[name].length === 0) return found;
    }
  };
  return {
    get,
    text: async (path) => {
      const headers = { authorization: `Bearer ${key}`, accept: "text/plain", "accept-language": "en" };
      return (await fetch(`${url}/api/v1/${path}`, { headers })).text();
    },
    post: (path, body) => send("POST", path, body),
    all,
    byIds: async (path, name, ids) => {
      const distinct = [...new Set(ids)];
      const found: Array<Json> = [];
      for (let from = 0; from < distinct.length; from += 100) {
        const some = distinct.slice(from, from + 100);
        found.push(...(await get(`${path}?per_page=100&${some.map((id) => `ids=${id}`).join("&")}`))[name]);
      }
      return new Map(found.map((item) => [item.id, item]));
    },
  };
};
