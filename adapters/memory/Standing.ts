/** What the paid lines of a settlement's commissions have left standing, origin by origin. */
import type { Ids, Tax } from "quittance";
import type { Partition } from "./Store.ts";

/** The lines of a paid settlement by commission: how much is new, and what it takes back. */
interface Paid {
  readonly amounts: ReadonlyMap<string, number>;
  readonly takenBack: ReadonlyMap<string, ReadonlyArray<Tax.TakenBack>>;
}

const read = ({ lines, takenBack }: Partition, settlementId: string): Paid => {
  const parts = new Map<string, Array<Tax.TakenBack>>();
  for (const part of takenBack.get(settlementId) ?? []) {
    const others = parts.get(part.commissionId);
    if (others === undefined) parts.set(part.commissionId, [part]);
    else others.push(part);
  }
  const amounts = (lines.get(settlementId) ?? []).map(
    ({ commissionId, amount }) => [commissionId, amount] as const,
  );
  return { amounts: new Map(amounts), takenBack: parts };
};

/** The lines of the settlement whose commissions have something standing; see the port. */
export const standing = (partition: Partition, settlementId: string): ReadonlyArray<Tax.StandingLine> => {
  const { rows, settlements, lines } = partition;
  const known = new Map<string, Paid>();
  const paid = (id: string): Paid => {
    const found = known.get(id) ?? read(partition, id);
    known.set(id, found);
    return found;
  };
  const createdAt = (id: string): number => rows.settlement.get(id)?.createdAt ?? 0;
  const latestFirst = (one: Tax.StandingPart, other: Tax.StandingPart): number =>
    createdAt(other.originId) - createdAt(one.originId) || (one.originId < other.originId ? 1 : -1);
  return (lines.get(settlementId) ?? []).flatMap(({ commissionId, amount }) => {
    const sums = new Map<Ids.SettlementId, number>();
    const add = (id: Ids.SettlementId, part: number) => sums.set(id, (sums.get(id) ?? 0) + part);
    for (const id of settlements.get(commissionId) ?? []) {
      if (id === settlementId || rows.settlement.get(id)?.status.type !== "paid") continue;
      const { amounts, takenBack } = paid(id);
      add(id, amounts.get(commissionId) ?? 0);
      for (const part of takenBack.get(commissionId) ?? []) {
        add(id, -part.amount);
        add(part.originId, part.amount);
      }
    }
    const left = [...sums].flatMap(([originId, part]) => (part === 0 ? [] : [{ originId, amount: part }]));
    return left.length === 0 ? [] : [{ commissionId, amount, standing: left.toSorted(latestFirst) }];
  });
};
