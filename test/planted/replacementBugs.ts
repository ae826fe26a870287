/** Planted bugs of replaced attributions. */
import { type Bug, bug } from "./Bug.ts";

const ATTRIBUTION = "src/domain/Attribution.ts";
const REPLACEMENT = "src/domain/Replacement.ts";
const CREATION = "src/services/attributions/AttributionCreation.ts";
const REPLACING = "src/services/cancellation/Replacing.ts";

/** Every planted bug of this file. */
export const replacementBugs: ReadonlyArray<Bug> = [
  bug(
    "an external reference is lost in a replacement",
    "Replacement: moves to the newest",
    REPLACEMENT,
    "...(externalReference === null ? {} : { externalReference }),",
    "",
    "rules",
  ),
  bug(
    "a replaced attribution stays confirmed",
    "Replacement: cancels it and records it anew, each naming the other",
    ATTRIBUTION,
    'status: "cancelled",\n        cancelReason',
    'status: event.replaced_by === undefined ? "cancelled" : "confirmed",\n        cancelReason',
    "rules",
  ),
  bug(
    "a replaced attribution keeps what it earned",
    "Replacement: moves the sale to another partner",
    REPLACING,
    "changes: [...cancelled.changes, saved, ...created.changes],",
    "changes: [saved, ...created.changes],",
    "rules",
  ),
  bug(
    "statistics count a replaced attribution as confirmed",
    "Replacement: counts for the totals of accumulating formulas as a cancellation and a later creation do",
    "adapters/memory/Statistics.ts",
    "join(String(bucket(row.occurredAt)), row.status),",
    'join(String(bucket(row.occurredAt)), row.replacedBy === null ? row.status : "confirmed"),',
    "rules",
  ),
  bug(
    "a replacement counts for the day on which it is recorded",
    "Replacement: keeps the date of a sale for which none was given, under the rules of that date",
    ATTRIBUTION,
    "const date = occurred_at ?? recorded_at;",
    "const date = occurred_at;",
    "rules",
  ),
  bug(
    "a repetition is compared with the newest attribution alone",
    "Replacement: repeated with the content of any of them returns the newest; other content is refused",
    CREATION,
    "const chain = [existing, ...(creation.chains.get(existing.id) ?? NONE)];",
    "const chain = [existing];",
    "rules",
  ),
  bug(
    "a replacement is held by runs",
    "Replacement: of a settled sale is a correction, for which a run does not wait",
    "adapters/memory/Settling.ts",
    "commission.settledLineCount > 0 || replacesSettled(partition, commission.attributionId),",
    "commission.settledLineCount > 0,",
    "rules",
  ),
  bug(
    "a replacement builds on totals that still count the old one",
    "Replacement: counts for the totals of accumulating formulas as a cancellation and a later creation do",
    REPLACING,
    "isSameOrder ? (state?.totals ?? null) : null,",
    "null,",
    "rules",
  ),
  bug(
    "a cancelled attribution is replaced again",
    "Replacement: for a cancelled attribution, also for one that was replaced",
    REPLACING,
    "yield* Replacement.checkReplaceable(replaced);",
    "",
    "rules",
  ),
  bug(
    "the agent of a sale is lost in a replacement",
    "Replacement: keeps the agent that recorded the sale",
    CREATION,
    "const { agentId } = replaced ?? principal;",
    "const { agentId } = principal;",
    "rules",
  ),
  bug(
    "a replacement is recorded before the old one where the clock was set back",
    "Replacement: is recorded no earlier than the old one, whose date it keeps, where the clock was set back",
    REPLACING,
    "Math.max(execution.at, replaced.lastAt)",
    "execution.at",
    "rules",
  ),
  bug(
    "a replacement moves a sale to a partner outside the grant",
    "Replacement: to a partner of another workspace or outside the grant, and of an attribution that is not seen",
    REPLACING,
    "partnerId === undefined ? {} : { partnerIds: [partnerId] },",
    "partnerId === undefined ? {} : {},",
    "rules",
  ),
  bug(
    "a past statement loses the reference of a sale that is replaced",
    "Replacement: name both sales by the reference, also where only the old one is of the partner",
    "src/services/attributions/References.ts",
    "return newest.externalReference;",
    "return attribution.externalReference;",
    "rules",
  ),
  bug(
    "a reference stays with the attribution that lost it",
    "an external reference that moves to a new attribution",
    "adapters/sql/writing/functions/commit.ts",
    "if given->'update' ? 'attribution' then",
    "if false then",
    "postgres",
  ),
  bug(
    "a document names the sale of another partner",
    "Replacement: name both sales by the reference, also where only the old one is of the partner",
    "src/domain/Replacement.ts",
    "other === undefined || other.partnerId !== partnerId",
    "other === undefined || partnerId === undefined",
    "rules",
  ),
  bug(
    "a partner sees which sale of another partner replaced the own one",
    "Replacement: is shown to a partner without the sale of another partner",
    "src/services/attributions/HiddenPairs.ts",
    "others.filter((other) => canSee(principal, other))",
    "others",
    "rules",
  ),
];
