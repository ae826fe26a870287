/** The settlements of a partner. */

import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { Amount, documentNumber, Empty, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { Chips, isFiltered, ListPager, pageOf } from "../parts/Filters.tsx";
import { Table } from "../parts/Table.tsx";
import { t, translated } from "../words/Language.ts";
import { PAYEE } from "../words/PayeeWords.ts";
import { drafted, net, state } from "./SettlementColumns.tsx";

const PER_PAGE = 25;

export const MySettlements = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const page = pageOf(route);
  const loaded = useLoad(
    `settlements?${route.query}`,
    (signal) =>
      client.list(
        "settlements",
        { statuses: route.query.getAll("statuses"), order: "desc", page, perPage: PER_PAGE },
        signal,
      ),
    true,
  );
  return (
    <>
      <Heading title={t("My settlements")}>
        <ReadAt loaded={loaded} />
      </Heading>
      <div class="filters">
        <Chips
          route={route}
          name="statuses"
          label="State"
          options={Object.entries(PAYEE.states).map(([state, words]) => [state, translated(words)] as const)}
        />
      </div>
      <LoadResult loaded={loaded} lines={8} what="Reading settlements" signOut={signOut}>
        {({ items, total }) =>
          total === 0 ? (
            <Empty title={isFiltered(route) ? "No settlement matches" : "No settlements yet"}>
              {isFiltered(route) ? (
                <a href={linkTo("settlements")}>{t("Remove the filters")}</a>
              ) : (
                t("We put your commissions into settlements and pay these. They appear here.")
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption="My settlements, newest first"
                rows={items}
                rowKey={({ id }) => id}
                link={({ id }) => linkTo(`settlements/${id}`)}
                isStale={loaded.isLoading}
                columns={[
                  drafted,
                  state,
                  {
                    name: "Invoice",
                    isMinor: true,
                    show: documentNumber,
                  },
                  net,
                  {
                    name: "With tax",
                    isNumber: true,
                    show: ({ payableAmount, currency }) =>
                      payableAmount === null ? "" : <Amount amount={payableAmount} currency={currency} />,
                  },
                ]}
              />
              <ListPager route={route} perPage={PER_PAGE} total={total} isLoading={loaded.isLoading} />
            </>
          )
        }
      </LoadResult>
    </>
  );
};
