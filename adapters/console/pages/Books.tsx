/** Books: what all partners are owed at the end of a day, how old it is, and what has accrued. */
import type { PayablesPage, PayablesRow } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { pastEnd, utcDay } from "../format/Dates.ts";
import { Amount, Clip, Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { DownloadButton } from "../parts/Download.tsx";
import { DateFilter } from "../parts/Filters.tsx";
import { JournalFiles } from "../parts/JournalFiles.tsx";
import { ShowMore, useMore } from "../parts/More.tsx";
import { type Column, Table } from "../parts/Table.tsx";

type Row = PayablesRow;

/** What a figure is called, and how it is computed from a row. */
type Figure = readonly [words: string, amountOf: (row: Row) => Row["payable"]];

const EARNED: Figure = ["Earned in all", ({ earned }) => earned];

const WAITING: Figure = ["Waiting for buyers", ({ awaitingReceipt }) => awaitingReceipt];

const ACCRUED: Figure = ["Payable, without a document", ({ accrued }) => accrued];

/** The two parts of what is payable without a document. */
const PLACES: ReadonlyArray<Figure> = [
  ["In settlements", ({ inSettlement }) => inSettlement],
  ["In no settlement", ({ accrued, inSettlement }) => accrued - inSettlement],
];

const PAYABLE: Figure = ["Documents to pay, with tax", ({ payable }) => payable];

const AGES: ReadonlyArray<Figure> = [
  ["Not past due", ({ current }) => current],
  ["1–30 days past due", ({ overdue1To30 }) => overdue1To30],
  ["31–60 days past due", ({ overdue31To60 }) => overdue31To60],
  ["61–90 days past due", ({ overdue61To90 }) => overdue61To90],
  ["Over 90 days past due", ({ overdueOver90 }) => overdueOver90],
];

const TAX: Figure = ["Tax of documents", ({ tax }) => tax];

const PAID: Figure = ["Paid, with tax", ({ paid }) => paid];

const REST: ReadonlyArray<Figure> = [
  ["Settled in another system", ({ settledElsewhere }) => settledElsewhere],
  ["Written off", ({ writtenOff }) => writtenOff],
];

/** The figures of a currency in their order, those that are a part of the one above marked. */
const FIGURES: ReadonlyArray<readonly [figure: Figure, kind: "main" | "part" | "other"]> = [
  [EARNED, "main"],
  [TAX, "main"],
  [WAITING, "other"],
  [ACCRUED, "main"],
  ...PLACES.map((figure) => [figure, "part"] as const),
  [PAYABLE, "main"],
  ...AGES.map((figure) => [figure, "part"] as const),
  [PAID, "main"],
  ...REST.map((figure) => [figure, "other"] as const),
];

const read = async (client: Client, until: string, signal: AbortSignal) => {
  // Null for a day that has not ended: the report then ends now.
  const end = pastEnd(until);
  const { payables } = client.remote.journal;
  const totals = await payables({ groupBy: "currency", ...(end === null ? {} : { at: end }) }, { signal });
  const page = await payables({ at: totals.at }, { signal });
  return { totals: totals.rows, page };
};

const Totals = ({ rows }: { readonly rows: ReadonlyArray<PayablesRow> }) => (
  <div class="cards">
    {rows.map((row) => (
      <section key={row.currency} class="card" aria-label={`Books in ${row.currency}`}>
        <h2>{row.currency}</h2>
        <dl>
          {FIGURES.filter(([[, amountOf], kind]) => kind === "main" || amountOf(row) !== 0n).map(
            ([[words, amountOf], kind]) => (
              <div key={words} class={kind === "part" ? "of-above" : ""}>
                <dt>{words}</dt>
                <dd>
                  <Amount amount={amountOf(row)} currency={row.currency} strong={words === PAYABLE[0]} />
                </dd>
              </div>
            ),
          )}
        </dl>
      </section>
    ))}
  </div>
);

/** A figure of partners with its parts. */
interface Division {
  readonly title: string;
  readonly sum: Figure;
  readonly parts: string;
  readonly figures: ReadonlyArray<Figure>;
  /** Where the figure of a partner is looked into. */
  readonly linkOf: (row: Row) => string;
}

const columnsOf = ({
  sum: [words, amountOf],
  parts,
  figures,
  linkOf,
}: Division): ReadonlyArray<Column<Row>> => [
  {
    name: "Partner",
    show: (row) => (
      <a href={linkOf(row)}>
        <Clip>{row.partnerName ?? ""}</Clip>
      </a>
    ),
  },
  // Below each other: side by side, so many long amounts do not fit.
  {
    name: parts,
    show: (row) => {
      const shown = figures.filter(([, amount]) => amount(row) !== 0n);
      return shown.length === 1
        ? shown[0]?.[0]
        : shown.map(([part, amount]) => (
            <div key={part}>
              {part}: <Amount amount={amount(row)} currency={row.currency} />
            </div>
          ));
    },
  },
  {
    name: words,
    isNumber: true,
    show: (row) => <Amount amount={amountOf(row)} currency={row.currency} />,
  },
];

/** The states of settlements that have a document which is not paid. */
const UNPAID = ["awaiting_payment", "payment_initiated", "disputed"];

const DIVISIONS: ReadonlyArray<Division> = [
  {
    title: "Documents to pay",
    sum: PAYABLE,
    parts: "Age",
    figures: AGES,
    linkOf: ({ partnerId, currency }) =>
      linkTo("settlements", { partnerIds: partnerId, currencies: currency, statuses: UNPAID }),
  },
  {
    title: "Earned, and not billed yet",
    sum: ["Not billed yet", ({ awaitingReceipt, accrued }) => awaitingReceipt + accrued],
    parts: "Where it is",
    figures: [WAITING, ...PLACES],
    linkOf: ({ partnerId }) => linkTo(`partners/${partnerId}`),
  },
];

const Partners = ({ first }: { readonly first: PayablesPage }) => {
  const { client } = useSession();
  const more = useMore(first, async (shown, after) => {
    const next = await client.remote.journal.payables({ at: first.at, after });
    return { ...next, rows: [...shown.rows, ...next.rows] };
  });
  const { rows } = more.shown;
  return (
    <>
      {DIVISIONS.map((division) => {
        const { title, figures, linkOf } = division;
        const shown = rows.filter((row) => figures.some(([, amountOf]) => amountOf(row) !== 0n));
        return (
          <section key={title} class="panel" aria-label={title}>
            <h2>{title}</h2>
            {shown.length === 0 ? (
              <Empty title="Nothing">No partner that is shown has an amount here.</Empty>
            ) : (
              <Table
                caption={`${title}, by partner`}
                rows={shown}
                rowKey={({ partnerId, currency }) => `${partnerId}${currency}`}
                link={linkOf}
                columns={columnsOf(division)}
              />
            )}
          </section>
        );
      })}
      <ShowMore more={more} words="Show more partners">
        <span class="note">The file has all of them.</span>
      </ShowMore>
    </>
  );
};

export const Books = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const until = route.query.get("until") ?? "";
  const loaded = useLoad(`books?${until}`, (signal) => read(client, until, signal), true);
  return (
    <>
      <Heading title="Books">
        <ReadAt loaded={loaded} />
        <a class="button" href={linkTo("books/months")}>
          Months
        </a>
        <a class="button" href={linkTo("books/rules")}>
          Posting rules
        </a>
        {loaded.value !== null && (
          <DownloadButton
            load={({ journal }) =>
              journal.payables(
                { at: loaded.value?.page.at ?? "", format: "spreadsheet" },
                { accept: "text/csv" },
              )
            }
          >
            Payables as CSV
          </DownloadButton>
        )}
      </Heading>
      <div class="filters">
        <DateFilter
          route={route}
          name="until"
          label="As of the end of day (UTC)"
          value={utcDay(Date.now())}
        />
      </div>
      <LoadResult loaded={loaded} lines={8} what="Reading the books" signOut={signOut}>
        {({ totals, page }) =>
          totals.length === 0 ? (
            <Empty title={until === "" ? "Nothing has been earned yet" : "Nothing was earned up to this day"}>
              Amounts appear here with the first commission.
            </Empty>
          ) : (
            <div class={loaded.isLoading ? "stale" : ""}>
              <Totals rows={totals} />
              <p class="note">
                Earned in all and tax together are what waits for buyers, is payable, is to pay, was paid, was
                settled in another system and was written off. Each figure is the balance of an account of the
                journal. Without a due date a document is due on its own date. Only documents and what was
                paid include tax.
              </p>
              <JournalFiles route={route} currencies={totals.map(({ currency }) => currency)} />
              <Partners key={page.at} first={page} />
            </div>
          )
        }
      </LoadResult>
    </>
  );
};
