/** M12 and M15: running totals, the amounts that build on them, and overrides on what sellers earn, are those of a recount. */
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

function* compareAmounts(
  { accumulated, commissions, formulas }: LedgerSnapshot,
  ofOverrides: boolean,
): Generator<string> {
  const settled = new Set<string>(formulas.flatMap(({ row }) => (row.recomputing ? [] : [row.id])));
  for (const { row } of commissions) {
    if (!settled.has(row.formulaId)) continue;
    const recount = accumulated.recounts.get(row.formulaId);
    const due = recount?.readsSellers === ofOverrides ? recount.amounts.get(row.attributionId) : undefined;
    if (due === undefined) continue;
    if (row.computationError?.code === "SELLER_NOT_COMPUTED" && due !== null)
      yield `commission ${row.id} waits for a seller, and by a recount it is ${due}`;
    if (row.computationError === null && row.computedAmount !== due)
      yield `commission ${row.id} is ${row.computedAmount}, by a recount ${due}`;
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
      yield* compareAmounts(snapshot, false);
    },
  },
  {
    name: "M15",
    statement:
      "An override is the amount that its formula gives for the stored amounts of the sellers below it, or has an error where one of them has; unless a recomputation of its own formula is pending.",
    violations: (snapshot) => compareAmounts(snapshot, true),
  },
];
