/** Lists of settlements: the payments that are overdue, and settlements with more lines than fit into memory. */
import { Clock, Effect, type Stream } from "effect";
import { NOBODY } from "../../domain/Event.ts";
import { isOverdue, overdueBefore } from "../../domain/PaymentFile.ts";
import type { Principal } from "../../domain/Principal.ts";
import type * as Settlement from "../../domain/Settlement.ts";
import type { Policy } from "../../domain/SettlementMachine.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import type { Listed, Records, Settling, StorageError } from "../../ports/Storage.ts";
import type { Failure } from "../commands/Access.ts";
import { type ListInput, type Listing, listOf } from "../commands/Listing.ts";
import { type WithFileStatus, withFileStatuses } from "./FileStatuses.ts";

/** A settlement as a list shows it. */
export type ListedSettlement = Listed["settlement"] &
  WithFileStatus & {
    /** When the file of its payment was handed over to the bank; null before, and for a payment by no file. */
    readonly paymentHandedOverAt: Timestamp | null;
    /** True if the bank should have booked that payment: the policy's business days after its execution have passed. */
    readonly paymentOverdue: boolean;
  };

/** A settlement as a list shows it; many lines are a stream, read as it is consumed. */
export type ListedInParts = Omit<ListedSettlement, "lines"> & {
  /** In the order they were given at creation. They never change, so however late they are read they are the page's. */
  readonly lines: ReadonlyArray<Settlement.Line> | Stream.Stream<Settlement.Line, StorageError>;
};

/** Lines of one settlement that a page holds; more are a stream. */
const LINES_HELD_MAX = 100;

const lineCountOf = ({ events }: ListedSettlement): number => {
  const created = events[0]?.event;
  return created?.type === "create_settlement" ? created.line_count : 0;
};

/** Which settlements, and which page of them; `createdTo` is after `createdFrom`. */
export type ListSettlements = ListInput<"settlement">;

/** What lists are read from. */
interface Source {
  readonly storage: Records & Settling;
  readonly policy: Pick<Policy, "paymentOverdueDays">;
}

/** An entry of the log as a principal sees it: a partner learns which side acts, and neither which person nor by which credential. */
const entryFor =
  ({ kind }: Principal) =>
  (entry: ListedSettlement["events"][number]): ListedSettlement["events"][number] => {
    if (kind !== "partner") return entry;
    const { person: _, ...unsigned } = entry;
    const { event } = entry;
    if (event.type !== "comment_settlement") return { ...unsigned, actor: NOBODY };
    const { person: __, ...said } = event;
    return { ...unsigned, actor: NOBODY, event: said };
  };

const listWith = (
  { storage, policy }: Source,
  principal: Principal,
  { paymentOverdue, ...input }: ListSettlements,
  shown?: { readonly linesMax: number },
): Effect.Effect<Listing<ListedSettlement>, Failure> =>
  Effect.gen(function* () {
    const before = overdueBefore(yield* Clock.currentTimeMillis, policy.paymentOverdueDays);
    const where =
      paymentOverdue === undefined
        ? input
        : { ...input, paymentOverdue: { before, matches: paymentOverdue } };
    const listing = yield* listOf(storage, principal, "settlement", { ...where, linesMax: shown?.linesMax });
    const rows = yield* withFileStatuses(storage, listing.items);
    const items = rows.map((row) => ({
      ...row,
      events: row.events.map(entryFor(principal)),
      paymentHandedOverAt: row.handedOver?.at ?? null,
      paymentOverdue: isOverdue(row, before),
    }));
    return { ...listing, items };
  });

/** One page of the settlements that a principal sees. */
export const list = (
  source: Source,
  principal: Principal,
  input: ListSettlements,
): Effect.Effect<Listing<ListedSettlement>, Failure> => listWith(source, principal, input);

/** The same page with at most 100 lines of each settlement in memory. */
export const listInParts = (
  source: Source,
  principal: Principal,
  input: ListSettlements,
): Effect.Effect<Listing<ListedInParts>, Failure> =>
  Effect.map(listWith(source, principal, input, { linesMax: LINES_HELD_MAX }), (listing) => ({
    ...listing,
    items: listing.items.map((row) =>
      row.lines.length === lineCountOf(row)
        ? row
        : { ...row, lines: source.storage.settlementLines(row.customerId, row.id) },
    ),
  }));
