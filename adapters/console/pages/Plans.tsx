/** The page that lists the customer's commission plans. */
import type { Plan } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { countWords } from "../format/Money.ts";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Badge, Clip, Empty, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { isFiltered, ListPager, Search } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { type Column, Table } from "../parts/Table.tsx";

const PER_PAGE = 50;

const stateOf = ({ status }: Plan): string => (status === "active" ? "Active" : "Cancelled");

const columns: ReadonlyArray<Column<Plan>> = [
  {
    name: "Name",
    show: ({ id, name }) => (
      <a href={linkTo(`plans/${id}`)}>
        <Clip>{name}</Clip>
      </a>
    ),
    sort: ({ name }) => name,
    text: ({ name }) => name,
  },
  {
    name: "State",
    show: (plan) => <Badge family={plan.status === "active" ? "done" : "stopped"}>{stateOf(plan)}</Badge>,
    sort: stateOf,
    text: stateOf,
  },
  {
    name: "Currency",
    isMinor: true,
    show: ({ currency }) => currency,
    sort: ({ currency }) => currency,
    text: ({ currency }) => currency,
  },
  {
    name: "From",
    isMinor: true,
    show: ({ startDatetime }) => <When at={startDatetime} />,
    sort: ({ startDatetime }) => timeKey(startDatetime),
    text: ({ startDatetime }) => startDatetime,
  },
  {
    name: "Until",
    isMinor: true,
    show: ({ endDatetime }) => (endDatetime === null ? "no end" : <When at={endDatetime} />),
    sort: ({ endDatetime }) => timeKey(endDatetime),
    text: ({ endDatetime }) => endDatetime ?? "",
  },
  {
    name: "Partners",
    isNumber: true,
    show: ({ partnerCount }) => countWords(partnerCount, "partner"),
    sort: ({ partnerCount }) => partnerCount,
    text: ({ partnerCount }) => partnerCount,
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<Plan>> = [
  exportOnly("Description", ({ description }) => description ?? ""),
  exportOnly("Earned by", ({ roles }) => roles.join(", ")),
  exportOnly("Created", ({ createdAt }) => createdAt),
  exportOnly("Plan", ({ id }) => id),
];

export const Plans = ({ route }: { readonly route: Route }) => {
  const { signOut } = useSession();
  const may = useMay();
  const list = useList({
    list: "commissionPlans",
    filters: { name: route.query.get("name") },
    route,
    perPage: PER_PAGE,
    columns,
    order: "desc",
    rowsOf: async (records) => records,
  });
  const { loaded } = list;
  return (
    <>
      <Heading title="Plans">
        <ReadAt loaded={loaded} />
        {may("formulas:write") && (
          <a class="button primary" href="#/builder">
            New plan
          </a>
        )}
      </Heading>
      <div class="filters">
        <Search route={route} name="name" label="Name" />
      </div>
      <LoadResult loaded={loaded} lines={6} what="Reading plans" signOut={signOut}>
        {({ rows, total }) =>
          total === 0 ? (
            isFiltered(route) ? (
              <Empty title="No plan matches these filters">
                <a href="#/plans">Remove the filters</a>
              </Empty>
            ) : (
              <Empty title="No plans yet">
                A plan defines what many partners earn. <a href="#/builder">Write one</a> with a form, or
                begin with one of the cookbook.
              </Empty>
            )
          ) : (
            <>
              {list.notice}
              <Table
                caption={`Plans, ${list.words}`}
                rows={rows}
                order={list.order}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`plans/${id}`)}
                isStale={loaded.isLoading}
                columns={columns}
              />
              {total > PER_PAGE && (
                <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              )}
              <Export name="plans" columns={[...columns, ...exported]} total={total} pages={list.pages} />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
