/**
 * Above which amount a second person approves a draft. The limit of a settlement policy may change between the draft and its
 * approval; what the creator of a draft has changed does not count for it.
 */
import type { Currency } from "./Currency.ts";
import type { Entry } from "./Event.ts";
import type { Amount } from "./Money.ts";
import { type AmountByCurrency, limitOf, type PolicyEvent } from "./SettlementPolicy.ts";
import type { Timestamp } from "./Timestamp.ts";

/** One change of the limit of a partner in one currency. */
export interface LimitChange {
  readonly at: Timestamp;
  /** Who has changed it. */
  readonly person: string;
  /** Null: one person is enough for every amount. */
  readonly limit: Amount | null;
}

type Log = ReadonlyArray<Entry<PolicyEvent>>;

const writesOf = (log: Log, isOwn: boolean) =>
  log.flatMap(({ at, event }) =>
    event.type === "write_settlement_policy"
      ? [{ at, isOwn, person: event.actor.person, amounts: event.stored.terms.fourEyesAbove }]
      : [],
  );

/**
 * How the limit of a partner has changed, by the logs of the policy of its workspace and of its own. Before the first change
 * there was none.
 */
export const limitChanges = (workspace: Log, own: Log, currency: Currency): ReadonlyArray<LimitChange> => {
  const changes: Array<LimitChange> = [];
  let [general, special]: ReadonlyArray<AmountByCurrency | null> = [null, null];
  let before: Amount | null = null;
  const writes = [...writesOf(workspace, false), ...writesOf(own, true)];
  for (const { at, isOwn, person, amounts } of writes.sort((a, b) => a.at - b.at)) {
    if (isOwn) special = amounts;
    else general = amounts;
    const inForce: AmountByCurrency = special ?? general ?? {};
    const limit = limitOf(inForce, currency) ?? null;
    if (limit !== before) changes.push({ at, person, limit });
    before = limit;
  }
  return changes;
};

/** What the limit of a draft depends on. */
interface Draft {
  readonly createdAt: Timestamp;
  /** The person that created it. */
  readonly createdBy: string;
}

/**
 * The limit that holds for a draft: the least since the draft was created. Changes that its creator made before do not count,
 * so that nobody raises the limit, approves a draft of his own and lowers it again.
 */
export const strictestLimit = (
  changes: ReadonlyArray<LimitChange>,
  { createdAt, createdBy }: Draft,
): Amount | null => {
  let first = changes.findLastIndex(({ at }) => at <= createdAt);
  while (changes[first]?.person === createdBy) first -= 1;
  const limits = changes.slice(Math.max(first, 0)).flatMap(({ limit }) => limit ?? []);
  return limits.length === 0 ? null : Math.min(...limits);
};

/** True if a person has changed the limit since the draft was created. */
export const hasChangedLimit = (
  changes: ReadonlyArray<LimitChange>,
  { createdAt }: Pick<Draft, "createdAt">,
  person: string,
): boolean => changes.some((change) => change.at > createdAt && change.person === person);
