/** How the audit counts: the commands of a journal by what they do, against the effects that are stored. */
import { type Entry, idOfFirstSuccess, outcome } from "./Journal.ts";

/** Commands and their responses. */
export type Entries = ReadonlyArray<Entry>;

/** The journal's entries whose intent has the type, with outcome and id. */
export const of = <Type extends Entry["intent"]["type"]>(entries: Entries, type: Type) =>
  entries.flatMap((entry) => {
    const { intent } = entry;
    return isOf(intent, type)
      ? [{ entry, intent, outcome: outcome(entry), id: idOfFirstSuccess(entry) }]
      : [];
  });

const isOf = <Type extends Entry["intent"]["type"]>(
  intent: Entry["intent"],
  type: Type,
): intent is Extract<Entry["intent"], { type: Type }> => intent.type === type;

/** A problem when fewer effects are stored than commands were acknowledged, or more than were acknowledged or may have been stored. */
export const compareCounts = (
  what: string,
  found: number,
  done: number,
  unknown: number,
): ReadonlyArray<string> =>
  found < done
    ? [`lost: ${what}: ${done} acknowledged, ${found} stored`]
    : found > done + unknown
      ? [`stored too often: ${what}: ${done} acknowledged, ${unknown} unknown, ${found} stored`]
      : [];

/** The acknowledged commands and those without a definite response, by a key. */
export const countOutcomes = <Sent extends { readonly outcome: string }>(
  sent: ReadonlyArray<Sent>,
  keyOf: (sent: Sent) => string,
): ReadonlyMap<string, { readonly done: number; readonly unknown: number }> => {
  const counts = new Map<string, { done: number; unknown: number }>();
  for (const each of sent) {
    const count = counts.get(keyOf(each)) ?? { done: 0, unknown: 0 };
    if (each.outcome === "done") count.done += 1;
    if (each.outcome === "unknown") count.unknown += 1;
    counts.set(keyOf(each), count);
  }
  return counts;
};
