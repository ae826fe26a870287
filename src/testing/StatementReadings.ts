/** The balances and statements of partners, as a store shows them. */
import { Effect } from "effect";
import { groupBy } from "effect/Array";
import type { CommissionEvent } from "../domain/Commission.ts";
import type { Entry } from "../domain/Event.ts";
import type { CustomerId, PartnerId } from "../domain/Ids.ts";
import type { Balance, Movement } from "../domain/Movement.ts";
import { type Listed, Storage } from "../ports/Storage.ts";

/** Commissions with their logs. */
export type LoggedCommissions = ReadonlyArray<{
  readonly row: Listed["commission"];
  readonly log: ReadonlyArray<Entry<CommissionEvent>>;
}>;

/** A statement as the store shows it, all pages together. */
export interface Reading {
  readonly currency: string;
  readonly from: number;
  readonly to: number;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly movements: ReadonlyArray<Movement>;
}

/** What the store shows of a partner's balance at some dates. */
export interface PartnerReadings {
  readonly partnerId: PartnerId;
  readonly balances: ReadonlyArray<{ readonly at: number; readonly found: ReadonlyArray<Balance> }>;
  readonly statements: ReadonlyArray<Reading>;
  /** Why the store shows none of these: its lines contradict its logs, which other invariants name. */
  readonly problem?: string;
}

/** The commissions of each partner. */
export const byPartner = (commissions: LoggedCommissions) => groupBy(commissions, ({ row }) => row.partnerId);

/** A span that begins or ends at an event in the middle of the log, by turns as logs grow. */
const spanOf = (commissions: LoggedCommissions): readonly [from: number, to: number] => {
  const moments = [...new Set(commissions.flatMap(({ log }) => log.map(({ at }) => at)))].sort(
    (a, b) => a - b,
  );
  const [first = 0] = moments;
  const middle = moments[Math.floor(moments.length / 2)] ?? first;
  return moments.length % 2 === 0 ? [first, middle + 1] : [middle, (moments.at(-1) ?? first) + 1];
};

const PAGE = 200;

const readStatement = (
  customerId: CustomerId,
  partnerId: PartnerId,
  span: Pick<Reading, "currency" | "from" | "to">,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const readPage = (after: Movement | null) =>
      storage.partnerMovements(customerId, partnerId, { ...span, after, limit: PAGE });
    const first = yield* readPage(null);
    const movements = [...first.movements];
    for (let full = movements.length === PAGE; full; ) {
      const page = yield* readPage(movements.at(-1) ?? null);
      movements.push(...page.movements);
      full = page.movements.length === PAGE;
    }
    const { opening, closing } = first.due ?? { opening: 0n, closing: -1n };
    return { ...span, opening, closing, movements } satisfies Reading;
  });

/** Reads balances and statements of every partner that has commissions. */
export const readStatements = (customerId: CustomerId, commissions: LoggedCommissions) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const found: Array<PartnerReadings> = [];
    for (const own of Object.values(byPartner(commissions))) {
      const { partnerId } = own[0].row;
      const [from, to] = spanOf(own);
      const currencies = [...new Set(own.map(({ row }) => row.currency as string))];
      const shown = Effect.all({
        balances: Effect.map(storage.partnerBalances(customerId, [partnerId], to), (found) => [
          { at: to, found },
        ]),
        statements: Effect.forEach(currencies, (currency) =>
          readStatement(customerId, partnerId, { currency, from, to }),
        ),
      });
      const reportDefect = (defect: unknown) =>
        Effect.succeed({ balances: [], statements: [], problem: String(defect) });
      found.push({ partnerId, ...(yield* Effect.catchAllDefect(shown, reportDefect)) });
    }
    return found;
  });
