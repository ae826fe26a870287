/** One month of the books: whether it is closed and by whom, its hash and totals, and its journal. */
import type { ComponentChildren } from "preact";
import type { JournalEntry, JournalPage, Period, PeriodList } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { dayStart, period as monthWords } from "../format/Dates.ts";
import { count } from "../format/Money.ts";
import { Amount, Clip, Empty, Fact, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { ShowMore, useMore } from "../parts/More.tsx";
import { useNames } from "../parts/Names.ts";
import { type Column, Table } from "../parts/Table.tsx";
import { findMonth, History, MonthActions, MonthState } from "./Months.tsx";
import { ACCOUNTS } from "./PostingRules.tsx";

const WATCH_MILLISECONDS = 1_000;

const PER_PAGE = 50;

type Total = NonNullable<Period["journal"]>["totals"][number];

/** The first moment that a moment of the interface can be. */
const EARLIEST = dayStart("0001-01-01");

const read = async (client: Client, label: string, signal: AbortSignal) => {
  const list = await client.remote.periods.read({ signal });
  const { period, end } = findMonth(list, label);
  const now = new Date();
  const journal = await client.remote.journal.read(
    {
      from: period === null ? dayStart(`${label}-01`) : (period.from ?? EARLIEST),
      ...(end <= now ? { to: end.toISOString() } : {}),
      limit: PER_PAGE,
    },
    { signal },
  );
  return { list, journal };
};

/** An amount in the column of its side; nothing on the other side. */
const posted = (amount: bigint | undefined, currency: string) =>
  amount !== undefined && amount !== 0n && <Amount amount={amount} currency={currency} />;

const TOTALS: ReadonlyArray<Column<Total>> = [
  { name: "Account", show: ({ account }) => ACCOUNTS[account] },
  { name: "Debit", isNumber: true, show: ({ debit, currency }) => posted(debit, currency) },
  { name: "Credit", isNumber: true, show: ({ credit, currency }) => posted(credit, currency) },
];

/** What was stored of the journal when the month was closed. */
const Sealed = ({ journal }: { readonly journal: NonNullable<Period["journal"]> }) => (
  <section class="panel" aria-label="Totals at the closing">
    <h2>Totals at the closing</h2>
    {journal.totals.length === 0 ? (
      <Empty title="Nothing was posted" />
    ) : (
      <Table
        caption="Debits and credits of each account"
        rows={journal.totals}
        rowKey={({ currency, account }) => `${currency} ${account}`}
        columns={TOTALS}
      />
    )}
    <dl class="facts long">
      <Fact name="Hash of the journal (SHA-256)">
        <code>{journal.sha256}</code>
      </Fact>
    </dl>
    <p class="note">
      An auditor can compute the hash from the journal alone; <code>quittance verify</code> compares both.
    </p>
  </section>
);

/** One line of an entry; on a wide screen only the first line says what the entry is about. */
interface Posting {
  readonly entry: JournalEntry;
  readonly line: JournalEntry["lines"][number];
  readonly place: number;
  readonly key: string;
}

const postingsOf = (entries: ReadonlyArray<JournalEntry>): ReadonlyArray<Posting> =>
  entries.flatMap((entry, index) =>
    entry.lines.map((line, place) => ({ entry, line, place, key: `${index} ${place}` })),
  );

/** What the entry of a posting is about. */
const about =
  (show: (entry: JournalEntry) => ComponentChildren): Column<Posting>["show"] =>
  ({ entry, place }) => <span class={place === 0 ? undefined : "on-cards"}>{show(entry)}</span>;

const POSTINGS: ReadonlyArray<Column<Posting>> = [
  { name: "Date (UTC)", show: about(({ datetime }) => <When at={datetime} />) },
  {
    name: "Partner",
    show: about(({ partnerId, partnerName }) => (
      <a href={linkTo(`partners/${partnerId}`)}>
        <Clip>{partnerName}</Clip>
      </a>
    )),
  },
  {
    name: "Entry",
    show: about(({ text, settlementId, concerns }) => (
      <>
        {settlementId === undefined ? (
          <Clip>{text}</Clip>
        ) : (
          <a href={linkTo(`settlements/${settlementId}`)}>
            <Clip>{text}</Clip>
          </a>
        )}
        {concerns !== undefined && <span class="under">Concerns {monthWords(concerns)}</span>}
      </>
    )),
  },
  {
    name: "Account",
    show: ({ line: { account, number } }) => (
      <>
        {ACCOUNTS[account]}
        {number !== undefined && <span class="under">{number}</span>}
      </>
    ),
  },
  { name: "Debit", isNumber: true, show: ({ entry, line }) => posted(line.debit, entry.currency) },
  { name: "Credit", isNumber: true, show: ({ entry, line }) => posted(line.credit, entry.currency) },
];

const Journal = ({ label, first }: { readonly label: string; readonly first: JournalPage }) => {
  const { client } = useSession();
  const more = useMore(first, async (shown, after) => {
    const { from, to } = first;
    const next = await client.remote.journal.read({ from, to, limit: PER_PAGE, after });
    return { ...next, entries: [...shown.entries, ...next.entries] };
  });
  const { entries, nextCursor } = more.shown;
  return (
    <section class="panel" aria-label="Journal">
      <h2>Journal</h2>
      {entries.length === 0 && nextCursor === null ? (
        <Empty title="Nothing is posted">
          An entry appears with the first commission, document or payment of the month.
        </Empty>
      ) : (
        <>
          <Table
            caption="Postings of the journal, partner by partner"
            rows={postingsOf(entries)}
            rowKey={({ key }) => key}
            columns={POSTINGS}
          />
          <ShowMore more={more} words="Show more entries" />
          <p class="note">
            Entries are listed partner by partner. One about a sale of an earlier month says which month it
            concerns. <a href={linkTo("books", { month: label })}>Files of this month</a> have all entries.
          </p>
        </>
      )}
    </section>
  );
};

const Facts = ({ list, label }: { readonly list: PeriodList; readonly label: string }) => {
  const month = findMonth(list, label);
  const { period } = month;
  const names = useNames();
  return (
    <dl class="facts">
      <Fact name="State">
        <MonthState month={month} />
      </Fact>
      {period !== null && (
        <>
          <Fact name={period.status === "reopened" ? "Was closed" : "Closed"}>
            <History period={period} names={names} />
          </Fact>
          <Fact name="Contains">
            {period.from === null ? "This month and everything before it" : "This month (UTC)"}
          </Fact>
          <Fact name="Entries">
            {period.journal === null ? "Being hashed" : count(period.journal.entries)}
          </Fact>
        </>
      )}
    </dl>
  );
};

export const Month = ({ label }: { readonly label: string }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(`month ${label}`, (signal) => read(client, label, signal), true);
  const list = loaded.value?.list;
  const month = list === undefined ? null : findMonth(list, label);
  useWatch(month?.period?.status === "closing", loaded.reload, WATCH_MILLISECONDS);
  return (
    <>
      <Heading above={<a href={linkTo("books/months")}>Months</a>} title={monthWords(label)}>
        <ReadAt loaded={loaded} />
        {list !== undefined && month !== null && <MonthActions list={list} month={month} />}
      </Heading>
      <LoadResult loaded={loaded} lines={8} what="Reading the month" signOut={signOut}>
        {({ list, journal }) => {
          const { period } = findMonth(list, label);
          return (
            <>
              <Facts list={list} label={label} />
              {period?.journal != null && period.status === "closed" && <Sealed journal={period.journal} />}
              <Journal key={loaded.readAt} label={label} first={journal} />
            </>
          );
        }}
      </LoadResult>
    </>
  );
};
