/** Planted bugs of overrides on what sellers earn. */
import { type Bug, bug } from "./Bug.ts";

const OVERRIDE = "src/domain/Override.ts";
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
    "readSellers(storage, customerId, attributions, changed)",
    "readSellers(storage, customerId, attributions)",
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
    "...[...sellers.keys()].map(",
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
    "src/services/settlements/Computation.ts",
    "const stale = [...own, ...ofOthers]",
    "const stale = [...own]",
    "rules",
  ),
];
