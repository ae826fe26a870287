/** The settlements of a partner. */

import type { Settlement } from "../api/Records.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { amountKey } from "../data/Sort.ts";
import { Amount, documentNumber, Empty, Heading, ReadAt } from "../parts/Basics.tsx";
import { Chips, isFiltered } from "../parts/Filters.tsx";
import { useRecords } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import type { Column } from "../parts/Table.tsx";
import { t, translated } from "../words/Language.ts";
import { PAYEE } from "../words/PayeeWords.ts";
import { drafted, net, state } from "./SettlementColumns.tsx";

const PER_PAGE = 25;

const columns: ReadonlyArray<Column<Settlement>> = [
  drafted,
  state,
  {
    name: "Invoice",
    isMinor: true,
    show: (settlement) =>
      documentNumber(settlement) || (settlement.invoiceReference === null ? "–" : t("uploaded")),
    sort: documentNumber,
  },
  net,
  {
    name: "With tax",
    isNumber: true,
    show: ({ payableAmount, taxAmount, currency }) =>
      payableAmount === null ? (
        "–"
      ) : (
        <>
          <Amount amount={payableAmount} currency={currency} />
          {taxAmount === null && <span class="under">{t("no tax stated")}</span>}
        </>
      ),
    sort: ({ payableAmount, currency }) => amountKey(payableAmount, currency),
  },
];

export const MySettlements = ({ route }: { readonly route: Route }) => {
  const list = useRecords({
    list: "settlements",
    filters: { statuses: route.query.getAll("statuses") },
    route,
    perPage: PER_PAGE,
    columns,
    created: drafted.name,
  });
  const { loaded } = list;
  return (
    <>
      <Heading title={t("My settlements")}>
        <ReadAt loaded={loaded} />
      </Heading>
      {/* A list of one page needs no filters. */}
      {(isFiltered(route) || (loaded.value?.total ?? 0) > PER_PAGE) && (
        <div class="filters">
          <Chips
            route={route}
            name="statuses"
            label="State"
            options={Object.entries(PAYEE.states).map(
              ([state, words]) => [state, translated(words)] as const,
            )}
          />
        </div>
      )}
      <Listed
        list={list}
        what="Reading settlements"
        caption="My settlements"
        rowKey={({ id }) => id}
        link={({ id }) => linkTo(`settlements/${id}`)}
        noMatch="No settlement matches"
        none={
          <Empty title="No settlements yet">
            {t("We put your commissions into settlements and pay these. They appear here.")}
          </Empty>
        }
      />
    </>
  );
};
