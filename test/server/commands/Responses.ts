/** What a store answers to every request of the interface that only reads. */
import { readFileSync } from "node:fs";
import { open } from "quittance/promise";

interface Operation {
  readonly parameters?: ReadonlyArray<{ readonly name: string; readonly required?: boolean }>;
}

const { paths } = JSON.parse(
  readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8"),
) as { readonly paths: Readonly<Record<string, { readonly get?: Operation }>> };

/** Parameters of queries; what depends on the clock is asked for one moment. */
const queryAt = (moment: string): Readonly<Record<string, string>> => ({
  ...{ from: "2026-01-01T00:00:00Z", to: moment, at: moment },
  ...{ granularity: "month", per_page: "100" },
});

/** The ids of the records of a list. */
const idsOf = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/"id":"([0-9a-f-]{36})"/g)].map(([, id]) => id ?? "")),
];

/** Records of a kind that are looked at one by one. */
const EACH = 2;

/** Status and body of every GET request of a customer: each operation, for some records of its list where it needs an id. */
export const responses = async (
  database: string,
  keys: ReadonlyArray<string>,
  moment: string,
): Promise<ReadonlyMap<string, string>> => {
  const parameters = queryAt(moment);
  const quittance = await open({ database, worker: false });
  const handle = await quittance.handler();
  const found = new Map<string, string>();
  for (const [customer, key] of keys.entries()) {
    const get = async (path: string): Promise<string> => {
      const response = await handle(
        new Request(`http://store${path}`, { headers: { authorization: `Bearer ${key}` } }),
      );
      // What is of the last minute is not final yet: this alone depends on when the request is made.
      const text = `${response.status} ${await response.text()}`.replace('"final":false', '"final":true');
      found.set(`${customer} ${path}`, text);
      return text;
    };
    const lists = new Map<string, string>();
    for (const [path, { get: operation }] of Object.entries(paths)) {
      if (operation === undefined) continue;
      const query = (operation.parameters ?? [])
        .filter(({ name }) => Object.hasOwn(parameters, name))
        .map(({ name }) => `${name}=${parameters[name]}`)
        .join("&");
      const list = path.slice(0, path.indexOf("/{"));
      const ids = path.includes("{") ? idsOf(lists.get(list) ?? "") : [""];
      for (const id of ids.slice(0, EACH)) {
        const text = await get(`${path.replace("{id}", id)}${query === "" ? "" : `?${query}`}`);
        if (id === "") lists.set(path, text);
      }
    }
  }
  await quittance.close();
  return found;
};

/** An API key of every right for each customer. */
export const keysOfCustomers = async (
  database: string,
  customerIds: ReadonlyArray<string>,
): Promise<ReadonlyArray<string>> => {
  const quittance = await open({ database, worker: false });
  const keys: Array<string> = [];
  for (const customerId of customerIds) {
    const { key } = await quittance.as({ customerId }).apiKeys.create({ name: "copy" });
    keys.push(key);
  }
  await quittance.close();
  return keys;
};
