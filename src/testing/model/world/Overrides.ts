/** What overrides rest on in the model: the amounts of the sellers below a credit, counted from the sale each time. */
import type { Currency } from "../../../domain/Currency.ts";
import { versionAt } from "./Joins.ts";
import { readsSellers } from "./Plan.ts";
import type { Attribution, Commission, Formula, World } from "./World.ts";

type Credited = Pick<Attribution, "id" | "originId" | "partnerId" | "credit">;

const saleIdOf = ({ id, originId }: Credited): string => originId ?? id;

/** True if an attribution credits a seller of the sale of another credit, which stands above it. */
export const isSellerBelow = (seller: Credited, { credit, ...above }: Credited): boolean =>
  seller.credit?.role === "seller" &&
  credit !== null &&
  credit.role !== "seller" &&
  saleIdOf(seller) === saleIdOf({ credit, ...above }) &&
  (credit.sellers === undefined || credit.sellers.includes(seller.partnerId));

/** The sum of the stored amounts of the sellers below an attribution in a currency; null where one of them has none. */
export const sellersCommission = (
  { attributions, formulas, commissions }: World,
  above: Attribution,
  currency: Currency,
): bigint | null => {
  const sellers = attributions.filter((seller) => isSellerBelow(seller, above)).map(({ id }) => id);
  const amounts = commissions
    .filter(({ attributionId }) => sellers.includes(attributionId))
    .filter(({ formulaId }) => formulas.find(({ id }) => id === formulaId)?.currency === currency)
    .map(({ amount, failing }: Commission) => (failing === null ? amount : null));
  return amounts.reduce<bigint | null>(
    (sum, amount) => (sum === null || amount === null ? null : sum + BigInt(amount)),
    0n,
  );
};

/** True if an attribution earns under a formula from what the sellers below it earn. */
export const restsOnSellers = ({ credit, occurredAt }: Attribution, formula: Formula): boolean => {
  const plan = formula.versions[versionAt(formula, occurredAt) - 1]?.plan;
  return credit !== null && credit.role !== "seller" && plan !== undefined && readsSellers(plan);
};
