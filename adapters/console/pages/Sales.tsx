/** The list of sales, found by order number, partner, day and state, each with what it earns. */
import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import type { Attribution, Commission, Partner, Sum } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { ALONE, creditWords, isOrdinary } from "../format/Credits.ts";
import { filterEnd, filterStart } from "../format/Dates.ts";
import { decimalText, sumByCurrency } from "../format/Money.ts";
import { Export, exportOnly, TotalOfAll } from "../parts/AllRows.tsx";
import {
  Amount,
  Badge,
  Clip,
  Empty,
  Heading,
  Id,
  LoadResult,
  ReadAt,
  SoldOn,
  valueWords,
  When,
} from "../parts/Basics.tsx";
import { useColumns } from "../parts/Columns.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Chips, DateFilter, MoreFilters, Search } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import { PartnerFilter } from "../parts/PartnerFilter.tsx";
import { SavedViews } from "../parts/SavedViews.tsx";
import type { Column } from "../parts/Table.tsx";
import { readCommissions } from "../sales/Earnings.tsx";
import { currencyOf, declaredFormats, type Formats, useSeesSchemas } from "../sales/Formats.ts";
import { NoSchema } from "../sales/NoSchema.tsx";
import { RecordSale } from "../sales/RecordSale.tsx";
import { saleState } from "../sales/SaleData.ts";

const PER_PAGE = 50;

interface SaleRow {
  readonly sale: Attribution;
  /** The order number, of a part that of its sale; null where the sale has none. */
  readonly reference: string | null;
  readonly partner: Partner | undefined;
  /** What its partner earns from it; null where the key may not read commissions. */
  readonly commissions: ReadonlyArray<Commission> | null;
  /** What is known of the properties of the sale. */
  readonly formats: Formats;
}

const earned = ({ commissions }: SaleRow): ReadonlyArray<Sum> =>
  sumByCurrency(
    (commissions ?? [])
      .filter(({ computedAmount }) => computedAmount !== null)
      .map(({ currency, computedAmount }) => ({ currency, amount: computedAmount ?? 0 })),
  );

/** The properties of a sale in one line. */
const propertiesWords = ({ sale, formats, commissions }: SaleRow): string => {
  const currency = currencyOf(commissions ?? []);
  return Object.entries(sale.properties)
    .map(
      ([name, value]) =>
        `${name.replaceAll("_", " ")} ${valueWords(value, formats.get(name)?.format, currency)}`,
    )
    .join(", ");
};

const hasNoAmount = ({ commissions }: SaleRow): boolean =>
  commissions?.some(({ computedAmount }) => computedAmount === null) ?? false;

const filtersOf = ({ query }: Route): Query => ({
  externalReferences: query.getAll("externalReferences"),
  partnerIds: query.getAll("partnerIds"),
  statuses: query.getAll("statuses"),
  occurredFrom: filterStart(query.get("occurredFrom")),
  occurredTo: filterEnd(query.get("occurredTo")),
});

const rowsOf = async (
  client: Client,
  sales: ReadonlyArray<Attribution>,
  {
    mayReadCommissions,
    seesSchemas,
  }: { readonly mayReadCommissions: boolean; readonly seesSchemas: boolean },
  signal: AbortSignal,
): Promise<ReadonlyArray<SaleRow>> => {
  const schemaIds = seesSchemas ? sales.map(({ schemaId }) => schemaId) : [];
  const originIds = sales.flatMap(({ originId }) => originId ?? []);
  const [origins, partners, schemas, commissions] = await Promise.all([
    client.byIds("attributions", originIds, signal),
    client.byIds(
      "partners",
      sales.map(({ partnerId }) => partnerId),
      signal,
    ),
    client.byIds("attributionSchemas", schemaIds, signal),
    mayReadCommissions && sales.length > 0
      ? readCommissions(client, sales, Number.POSITIVE_INFINITY, signal)
      : [],
  ]);
  return sales.map((sale) => ({
    sale,
    reference: sale.externalReference ?? origins.get(sale.originId ?? "")?.externalReference ?? null,
    partner: partners.get(sale.partnerId),
    commissions: mayReadCommissions
      ? commissions.filter(({ attributionId }) => attributionId === sale.id)
      : null,
    formats: declaredFormats(schemas.get(sale.schemaId)),
  }));
};

const allColumns: ReadonlyArray<Column<SaleRow>> = [
  {
    name: "Order",
    show: (row) => (
      <a href={linkTo(`sales/${row.sale.id}`)}>
        {row.reference === null ? <Id id={row.sale.id} /> : <Clip>{row.reference}</Clip>}
      </a>
    ),
    sort: ({ reference }) => reference,
    text: ({ reference }) => reference ?? "",
  },
  {
    name: "Date of the sale",
    show: ({ sale }) => <SoldOn sale={sale} />,
    sort: ({ sale }) => timeKey(sale.occurredOn),
    text: ({ sale }) => sale.occurredOn,
  },
  {
    name: "Partner",
    show: ({ sale, partner }) => (
      <>
        <Clip>{partner?.name ?? sale.partnerId}</Clip>
        {sale.credit !== undefined && !isOrdinary(sale.credit) && (
          <span class="under">{creditWords(sale.credit)}</span>
        )}
      </>
    ),
    sort: ({ sale, partner }) => partner?.name ?? sale.partnerId,
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
    show: (row) => <Clip>{propertiesWords(row)}</Clip>,
    text: ({ sale }) => JSON.stringify(sale.properties),
  },
  {
    name: "State",
    show: ({ sale }) => (
      <Badge family={sale.status === "confirmed" ? "done" : "stopped"}>{saleState(sale)}</Badge>
    ),
    sort: ({ sale }) => saleState(sale),
    text: ({ sale }) => saleState(sale),
  },
  {
    name: "Earned",
    isNumber: true,
    isNamed: true,
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
    sort: earned,
    text: (row) =>
      earned(row)
        .map(({ currency, amount }) => `${currency} ${decimalText(amount, currency)}`)
        .join(", "),
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<SaleRow>> = [
  exportOnly("Role", ({ sale: { credit = ALONE } }) => credit.role),
  exportOnly("Share", ({ sale: { credit = ALONE } }) => credit.share),
  exportOnly("Level", ({ sale: { credit = ALONE } }) => Number(credit.depth)),
  exportOnly("Sale", ({ sale }) => sale.originId ?? sale.id),
];

const STATES = [
  ["confirmed", "Confirmed"],
  ["cancelled", "Cancelled or replaced"],
] as const;

/** Reads what a sale can have, then asks. */
const Record = ({ close }: { readonly close: () => void }) => {
  const { client } = useSession();
  const loaded = useLoad("schemas", (signal) => client.list("attributionSchemas", { perPage: 100 }, signal));
  if (loaded.value !== null && loaded.value.total > 0)
    return <RecordSale title="Record a sale" schemas={loaded.value.items} close={close} />;
  return (
    <Dialog title="Record a sale" close={close}>
      <LoadResult loaded={loaded} what="Reading what a sale has">
        {() => <NoSchema />}
      </LoadResult>
    </Dialog>
  );
};

const NoSales = ({ seesSchemas }: { readonly seesSchemas: boolean }) => {
  const { client } = useSession();
  const { value } = useLoad("has-schema", async (signal) =>
    seesSchemas ? await client.list("attributionSchemas", { perPage: 1 }, signal) : null,
  );
  return value?.total === 0 ? (
    <NoSchema />
  ) : (
    <Empty title="No sales yet">
      Record the first one, import a file of them, or have your shop send them.
    </Empty>
  );
};

export const Sales = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const may = useMay();
  const mayReadCommissions = may("commissions:read");
  const seesSchemas = useSeesSchemas();
  const { columns, menu } = useColumns("sales", allColumns);
  const [isRecording, setRecording] = useState(false);
  const list = useList({
    list: "attributions",
    filters: filtersOf(route),
    route,
    perPage: PER_PAGE,
    columns,
    order: "desc",
    created: "Recorded",
    rowsOf: (sales, signal) => rowsOf(client, sales, { mayReadCommissions, seesSchemas }, signal),
  });
  const { loaded, pages } = list;
  return (
    <>
      <Heading title="Sales">
        <ReadAt loaded={loaded} />
        {menu}
        {may("attributions:write") && loaded.failure === null && (
          <>
            <a class="button" href="#/sales/import">
              Import
            </a>
            <button type="button" class="primary" onClick={() => setRecording(true)}>
              Record a sale
            </button>
          </>
        )}
      </Heading>
      <div class="filters">
        <SavedViews route={route} />
        <Search route={route} name="externalReferences" label="Order number, exactly" />
        <PartnerFilter route={route} />
        <Chips route={route} name="statuses" label="State" options={STATES} />
        <DateFilter route={route} name="occurredFrom" label="Sold from" />
        <DateFilter route={route} name="occurredTo" label="Sold until" />
        <MoreFilters />
      </div>
      <Listed
        list={list}
        what="Reading sales"
        caption="Sales"
        lines={10}
        rowKey={({ sale }) => sale.id}
        link={({ sale }) => linkTo(`sales/${sale.id}`)}
        noMatch="No sale matches these filters"
        none={<NoSales seesSchemas={seesSchemas} />}
      >
        {({ total }) => (
          <>
            {mayReadCommissions && (
              <TotalOfAll key={list.key} totals={[["Earned", earned]]} total={total} pages={pages} />
            )}
            <Export name="sales" columns={[...columns, ...exported]} total={total} pages={pages} />
          </>
        )}
      </Listed>
      {isRecording && <Record close={() => setRecording(false)} />}
    </>
  );
};
