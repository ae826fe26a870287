/** The list of partners. */
import { useState } from "preact/hooks";
import type { Query } from "../api/Client.ts";
import type { Partner, Sum } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { AddPartner } from "../partners/PartnerForm.tsx";
import { Amounts, amountsText, type PartnerMoney, readMoney } from "../partners/PartnerMoney.tsx";
import { Export, exportOnly, type Total, TotalOfAll } from "../parts/AllRows.tsx";
import { Badge, Clip, Empty, Failure, Heading, ReadAt } from "../parts/Basics.tsx";
import { useColumns } from "../parts/Columns.tsx";
import { Chips, MoreFilters, Search } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import { SavedViews } from "../parts/SavedViews.tsx";
import type { Column } from "../parts/Table.tsx";
import { TEAM } from "../words/TeamWords.ts";

const PER_PAGE = 25;

const MODES = [
  ["self_billing", TEAM.billing.self_billing],
  ["partner_billing", TEAM.billing.partner_billing],
  ["not_configured", "Not stated"],
] as const;

const STATUSES = [
  ["active", "Active"],
  ["suspended", "Suspended"],
] as const;

const PROPOSED = [["true", "To confirm"]] as const;

const tagsText = ({ tags }: Partner): string => tags?.join(", ") ?? "";

const billingOf = ({ billingMode }: Partner): string =>
  billingMode === null ? "Not stated" : TEAM.billing[billingMode];

/** A partner; its amounts are null while they are not read. */
interface Row {
  readonly partner: Partner;
  readonly money: ReadonlyArray<PartnerMoney> | null;
  /** True if reading the amounts has failed. */
  readonly hasFailed?: boolean;
}

const MONEY = [
  ["due", "Due, in no settlement"],
  ["pending", "In settlements"],
  ["settled", "Settled this year"],
] as const;

type Part = (typeof MONEY)[number][0];

const sumsOf = ({ money }: Row, part: Part): ReadonlyArray<Sum> =>
  (money ?? [])
    .map((one) => ({ currency: one.currency, amount: one[part] }))
    .filter(({ amount }) => amount !== 0n);

const moneyColumns: ReadonlyArray<Column<Row>> = MONEY.map(([part, name]) => ({
  name,
  isNumber: true,
  show: ({ money, hasFailed = false }) => <Amounts money={money} part={part} failed={hasFailed} />,
  sort: (row) => sumsOf(row, part),
  text: ({ money }) => amountsText(money ?? [], part),
}));

const TOTALS = MONEY.map(([part, name]): Total<Row> => [name, (row) => sumsOf(row, part)]);

const columnsOf = (canSettle: boolean): ReadonlyArray<Column<Row>> => [
  {
    name: "Name",
    show: ({ partner: { id, name, status, payoutProblem } }) => (
      <>
        <a href={linkTo(`partners/${id}`)}>
          <Clip>{name}</Clip>
        </a>
        {status === "suspended" && (
          <span class="under">
            <Badge family="stopped">Suspended</Badge>
          </span>
        )}
        {payoutProblem !== null && (
          <span class="under" title={payoutProblem}>
            <Badge family="waiting">Check the account</Badge>
          </span>
        )}
      </>
    ),
    sort: ({ partner }) => partner.name,
    text: ({ partner }) => partner.name,
  },
  ...(canSettle ? moneyColumns : []),
  {
    name: "Reference",
    isMinor: true,
    show: ({ partner }) => <Clip>{partner.externalReference ?? ""}</Clip>,
    sort: ({ partner }) => partner.externalReference ?? null,
    text: ({ partner }) => partner.externalReference ?? "",
  },
  {
    name: "Tags",
    isMinor: true,
    show: ({ partner }) => <Clip>{tagsText(partner)}</Clip>,
    text: ({ partner }) => tagsText(partner),
  },
];

const exported: ReadonlyArray<Column<Row>> = (
  [
    ["State", ({ status }) => status ?? "active"],
    ["Billing", billingOf],
    ["Country", ({ selfBillingData }) => selfBillingData?.address.country ?? ""],
    ["Payout problem", ({ payoutProblem }) => payoutProblem ?? ""],
    ["E-mail", ({ email }) => email ?? ""],
    ["Partner", ({ id }) => id],
  ] satisfies ReadonlyArray<readonly [string, (partner: Partner) => string]>
).map(([name, text]) => exportOnly(name, ({ partner }) => text(partner)));

export const Partners = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const may = useMay();
  const canSettle = may("settlements:read");
  const [isAdding, setAdding] = useState(false);
  const valuesOf = (name: string): ReadonlyArray<string> | undefined => {
    const values = route.query.getAll(name).filter((value) => value !== "");
    return values.length === 0 ? undefined : values;
  };
  const filters: Query = {
    name: route.query.get("name"),
    billingMode: route.query.getAll("billingMode").at(-1),
    statuses: valuesOf("statuses"),
    tags: valuesOf("tags"),
    externalReferences: valuesOf("externalReferences"),
    payoutAccountProposed: route.query.get("payoutAccountProposed"),
  };
  const { columns, menu } = useColumns("partners", columnsOf(canSettle));
  const list = useList({
    list: "partners",
    filters,
    route,
    perPage: PER_PAGE,
    columns,
    order: "asc",
    rowsOf: async (partners, signal): Promise<ReadonlyArray<Row>> => {
      const read = await readMoney(client, canSettle ? partners.map(({ id }) => id) : [], signal);
      return partners.map((partner) => ({ partner, money: read.get(partner.id) ?? [] }));
    },
    // The names do not wait for the amounts.
    pageRowsOf: (partners) => partners.map((partner) => ({ partner, money: null })),
  });
  const { loaded, pages } = list;
  const unread = (loaded.value?.rows ?? []).filter((row) => row.money === null);
  const ids = canSettle ? unread.map(({ partner }) => partner.id) : [];
  const money = useLoad(`money/${ids}`, (signal) => readMoney(client, ids, signal));
  const withMoney = (row: Row): Row =>
    row.money !== null
      ? row
      : { ...row, money: money.value?.get(row.partner.id) ?? null, hasFailed: money.failure !== null };
  const value = loaded.value && { ...loaded.value, rows: loaded.value.rows.map(withMoney) };
  const shown = { ...list, loaded: { ...loaded, value } };
  return (
    <>
      <Heading title="Partners">
        <ReadAt loaded={loaded} />
        {menu}
        {may("partners:write") && loaded.failure === null && (
          <>
            <a class="button" href="#/partners/import">
              Import
            </a>
            <button type="button" class="primary" onClick={() => setAdding(true)}>
              Add a partner
            </button>
          </>
        )}
      </Heading>
      {isAdding && <AddPartner close={() => setAdding(false)} />}
      <div class="filters">
        <SavedViews route={route} />
        <Search route={route} name="name" label="Name" />
        <Search route={route} name="tags" label="Tag" />
        <Search route={route} name="externalReferences" label="Reference" />
        <Chips route={route} name="statuses" label="State" options={STATUSES} />
        <Chips route={route} name="billingMode" label="Billing" options={MODES} />
        <Chips route={route} name="payoutAccountProposed" label="Account" options={PROPOSED} />
        <MoreFilters />
      </div>
      <Listed
        list={shown}
        what="Reading partners"
        caption="Partners"
        lines={10}
        rowKey={({ partner }) => partner.id}
        link={({ partner }) => linkTo(`partners/${partner.id}`)}
        noMatch="No partner matches"
        none={<Empty title="No partners yet">Add the first one, or import a file of them.</Empty>}
        below={() => (
          <>
            {money.failure !== null && <Failure failure={money.failure} retry={money.reload} />}
            <p class="note">
              {canSettle
                ? "Amounts are net of tax. What is due counts changes to sales that are in settlements. Settled this year is what was paid, offset or written off since 1 January, UTC."
                : "Amounts are not shown: you lack settlements:read."}
            </p>
          </>
        )}
      >
        {({ total }) => (
          <>
            {canSettle && <TotalOfAll key={list.key} totals={TOTALS} total={total} pages={pages} />}
            <Export name="partners" columns={[...columns, ...exported]} total={total} pages={pages} />
          </>
        )}
      </Listed>
    </>
  );
};
