/** The page that lists the customer's commission plans. */
import type { Plan } from "../api/Records.ts";
import { useMay } from "../api/Session.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { countWords } from "../format/Money.ts";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Badge, Clip, Empty, Heading, ReadAt, When } from "../parts/Basics.tsx";
import { Search } from "../parts/Filters.tsx";
import { useRecords } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import type { Column } from "../parts/Table.tsx";

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
  const may = useMay();
  const list = useRecords({
    list: "commissionPlans",
    filters: { name: route.query.get("name") },
    route,
    perPage: PER_PAGE,
    columns,
  });
  return (
    <>
      <Heading title="Plans">
        <ReadAt loaded={list.loaded} />
        {may("formulas:write") && (
          <a class="button primary" href="#/builder">
            New plan
          </a>
        )}
      </Heading>
      <div class="filters">
        <Search route={route} name="name" label="Name" />
      </div>
      <Listed
        list={list}
        what="Reading plans"
        caption="Plans"
        rowKey={({ id }) => id}
        link={({ id }) => linkTo(`plans/${id}`)}
        noMatch="No plan matches these filters"
        none={
          <Empty title="No plans yet">
            A plan defines what many partners earn. <a href="#/builder">Write one</a> with a form, or begin
            with one of the cookbook.
          </Empty>
        }
      >
        {({ total }) => (
          <Export name="plans" columns={[...columns, ...exported]} total={total} pages={list.pages} />
        )}
      </Listed>
    </>
  );
};
