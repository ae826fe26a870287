/** The list of sales, found by order number, partner, day and state, each with what it earns. */
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Commission, Partner, Sum } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { ALONE, creditWords } from "../format/Credits.ts";
import { filterStart } from "../format/Dates.ts";
import { decimalText, sumByCurrency } from "../format/Money.ts";
import {
  Amount,
  Badge,
  Clip,
  Empty,
  Heading,
  Id,
  LoadResult,
  propertyWords,
  ReadAt,
  SoldOn,
  When,
} from "../parts/Basics.tsx";
import { useColumns } from "../parts/Columns.tsx";
import { Chips, DateFilter, isFiltered, ListPager, orderOf, pageOf, Search } from "../parts/Filters.tsx";
import { PartnerFilter } from "../parts/PartnerFilter.tsx";
import { SavedViews } from "../parts/SavedViews.tsx";
import { type Column, Export, Table } from "../parts/Table.tsx";
import { readCommissions } from "../sales/Earnings.tsx";
import { saleState } from "../sales/SaleData.ts";

const PER_PAGE = 50;

interface SaleRow {
  readonly sale: Attribution;
  readonly partner: Partner | undefined;
  /** What its partner earns from it; null where the key may not read commissions. */
  readonly commissions: ReadonlyArray<Commission> | null;
}

const earned = ({ commissions }: SaleRow): ReadonlyArray<Sum> =>
  sumByCurrency(
    (commissions ?? [])
      .filter(({ computedAmount }) => computedAmount !== null)
      .map(({ currency, computedAmount }) => ({ currency, amount: computedAmount ?? 0 })),
  );

const hasNoAmount = ({ commissions }: SaleRow): boolean =>
  commissions?.some(({ computedAmount }) => computedAmount === null) ?? false;

const filtersOf = ({ query }: Route): Query => ({
  externalReferences: query.getAll("externalReferences"),
  partnerIds: query.getAll("partnerIds"),
  statuses: query.getAll("statuses"),
  occurredFrom: filterStart(query.get("occurredFrom")),
  occurredTo: filterStart(query.get("occurredTo")),
});

const rowsOf = async (
  client: Client,
  sales: ReadonlyArray<Attribution>,
  mayReadCommissions: boolean,
  signal: AbortSignal,
): Promise<ReadonlyArray<SaleRow>> => {
  const [partners, commissions] = await Promise.all([
    client.byIds(
      "partners",
      sales.map(({ partnerId }) => partnerId),
      signal,
    ),
    mayReadCommissions && sales.length > 0
      ? readCommissions(client, sales, Number.POSITIVE_INFINITY, signal)
      : [],
  ]);
  return sales.map((sale) => ({
    sale,
    partner: partners.get(sale.partnerId),
    commissions: mayReadCommissions
      ? commissions.filter(({ attributionId }) => attributionId === sale.id)
      : null,
  }));
};

const allColumns: ReadonlyArray<Column<SaleRow>> = [
  {
    name: "Order",
    show: ({ sale }) => (
      <a href={linkTo(`sales/${sale.id}`)}>
        {sale.externalReference === undefined ? <Id id={sale.id} /> : <Clip>{sale.externalReference}</Clip>}
      </a>
    ),
    text: ({ sale }) => sale.externalReference ?? "",
  },
  {
    name: "Date of the sale",
    show: ({ sale }) => <SoldOn sale={sale} />,
    text: ({ sale }) => sale.occurredOn,
  },
  {
    name: "Partner",
    show: ({ sale, partner }) => (
      <>
        <Clip>{partner?.name ?? sale.partnerId}</Clip>
        {sale.credit !== undefined && <span class="under">{creditWords(sale.credit)}</span>}
      </>
    ),
    text: ({ sale, partner }) => partner?.name ?? sale.partnerId,
  },
  {
    name: "Recorded",
    isMinor: true,
    show: ({ sale }) => <When at={sale.createdAt} />,
    text: ({ sale }) => sale.createdAt,
  },
  {
    name: "Properties",
    isMinor: true,
    show: ({ sale }) => (
      <Clip>
        {Object.entries(sale.properties)
          .map(([name, value]) => `${name.replaceAll("_", " ")} ${propertyWords(value)}`)
          .join(", ")}
      </Clip>
    ),
    text: ({ sale }) => JSON.stringify(sale.properties),
  },
  {
    name: "State",
    show: ({ sale }) => (
      <Badge family={sale.status === "confirmed" ? "done" : "stopped"}>{saleState(sale)}</Badge>
    ),
    text: ({ sale }) => saleState(sale),
  },
  {
    name: "Earned",
    isNumber: true,
    show: (row) => (
      <>
        {earned(row).map(({ currency, amount }) => (
          <div key={currency}>
            <Amount amount={amount} currency={currency} />
          </div>
        ))}
        {hasNoAmount(row) && <Badge family="waiting">No amount</Badge>}
      </>
    ),
    text: (row) =>
      earned(row)
        .map(({ currency, amount }) => `${currency} ${decimalText(amount, currency)}`)
        .join(", "),
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<SaleRow>> = [
  { name: "Role", show: () => null, text: ({ sale: { credit = ALONE } }) => credit.role },
  { name: "Share", show: () => null, text: ({ sale: { credit = ALONE } }) => credit.share },
  { name: "Level", show: () => null, text: ({ sale: { credit = ALONE } }) => Number(credit.depth) },
  { name: "Sale", show: () => null, text: ({ sale }) => sale.originId ?? sale.id },
];

const STATES = [
  ["confirmed", "Confirmed"],
  ["cancelled", "Cancelled or replaced"],
] as const;

async function* pagesOf(
  client: Client,
  filters: Query,
  mayReadCommissions: boolean,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<ReadonlyArray<SaleRow>> {
  for await (const { items } of client.walk("attributions", filters, limit, signal))
    yield await rowsOf(client, items, mayReadCommissions, signal);
}

export const Sales = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const mayReadCommissions = may("commissions:read");
  const page = pageOf(route);
  const order = orderOf(route, "Recorded");
  const filters = { ...filtersOf(route), order: order.order };
  const { columns, menu } = useColumns("sales", allColumns);
  const loaded = useLoad(
    `sales?${route.query}`,
    async (signal) => {
      const query = { ...filters, page, perPage: PER_PAGE };
      const { items, total } = await client.list("attributions", query, signal);
      return { total, rows: await rowsOf(client, items, mayReadCommissions, signal) };
    },
    true,
  );
  return (
    <>
      <Heading title="Sales">
        {may("attributions:write") && (
          <a class="button" href="#/sales/import">
            Import
          </a>
        )}
        <ReadAt loaded={loaded} />
        {menu}
      </Heading>
      <div class="filters">
        <SavedViews route={route} />
        <Search route={route} name="externalReferences" label="Order number, exactly" />
        <PartnerFilter route={route} />
        <Chips route={route} name="statuses" label="State" options={STATES} />
        <DateFilter route={route} name="occurredFrom" label="Sold from" />
        <DateFilter route={route} name="occurredTo" label="Sold before" />
      </div>
      <LoadResult loaded={loaded} lines={10} what="Reading sales" signOut={signOut}>
        {({ rows, total }) =>
          total === 0 ? (
            <Empty title={isFiltered(route) ? "No sale matches these filters" : "No sales yet"}>
              {isFiltered(route) ? (
                <a href="#/sales">Remove the filters</a>
              ) : (
                "Import a file of them, or record the first one over the interface: POST /api/v1/attributions."
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption={`Sales, recorded ${order.isAscending ? "first" : "last"} first`}
                columns={columns}
                order={order}
                rows={rows}
                rowKey={({ sale }) => sale.id}
                link={({ sale }) => linkTo(`sales/${sale.id}`)}
                isStale={loaded.isLoading}
              />
              <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              <Export
                name="sales"
                columns={[...columns, ...exported]}
                total={total}
                pages={(signal, limit) => pagesOf(client, filters, mayReadCommissions, signal, limit)}
              />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
