/** M12: running totals, and the amounts that build on them, are those of a recount. */
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

function* compareTotals({ accumulated }: LedgerSnapshot): Generator<string> {
  const stored = new Map(accumulated.totals.map((total) => [total.id, total]));
  for (const { formulas } of accumulated.orders) {
    for (const { formulaId, recomputationId, building } of formulas) {
      if (building) continue;
      for (const [id, { key, total }] of accumulated.recounts.get(formulaId)?.totals ?? []) {
        const found = stored.get(id);
        const isKept = found !== undefined && found.recomputationId === recomputationId;
        const kept = isKept ? `${found.rows} rows, ${found.numerator}` : `0 rows`;
        const due = isKept || total.rows > 0 ? `${total.rows} rows, ${total.numerator}` : "0 rows";
        if (kept !== due) yield `running total ${JSON.stringify(key)}: ${kept}, by a recount ${due}`;
      }
    }
  }
}

function* compareAmounts({ accumulated, commissions, formulas }: LedgerSnapshot): Generator<string> {
  const settled = new Set<string>(formulas.flatMap(({ row }) => (row.recomputing ? [] : [row.id])));
  for (const { row } of commissions) {
    if (!settled.has(row.formulaId)) continue;
    const due = accumulated.recounts.get(row.formulaId)?.amounts.get(row.attributionId);
    if (due === undefined || row.computationError !== null) continue;
    if (row.computedAmount !== due)
      yield `commission ${row.id} is ${row.computedAmount}, by a recount of what came before ${due}`;
  }
}

/** Every invariant of plans that accumulate. */
export const totals: ReadonlyArray<Invariant> = [
  {
    name: "M12",
    statement:
      "A running total is the recount of the confirmed attributions of its window and group, and an amount the one that the attributions before it give, unless a recomputation is pending.",
    *violations(snapshot) {
      yield* compareTotals(snapshot);
      yield* compareAmounts(snapshot);
    },
  },
];
