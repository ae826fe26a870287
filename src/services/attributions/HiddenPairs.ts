/** Hides which attribution of another partner replaced one, or was replaced by it, from principals that do not see that one. */
import { Effect } from "effect";
import type { AttributionEvent } from "../../domain/Attribution.ts";
import type { AttributionId } from "../../domain/Ids.ts";
import { canSee, type Principal } from "../../domain/Principal.ts";
import { otherIds } from "../../domain/Replacement.ts";
import type { Listed, Records, StorageError } from "../../ports/Storage.ts";

type Row = Listed["attribution"];

/** An event without the ids of other attributions that are hidden. */
const eventWithout = (event: AttributionEvent, hidden: ReadonlySet<AttributionId>): AttributionEvent => {
  if (event.type === "create_attribution" && event.replaces !== undefined && hidden.has(event.replaces)) {
    const { replaces: _, ...rest } = event;
    return rest;
  }
  if (event.type === "cancel_attribution" && event.replaced_by !== undefined && hidden.has(event.replaced_by))
    return { type: event.type, reason: event.reason };
  return event;
};

const without = (row: Row, hidden: ReadonlySet<AttributionId>): Row => ({
  ...row,
  replaces: row.replaces !== null && hidden.has(row.replaces) ? null : row.replaces,
  replacedBy: row.replacedBy !== null && hidden.has(row.replacedBy) ? null : row.replacedBy,
  events: row.events.map((entry) => ({ ...entry, event: eventWithout(entry.event, hidden) })),
});

/** Attributions as a principal sees them. It reads nothing for a principal of all partners, or where none was replaced. */
export const withoutHiddenPairs = (
  storage: Records,
  principal: Principal,
  rows: ReadonlyArray<Row>,
): Effect.Effect<ReadonlyArray<Row>, StorageError> =>
  Effect.gen(function* () {
    const [first] = rows;
    if (principal.partnerIds === "*" || first === undefined) return rows;
    const ids = otherIds(rows);
    if (ids.length === 0) return rows;
    const others = yield* storage.find(first.customerId, "attribution", ids);
    const seen = new Set(others.filter((other) => canSee(principal, other)).map(({ id }) => id));
    const hidden = new Set(ids.filter((id) => !seen.has(id)));
    return hidden.size === 0 ? rows : rows.map((row) => without(row, hidden));
  });
