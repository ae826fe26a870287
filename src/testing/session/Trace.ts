/** Checks each step of a settlement against the transition table, and counts how often each row applied. */

import { BY_PERSON } from "../../domain/PaymentFile.ts";
import { evolve, isOpen, type SettlementEvent, type Status, type View } from "../../domain/Settlement.ts";
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

/** What one booking of a bank may do to a settlement in one command. */
const OF_ONE_BOOKING: ReadonlyArray<string> = [
  "confirm_payment, reconcile_settlement",
  "unreconcile_settlement, return_payment",
];

/** The row of the table for a step, or null. Rows of linked invoices and of failed payments differ by their actor. */
const findRow = (
  from: Status | null,
  event: SettlementEvent,
  to: Status,
  isByService: boolean,
): string | null => {
  const resumes = from?.type === "disputed" ? from.resume : null;
  const rows = TRANSITIONS.filter(
    (row) =>
      (from === null ? row.from.length === 0 : row.from.includes(from.type)) &&
      row.events.includes(event.type) &&
      to.type === (row.to === "resume" ? resumes : row.to === "same" ? from?.type : row.to),
  ).map(({ row }) => row);
  return (rows.length > 1 ? rows[isByService ? 0 : 1] : rows[0]) ?? null;
};

/** Records the settlements of a run at every commit. */
export class Trace {
  readonly #views = new Map<string, View>();
  readonly #references = new Set<string>();
  /** How often each row of the table applied. */
  readonly rows: Map<string, number>;

  constructor(rows: Map<string, number>) {
    this.rows = rows;
  }

  /** Records a commit; yields what it violates. */
  *record({ changes }: ChangeSet): Generator<Finding> {
    // A person fails a payment by its settlement; banks, and whoever gives a file up, by its reference.
    const isPersonal = changes.some(
      (change) =>
        change.type === "save" &&
        change.kind === "bankPayment" &&
        change.row.bookings.some(({ entry }) => entry === BY_PERSON),
    );
    for (const change of changes) {
      if (change.type !== "save" || change.kind !== "settlement") continue;
      const { row, entries } = change;
      const types = entries.map(({ event }) => event.type).join(", ");
      if (entries.length === 0 || (entries.length > 1 && !OF_ONE_BOOKING.includes(types)))
        yield { name: "S1", detail: `settlement ${row.id}: ${entries.length} events in one command` };
      let view = this.#views.get(row.id) ?? null;
      for (const [index, entry] of entries.entries()) {
        const after: View = index === entries.length - 1 ? row : evolve(view, entry);
        const { event, actor } = entry;
        const isByService = event.type === "fail_payment" ? !isPersonal : SERVICE.test(actor);
        const step = { from: view?.status ?? null, event, to: after.status };
        yield* this.#step(row.id, step, isByService);
        view = after;
      }
      this.#views.set(row.id, row);
    }
  }

  *#step(
    id: string,
    {
      from,
      event,
      to,
    }: { readonly from: Status | null; readonly event: SettlementEvent; readonly to: Status },
    isByService: boolean,
  ): Generator<Finding> {
    const step = `settlement ${id}: ${from?.type ?? "nothing"} —${event.type}→ ${to.type}`;
    if (event.type === "payment_anomaly" || event.type === "fail_document") {
      if (from?.type !== to.type)
        yield { name: "S1", detail: `${step}: the event must not change the status` };
      return;
    }
    const row = findRow(from, event, to, isByService);
    if (row === null) yield { name: "S1", detail: `${step} is no row of the table` };
    else this.rows.set(row, (this.rows.get(row) ?? 0) + 1);
    if (from !== null && !isOpen(from.type) && from.type !== to.type) {
      const returned =
        event.type === "return_payment" && from.type === "paid" && from.method !== "nothing_due";
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
