/** The reports of banks and providers that did not fit the state of their settlements, as the event feed has them. */
import type { Client } from "../api/Client.ts";
import { DAY } from "../format/Dates.ts";
import { STRAY_DAYS } from "./Attempts.ts";

/** The settlements of the reports of the last days, the latest first. */
export interface Reports {
  readonly ids: ReadonlyArray<string>;
  /** The moment before which the feed was not searched, because it has too many events; null where it was searched far enough. */
  readonly searchedFrom: string | null;
}

/** Requests for one search; each reads up to ten thousand events. */
const PAGES_MAX = 30;

const PER_PAGE = 100;

/** Reads the feed back to {@link STRAY_DAYS} before now. A page may be empty before that where few events are reports. */
export const readReports = async (client: Client, now: number, signal: AbortSignal): Promise<Reports> => {
  const { events } = client.remote;
  const begin = now - STRAY_DAYS * DAY;
  const ids = new Set<string>();
  let after: string | undefined;
  let searchedFrom: string | null = null;
  for (let page = 0; page < PAGES_MAX; page++) {
    const from = { order: "desc", ...(after === undefined ? {} : { after }) } as const;
    const found = await events.list({ ...from, types: ["payment_anomaly"], limit: PER_PAGE }, { signal });
    for (const { recordId, datetime } of found.items) if (Date.parse(datetime) >= begin) ids.add(recordId);
    after = found.nextCursor;
    // The event before the page says how far the search has come, also where the page is empty.
    const [next] = (await events.list({ order: "desc", after, limit: 1 }, { signal })).items;
    if (next === undefined || Date.parse(next.datetime) < begin) return { ids: [...ids], searchedFrom: null };
    searchedFrom = next.datetime;
  }
  return { ids: [...ids], searchedFrom };
};
