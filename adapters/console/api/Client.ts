/** The requests of the pages: the operations of `quittance/client`, and iteration over lists. */
import {
  type AssignCommissionPlan,
  type CreatePartner,
  type CreateSettlement,
  connect,
  type Download,
  ForbiddenError,
  type FormulaDryRun,
  type PartnerDryRun,
  type RecreditDryRun,
  type Client as Remote,
  type ReplaceAttribution,
  type ReplacementDryRun,
  type SettlementPreview,
  type TABLE,
} from "quittance/client";
import { BROWSER_SESSION } from "./BrowserSession.ts";
import { fetchInSession, fetchReadable } from "./Readable.ts";
import type { CommissionStatistics, DryRun, Explanation, Lists, Page, RunCriteria } from "./Records.ts";

/** The operations of a service that only read, by the table of the contract. */
type ReadsOf<Service, Table> = {
  readonly [Name in keyof Service as Name extends keyof Table
    ? Table[Name] extends Reading | { readonly [kind: string]: Reading }
      ? Name
      : never
    : Name]: Service[Name];
};

interface Reading {
  readonly method: "GET";
}

/** Every operation that only reads. */
type Reads = { readonly [Name in keyof typeof TABLE]: ReadsOf<Remote[Name], (typeof TABLE)[Name]> };

/** Every operation; each command has the same idempotency key. */
export interface Commands extends Remote {
  /** The same for what is sent before the command: each part by its number has a key of its own. */
  readonly part: (number: number) => Remote;
}

/** Filters of a list; absent, null and empty values have no effect. */
export type Query = Readonly<
  Record<string, string | number | boolean | Date | ReadonlyArray<string> | null | undefined>
>;

/** The number of retries of a request that failed temporarily. */
const RETRIES = 1;

const withoutEmpty = (query: Query): object =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([, value]) =>
        value !== undefined &&
        value !== null &&
        value !== "" &&
        !(Array.isArray(value) && value.length === 0),
    ),
  );

type Reader<Item> = {
  readonly list: (
    filters: object,
    options: { readonly signal?: AbortSignal | undefined },
  ) => Promise<Page<Item>>;
};

/** The most ids of one request. */
const IDS_MAX = 100;

const noneIfForbidden = (problem: unknown): [] => {
  if (problem instanceof ForbiddenError) return [];
  throw problem;
};

const findByIds = async <Item extends { readonly id: string }>(
  ids: ReadonlyArray<string>,
  read: (ids: ReadonlyArray<string>) => Promise<ReadonlyArray<Item>>,
): Promise<ReadonlyMap<string, Item>> => {
  const distinct = [...new Set(ids)];
  const found = new Map<string, Item>();
  for (let from = 0; from < distinct.length; from += IDS_MAX)
    for (const item of await read(distinct.slice(from, from + IDS_MAX))) found.set(item.id, item);
  return found;
};

/** Sends commands under one idempotency key, so that one which is sent again has no second effect. */
const underKey =
  (idempotencyKey: string, send: typeof fetch): typeof fetch =>
  (url, request = {}) => {
    const headers = new Headers(request.headers);
    if (headers.has("idempotency-key")) headers.set("idempotency-key", idempotencyKey);
    return send(url, { ...request, headers });
  };

/** 32 random hexadecimal digits; unlike `randomUUID` also on pages without TLS. */
export const randomKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Commands of which the server is asked what they would do; nothing is stored. */
const previewsOf = (remote: Remote) => ({
  /** The result that a run would have now. */
  dryRun: (criteria: RunCriteria, signal?: AbortSignal): Promise<DryRun> =>
    remote.settlementRuns.start({ ...criteria, dryRun: true }, { signal }),
  /** What stating a receipt would release. */
  receiptPreview: (
    id: string,
    stated: Parameters<Remote["attributions"]["previewReceived"]>[1],
    signal?: AbortSignal,
  ): ReturnType<Remote["attributions"]["previewReceived"]> =>
    remote.attributions.previewReceived(id, stated, { signal }),
  /** What assigning partners to a plan would change. */
  assignmentDryRun: (
    planId: string,
    input: Omit<AssignCommissionPlan, "dryRun">,
    signal?: AbortSignal,
  ): Promise<FormulaDryRun> => remote.commissionPlans.assign(planId, { ...input, dryRun: true }, { signal }),
  /** What is doubtful in a partner that could be created. */
  partnerDryRun: (
    input: CreatePartner & { readonly dryRun: true },
    signal?: AbortSignal,
  ): Promise<PartnerDryRun> => remote.partners.create(input, { signal }),
  /** What replacing a sale would change of its commissions. */
  replacementDryRun: async (
    id: string,
    input: Omit<ReplaceAttribution, "dryRun">,
    signal?: AbortSignal,
  ): Promise<ReplacementDryRun> => {
    const found = await remote.attributions.replace(id, { ...input, dryRun: true }, { signal });
    if ("id" in found) throw new Error("The server did not say what would change.");
    return found;
  },
  /** What recrediting a sale would change of its credits and commissions. */
  recreditDryRun: async (id: string, signal?: AbortSignal): Promise<RecreditDryRun> => {
    const found = await remote.attributions.recredit(id, { reason: "preview", dryRun: true }, { signal });
    if ("added" in found) throw new Error("The server did not say what would change.");
    return found;
  },
  /** The lines that a settlement would have now. */
  preview: (draft: CreateSettlement, signal?: AbortSignal): Promise<SettlementPreview> =>
    remote.settlements.preview(draft, { signal }),
});

/** The records of all pages. */
const collect = async <Item>(pages: AsyncIterable<Page<Item>>): Promise<ReadonlyArray<Item>> => {
  const found: Array<Item> = [];
  for await (const { items } of pages) found.push(...items);
  return found;
};

/** The records of one page where many are read. */
const WALKED_AT_ONCE = 100;

/** Yields page after page, each record once; stops after `limit` records. */
async function* pagesOf<Item extends { readonly id: string }>(
  read: (page: number) => Promise<Page<Item>>,
  limit: number,
): AsyncGenerator<Page<Item>> {
  const ids = new Set<string>();
  for (let page = 1; ; page++) {
    const found = await read(page);
    // What is created meanwhile moves others to the next page.
    const items = found.items.filter(({ id }) => !ids.has(id));
    for (const { id } of items) ids.add(id);
    yield { ...found, items };
    if (found.items.length < WALKED_AT_ONCE || ids.size >= found.total || ids.size >= limit) return;
  }
}

/** Creates the requests with one key, or in the session of the browser, to the server at `url`. */
export const makeClient = (url: string, key: string) => {
  const send = key === BROWSER_SESSION ? fetchInSession : fetchReadable;
  const remote: Remote = connect({ url, key, retries: RETRIES, fetch: send });

  const list = <Name extends keyof Lists>(
    name: Name,
    query: Query = {},
    signal?: AbortSignal,
  ): Promise<Page<Lists[Name]>> => {
    // Each service lists the records of its name; the compiler cannot check this for a generic name.
    const service = remote[name] as unknown as Reader<Lists[Name]>;
    return service.list(withoutEmpty(query), { signal });
  };

  /** Yields the pages of a list, 100 records each, and no record twice; stops after `limit` records. */
  const walk = <Name extends keyof Lists>(name: Name, query: Query, limit: number, signal?: AbortSignal) =>
    pagesOf<Lists[Name]>((page) => list(name, { ...query, page, perPage: WALKED_AT_ONCE }, signal), limit);

  /** The records with these ids; none where the key may not read them. */
  const byIds = <Name extends keyof Lists>(
    name: Name,
    ids: ReadonlyArray<string>,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Lists[Name]>> =>
    findByIds(ids, (some) =>
      list(name, { ids: some, perPage: some.length }, signal).then(({ items }) => items, noneIfForbidden),
    );

  return {
    /** The operations of the interface that only read: what changes something goes through `commands`. */
    remote: remote as Reads,
    /** Every operation, for one command: it has one idempotency key, also when it is sent again. */
    commands: (): Commands => {
      const idempotencyKey = randomKey();
      const under = (name: string): Remote =>
        connect({ url, key, retries: RETRIES, fetch: underKey(name, send) });
      return { ...under(idempotencyKey), part: (number) => under(`${idempotencyKey}-${number}`) };
    },
    list,
    walk,
    /** The records of a list, `limit` and the rest of a page at most. */
    every: <Name extends keyof Lists>(...given: Parameters<typeof walk<Name>>) =>
      collect<Lists[Name]>(walk(...given)),
    byIds,
    statistics: (
      query: { readonly from: string; readonly to: string; readonly partnerIds?: ReadonlyArray<string> },
      signal?: AbortSignal,
    ): Promise<CommissionStatistics> =>
      remote.commissions.statistics({ ...query, granularity: "month" }, { signal }),
    ...previewsOf(remote),
    /** The explanation in sentences; null when the server has none. */
    sentences: async (id: string, signal?: AbortSignal): Promise<string | null> => {
      const found: Explanation | Download = await remote.commissions.explain(id, {
        accept: "text/plain",
        signal,
      });
      return "bytes" in found ? new TextDecoder().decode(found.bytes) : null;
    },
  };
};

export type Client = ReturnType<typeof makeClient>;
