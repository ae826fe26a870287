/** M11: the tax of documents, from the settlements, their tax origins and reversals of earlier amounts. */
import { divideHalfAwayFromZero } from "../../domain/Money.ts";
import { isOpen } from "../../domain/Settlement.ts";
import type { Share, TaxOrigin } from "../../domain/Tax.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

type Listed = LedgerSnapshot["settlements"][number]["row"];

const isSelfBilled = ({ approval }: Listed): boolean => approval?.billingMode === "self_billing";

/** True if a settlement's documents count: it is approved, and has not ended without payment. */
const counts = ({ approval, status }: Listed): boolean =>
  approval !== null && (isOpen(status.type) || status.type === "paid");

const sum = (shares: Iterable<{ readonly base: number; readonly tax: number }>) => {
  let [base, tax] = [0n, 0n];
  for (const share of shares) {
    base += BigInt(share.base);
    tax += BigInt(share.tax);
  }
  return { base, tax };
};

/** The contradiction between a settlement's tax groups, shares and amounts; null when there is none. */
const contradiction = (row: Listed, { shares }: TaxOrigin): string | null => {
  const groups = sum(row.approval?.taxGroups ?? []);
  const moved = sum(shares);
  if (groups.base !== BigInt(row.total) || moved.base !== groups.base)
    return `groups of ${groups.base}, shares of ${moved.base}, a total of ${row.total}`;
  if (groups.tax !== moved.tax || moved.tax !== BigInt(row.taxAmount ?? 0))
    return `groups with tax ${groups.tax}, shares with ${moved.tax}, tax ${row.taxAmount}`;
  return row.payableAmount === row.total + (row.taxAmount ?? 0) ? null : `payable ${row.payableAmount}`;
};

/** Compares every tax origin with the shares of the settlements that count. */
function* originTotals({ settlements, origins }: LedgerSnapshot): Generator<string> {
  const own = new Map<string, TaxOrigin>(origins.map((origin) => [origin.id, origin]));
  const moves = new Map<string, Array<Share & { readonly counts: boolean }>>();
  for (const { row } of settlements) {
    const origin = own.get(row.id);
    if (!isSelfBilled(row)) {
      if (origin !== undefined) yield `settlement ${row.id} has a tax origin without self-billing`;
      continue;
    }
    if (origin === undefined) {
      yield `settlement ${row.id} has no tax origin`;
      continue;
    }
    const problem = contradiction(row, origin);
    if (problem !== null) yield `settlement ${row.id}: ${problem}`;
    for (const share of origin.shares) {
      const others = moves.get(share.originId) ?? [];
      moves.set(share.originId, [...others, { ...share, counts: counts(row) }]);
    }
  }
  for (const origin of origins) {
    const all = moves.get(origin.id) ?? [];
    const { base, tax } = sum(all.filter((share) => share.counts));
    if (BigInt(origin.base) !== base || BigInt(origin.tax) !== tax) {
      yield `origin ${origin.id}: ${origin.base} with tax ${origin.tax} stored, ${base} with ${tax} by the documents`;
    }
    const { treatment, rateBps } = origin.terms;
    const rate = treatment === "standard" ? BigInt(rateBps ?? 0) : 0n;
    const exact = divideHalfAwayFromZero(base * rate, 10_000n);
    const apart = tax > exact ? tax - exact : exact - tax;
    const cancelledCount = all.filter((share) => !share.counts).length;
    if (apart > BigInt(cancelledCount)) {
      yield `origin ${origin.id}: tax ${tax} on ${base}, ${apart} from its rate with ${cancelledCount} cancelled documents`;
    }
  }
}

/** Checks that every part belongs to a line of its settlement and to another settlement that held the commission. */
function* parts({ settlements, reversals, linesByCommission }: LedgerSnapshot): Generator<string> {
  for (const { row } of settlements) {
    for (const { commissionId, originId, amount } of reversals.get(row.id) ?? []) {
      const lines = linesByCommission.get(commissionId) ?? [];
      const isHeld = (id: string) => lines.some(({ settlement }) => settlement.id === id);
      if (amount === 0 || !isHeld(row.id) || !isHeld(originId) || originId === row.id)
        yield `settlement ${row.id}: takes ${amount} of ${commissionId} back from ${originId}`;
    }
  }
}

const taxed: Invariant = {
  name: "M11",
  statement:
    "A document's tax is the sum of its shares; an origin's base and tax are those of the documents that count, at its rate.",
  *violations(snapshot) {
    yield* originTotals(snapshot);
    yield* parts(snapshot);
  },
};

/** Every invariant of tax that a store alone can show. */
export const taxes: ReadonlyArray<Invariant> = [taxed];
