/** Compares the balances and statements that the services show with a replay of the logs in double entry. */
import { Effect } from "effect";
import type { Currency } from "../../domain/Currency.ts";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import type { StatementEntry } from "../../services/PartnerStatements.ts";
import { changesOf, dueBefore } from "../invariant/Statements.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Harness } from "./Harness.ts";
import { owner } from "./Principals.ts";

/** Partners compared at a time; each comparison reads a large part of the history. */
const PARTNERS = 1;
const PAGE = 7;
const PAGES_MAX = 20;

const readAll = (
  { services: { statements } }: Harness,
  customerId: CustomerId,
  partnerId: PartnerId,
  span: { readonly currency: Currency; readonly from: number },
) =>
  Effect.gen(function* () {
    const principal = owner(customerId);
    const first = yield* statements.statement(principal, partnerId, { ...span, limit: PAGE });
    const entries: Array<StatementEntry> = [...first.movements];
    let after = first.nextCursor;
    for (let page = 1; after !== null && page < PAGES_MAX; page++) {
      const query = { ...span, to: first.to, limit: PAGE, after };
      const next = yield* statements.statement(principal, partnerId, query);
      entries.push(...next.movements);
      after = next.nextCursor;
    }
    return { ...first, entries, isWhole: after === null };
  });

type Read = Effect.Effect.Success<ReturnType<typeof readAll>>;

function* differences(
  { partnerId, currency, from, to, openingBalance, closingBalance, entries, isWhole }: Read,
  due: (at: number) => bigint,
): Generator<string> {
  const what = `the statement of ${partnerId} in ${currency} from ${from} to ${to}`;
  if (openingBalance !== due(from)) yield `${what}: opening ${openingBalance}, by the ledger ${due(from)}`;
  if (closingBalance !== due(to)) yield `${what}: closing ${closingBalance}, by the ledger ${due(to)}`;
  let running = openingBalance;
  for (const [index, { at, amount, balance }] of entries.entries()) {
    running += amount;
    if (balance !== running) yield `${what}: balance ${balance} after ${amount}, expected ${running}`;
    // After the last movement of a moment nothing else is dated before the next one.
    if (entries[index + 1]?.at !== at && (index + 1 < entries.length || isWhole) && balance !== due(at + 1))
      yield `${what}: balance ${balance} after ${at}, by the ledger ${due(at + 1)}`;
  }
  if (isWhole && running !== closingBalance)
    yield `${what}: opening and movements give ${running}, closing is ${closingBalance}`;
}

/** How the statements of some partners differ from the ledger, until now by the clock. */
export const statementDifferences = (
  harness: Harness,
  customerId: CustomerId,
  commissions: LedgerSnapshot["commissions"],
) =>
  Effect.gen(function* () {
    const found: Array<string> = [];
    const partners = [...new Set(commissions.map(({ row }) => row.partnerId))];
    for (const partnerId of partners.slice(-PARTNERS)) {
      const own = commissions.filter(({ row }) => row.partnerId === partnerId);
      const changes = changesOf(own);
      const moments = changes.map(({ at }) => at).sort((a, b) => a - b);
      const from = moments[Math.floor(moments.length / 3)] ?? 0;
      // The clock may have been set back behind every event.
      if (from > harness.clock.now) continue;
      for (const currency of new Set(own.map(({ row }) => row.currency))) {
        const read = yield* readAll(harness, customerId, partnerId, { currency, from });
        found.push(...differences(read, (at) => dueBefore(changes, currency, at)));
      }
      const { at, balances } = yield* harness.services.statements.balance(owner(customerId), partnerId);
      for (const { currency, due } of balances)
        if (due !== dueBefore(changes, currency, at))
          found.push(`the balance of ${partnerId} in ${currency} at ${at}: ${due}`);
    }
    return found;
  });
