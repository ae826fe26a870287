/** What the sellers of sales earn, read from the rows, for formulas whose amounts rest on it. */
import { Effect } from "effect";
import { Attribution, type Commission, Credit, Override, type Storage } from "quittance";
import { record } from "../../sql/records/RowMapping.ts";
import type { Reader } from "../Snapshot.ts";

const earnings = (condition: string): string => `
select ${record("attribution", "t")} as attribution, ${record("commission", "c")} as commission
from quittance.attributions t
join quittance.commissions c on c.customer_id = $1::uuid and c.attribution_id = t.id
where t.customer_id = $1::uuid and t.credit is not null and ${condition} = any ($2::uuid[])`;

const SELLERS = `${earnings("t.id")}
union all
${earnings("t.origin_id")}`;

interface Row {
  readonly attribution: Attribution.Attribution;
  readonly commission: Commission.Commission;
}

/** What the sellers below an attribution earn in a currency; null where an amount is missing. */
export type Sellers = (above: Attribution.Attribution, currency: string) => bigint | null;

/** Reads what the sellers of the sales of some attributions earn. */
export const readSellers = (
  reader: Reader,
  attributions: ReadonlyArray<Attribution.Attribution>,
): Effect.Effect<Sellers, Storage.StorageError> => {
  const sales = new Set(attributions.map(Attribution.saleIdOf));
  return Effect.map(reader.rows<Row>(SELLERS, `{${[...sales].join(",")}}`), (rows) => (above, currency) => {
    let sum = 0n;
    for (const { attribution, commission } of rows) {
      if (!Override.isBelowOthers(attribution) || commission.currency !== currency) continue;
      if (Attribution.saleIdOf(attribution) !== Attribution.saleIdOf(above)) continue;
      if (above.credit === null || !Credit.isAbove(above.credit, attribution.partnerId)) continue;
      if (commission.computedAmount === null || commission.computationError !== null) return null;
      sum += BigInt(commission.computedAmount);
    }
    return sum;
  });
};
