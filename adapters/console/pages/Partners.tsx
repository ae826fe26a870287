/** The list of partners. */
import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import type { Partner } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { AddPartner } from "../partners/PartnerForm.tsx";
import { Amounts, amountsText, type PartnerMoney, readMoney } from "../partners/PartnerMoney.tsx";
import { Badge, Clip, Empty, Failure, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { useColumns } from "../parts/Columns.tsx";
import { Chips, isFiltered, ListPager, pageOf, Search } from "../parts/Filters.tsx";
import { SavedViews } from "../parts/SavedViews.tsx";
import { type Column, Export, Table } from "../parts/Table.tsx";
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
}

const MONEY = [
  ["due", "Due, in no settlement"],
  ["pending", "In settlements"],
  ["settled", "Settled this year"],
] as const;

const moneyColumns = (failed: boolean): ReadonlyArray<Column<Row>> =>
  MONEY.map(([part, name]) => ({
    name,
    isNumber: true,
    isMinor: part === "pending",
    show: ({ money }) => <Amounts money={money} part={part} failed={failed} />,
    text: ({ money }) => amountsText(money ?? [], part),
  }));

const columnsOf = (canSettle: boolean, failed: boolean): ReadonlyArray<Column<Row>> => [
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
    text: ({ partner }) => partner.name,
  },
  ...(canSettle ? moneyColumns(failed) : []),
  {
    name: "Reference",
    isMinor: true,
    show: ({ partner }) => <Clip>{partner.externalReference ?? ""}</Clip>,
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
    ["Status", ({ status }) => status ?? "active"],
    ["Billing", billingOf],
    ["Country", ({ selfBillingData }) => selfBillingData?.address.country ?? ""],
    ["Payout problem", ({ payoutProblem }) => payoutProblem ?? ""],
    ["E-mail", ({ email }) => email ?? ""],
    ["Partner", ({ id }) => id],
  ] satisfies ReadonlyArray<readonly [string, (partner: Partner) => string]>
).map(([name, text]) => ({ name, show: () => null, text: ({ partner }) => text(partner) }));

async function* pagesOf(
  client: Client,
  { filters, canSettle }: { readonly filters: Query; readonly canSettle: boolean },
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<ReadonlyArray<Row>> {
  for await (const { items } of client.walk("partners", filters, limit, signal)) {
    const ids = canSettle ? items.map(({ id }) => id) : [];
    const money = await readMoney(client, ids, signal);
    yield items.map((partner) => ({ partner, money: money.get(partner.id) ?? [] }));
  }
}

export const Partners = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const canSettle = may("settlements:read");
  const [isAdding, setAdding] = useState(false);
  const page = pageOf(route);
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
  const loaded = useLoad(
    `partners?${route.query}`,
    (signal) => client.list("partners", { ...filters, page, perPage: PER_PAGE }, signal),
    true,
  );
  const ids = canSettle ? (loaded.value?.items ?? []).map(({ id }) => id) : [];
  const money = useLoad(`money/${ids}`, (signal) => readMoney(client, ids, signal));
  const { columns, menu } = useColumns("partners", columnsOf(canSettle, money.failure !== null));
  return (
    <>
      <Heading title="Partners">
        <ReadAt loaded={loaded} />
        {menu}
        {may("partners:write") && (
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
        <Chips route={route} name="statuses" label="Status" options={STATUSES} />
        <Chips route={route} name="billingMode" label="Billing" options={MODES} />
        <Chips route={route} name="payoutAccountProposed" label="Account" options={PROPOSED} />
      </div>
      <LoadResult loaded={loaded} lines={10} what="Reading partners" signOut={signOut}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={isFiltered(route) ? "No partner matches" : "No partners yet"}>
              {!isFiltered(route) ? (
                "Add the first one, or import a file of them."
              ) : (
                <a href="#/partners">Remove the filters</a>
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption="Partners"
                columns={columns}
                rows={items.map((partner) => ({ partner, money: money.value?.get(partner.id) ?? null }))}
                rowKey={({ partner }) => partner.id}
                link={({ partner }) => linkTo(`partners/${partner.id}`)}
                isStale={loaded.isLoading}
              />
              {money.failure !== null && <Failure failure={money.failure} retry={money.reload} />}
              <p class="note">
                {canSettle
                  ? "Amounts are net of tax. Settled this year is what was paid, offset or written off since 1 January, UTC."
                  : "Amounts are not shown: you lack settlements:read."}
              </p>
              <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              <Export
                name="partners"
                columns={[...columns, ...exported]}
                total={total}
                pages={(signal, limit) => pagesOf(client, { filters, canSettle }, signal, limit)}
              />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
