/** What the users of a campaign share, and how they send commands over HTTP, also while servers are down. */

import type { Random } from "../support/Random.ts";
import { type Follower, followers } from "./Followers.ts";
import type { Entry, Intent, Journal } from "./Journal.ts";
import { type Request, type RequestResult, send } from "./Wire.ts";
import type { World } from "./World.ts";

/** What users share: the URLs of the servers, and the records created so far. */
export interface Load {
  readonly world: World;
  readonly journal: Journal;
  /** The URLs of the running servers; a request goes to a random one. */
  readonly urls: Array<string>;
  /** Sales, of which some are cancelled or replaced. */
  readonly attributionIds: Array<string>;
  /** Settlements that may still change state. */
  readonly settlementIds: Set<string>;
  /** The readers of the event feed. */
  readonly followers: ReadonlyArray<Follower>;
  /** Responses to commands so far, other than server errors. */
  acknowledged: number;
  stopped: boolean;
}

/** A new load, without servers. */
export const load = (world: World, journal: Journal): Load => ({
  world,
  journal,
  urls: [],
  attributionIds: [],
  settlementIds: new Set(),
  followers: followers(),
  acknowledged: 0,
  stopped: false,
});

const KEYED = 0.5;
/** The share of commands with a key that are sent twice at the same time. */
const TWICE = 0.1;

let issued = 0;
/** A number that no other call returns. */
export const fresh = (): number => {
  issued += 1;
  return issued;
};

/** Sends a command of the journal, for the first time or again. */
export const dispatch = async (load: Load, random: Random, entry: Entry): Promise<RequestResult> => {
  const result = await load.journal.send(entry, (request) =>
    send(random.pickAny(load.urls) ?? "http://127.0.0.1:1", load.world.token, request),
  );
  if (result.type === "response" && result.status < 500) load.acknowledged += 1;
  return result;
};

/** Sends a new command, half of them with an idempotency key. */
export const command = async (
  load: Load,
  random: Random,
  intent: Intent,
  request: Request,
): Promise<RequestResult> => {
  const keyed = random.chance(KEYED);
  const entry = load.journal.open(
    intent,
    keyed ? { ...request, key: `${load.world.schemaId}/${fresh()}` } : request,
  );
  if (keyed && random.chance(TWICE)) {
    const [result] = await Promise.all([dispatch(load, random, entry), dispatch(load, random, entry)]);
    return result;
  }
  return dispatch(load, random, entry);
};

/** Reads a path of a random server. */
export const ask = (load: Load, random: Random, path: string): Promise<RequestResult> =>
  send(random.pickAny(load.urls) ?? "http://127.0.0.1:1", load.world.token, { method: "GET", path });

const DAY = 86_400_000;

/** The date of a sale: none, within the last 400 days, or two minutes ahead of the clock. */
export const occurrence = (random: Random): string | null => {
  if (random.chance(0.5)) return null;
  const back = random.chance(0.2) ? -120_000 : random.integer(0, 400 * DAY);
  return new Date(Date.now() - back).toISOString();
};
