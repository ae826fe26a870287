/**
 * Movements: the events of a partner's commissions that change what is due to the partner, as a statement lists them. All
 * lines of a settlement change together, so that their events of one moment are one movement.
 */
import type { Cause, CommissionEvent } from "./Commission.ts";
import type { Stated } from "./Receipt.ts";
import type { SettledElsewhere } from "./SettledElsewhere.ts";

/**
 * What a movement is: an amount that was computed, one that changed, a receipt of its buyer, an amount that was settled elsewhere,
 * or the end of a settlement.
 */
export type MovementType =
  | "earned"
  | "adjusted"
  | "received"
  | "settled_elsewhere"
  | "paid"
  | "written_off"
  | "payment_returned";

/** The types of movements about one commission; the others are about a settlement. */
export type CommissionMovementType = Exclude<MovementType, "paid" | "written_off" | "payment_returned">;

/** The place of a movement in the order of statements: by date, then record, then sequence. */
export interface Position {
  /** The datetime of its events. */
  readonly at: number;
  /** The commission, or the settlement. */
  readonly recordId: string;
  /** The highest sequence number of its events in the logs of their commissions. */
  readonly sequence: number;
}

/** A movement. The amounts may exceed what one amount can hold: a change from one end of the range to the other. */
export interface Movement extends Position {
  readonly type: MovementType;
  /** The change of what is earned (A). */
  readonly earned: bigint;
  /** The change of what is settled (S): paid, or covered by a write-off. */
  readonly settled: bigint;
  /** The change of what waits for the buyer (A − T). */
  readonly waiting: bigint;
  /** Why the amount changed; null unless the type is `adjusted`. */
  readonly cause: Cause | null;
  /** What the buyer had paid, of how much; null unless the type is `received`. */
  readonly receipt: Stated | null;
  /** When it was settled; null unless the type is `settled_elsewhere`. */
  readonly settledElsewhere: SettledElsewhere | null;
}

/** The amount of a movement: the change of what is due (D). */
export const amountOf = ({
  earned,
  settled,
  waiting,
}: Pick<Movement, "earned" | "settled" | "waiting">): bigint => earned - settled - waiting;

/** The sums of one currency at a date, in its smallest unit, net of tax; `earned` is always `settled` plus what is due or waits. */
export interface Balance {
  readonly currency: string;
  readonly earned: bigint;
  readonly settled: bigint;
  /** The part of what is settled that was settled elsewhere. */
  readonly elsewhere: bigint;
  /** What waits for buyers; it is not due. */
  readonly waiting: bigint;
  /** The sum of the lines in open settlements; they are still due. */
  readonly pending: bigint;
}

/** The order of movements: negative when the first one is earlier. */
export const compare = (a: Position, b: Position): number =>
  a.at - b.at || (a.recordId < b.recordId ? -1 : a.recordId > b.recordId ? 1 : a.sequence - b.sequence);

/** True if a movement is about one commission. */
export const isOfCommission = (type: MovementType): type is CommissionMovementType =>
  type !== "paid" && type !== "written_off" && type !== "payment_returned";

/** The type of an event's movement; null for events that change nothing of what is due. */
export const typeOf = (event: CommissionEvent): MovementType | null => {
  switch (event.type) {
    case "create_commission":
      return "earned";
    case "update_commission":
      return "adjusted";
    case "update_received":
      return "received";
    case "settle_elsewhere":
      return "settled_elsewhere";
    case "settle_commission":
      return event.kind;
    case "reopen_commission":
      return "payment_returned";
    case "fail_commission_computation":
    case "reserve_commission":
    case "release_commission":
      return null;
  }
};

/** The change of what is pending (R) by an event. */
export const pendingChange = (event: CommissionEvent): number => {
  switch (event.type) {
    case "reserve_commission":
    case "reopen_commission":
      return event.amount;
    case "release_commission":
    case "settle_commission":
      return -event.amount;
    default:
      return 0;
  }
};
