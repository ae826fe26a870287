/** Checks each step of a settlement against the transition table, and counts how often each row applied. */
import type { SettlementEvent, Status, StatusType } from "../../domain/Settlement.ts";
import { TRANSITIONS } from "../../domain/SettlementMachine.ts";
import type { ChangeSet } from "../../ports/Storage.ts";

/** A failed check. */
export interface Finding {
  /** The invariant (`M8`, `S1`, `L3` …), or `outcome` and `state` for a difference from the model. */
  readonly name: string;
  readonly detail: string;
}

/** The worker that makes documents, and a provider that reports payments. */
const SERVICE = /^(?:system:documents$|provider:)/;

const TERMINAL: ReadonlyArray<StatusType> = ["paid", "written_off", "cancelled"];

/**
 * The rows of payment files, which the model has not: the campaigns of banks in `test/payouts` and the rules
 * of payout accounts take them.
 */
export const ROWS_OF_FILES: ReadonlyArray<string> = ["T17a", "T28", "T31a"];

/** The row of the table for a step, or null. Rows of linked invoices and of failed payments differ by their actor. */
const findRow = (from: Status | null, event: SettlementEvent, to: Status, actor: string): string | null => {
  const resumes = from?.type === "disputed" ? from.resume : null;
  const rows = TRANSITIONS.filter(
    (row) =>
      (from === null ? row.from.length === 0 : row.from.includes(from.type)) &&
      row.events.includes(event.type) &&
      to.type === (row.to === "resume" ? resumes : row.to === "same" ? from?.type : row.to),
  ).map(({ row }) => row);
  return (rows.length > 1 ? rows[SERVICE.test(actor) ? 0 : 1] : rows[0]) ?? null;
};

/** Records the settlements of a run at every commit. */
export class Trace {
  readonly #statuses = new Map<string, Status>();
  readonly #references = new Set<string>();
  /** How often each row of the table applied. */
  readonly rows: Map<string, number>;

  constructor(rows: Map<string, number>) {
    this.rows = rows;
  }

  /** Records a commit; yields what it violates. */
  *record({ changes }: ChangeSet): Generator<Finding> {
    for (const change of changes) {
      if (change.type !== "save" || change.kind !== "settlement") continue;
      const { row, entries } = change;
      const from = this.#statuses.get(row.id) ?? null;
      this.#statuses.set(row.id, row.status);
      const [entry] = entries;
      if (entry === undefined || entries.length > 1) {
        yield { name: "S1", detail: `settlement ${row.id}: ${entries.length} events in one command` };
        continue;
      }
      yield* this.#step(row.id, from, entry.event, row.status, entry.actor);
    }
  }

  *#step(
    id: string,
    from: Status | null,
    event: SettlementEvent,
    to: Status,
    actor: string,
  ): Generator<Finding> {
    const step = `settlement ${id}: ${from?.type ?? "nothing"} —${event.type}→ ${to.type}`;
    if (event.type === "payment_anomaly" || event.type === "fail_document") {
      if (from?.type !== to.type)
        yield { name: "S1", detail: `${step}: the event must not change the status` };
      return;
    }
    const row = findRow(from, event, to, actor);
    if (row === null) yield { name: "S1", detail: `${step} is no row of the table` };
    else this.rows.set(row, (this.rows.get(row) ?? 0) + 1);
    if (from !== null && TERMINAL.includes(from.type) && from.type !== to.type) {
      const returned = event.type === "return_payment" && from.type === "paid" && from.method === "webhook";
      if (!returned) yield { name: "S4", detail: `${step} leaves a terminal state` };
    }
    if (event.type === "initiate_payment") {
      if (this.#references.has(event.payment_reference)) {
        yield { name: "M10", detail: `${step}: the payment reference was used before` };
      }
      this.#references.add(event.payment_reference);
    }
  }
}
