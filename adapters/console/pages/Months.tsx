/** The months of the books: which are closed, by whom, and how one is closed and opened again. */
import type { Period, PeriodList } from "quittance/client";
import { useMay, useSession } from "../api/Session.ts";
import { readAgain, useLoad, useWatch } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { day, monthStart, period as monthWords, utcDay } from "../format/Dates.ts";
import { count } from "../format/Money.ts";
import { Badge, Clip, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { ActionButton, Reason, text } from "../parts/Forms.tsx";
import { useNames } from "../parts/Names.ts";
import { type Column, Table } from "../parts/Table.tsx";
import { type Names, whoWords } from "../words/People.ts";

/** The interval in milliseconds at which the months are read again while the server hashes a journal. */
const WATCH_MILLISECONDS = 1_000;

/** Months that are shown while none was ever closed. */
const SHOWN = 13;

/** The server closes a month a minute after its end, when no commit of it is under way any more. */
const FINAL_MILLISECONDS = 60_000;

/** A month, and what is known of it; a month that was never closed has no period. */
export interface Month {
  readonly label: string;
  readonly period: Period | null;
  /** The first moment after it. */
  readonly end: Date;
}

/** True for the address of a month, such as `2026-01`. */
export const isMonth = (label: string): boolean => /^\d{4}-(0[1-9]|1[0-2])$/.test(label);

const monthOf = (label: string, periods: ReadonlyArray<Period>): Month => ({
  label,
  period: periods.find(({ month }) => month === label) ?? null,
  end: monthStart(Date.parse(`${label}-01T00:00:00Z`), -1),
});

const labelOf = (at: Date): string => utcDay(at.getTime()).slice(0, 7);

/** The months that are or were closed, and those after them up to the present one; the newest first. */
const monthsOf = ({ periods }: PeriodList, now: number): ReadonlyArray<Month> => {
  const last = periods.at(-1);
  const labels = periods.map(({ month }) => month);
  for (
    let at = last === undefined ? monthStart(now, SHOWN - 1) : new Date(last.to);
    at.getTime() <= now;
    at = monthStart(at.getTime(), -1)
  )
    labels.push(labelOf(at));
  return labels.toReversed().map((label) => monthOf(label, periods));
};

/** A month of the books, also one that the list does not show. */
export const findMonth = ({ periods }: PeriodList, label: string): Month => monthOf(label, periods);

/** The period of a month that is closed, also while its journal is hashed. */
const closedPeriod = ({ period }: Month): Period | null => (period?.status === "reopened" ? null : period);

const lastClosed = ({ periods }: PeriodList): Period | undefined =>
  periods.findLast(({ status }) => status !== "reopened");

const hasEnded = ({ end }: Month): boolean => end.getTime() + FINAL_MILLISECONDS <= Date.now();

/** True for the latest month that has ended. */
const hasJustEnded = (month: Month): boolean =>
  hasEnded(month) && !hasEnded({ ...month, end: monthStart(month.end.getTime(), -1) });

export const MonthState = ({ month }: { readonly month: Month }) => {
  switch (month.period?.status) {
    case "closed":
      return <Badge family="done">Closed</Badge>;
    case "closing":
      return <Badge family="open">Closed, being hashed</Badge>;
    case "reopened":
      return <Badge family="waiting">Open again</Badge>;
    case undefined:
      return hasEnded(month) ? <Badge family="waiting">Open</Badge> : <Badge family="open">Not ended</Badge>;
  }
};

const Close = ({ list, month }: { readonly list: PeriodList; readonly month: Month }) => {
  const words = monthWords(month.label);
  return (
    <ActionButton
      words={`Close ${words}`}
      isMain
      title={`Close ${words}`}
      consequence={[
        ...(list.nextMonth === null
          ? [
              `It is the first month that you close: everything before ${day(month.end.toISOString())} is closed with it.`,
            ]
          : []),
        "Its journal never changes again. What is recorded from now on is posted in the month in which it is recorded, and says which month the sale is of.",
        "Its postings keep the present posting rules and rates. For DATEV and Xero every account needs a number: write the rules first.",
        "The server stores the hash and the totals of its journal, to compare them at any time.",
        "If it has to be opened again, another person than you must do it.",
      ]}
      run={(commands) => commands.periods.close(month.label)}
      done={readAgain}
    />
  );
};

const Reopen = ({ month }: { readonly month: Month }) => {
  const words = monthWords(month.label);
  return (
    <ActionButton
      words={`Reopen ${words}`}
      danger
      title={`Reopen ${words}`}
      consequence={[
        "Its journal follows the present posting rules again, so that numbers and cost centres may change. Amounts change only if the clock of a server is late.",
        "Whoever has a file of this month may then have another one than you.",
        "Close it again before the months after it. Its hash is computed anew.",
      ]}
      run={(commands, fields) => commands.periods.reopen(month.label, { reason: text(fields, "reason") })}
      done={readAgain}
    >
      <Reason hint="The log shows it, with your name." />
    </ActionButton>
  );
};

/** What can be done with a month, or who has to do it. */
export const MonthActions = ({ list, month }: { readonly list: PeriodList; readonly month: Month }) => {
  const { principal } = useSession();
  const mayAct = useMay()("settlements:approve");
  if (!mayAct) return null;
  const closed = closedPeriod(month);
  if (closed !== null) {
    if (lastClosed(list)?.month !== month.label) return null;
    return closed.closedBy === principal.person ? (
      <span class="note">You closed it. Only another person with settlements:approve can reopen it.</span>
    ) : (
      <Reopen month={month} />
    );
  }
  if (!hasEnded(month)) return null;
  return list.nextMonth === null || list.nextMonth === month.label ? (
    <Close list={list} month={month} />
  ) : (
    <span class="note">After {monthWords(list.nextMonth)}</span>
  );
};

/** Who closed a month and when, and who opened it again and why. */
export const History = ({ period, names }: { readonly period: Period; readonly names: Names }) => (
  <>
    <When at={period.closedAt} />
    <span class="under">by {whoWords(period.closedBy, names)}</span>
    {period.reopenedAt !== undefined && (
      <span class="under">
        Reopened <When at={period.reopenedAt} /> by {whoWords(period.reopenedBy ?? "", names)}:{" "}
        <Clip>{period.reopenReason ?? ""}</Clip>
      </span>
    )}
  </>
);

/** What is stored of months that are or were closed. */
const closingColumns = (names: Names): ReadonlyArray<Column<Month>> => [
  { name: "Closed", show: ({ period }) => period !== null && <History period={period} names={names} /> },
  {
    name: "Entries",
    isNumber: true,
    isMinor: true,
    show: ({ period }) => (period?.journal == null ? "" : count(period.journal.entries)),
  },
  {
    name: "Hash",
    isMinor: true,
    show: ({ period }) =>
      period?.journal != null && (
        <code class="id" title={period.journal.sha256}>
          {period.journal.sha256.slice(0, 12)}…
        </code>
      ),
  },
];

const columnsOf = (list: PeriodList, names: Names): ReadonlyArray<Column<Month>> => [
  {
    name: "Month (UTC)",
    show: ({ label }) => <a href={linkTo(`books/months/${label}`)}>{monthWords(label)}</a>,
  },
  { name: "State", show: (month) => <MonthState month={month} /> },
  ...(list.periods.length === 0 ? [] : closingColumns(names)),
  {
    name: "Action",
    // Before the first closing, every month that has ended can be closed. The list offers the last one, and the page of a month its
    // own.
    show: (month) =>
      (list.nextMonth !== null || hasJustEnded(month)) && <MonthActions list={list} month={month} />,
  },
];

/** Up to when the books are closed, and what comes next. */
const Summary = ({ list }: { readonly list: PeriodList }) => {
  const last = lastClosed(list);
  const next = list.nextMonth === null ? null : findMonth(list, list.nextMonth);
  return (
    <p class="sentence">
      {last === undefined ? (
        "No month is closed. "
      ) : (
        <>
          Everything before <strong>{day(last.to)}</strong> (UTC) is closed.{" "}
        </>
      )}
      {next === null
        ? "The first month that you close includes everything before it. To start with another month, open it."
        : hasEnded(next)
          ? `${monthWords(next.label)} can be closed.`
          : `${monthWords(next.label)} can be closed when it has ended.`}
    </p>
  );
};

export const Months = () => {
  const { client, signOut } = useSession();
  const mayAct = useMay()("settlements:approve");
  const names = useNames();
  const loaded = useLoad("months", (signal) => client.remote.periods.read({ signal }), true);
  const isMoving = loaded.value?.periods.some(({ status }) => status === "closing") ?? false;
  useWatch(isMoving, loaded.reload, WATCH_MILLISECONDS);
  return (
    <>
      <Heading above={<a href={linkTo("books")}>Books</a>} title="Months">
        <ReadAt loaded={loaded} />
      </Heading>
      <LoadResult loaded={loaded} lines={8} what="Reading the months" signOut={signOut}>
        {(list) => (
          <>
            <Summary list={list} />
            <Table
              caption="Months, the newest first"
              rows={monthsOf(list, Date.now())}
              rowKey={({ label }) => label}
              columns={columnsOf(list, names)}
            />
            <p class="note">
              Months are closed in order. Only the latest closed month can be reopened, and not by the person
              who closed it.
              {!mayAct && " You need a key with settlements:approve to do either."}
            </p>
          </>
        )}
      </LoadResult>
    </>
  );
};
