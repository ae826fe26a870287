/** Payments: what is to be paid, what has failed, what a provider has, the files for the bank, and the bank's statements. */
import type { Query } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { readAgain, useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { dayStart, overdueDays, utcDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import {
  Badge,
  Clip,
  DocumentNumber,
  documentNumber,
  Empty,
  Heading,
  ReadAt,
  When,
} from "../parts/Basics.tsx";
import { isFiltered } from "../parts/Filters.tsx";
import { useList } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import type { Column } from "../parts/Table.tsx";
import { BankFiles } from "../settling/BankFiles.tsx";
import { BankStatement } from "../settling/BankStatement.tsx";
import { ChosenBar, useChosen } from "../settling/Chosen.tsx";
import { CurrencyFilter } from "../settling/CurrencyFilter.tsx";
import { TO_PAY } from "../settling/ManyActions.ts";
import { LastAttempt, ProviderPayments, WrongPayments } from "../settling/ProviderPayments.tsx";
import { partnerColumn, payableColumn } from "../settling/SettlementColumns.tsx";
import { accountOf, everySettlement, type SettlementRow, withPartners } from "../settling/SettlementRows.ts";
import { PAYS_BACK } from "../words/TeamStates.ts";

const PER_PAGE = 50;

/** The most payments under way that are read, to find those that wait for a file and those that a provider has. */
const UNDER_WAY_MAX = 2_000;

/** What can be paid: tax that an approver has to decide on comes first. */
const READY: Query = { statuses: ["awaiting_payment"], taxReview: false };

/** A date by which to pay, and for how long it has been past. */
const DueDate = ({ date }: { readonly date: string }) => {
  const days = overdueDays(date, utcDay(Date.now()));
  return (
    <>
      <When at={dayStart(date)} />
      {days > 0 && (
        <span class="under">
          <Badge family="waiting">{countWords(days, "day")} overdue</Badge>
        </span>
      )}
    </>
  );
};

const columns: ReadonlyArray<Column<SettlementRow>> = [
  partnerColumn,
  {
    name: "Account",
    show: ({ settlement, partner }) => {
      if (settlement.total < 0) return <Badge family={PAYS_BACK.family}>{PAYS_BACK.words}</Badge>;
      if (partner?.payoutProblem)
        return (
          <span title={partner.payoutProblem}>
            <Badge family="waiting">Problem</Badge>
            <span class="under">{partner.payoutProblem}</span>
          </span>
        );
      const account = accountOf({ settlement, partner });
      if (account === "" && partner !== undefined)
        return (
          <>
            <Badge family="waiting">No account</Badge>
            <a class="under" href={linkTo(`partners/${partner.id}`)}>
              Propose one
            </a>
          </>
        );
      return (
        <>
          <Clip>{account}</Clip>
          <LastAttempt settlement={settlement} />
        </>
      );
    },
  },
  {
    name: "Document",
    show: ({ settlement }) => <DocumentNumber settlement={settlement} />,
    sort: ({ settlement }) => documentNumber(settlement),
  },
  {
    name: "Due date",
    show: ({ settlement: { dueDate } }) => dueDate !== null && <DueDate date={dueDate} />,
    sort: ({ settlement }) => timeKey(settlement.dueDate),
  },
  payableColumn,
];

const UNDER_WAY: Query = { statuses: ["payment_initiated"], order: "asc" };

const Overdue = () => {
  const { client } = useSession();
  const { value } = useLoad("overdue", (signal) =>
    client.list("settlements", { paymentOverdue: true, perPage: 1 }, signal),
  );
  return value === null || value.total === 0 ? null : (
    <div class="notice wait">
      <strong>{countWords(value.total, "payment is", "payments are")} not booked by the bank</strong>
      <p>
        The bank should have booked them by now: import its statements of these days, or{" "}
        <a href={linkTo("settlements", { paymentOverdue: "true" })}>look at each</a> and ask the bank.
      </p>
    </div>
  );
};

export const Payments = ({ route }: { readonly route: Route }) => {
  const { client } = useSession();
  const mayPay = useMay()("settlements:pay");
  const chosen = useChosen(TO_PAY);
  const ready = { ...READY, currencies: route.query.getAll("currencies") };
  const underWay = useLoad(
    "under-way",
    (signal) => everySettlement(client, UNDER_WAY, signal, UNDER_WAY_MAX),
    true,
  );
  const list = useList({
    list: "settlements",
    filters: ready,
    route,
    perPage: PER_PAGE,
    columns,
    order: "asc",
    rowsOf: (settlements, signal) => withPartners(client, settlements, signal),
  });
  const { loaded } = list;
  return (
    <>
      <Heading title="Payments">
        <ReadAt loaded={{ ...loaded, reload: readAgain }} />
      </Heading>
      <Overdue />
      <section class="panel" aria-label="To pay">
        <h2>To pay</h2>
        <div class="filters">
          <CurrencyFilter route={route} rows={loaded.value?.rows} />
        </div>
        <Listed
          list={list}
          what="Reading what is to be paid"
          caption="Settlements to pay"
          rowKey={({ settlement }) => settlement.id}
          link={({ settlement }) => linkTo(`settlements/${settlement.id}`)}
          selection={chosen?.selection}
          none={
            <Empty title={`Nothing to pay${isFiltered(route) ? " in this currency" : ""}`}>
              Approved settlements appear here once their invoice has arrived.
            </Empty>
          }
          above={() => mayPay && <p class="note">Choose what to pay, then initiate the payments.</p>}
          below={({ rows, total }) =>
            chosen !== null && (
              <ChosenBar
                settlements={chosen}
                filters={ready}
                total={rows.every(TO_PAY.applies) ? total : null}
              />
            )
          }
        />
      </section>
      <WrongPayments />
      <ProviderPayments underWay={underWay} />
      <BankFiles underWay={underWay} />
      {mayPay && <BankStatement />}
    </>
  );
};
