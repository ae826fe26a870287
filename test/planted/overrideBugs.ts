/** Planted bugs of overrides on what sellers earn. */
import { type Bug, bug } from "./Bug.ts";

const OVERRIDE = "src/domain/Override.ts";
const COMPUTATION = "src/services/settlements/Computation.ts";
const FOLLOWS = "Overrides: follows every change of a seller's formula, and of its own";

/** Every planted bug of this file. */
export const overrideBugs: ReadonlyArray<Bug> = [
  bug(
    "an override stays as it was after the formula of a seller changed",
    FOLLOWS,
    "src/services/overrides/Revising.ts",
    "followSellers(tools, execution, customerId, collector.sellers)",
    "followSellers(tools, execution, customerId, [])",
    "rules",
  ),
  bug(
    "an override rests on what was stored before the commit",
    FOLLOWS,
    "src/services/overrides/Following.ts",
    "amounts.sellersAfter(changed)",
    "amounts.sellersAfter([])",
    "rules",
  ),
  bug(
    "an override does not require the versions of the sellers' commissions",
    "OverrideRaces: where everybody has a formula, while the formula of the seller rises, the formula of the second seller rises",
    "src/services/overrides/SellersAmounts.ts",
    "...stored.map(",
    "...[].map(",
    "rules",
  ),
  bug(
    "an override does not require the number of the sellers' commissions",
    "OverrideRaces: where the manager has a formula, while the first seller gets a formula, the second seller gets a formula",
    "src/services/overrides/SellersAmounts.ts",
    "...sellers.map(",
    "...[].map(",
    "rules",
  ),
  bug(
    "an override counts what is due to the sellers",
    "Overrides: counts amounts that are settled like others",
    OVERRIDE,
    "sum += BigInt(commission.computedAmount);",
    'sum += BigInt(commission.computedAmount - (Reflect.get(commission, "paidAmount") ?? 0));',
    "rules",
  ),
  bug(
    "an override counts amounts of other currencies",
    "Overrides: counts the amounts in the currency of its formula alone",
    OVERRIDE,
    "commission.currency !== currency || ",
    "",
    "rules",
  ),
  bug(
    "an override counts sellers that are not below",
    "Overrides: counts the sellers below its credit alone",
    OVERRIDE,
    " || !isAbove(creditOf(attribution), commission.partnerId)) continue;",
    ") continue;",
    "rules",
  ),
  bug(
    "an override ignores that the amount of a seller is not computed",
    "Overrides: has no amount while that of a seller cannot be computed, and cannot be settled",
    OVERRIDE,
    "return Either.left(SELLER_NOT_COMPUTED);",
    "continue;",
    "rules",
  ),
  bug(
    "the share of a credit multiplies an override",
    "Overrides: is computed from the amounts of the sellers, without the share of its own credit",
    "src/formula/Credit.ts",
    '["credit_share", "sellers_commission"]',
    '["credit_share"]',
    "rules",
  ),
  bug(
    "a settlement pays overrides on amounts that are not up to date",
    "Overrides: brings the sellers' amounts up to date first, and all overrides with them",
    COMPUTATION,
    "stale: changed.map(({ pair }) => pair),",
    "stale: [],",
    "rules",
  ),
  bug(
    "the preview of a settlement shows overrides on amounts that are not up to date",
    "OverrideSettlements: rest on the sellers' amounts of now",
    COMPUTATION,
    "sellers: read.sellersAfter(changed.flatMap(({ change }) => change ?? [])),",
    "sellers: read.sellersAfter([]),",
    "rules",
  ),
  bug(
    "a settlement of overrides leaves out commissions of sellers that are not stored yet",
    "OverrideSettlements: count commissions of sellers that their formulas have not created yet",
    COMPUTATION,
    "return commission !== null || Commission.isEarned(attribution, formula)",
    "return commission !== null",
    "rules",
  ),
  bug(
    "an override that accumulates is settled as it is stored, whatever the sellers earn now",
    "OverrideSettlements: rest on amounts of now also where the override accumulates",
    COMPUTATION,
    "outdated: [...outdated, ...notCurrent]",
    "outdated",
    "rules",
  ),
  bug(
    "the terms of an override on a document are those of no commission of sellers",
    "OverrideDocuments: states its terms, as a percentage of what the sellers earn",
    "src/services/documents/DetailedLines.ts",
    "({ ...own, sellersCommission })",
    "({ ...own, sellersCommission: sellersCommission * 0n })",
    "rules",
  ),
];
