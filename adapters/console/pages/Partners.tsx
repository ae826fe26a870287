/** The list of partners. */
import type { Client, Query } from "../api/Client.ts";
import type { Partner } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { Badge, Clip, Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { Chips, ListPager, pageOf, Search } from "../parts/Filters.tsx";
import { type Column, Export, Table } from "../parts/Table.tsx";
import { TEAM } from "../words/TeamWords.ts";

const PER_PAGE = 50;

const MODES = [
  ["self_billing", TEAM.billing.self_billing],
  ["partner_billing", TEAM.billing.partner_billing],
  ["not_configured", "Not stated"],
] as const;

const STATUSES = [
  ["active", "Active"],
  ["suspended", "Suspended"],
] as const;

const tagsText = (tags: Partner["tags"]): string => tags?.join(", ") ?? "";

const billingOf = ({ billingMode }: Partner): string =>
  billingMode === null ? "Not stated" : TEAM.billing[billingMode];

const columns: ReadonlyArray<Column<Partner>> = [
  {
    name: "Name",
    show: (partner) => (
      <a href={linkTo(`partners/${partner.id}`)}>
        <Clip>{partner.name}</Clip>
      </a>
    ),
    text: ({ name }) => name,
  },
  {
    name: "Status",
    show: ({ status }) => (status === "suspended" ? <Badge family="waiting">Suspended</Badge> : ""),
    text: ({ status }) => status ?? "active",
  },
  { name: "Billing", show: billingOf, text: billingOf },
  {
    name: "Tags",
    isMinor: true,
    show: ({ tags }) => <Clip>{tagsText(tags)}</Clip>,
    text: ({ tags }) => tagsText(tags),
  },
  {
    name: "Country",
    isMinor: true,
    show: ({ selfBillingData }) => selfBillingData?.address.country ?? "",
    text: ({ selfBillingData }) => selfBillingData?.address.country ?? "",
  },
  {
    name: "Payout",
    show: ({ payoutProblem, billingMode }) =>
      payoutProblem === null ? (
        billingMode === "self_billing" ? (
          <Badge family="done">Account is valid</Badge>
        ) : (
          ""
        )
      ) : (
        <span title={payoutProblem}>
          <Badge family="waiting">Problem</Badge>
        </span>
      ),
    text: ({ payoutProblem }) => payoutProblem ?? "",
  },
];

const exported: ReadonlyArray<Column<Partner>> = [
  ...columns,
  { name: "Reference", show: () => null, text: ({ externalReference }) => externalReference ?? "" },
  { name: "E-mail", show: () => null, text: ({ email }) => email ?? "" },
  { name: "Partner", show: () => null, text: ({ id }) => id },
];

async function* pagesOf(
  client: Client,
  filters: Query,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<ReadonlyArray<Partner>> {
  for await (const { items } of client.walk("partners", filters, limit, signal)) yield items;
}

export const Partners = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
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
  };
  const loaded = useLoad(
    `partners?${route.query}`,
    (signal) => client.list("partners", { ...filters, page, perPage: PER_PAGE }, signal),
    true,
  );
  return (
    <>
      <Heading title="Partners">
        <ReadAt loaded={loaded} />
      </Heading>
      <div class="filters">
        <Search route={route} name="name" label="Name" />
        <Search route={route} name="tags" label="Tag" />
        <Search route={route} name="externalReferences" label="Reference" />
        <Chips route={route} name="statuses" label="Status" options={STATUSES} />
        <Chips route={route} name="billingMode" label="Billing" options={MODES} />
      </div>
      <LoadResult loaded={loaded} lines={10} what="Reading partners" signOut={signOut}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={route.query.size === 0 ? "No partners yet" : "No partner matches"}>
              {route.query.size === 0 ? (
                "Create the first one over the interface: POST /api/v1/partners."
              ) : (
                <a href="#/partners">Remove the filters</a>
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption="Partners"
                columns={columns}
                rows={items}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`partners/${id}`)}
                isStale={loaded.isLoading}
              />
              <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              <Export
                name="partners"
                columns={exported}
                total={total}
                pages={(signal, limit) => pagesOf(client, filters, signal, limit)}
              />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
