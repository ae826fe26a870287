/** The page that lists the customer's commission plans. */
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { countWords } from "../format/Money.ts";
import { Badge, Clip, Empty, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { ListPager, pageOf, Search } from "../parts/Filters.tsx";
import { Table } from "../parts/Table.tsx";

const PER_PAGE = 50;

export const Plans = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const page = pageOf(route);
  const loaded = useLoad(
    `plans?${route.query}`,
    (signal) =>
      client.list(
        "commissionPlans",
        { name: route.query.get("name"), order: "desc", page, perPage: PER_PAGE },
        signal,
      ),
    true,
  );
  return (
    <>
      <Heading title="Plans">
        <ReadAt loaded={loaded} />
        {may("formulas:write") && (
          <a class="button" href="#/builder">
            Write a new plan
          </a>
        )}
      </Heading>
      <div class="filters">
        <Search route={route} name="name" label="Name" />
      </div>
      <LoadResult loaded={loaded} lines={6} what="Reading plans" signOut={signOut}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={route.query.size === 0 ? "No plans yet" : "No plan matches"}>
              A plan defines what many partners earn. <a href="#/builder">Write one</a> with a form, or begin
              with one of the cookbook.
            </Empty>
          ) : (
            <>
              <Table
                caption="Plans, newest first"
                rows={items}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`plans/${id}`)}
                isStale={loaded.isLoading}
                columns={[
                  {
                    name: "Name",
                    show: ({ id, name }) => (
                      <a href={linkTo(`plans/${id}`)}>
                        <Clip>{name}</Clip>
                      </a>
                    ),
                  },
                  {
                    name: "State",
                    show: (plan) => (
                      <Badge family={plan.status === "active" ? "done" : "stopped"}>
                        {plan.status === "active" ? "Active" : "Cancelled"}
                      </Badge>
                    ),
                  },
                  { name: "Currency", isMinor: true, show: ({ currency }) => currency },
                  { name: "From", isMinor: true, show: ({ startDatetime }) => <When at={startDatetime} /> },
                  {
                    name: "Until",
                    isMinor: true,
                    show: ({ endDatetime }) => (endDatetime === null ? "no end" : <When at={endDatetime} />),
                  },
                  {
                    name: "Partners",
                    isNumber: true,
                    show: (plan) => countWords(plan.partnerCount, "partner"),
                  },
                ]}
              />
              {total > PER_PAGE && (
                <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
              )}
            </>
          )
        }
      </LoadResult>
    </>
  );
};
