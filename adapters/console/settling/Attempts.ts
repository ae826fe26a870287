/** The attempts to pay a settlement, read from its log. */
import type { Settlement } from "../api/Records.ts";
import { DAY } from "../format/Dates.ts";

/** How an attempt has ended. */
export interface End {
  readonly type: "paid" | "failed" | "returned";
  readonly at: string;
  /** Null for one that was paid. */
  readonly reason: string | null;
}

/** One attempt, under a reference of its own. */
export interface Attempt {
  /** From 1. */
  readonly number: number;
  readonly reference: string;
  readonly at: string;
  /** Null while it is under way; an attempt that was returned had been paid before. */
  readonly end: End | null;
}

const ENDS = { fail_payment: "failed", return_payment: "returned", confirm_payment: "paid" } as const;

/** The attempts of a settlement, the first first. A payment that a person has confirmed ends the attempt under way. */
export const attemptsOf = ({ events }: Pick<Settlement, "events">): ReadonlyArray<Attempt> => {
  const attempts: Array<Attempt> = [];
  const finish = (reference: string | null, end: End): void => {
    const at = attempts.findLastIndex((one) => reference === null || one.reference === reference);
    const attempt = attempts[at];
    if (attempt !== undefined) attempts[at] = { ...attempt, end };
  };
  for (const { event, datetime } of events) {
    switch (event.type) {
      case "initiate_payment":
        attempts.push({
          ...{ number: event.attempt, reference: event.payment_reference, at: datetime, end: null },
        });
        break;
      case "fail_payment":
      case "return_payment":
        finish(event.payment_reference, { type: ENDS[event.type], at: datetime, reason: event.reason });
        break;
      case "confirm_payment":
        finish(event.payment_reference, { type: ENDS[event.type], at: datetime, reason: null });
        break;
      case "mark_as_paid":
        finish(null, { type: "paid", at: datetime, reason: null });
        break;
    }
  }
  return attempts;
};

/** The attempt that has failed or come back last; null if the settlement no longer waits to be paid because of it. */
export const failedAttempt = (settlement: Settlement): (Attempt & { readonly end: End }) | null => {
  const last = attemptsOf(settlement).at(-1);
  return settlement.status.type === "awaiting_payment" && last?.end != null
    ? { ...last, end: last.end }
    : null;
};

/** A report that did not fit the state of its settlement. */
export interface Stray {
  readonly kind: "confirmed" | "failed" | "returned";
  readonly reference: string;
  readonly at: string;
}

/** The whole days from a moment until now. */
export const daysSince = (at: string, now: number): number => Math.floor((now - Date.parse(at)) / DAY);

/** For so many days a report that did not fit is shown, unless the payment is found in the bank account before. */
export const STRAY_DAYS = 30;

/** The last report that did not fit and still needs somebody; null without one. */
export const strayReport = ({ events, reconciliationStatus }: Settlement, now: number): Stray | null => {
  if (reconciliationStatus === "reconciled") return null;
  const last = events.findLast(({ event }) => event.type === "payment_anomaly");
  return last?.event.type === "payment_anomaly" && daysSince(last.datetime, now) < STRAY_DAYS
    ? { kind: last.event.kind, reference: last.event.payment_reference, at: last.datetime }
    : null;
};
