/** Planted bugs of credits that uplines get. */
import { type Bug, bug } from "./Bug.ts";

const UPLINE = "src/domain/Upline.ts";
const CREATION = "src/services/attributions/AttributionCreation.ts";
const READS = "src/services/attributions/CreationReads.ts";
const ORDERED = "src/services/accumulation/OrderedCreation.ts";
const CHAIN =
  "Uplines: has a credit for each partner of the chain, who earns by its own formulas for the role";
const TOGETHER = "Uplines: are decided one after the other, also where it is the first link of the workspace";
const SHARES = "Uplines: gives an upline the exact sum of the shares of the sellers below it, at each depth";
const REPEATED =
  "Uplines: is repeated by its reference with the credits that were given, whatever the links are now";
const TOTALS = "Uplines: adds to the totals of its uplines, whose orders decide its moment";

/** Every planted bug of this file. */
export const uplineBugs: ReadonlyArray<Bug> = [
  bug(
    "a sale does not require the version of the links",
    TOGETHER,
    CREATION,
    "      zone.sameLinks,\n",
    "",
    "rules",
  ),
  bug(
    "the version of the links is not read again after a conflict",
    TOGETHER,
    READS,
    'new Set(["workspace", "linkSet"])',
    'new Set(["workspace"])',
    "rules",
  ),
  bug(
    "a sale has the uplines of now",
    "Uplines: follows the links of the moment for which it counts",
    "src/services/attributions/SaleCredits.ts",
    "Upline.creditsAbove(uplines, given, Attribution.occurredAtOf(dated, moment))",
    "Upline.creditsAbove(uplines, given, moment)",
    "rules",
  ),
  bug(
    "a stored sale does not compare the version of the links",
    "the links of a workspace, of a creation",
    "adapters/sql/groupCommit/createAttributions.ts",
    '["link_sets", "link_set_versions"]',
    '["workspaces", "workspace_versions"]',
    "postgres",
  ),
  bug("the depth of an upline is one too small", CHAIN, UPLINE, "index + 1", "index", "rules"),
  bug(
    "the share of an upline is that of one seller",
    SHARES,
    UPLINE,
    "Rational.add(numberOf(share), numberOf(seller.share))",
    "numberOf(seller.share)",
    "rules",
  ),
  bug(
    "every seller stands below an upline",
    SHARES,
    UPLINE,
    "sellers.length === sellersGiven.length ? credit",
    "sellers.length > 0 ? credit",
    "rules",
  ),
  bug(
    "a role that is given has uplines too",
    "Uplines: has no credit for a role that is given, and none for the uplines of other roles",
    UPLINE,
    "rolesGiven.has(role) || ",
    "",
    "rules",
  ),
  bug(
    "a repetition compares the credits of uplines",
    REPEATED,
    "src/domain/Credit.ts",
    "credits.filter(({ depth }) => depth === 0)",
    "credits.filter(({ depth }) => depth >= 0)",
    "rules",
  ),
  bug(
    "uplines are those before the moment that their orders decide",
    TOTALS,
    ORDERED,
    "Either.right({ checked, credits, moment }) : from(latest);",
    "Either.right({ checked, credits, moment }) : Either.right({ checked, credits, moment: latest });",
    "rules",
  ),
  bug(
    "the orders of uplines are not taken",
    TOTALS,
    ORDERED,
    "for (const partnerId of uplinesAbove(creation, one))",
    "for (const partnerId of uplinesAbove(creation, one).slice(1))",
    "rules",
  ),
  bug(
    "the uplines of a batch are not limited",
    "Uplines: has at most 100 credits",
    "src/services/Attributions.ts",
    "if (count > BATCH_CREDITS_MAX)",
    "if (count > 2 * BATCH_CREDITS_MAX)",
    "rules",
  ),
  bug(
    "a manager lists the sales of another team",
    "TeamLists: lists its own credits and commissions, whatever sale or partner of another team it names",
    "src/services/commands/Listing.ts",
    'return restrict(principal, requested, "partnerIds" in FILTERS[kind]);',
    'return restrict(principal, requested, "partnerIds" in FILTERS[kind] && !("originIds" in requested));',
    "rules",
  ),
  bug(
    "statistics of a manager count another team",
    "TeamLists: counts and sums nothing of another team",
    "src/services/commands/Statistics.ts",
    "where: restrict(principal, filters),",
    "where: filters,",
    "rules",
  ),
  bug(
    "a sale of a workspace without links reads links",
    "Uplines: costs sales nothing in workspaces without links: no statement, and no byte",
    "src/services/attributions/CreationReads.ts",
    "sameLinks.version > 0",
    "sameLinks.version >= 0",
    "rules",
  ),
];
