/** The overview: amounts due, settlements that await an action, and amounts of this month. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import type { CommissionStatistics, Page, Sum } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { monthStart } from "../format/Dates.ts";
import { amountIn, count, countWords, currenciesOf, minus, sumByCurrency } from "../format/Money.ts";
import { Amount, Failure, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { CommissionsChart } from "../parts/CommissionsChart.tsx";
import { Later } from "../parts/Later.tsx";
import { openStatesOf } from "../words/OpenStates.ts";
import { TEAM_STATES } from "../words/TeamStates.ts";

const OPEN_STATES = openStatesOf(TEAM_STATES);

/** The most records that are read for a sum; with more the page shows that the sum is incomplete. */
const RECORDS_MAX = 2_000;

interface Sums {
  readonly amounts: ReadonlyArray<Sum>;
  readonly isComplete: boolean;
}

const NOTHING: Promise<Sums> = Promise.resolve({ amounts: [], isComplete: true });

const readRecords = <Name extends "settlements" | "commissions">(
  client: Client,
  name: Name,
  query: Query,
  signal: AbortSignal,
) => client.walk(name, { ...query, order: "desc" }, RECORDS_MAX, signal);

const sumOf = async <Item extends { readonly currency: string }>(
  pages: AsyncIterable<Page<Item>>,
  amountOf: (record: Item) => number | null,
): Promise<Sums> => {
  const amounts: Array<{ readonly currency: string; readonly amount: number }> = [];
  let seen = 0;
  let total = 0;
  for await (const page of pages) {
    for (const record of page.items) {
      const amount = amountOf(record);
      if (amount !== null) amounts.push({ currency: record.currency, amount });
    }
    seen += page.items.length;
    total = page.total;
  }
  return { amounts: sumByCurrency(amounts), isComplete: seen >= total };
};

/** A figure of sums: not shown to a key that may not read them, and never a guess while or because they are not read. */
const Known = ({
  sums,
  children,
}: {
  readonly sums: Loaded<Sums> | null;
  readonly children: (sums: Sums) => ComponentChildren;
}) => {
  if (sums === null) return <>not shown</>;
  if (sums.value !== null) return <>{children(sums.value)}</>;
  return <>{sums.failure === null ? "…" : "not read"}</>;
};

/** One card per currency: the amounts due, in settlements, and paid this month. */
const Figures = ({
  statistics,
  pending,
  waiting,
  paid,
}: {
  readonly statistics: CommissionStatistics;
  readonly pending: Loaded<Sums> | null;
  /** What waits for buyers. */
  readonly waiting: Loaded<Sums>;
  readonly paid: Loaded<Sums> | null;
}) => (
  <div class="cards">
    {currenciesOf(statistics).map((currency) => {
      const unsettled = amountIn(statistics.summary.unsettled.amounts, currency);
      const awaited = amountIn(waiting.value?.amounts ?? [], currency);
      return (
        <section key={currency} class="card" aria-label={`Figures in ${currency}`}>
          <h2>{currency}</h2>
          <dl>
            <div class="main-figure">
              <dt>Due, in no settlement yet</dt>
              <dd>
                <Known sums={pending}>
                  {({ amounts }) => (
                    <Known sums={waiting}>
                      {() => (
                        <Amount
                          amount={minus(minus(unsettled, amountIn(amounts, currency)), awaited)}
                          currency={currency}
                          strong
                        />
                      )}
                    </Known>
                  )}
                </Known>
              </dd>
            </div>
            {awaited !== 0n && (
              <div>
                <dt>Waiting for buyers</dt>
                <dd>
                  <Amount amount={awaited} currency={currency} />
                </dd>
              </div>
            )}
            <div>
              <dt>In settlements under way</dt>
              <dd>
                <Known sums={pending}>
                  {({ amounts }) => (
                    <a href={linkTo("settlements", { statuses: OPEN_STATES, currencies: currency })}>
                      <Amount amount={amountIn(amounts, currency)} currency={currency} />
                    </a>
                  )}
                </Known>
              </dd>
            </div>
            <div>
              <dt>Paid this month</dt>
              <dd>
                <Known sums={paid}>
                  {({ amounts }) => <Amount amount={amountIn(amounts, currency)} currency={currency} />}
                </Known>
              </dd>
            </div>
          </dl>
        </section>
      );
    })}
  </div>
);

const Trend = ({ statistics }: { readonly statistics: CommissionStatistics }) => {
  const currencies = currenciesOf(statistics);
  const [chosen, setChosen] = useState<string | null>(null);
  const currency = chosen ?? currencies[0] ?? "EUR";
  return (
    <section class="panel">
      {currencies.length > 1 && (
        <label class="search">
          <span>Currency</span>
          <select value={currency} onChange={(event) => setChosen(event.currentTarget.value)}>
            {currencies.map((item) => (
              <option key={item}>{item}</option>
            ))}
          </select>
        </label>
      )}
      <CommissionsChart title="Commissions" statistics={statistics} currency={currency} />
    </section>
  );
};

export const Overview = () => {
  const { client, signOut } = useSession();
  const may = useMay();
  const canSettle = may("settlements:read");
  const now = new Date().toISOString();
  const thisMonth = monthStart(Date.now()).toISOString();
  const statistics = useLoad("statistics", (signal) =>
    client.statistics({ from: "1970-01-01T00:00:00Z", to: monthStart(Date.now(), -1).toISOString() }, signal),
  );
  const readPending = useLoad(`pending${canSettle}`, (signal) =>
    canSettle
      ? sumOf(readRecords(client, "settlements", { statuses: OPEN_STATES }, signal), ({ total }) => total)
      : NOTHING,
  );
  const waiting = useLoad("waiting for buyers", (signal) =>
    sumOf(
      readRecords(client, "commissions", { waiting: true }, signal),
      ({ waitingAmount }) => waitingAmount ?? null,
    ),
  );
  const readPaid = useLoad(`paid${canSettle}`, (signal) =>
    canSettle
      ? sumOf(
          readRecords(
            client,
            "settlements",
            { statuses: ["paid"], createdFrom: monthStart(Date.now(), 6).toISOString() },
            signal,
          ),
          ({ paidAt, status, total }) =>
            paidAt !== null && paidAt >= thisMonth && !("method" in status && status.method === "nothing_due")
              ? total
              : null,
        )
      : NOTHING,
  );
  const [pending, paid] = canSettle ? [readPending, readPaid] : [null, null];
  const failure = pending?.failure ?? waiting.failure ?? paid?.failure ?? null;
  const isComplete = [pending, waiting, paid].every((sums) => sums?.value?.isComplete ?? true);
  const reload = (): void => {
    statistics.reload();
    readPending.reload();
    waiting.reload();
    readPaid.reload();
  };
  return (
    <>
      <Heading title="Overview">
        <ReadAt loaded={{ ...statistics, reload }} />
      </Heading>
      <LoadResult loaded={statistics} lines={6} what="Reading the figures" signOut={signOut}>
        {(figures) =>
          figures.summary.count === 0 ? (
            <Later what="Reading the first steps" load={() => import("./Setup.tsx")}>
              {({ FirstRun }) => <FirstRun />}
            </Later>
          ) : (
            <>
              <Figures statistics={figures} pending={pending} waiting={waiting} paid={paid} />
              {failure !== null && <Failure failure={failure} retry={reload} />}
              <p class="note">
                All amounts are net of tax, as of <When at={now} exact />, from{" "}
                {countWords(figures.summary.count, "commission")}. What is due counts changes to sales that
                are in settlements; the <a href={linkTo("runs")}>preview of a run</a> shows how it adds up.
                Paid this month leaves out settlements drafted more than six months ago. Months are in UTC.
                {!canSettle && " What is in settlements is not shown: you lack settlements:read."}
                {!isComplete && ` Only the newest ${count(RECORDS_MAX)} records of each sum were read.`}
              </p>
              <div class="columns">
                <Trend statistics={figures} />
                {canSettle && (
                  <Later what="Reading what waits" load={() => import("./Waiting.tsx")}>
                    {({ Waiting }) => <Waiting />}
                  </Later>
                )}
              </div>
            </>
          )
        }
      </LoadResult>
      {canSettle && statistics.value?.summary.count !== 0 && (
        <Later what="Reading the newest settlements" load={() => import("./Waiting.tsx")}>
          {({ Latest }) => <Latest />}
        </Later>
      )}
    </>
  );
};
