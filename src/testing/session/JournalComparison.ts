/** Compares the journal with the state that the events led to: it is derived from each event, the state is their fold. */
import { Effect } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import { ACCOUNTS, type Account } from "../../domain/Journal.ts";
import * as Ledger from "../../domain/Ledger.ts";
import { ACCOUNT_OF, AGES, type Age } from "../../domain/Payables.ts";
import type { JournalEntry } from "../../services/Journals.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import type { Harness } from "./Harness.ts";
import { postingDifferences, reverseChargeTax } from "./PostingComparison.ts";
import { owner } from "./Principals.ts";
import { statementDifferences } from "./StatementComparison.ts";

/** Partners compared at a time; each comparison reads a whole history, and so only one of so many is made. */
const PARTNERS = 1;
const SELDOM = 16;
/** As seldom where posting rules apply. */
const SELDOM_WITH_RULES = 3;
const PAGE = 12;
const PAGES_MAX = 12;

type Records = Pick<LedgerSnapshot, "commissions" | "settlements" | "formulas" | "controls">;

type Sums = { [Name in Account]?: bigint };

const add = (sums: Sums, account: Account, amount: bigint): void => {
  sums[account] = (sums[account] ?? 0n) + amount;
};

/** All entries of a partner, in two periods; null where they are too many. */
const readAll = (harness: Harness, customerId: CustomerId, partnerId: PartnerId, middle: number) =>
  Effect.gen(function* () {
    const { journals } = harness.services;
    const entries: Array<JournalEntry> = [];
    let pages = 0;
    for (const period of [{ from: 0, to: middle }, { from: middle }]) {
      let after: string | null = null;
      let to: number | undefined = period.to;
      do {
        const query = {
          ...{ from: period.from, partnerIds: [partnerId], limit: PAGE },
          ...(to === undefined ? {} : { to }),
        };
        const page: Effect.Effect.Success<ReturnType<typeof journals.journal>> = yield* journals.journal(
          owner(customerId),
          after === null ? query : { ...query, after },
        );
        entries.push(...page.entries);
        ({ nextCursor: after, to } = page);
        if (++pages > PAGES_MAX) return null;
      } while (after !== null);
    }
    return entries;
  });

/** What the accounts have to be, from the last state of each commission and settlement alone. */
const expected = (records: Records): Sums => {
  const { commissions, settlements } = records;
  const sums: Sums = {};
  for (const { row, log } of commissions) {
    for (const { event } of log)
      if (event.type === "settle_elsewhere") add(sums, "settled_elsewhere", -BigInt(event.amount));
    const earned = BigInt(row.computedAmount ?? 0);
    const waiting = BigInt(row.waitingAmount ?? 0);
    add(sums, "commission_expense", earned);
    add(sums, "commissions_awaiting_receipt", -waiting);
    // What is due and not billed; the settlements below take their share from it.
    add(sums, "accrued_commissions", BigInt(Ledger.settledAmount(row)) + waiting - earned);
  }
  for (const { row } of settlements) {
    const isPaid = row.status.type === "paid" || row.paidAfterWriteOff;
    const isBilled = (row.invoiceReference === null) !== (row.creditNoteReference === null);
    const gross = BigInt(row.total) + BigInt(row.taxAmount ?? 0);
    if (isPaid) add(sums, "payments", -gross);
    if (isPaid || isBilled) {
      const owed = reverseChargeTax(row, records);
      add(sums, "input_tax", BigInt(row.taxAmount ?? 0));
      add(sums, "reverse_charge_tax_deductible", owed);
      add(sums, "reverse_charge_tax_due", -owed);
    }
    if (isPaid || !isBilled) continue;
    add(sums, "partner_payables", -gross);
    add(sums, "accrued_commissions", BigInt(row.total));
  }
  return sums;
};

/** The balances of the accounts by the entries of one currency, and what is wrong with single entries. */
const sumUp = (
  entries: ReadonlyArray<JournalEntry>,
): { readonly sums: Sums; readonly wrong: ReadonlyArray<string> } => {
  const sums: Sums = {};
  for (const { lines } of entries) for (const { account, amount } of lines) add(sums, account, amount);
  const wrong = entries.flatMap(({ lines, text }) => {
    const sum = lines.reduce((total, { amount }) => total + amount, 0n);
    return sum === 0n ? [] : [`the lines of "${text}" add up to ${sum}`];
  });
  return { sums, wrong };
};

/** How the entries of documents differ from the documents that stand: what bills of them add up to. */
function* billDifferences(
  entries: ReadonlyArray<JournalEntry>,
  settlements: Records["settlements"],
): Generator<string> {
  for (const { row } of settlements) {
    const stands = (row.invoiceReference === null) !== (row.creditNoteReference === null);
    const wanted = stands ? BigInt(row.total) + BigInt(row.taxAmount ?? 0) : 0n;
    const billed = entries
      .filter(({ kind, settlementId }) => kind === "billed" && settlementId === row.id)
      .flatMap(({ lines }) => lines.filter(({ account }) => account === "partner_payables"))
      .reduce((sum, { amount }) => sum - amount, 0n);
    if (billed !== wanted) yield `the documents of ${row.id} are ${wanted}, their entries ${billed}`;
  }
}

function* differences(entries: ReadonlyArray<JournalEntry>, records: Records): Generator<string> {
  const { commissions, settlements } = records;
  yield* postingDifferences(entries, records);
  yield* billDifferences(entries, settlements);
  for (const currency of new Set(commissions.map(({ row }) => row.currency))) {
    const { sums, wrong } = sumUp(entries.filter((entry) => entry.currency === currency));
    yield* wrong;
    const wanted = expected({
      ...records,
      commissions: commissions.filter(({ row }) => row.currency === currency),
      settlements: settlements.filter(({ row }) => row.currency === currency),
    });
    for (const account of Object.keys(ACCOUNTS) as ReadonlyArray<Account>)
      if (account !== "written_off_commissions" && (sums[account] ?? 0n) !== (wanted[account] ?? 0n))
        yield `${account} in ${currency} is ${sums[account] ?? 0n}, by the records ${wanted[account] ?? 0n}`;
  }
}

/** How payables before a moment differ from the entries before it, for each account; and from their own ages. */
const payablesDifferences = (
  harness: Harness,
  customerId: CustomerId,
  { partnerId, at, entries }: { partnerId: PartnerId; at: number; entries: ReadonlyArray<JournalEntry> },
) =>
  Effect.gen(function* () {
    const query = { at, partnerIds: [partnerId] };
    const { rows } = yield* harness.services.payables.payables(owner(customerId), query);
    const before = entries.filter((entry) => entry.at < at);
    const currencies = new Set([...rows, ...before].map(({ currency }) => currency));
    return [...currencies].flatMap((currency) => {
      const row = rows.find((item) => item.currency === currency);
      const { sums } = sumUp(before.filter((entry) => entry.currency === currency));
      const wrong = Object.entries(ACCOUNT_OF).flatMap(([name, { account, debit }]) => {
        const balance = (sums[account] ?? 0n) * (debit ? 1n : -1n);
        const shown = row?.[name as keyof typeof ACCOUNT_OF] ?? 0n;
        return shown === balance
          ? []
          : [`${name} in ${currency} at ${at} is ${shown}, its account ${balance}`];
      });
      const aged = (Object.keys(AGES) as ReadonlyArray<Age>).reduce(
        (sum, age) => sum + (row?.[age] ?? 0n),
        0n,
      );
      return aged === (row?.payable ?? 0n)
        ? wrong
        : [...wrong, `the ages in ${currency} at ${at} are ${aged}`];
    });
  });

/** One comparison in so many is made. */
const seldomOf = ({ controls }: Records): number =>
  controls.some(({ kind }) => kind === "books") ? SELDOM_WITH_RULES : SELDOM;

/** How the journal of some partners differs from their commissions and settlements. */
const journalDifferences = (harness: Harness, customerId: CustomerId, all: Records) =>
  Effect.gen(function* () {
    const found: Array<string> = [];
    const seldom = seldomOf(all);
    const partners = [...new Set(all.commissions.map(({ row }) => row.partnerId))];
    for (const partnerId of partners.slice(-PARTNERS)) {
      const commissions = all.commissions.filter(({ row }) => row.partnerId === partnerId);
      const settlements = all.settlements.filter(({ row }) => row.partnerId === partnerId);
      const moments = [...commissions, ...settlements].map(({ row }) => row.lastAt).sort((a, b) => a - b);
      const middle = moments[Math.floor(moments.length / 3)] ?? 0;
      const events = [...commissions, ...settlements].reduce((sum, { row }) => sum + row.version, 0);
      if (events % seldom !== 0) continue;
      // The clock may have been set back behind some events.
      if (middle <= 0 || (moments.at(-1) ?? 0) > harness.clock.now) continue;
      const entries = yield* readAll(harness, customerId, partnerId, middle);
      if (entries === null) continue;
      for (const difference of differences(entries, { ...all, commissions, settlements }))
        found.push(`the journal of ${partnerId}: ${difference}`);
      for (const at of [middle, harness.clock.now + 1])
        for (const difference of yield* payablesDifferences(harness, customerId, { partnerId, at, entries }))
          found.push(`the payables of ${partnerId}: ${difference}`);
    }
    return found;
  });

/** How statements (M14) and the journal (M16) of some partners differ from their records. */
export const bookDifferences = (harness: Harness, customerId: CustomerId, snapshot: LedgerSnapshot) =>
  Effect.gen(function* () {
    const statements = yield* statementDifferences(harness, customerId, snapshot.commissions);
    const journals = yield* journalDifferences(harness, customerId, snapshot);
    return [
      ...statements.map((detail) => ({ name: "M14", detail })),
      ...journals.map((detail) => ({ name: "M16", detail })),
    ];
  });
