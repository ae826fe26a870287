/** Planted bugs of recrediting sales. */
import { type Bug, bug } from "./Bug.ts";

const RECREDIT = "src/domain/Recredit.ts";
const RECREDITING = "src/services/cancellation/Recrediting.ts";
const PROSPECTS = "src/services/cancellation/Prospects.ts";

/** Every planted bug of this file. */
export const recreditBugs: ReadonlyArray<Bug> = [
  bug(
    "a dry run shows one of the roles in which a partner earns",
    "Recredits: shows apart what a partner would earn in two roles, and at two levels",
    PROSPECTS,
    "JSON.stringify([formulaId, role, depth])",
    "JSON.stringify([formulaId, depth])",
    "rules",
  ),
  bug(
    "a dry run shows one of the levels at which a partner earns",
    "Recredits: shows apart what a partner would earn in two roles, and at two levels",
    PROSPECTS,
    "JSON.stringify([formulaId, role, depth])",
    "JSON.stringify([formulaId, role])",
    "rules",
  ),
  bug(
    "recrediting keeps a credit that the links do not give",
    "Recredits: cancels a credit whose link never held, with what it earned, and leaves the others",
    RECREDIT,
    "const taken = derived.filter((one) => !wanted.has(textOfStored(one)));",
    "const taken = derived.filter(() => false);",
    "rules",
  ),
  bug(
    "recrediting cancels a credit that was given",
    "Recredits: replaces a credit whose share changes, and keeps every given one",
    RECREDIT,
    "attribution.credit === null || attribution.credit.depth === 0",
    'attribution.credit === null || attribution.credit.role === "seller"',
    "rules",
  ),
  bug(
    "recrediting follows the links of now",
    "Recredits: gives it the uplines that its seller had when it occurred, who arrive now",
    RECREDITING,
    "creditsAbove(creation.uplines, given, occurredAt)",
    "creditsAbove(creation.uplines, given, execution.at)",
    "rules",
  ),
  bug(
    "recrediting twice changes the sale twice",
    "Recredits: twice is once, and changes nothing where the links give what the sale has",
    RECREDIT,
    "if (taken.length === 0 && missing.length === 0) return null;",
    "",
    "rules",
  ),
  bug(
    "a credit whose share changes stays as it was",
    "Recredits: replaces a credit whose share changes, and keeps every given one",
    RECREDIT,
    "JSON.stringify([partnerId, role, depth, share, sellers?.toSorted() ?? null])",
    "JSON.stringify([partnerId, role, depth, sellers === undefined || share !== null])",
    "rules",
  ),
  bug(
    "a partner whose first credit is taken has none that is the first",
    "Recredits: makes another credit the first of a partner whose first one is taken",
    RECREDIT,
    "isFirst(attribution.partnerId) ? [{ attribution, credit }] : []",
    "isFirst(attribution.partnerId) && credit.depth < 0 ? [{ attribution, credit }] : []",
    "rules",
  ),
  bug(
    "an override of a new credit rests on nothing",
    "Recredits: computes overrides on what the sellers earn, and later changes follow",
    RECREDITING,
    "saleOf(created.placed, created.decisions, stored)",
    "saleOf(created.placed, created.decisions)",
    "rules",
  ),
  bug(
    "an override is stale where a sale is recredited while what its second seller earns changes",
    "OverrideRaces: where everybody, before the links, has a formula, while the formula of the second seller changes, the sale is recredited",
    "src/services/overrides/Following.ts",
    "const requires = [...(yield* sameOrigins(tools, customerId, changed))];",
    "const requires: Array<Requirement> = [];",
    "rules",
  ),
  bug(
    "the origin does not get its credit with the first one of an upline",
    "Recredits: is cancelled and replaced with everything that it has then",
    RECREDIT,
    "origin.credit === null ? recredited(reason, Credit.WHOLE) : recredited(reason)",
    "recredited(reason)",
    "rules",
  ),
  bug(
    "a new credit counts for the day that the time zone of now gives",
    "Recredits: keeps the day of the sale when the time zone of the workspace has changed",
    RECREDITING,
    ", timeZone: UTC }",
    ", ...(UTC === null ? {} : {}) }",
    "rules",
  ),
];
