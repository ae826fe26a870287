/** M17: what payments report of their fees, and of what arrived. */
import { fold } from "../../domain/Event.ts";
import { sameJson } from "../../domain/Json.ts";
import { evolve, type SettlementEvent } from "../../domain/Settlement.ts";
import { formatValue } from "../Law.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Invariant } from "./Invariant.ts";

type Log = LedgerSnapshot["settlements"][number]["log"];

const NAMES = ["fee", "received"] as const;

/** A record without what a payment reported. */
const without = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).filter(([field]) => !NAMES.some((name) => name === field)),
  ) as Fields;

/** The event that last decided whether the settlement is paid. */
const decidingEvent = (log: Log): SettlementEvent | undefined =>
  log.findLast(({ event: { type } }) =>
    ["confirm_payment", "mark_as_paid", "return_payment", "fail_payment"].includes(type),
  )?.event;

const reported: Invariant = {
  name: "M17",
  statement:
    "A settlement shows the fee and the amount received that the event of its payment reports, and is the same without them.",
  *violations({ settlements }) {
    for (const { row, log } of settlements) {
      const deciding: object = decidingEvent(log) ?? {};
      for (const name of NAMES) {
        const [shown, stated] = [row[name] ?? undefined, new Map(Object.entries(deciding)).get(name)];
        if (!sameJson(shown, stated))
          yield `settlement ${row.id}: ${name} is ${formatValue(shown)}, its payment reports ${formatValue(stated)}`;
      }
      if (!log.some(({ event }) => NAMES.some((name) => name in event))) continue;
      const bare = fold(
        evolve,
        log.map((entry) => ({ ...entry, event: without(entry.event) })),
      );
      if (!sameJson(without({ ...fold(evolve, log) }), without({ ...bare })))
        yield `settlement ${row.id}: the fee of its payment, or what arrived, changes it`;
    }
  },
};

/** Every invariant of what payments report. */
export const payments: ReadonlyArray<Invariant> = [reported];
