/** The list of settlements, with filters that are part of the address. */
import type { JSX } from "preact";
import type { Query } from "../api/Client.ts";
import type { Settlement, SettlementStatus, Sum } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import type { Cell } from "../data/Csv.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { amountKey } from "../data/Sort.ts";
import { filterEnd, filterStart } from "../format/Dates.ts";
import { decimalText, money, sumByCurrency } from "../format/Money.ts";
import { Export, exportOnly, TotalOfAll } from "../parts/AllRows.tsx";
import {
  Amount,
  DocumentNumber,
  documentNumber,
  Empty,
  Heading,
  ReadAt,
  StateBadge,
  When,
} from "../parts/Basics.tsx";
import { useColumns } from "../parts/Columns.tsx";
import { ChipRow, Chips, DateFilter, MoreFilters, Preset } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import { PartnerFilter } from "../parts/PartnerFilter.tsx";
import { SavedViews } from "../parts/SavedViews.tsx";
import type { Column } from "../parts/Table.tsx";
import { ChosenBar, useChosen } from "../settling/Chosen.tsx";
import { Comparison } from "../settling/Comparison.tsx";
import { CurrencyFilter } from "../settling/CurrencyFilter.tsx";
import { DRAFTS } from "../settling/ManyActions.ts";
import { partnerColumn } from "../settling/SettlementColumns.tsx";
import { type SettlementRow, withPartners } from "../settling/SettlementRows.ts";
import { TEAM } from "../words/TeamWords.ts";

const PER_PAGE = 50;

/** The filters of the settlements that are true or false. */
const TRUE_OR_FALSE = ["stale", "taxReview", "paymentOverdue", "paymentFailed"] as const;

/** The filters of the address in the form of the interface. */
const filtersOf = ({ query }: Route): Query => ({
  statuses: query.getAll("statuses"),
  currencies: query.getAll("currencies"),
  partnerIds: query.getAll("partnerIds"),
  createdFrom: filterStart(query.get("createdFrom")),
  createdTo: filterEnd(query.get("createdTo")),
  ...Object.fromEntries(
    TRUE_OR_FALSE.filter((name) => query.has(name)).map((name) => [name, query.get(name) === "true"]),
  ),
});

const netOf = ({ settlement }: SettlementRow): Sum => ({
  currency: settlement.currency,
  amount: BigInt(settlement.total),
});

const decimal = (amount: number | null, { currency }: Settlement): Cell =>
  amount === null ? "" : { decimal: decimalText(amount, currency) };

export const settlementColumns: ReadonlyArray<Column<SettlementRow>> = [
  partnerColumn,
  {
    name: "State",
    show: ({ settlement }) => <StateBadge settlement={settlement} />,
    sort: ({ settlement }) => TEAM.stateOf(settlement).words,
    text: ({ settlement }) => TEAM.stateOf(settlement).words,
  },
  {
    name: "Drafted",
    show: ({ settlement }) => <When at={settlement.createdAt} />,
    text: ({ settlement }) => settlement.createdAt,
  },
  {
    name: "Invoice",
    show: ({ settlement }) => <DocumentNumber settlement={settlement} />,
    sort: ({ settlement }) => documentNumber(settlement),
    text: ({ settlement }) => documentNumber(settlement),
  },
  {
    name: "Net",
    isNumber: true,
    show: ({ settlement }) => <Amount amount={settlement.total} currency={settlement.currency} />,
    sort: ({ settlement }) => amountKey(settlement.total, settlement.currency),
    text: ({ settlement }) => decimal(settlement.total, settlement),
  },
  {
    name: "With tax",
    isNumber: true,
    isMinor: true,
    show: ({ settlement }) =>
      settlement.payableAmount === null ? (
        ""
      ) : (
        <Amount amount={settlement.payableAmount} currency={settlement.currency} />
      ),
    sort: ({ settlement }) => amountKey(settlement.payableAmount, settlement.currency),
    text: ({ settlement }) => decimal(settlement.payableAmount, settlement),
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<SettlementRow>> = [
  exportOnly("Currency", ({ settlement }) => settlement.currency),
  exportOnly("Settlement", ({ settlement }) => settlement.id),
  exportOnly("Net, smallest unit", ({ settlement }) => settlement.total),
  exportOnly("With tax, smallest unit", ({ settlement }) => settlement.payableAmount ?? ""),
];

/** The sums of the shown rows by currency, as the foot of the table: under the column of the net amounts, while it is shown. */
const footOf = ({
  rows,
  total,
  columns,
  isChoosable,
  summed,
}: {
  readonly rows: ReadonlyArray<SettlementRow>;
  readonly total: number;
  readonly summed: Summed;
  readonly columns: ReadonlyArray<Column<SettlementRow>>;
  readonly isChoosable: boolean;
}): ReadonlyArray<JSX.Element> => {
  const at = columns.findIndex(({ name }) => name === "Net");
  if (at < 0) return [];
  return sumByCurrency(rows.flatMap(summed.netOf)).map(({ currency, amount }) => (
    <tr key={currency}>
      <th scope="row" colSpan={at + (isChoosable ? 1 : 0)}>
        Net total {rows.length < total ? "of this page " : ""}in {currency}
        {summed.words}
      </th>
      <td class="number">{money(amount, currency)}</td>
      {columns.slice(at + 1).map(({ name }) => (
        <td key={name} class="minor" />
      ))}
    </tr>
  ));
};

/** Filters of one value each. */
const ONLY: ReadonlyArray<readonly [name: (typeof TRUE_OR_FALSE)[number], value: string, words: string]> = [
  ["stale", "true", "Drafts out of date"],
  ["taxReview", "true", "Tax to accept"],
  ["taxReview", "false", "No tax to accept"],
  ["paymentOverdue", "true", "Payments not booked by the bank"],
  ["paymentFailed", "true", "Payments that failed or came back"],
];

/** The states, with what else their badges say. */
const CHIPS = Object.entries({
  ...TEAM.states,
  awaiting_payment: `${TEAM.states.awaiting_payment}, or partner pays back`,
  paid: `${TEAM.states.paid}, or nothing due`,
  cancelled: `${TEAM.states.cancelled}, or carried forward`,
});

/** The states in which a settlement has ended without payment. */
const STOPPED: ReadonlySet<string> = new Set<SettlementStatus>(["written_off", "cancelled"]);

/** What is summed of a list: everything where only settlements without payment are listed, and else none of these. */
interface Summed {
  /** What is left out, in words. */
  readonly words: string;
  readonly netOf: (row: SettlementRow) => ReadonlyArray<Sum>;
}

const summedIn = (statuses: ReadonlyArray<string>): Summed => {
  const isAll = statuses.length > 0 && statuses.every((status) => STOPPED.has(status));
  const hasStopped = statuses.length === 0 || statuses.some((status) => STOPPED.has(status));
  return {
    words: hasStopped && !isAll ? ", without cancelled and written off" : "",
    netOf: (row) => (isAll || !STOPPED.has(row.settlement.status.type) ? [netOf(row)] : []),
  };
};

const SettlementFilters = ({ route, rows }: Parameters<typeof CurrencyFilter>[0]) => (
  <div class="filters">
    <SavedViews route={route} />
    <PartnerFilter route={route} />
    <CurrencyFilter route={route} rows={rows} />
    <Chips route={route} name="statuses" label="State" options={CHIPS} />
    <ChipRow label="Only" chosen={TRUE_OR_FALSE.map((name) => route.query.get(name)).join()}>
      {ONLY.map(([name, value, words]) => {
        const isChosen = route.query.get(name) === value;
        return (
          <Preset key={words} route={route} values={{ [name]: isChosen ? "" : value }} isChosen={isChosen}>
            {words}
          </Preset>
        );
      })}
    </ChipRow>
    <DateFilter route={route} name="createdFrom" label="Drafted from" />
    <DateFilter route={route} name="createdTo" label="Drafted until" />
    <MoreFilters />
  </div>
);

export const Settlements = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const filters = filtersOf(route);
  const { columns, menu } = useColumns("settlements", settlementColumns);
  const list = useList({
    list: "settlements",
    filters,
    route,
    perPage: PER_PAGE,
    columns,
    order: "desc",
    created: "Drafted",
    rowsOf: (settlements, signal) => withPartners(client, settlements, signal),
  });
  const { loaded, pages } = list;
  const chosen = useChosen(DRAFTS);
  const statuses = route.query.getAll("statuses");
  const summed = summedIn(statuses);
  const areDrafts = statuses.length === 1 && statuses[0] === "draft";
  return (
    <>
      <Heading title="Settlements">
        <ReadAt loaded={loaded} />
        {menu}
      </Heading>
      <SettlementFilters route={route} rows={loaded.value?.rows} />
      <Listed
        list={list}
        what="Reading settlements"
        caption="Settlements"
        lines={10}
        rowKey={({ settlement }) => settlement.id}
        link={({ settlement }) => linkTo(`settlements/${settlement.id}`)}
        selection={chosen?.selection}
        noMatch="No settlement matches these filters"
        none={
          <Empty title="No settlements yet">
            A <a href="#/runs">run</a> drafts a settlement for each partner who has earned something.
          </Empty>
        }
        above={({ rows }) =>
          areDrafts && (
            <section class="panel" aria-label="Beside earlier settlements">
              <Comparison rows={rows} />
            </section>
          )
        }
        foot={(page) => footOf({ ...page, columns, summed, isChoosable: chosen !== null })}
        below={({ total }) =>
          chosen !== null && (
            <ChosenBar settlements={chosen} filters={filters} total={areDrafts ? total : null} />
          )
        }
      >
        {({ rows, total }) => (
          <>
            {rows.length < total && (
              <TotalOfAll
                key={list.key}
                totals={[["Net", summed.netOf]]}
                total={total}
                pages={pages}
                but={summed.words}
              />
            )}
            <Export name="settlements" columns={[...columns, ...exported]} total={total} pages={pages} />
          </>
        )}
      </Listed>
    </>
  );
};
