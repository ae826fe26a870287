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

/** What a figure is called. */
type Figure = readonly [
  name: Exclude<keyof PayablesRow, "currency" | "partnerId" | "partnerName" | "workspaceId">,
  words: string,
];

const EARNED: Figure = ["earned", "Earned in all"];

const UNBILLED: ReadonlyArray<Figure> = [
  ["awaitingReceipt", "Waiting for buyers"],
  ["accrued", "Payable, without a document"],
  ["inSettlement", "of it in settlements"],
];

const PAYABLE: Figure = ["payable", "Documents to pay, with tax"];

const AGES: ReadonlyArray<Figure> = [
  ["current", "Not past due"],
  ["overdue1To30", "1–30 days"],
  ["overdue31To60", "31–60 days"],
  ["overdue61To90", "61–90 days"],
  ["overdueOver90", "Over 90 days"],
];

/** The figures that are a part of the one above them. */
const PARTS: ReadonlySet<string> = new Set(["inSettlement", ...AGES.map(([name]) => name)]);

const SETTLED: ReadonlyArray<Figure> = [
  ["tax", "Tax of documents"],
  ["paid", "Paid, with tax"],
  ["settledElsewhere", "Settled in another system"],
  ["writtenOff", "Written off"],
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
          {[EARNED, ...UNBILLED, PAYABLE, ...AGES, ...SETTLED].map(([name, words]) => (
            <div key={name} class={PARTS.has(name) ? "of-above" : ""}>
              <dt>{words}</dt>
              <dd>
                <Amount amount={row[name]} currency={row.currency} strong={name === "payable"} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
    ))}
  </div>
);

/** A figure of a table, and how it is computed from a row. */
type Sum = readonly [words: string, amountOf: (row: PayablesRow) => PayablesRow["payable"]];

const columnsOf = (
  [words, amountOf]: Sum,
  parts: string,
  figures: ReadonlyArray<Figure>,
): ReadonlyArray<Column<PayablesRow>> => [
  {
    name: "Partner",
    show: ({ partnerId, partnerName }) => (
      <a href={linkTo(`partners/${partnerId}`)}>
        <Clip>{partnerName ?? ""}</Clip>
      </a>
    ),
  },
  {
    name: words,
    isNumber: true,
    show: (row) => <Amount amount={amountOf(row)} currency={row.currency} />,
  },
  // Below each other: side by side, so many long amounts do not fit.
  {
    name: parts,
    isNumber: true,
    show: (row) =>
      figures
        .filter(([part]) => row[part] !== 0n)
        .map(([part, partWords]) => (
          <div key={part}>
            {partWords}: <Amount amount={row[part]} currency={row.currency} />
          </div>
        )),
  },
];

/** Two tables, each with one figure and the parts of it. */
const TABLES: ReadonlyArray<
  readonly [title: string, sum: Sum, parts: string, figures: ReadonlyArray<Figure>]
> = [
  ["Documents to pay", [PAYABLE[1], ({ payable }) => payable], "By age", AGES],
  [
    "Earned, and not billed yet",
    ["Not billed yet", ({ awaitingReceipt, accrued }) => awaitingReceipt + accrued],
    "Of it",
    UNBILLED,
  ],
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
      {TABLES.map(([title, sum, parts, figures]) => {
        const shown = rows.filter((row) => figures.some(([name]) => row[name] !== 0n));
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
                link={({ partnerId }) => linkTo(`partners/${partnerId}`)}
                columns={columnsOf(sum, parts, figures)}
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
                Each figure is the balance of its account of the journal. Ages are days past due; without a
                due date a document is due on its own date. Only documents and what was paid include tax.
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
