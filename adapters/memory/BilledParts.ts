/** The amounts of a settlement's commissions that paid settlements billed and that are not reversed. */
import type { Ids, Tax } from "quittance";
import type { Partition } from "./Store.ts";

/** The lines of a paid settlement by commission: amounts and reversals. */
interface PaidLines {
  readonly amounts: ReadonlyMap<string, number>;
  readonly reversals: ReadonlyMap<string, ReadonlyArray<Tax.Reversal>>;
}

const readPaidLines = ({ lines, reversals }: Partition, settlementId: string): PaidLines => {
  const parts = new Map<string, Array<Tax.Reversal>>();
  for (const part of reversals.get(settlementId) ?? []) {
    const others = parts.get(part.commissionId);
    if (others === undefined) parts.set(part.commissionId, [part]);
    else others.push(part);
  }
  const amounts = (lines.get(settlementId) ?? []).map(
    ({ commissionId, amount }) => [commissionId, amount] as const,
  );
  return { amounts: new Map(amounts), reversals: parts };
};

/** The lines of the settlement whose commissions have billed amounts that are not reversed; see the port. */
export const linesWithBilledParts = (
  partition: Partition,
  settlementId: string,
): ReadonlyArray<Tax.LineWithBilledParts> => {
  const { rows, settlements, lines } = partition;
  const cache = new Map<string, PaidLines>();
  const paidLines = (id: string): PaidLines => {
    const found = cache.get(id) ?? readPaidLines(partition, id);
    cache.set(id, found);
    return found;
  };
  const createdAt = (id: string): number => rows.settlement.get(id)?.createdAt ?? 0;
  const latestFirst = (a: Tax.BilledPart, b: Tax.BilledPart): number =>
    createdAt(b.originId) - createdAt(a.originId) || (a.originId < b.originId ? 1 : -1);
  return (lines.get(settlementId) ?? []).flatMap(({ commissionId, amount }) => {
    const sums = new Map<Ids.SettlementId, number>();
    const add = (id: Ids.SettlementId, part: number) => sums.set(id, (sums.get(id) ?? 0) + part);
    for (const id of settlements.get(commissionId) ?? []) {
      if (id === settlementId || rows.settlement.get(id)?.status.type !== "paid") continue;
      const { amounts, reversals } = paidLines(id);
      add(id, amounts.get(commissionId) ?? 0);
      for (const part of reversals.get(commissionId) ?? []) {
        add(id, -part.amount);
        add(part.originId, part.amount);
      }
    }
    const unreversed = [...sums].flatMap(([originId, part]) =>
      part === 0 ? [] : [{ originId, amount: part }],
    );
    return unreversed.length === 0
      ? []
      : [{ commissionId, amount, billed: unreversed.toSorted(latestFirst) }];
  });
};
