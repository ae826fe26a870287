/** A partner's earnings, open settlements and tasks. */

import { ForbiddenError } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { CommissionStatistics, Partner, Settlement, Sum } from "../api/Records.ts";
import { type Session, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { monthStart } from "../format/Dates.ts";
import { amountIn, currenciesOf, minus, sumByCurrency } from "../format/Money.ts";
import { Amount, Clip, Empty, Heading, Id, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { CommissionsChart } from "../parts/CommissionsChart.tsx";
import { Table } from "../parts/Table.tsx";
import { sentenceOf, t, translated } from "../words/Language.ts";
import { PAYEE_STATES } from "../words/PayeeStates.ts";
import { useWords } from "../words/Reader.ts";
import { stateIn, unsigned } from "../words/States.ts";
import type { Words } from "../words/Words.ts";
import { isAmbiguous, type MyPlan, readMyTerms } from "./MyTerms.ts";
import { drafted, net, state } from "./SettlementColumns.tsx";

interface SummaryData {
  readonly partners: ReadonlyArray<Partner>;
  readonly statistics: CommissionStatistics;
  /** What waits for buyers; none where the key may not read balances. */
  readonly waiting: ReadonlyArray<Sum>;
  readonly settlements: ReadonlyArray<Settlement>;
  /** The settlements that wait for the partner. */
  readonly tasks: ReadonlyArray<Settlement>;
  /** The plans whose terms the partner has not accepted. */
  readonly unaccepted: ReadonlyArray<MyPlan>;
  /** The partners of which no account is known, and none is proposed. */
  readonly unpaid: ReadonlyArray<Partner>;
}

/** What the partner has to do. */
type TaskData = Pick<SummaryData, "tasks" | "unaccepted" | "unpaid">;

const countTasks = ({ tasks, unaccepted, unpaid }: TaskData): number =>
  tasks.length + unaccepted.length + unpaid.length;

const WITH_TASKS = Object.entries(PAYEE_STATES).flatMap(([type, { tasks }]) =>
  tasks.length > 0 ? [type] : [],
);

/** The sums that are payable once buyers have paid, by currency. */
const readWaiting = async (
  client: Client,
  partners: ReadonlyArray<Partner>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Sum>> => {
  const partnerIds = partners.map(({ id }) => id);
  if (partnerIds.length === 0) return [];
  const balances = await client.remote.partners.balances({ partnerIds }, { signal }).then(
    (found) => found.balances,
    (problem: unknown) => {
      if (problem instanceof ForbiddenError) return [];
      throw problem;
    },
  );
  return sumByCurrency(balances.map(({ currency, waiting }) => ({ currency, amount: waiting })));
};

/** Those of the partners that have no account; none where the key may not propose one. */
const readUnpaid = async (
  client: Client,
  partners: ReadonlyArray<Partner>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Partner>> => {
  const accounts = await Promise.all(
    partners.map(({ id }) => client.remote.payoutAccounts.read(id, { signal })),
  );
  return partners.filter((_, index) =>
    accounts[index]?.payoutAccounts.every(({ status }) => status === "retired"),
  );
};

const readSummary = async (
  { client, principal }: Session,
  words: Words,
  signal: AbortSignal,
): Promise<SummaryData> => {
  const seen = client.list("partners", { perPage: 100 }, signal);
  const mayPropose = principal.scopes.includes("partners:write");
  const [partners, unpaid, waiting, plans, statistics, settlements, tasks] = await Promise.all([
    seen,
    seen.then(({ items }) => (mayPropose ? readUnpaid(client, items, signal) : [])),
    seen.then(({ items }) => readWaiting(client, items, signal)),
    seen.then(({ items }) => readMyTerms(client, items, signal)),
    client.statistics({ from: "1970-01-01T00:00:00Z", to: monthStart(Date.now(), -1).toISOString() }, signal),
    client.list("settlements", { order: "desc", perPage: 6 }, signal),
    client.list("settlements", { statuses: WITH_TASKS, perPage: 100 }, signal),
  ]);
  return {
    unaccepted: plans.filter(({ terms }) => terms.acceptance === null),
    partners: partners.items,
    ...{ unpaid, waiting, statistics },
    settlements: settlements.items,
    tasks: tasks.items.filter((settlement) => words.stateOf(settlement).family === "waiting"),
  };
};

const Tasks = ({ tasks, unaccepted, unpaid }: TaskData) => (
  <section class="panel">
    <h2>{t("What you have to do")}</h2>
    {countTasks({ tasks, unaccepted, unpaid }) === 0 ? (
      <Empty title="Nothing to do">{t("If you write your own invoices, they are asked for here.")}</Empty>
    ) : (
      <ul class="tasks">
        {unpaid.map(({ id, name }) => (
          <li key={id}>
            <a href={linkTo("account")}>
              <span>
                {unpaid.length === 1 ? (
                  t("Tell us where to pay you")
                ) : (
                  <Clip>{t("Tell us where to pay you: {name}", { name })}</Clip>
                )}
              </span>
              <span class="task-action">{t("Propose")}</span>
            </a>
          </li>
        ))}
        {unaccepted.map((plan) => (
          <li key={`${plan.terms.planId} ${plan.partner.id}`}>
            <a href={linkTo("plans")}>
              <span>
                <Clip>{t("Accept the terms of {plan}", { plan: plan.terms.name })}</Clip>
                {isAmbiguous(plan, unaccepted) && <Id id={plan.terms.planId} />}
              </span>
              <span class="task-action">{t("Read")}</span>
            </a>
          </li>
        ))}
        {tasks.flatMap((settlement) => {
          const { id, total, payableAmount, createdAt, currency } = settlement;
          const amount = unsigned(payableAmount ?? total, currency);
          return stateIn(PAYEE_STATES, settlement).tasks.map(([words, action]) => (
            <li key={`${id} ${words}`}>
              <a href={linkTo(`settlements/${id}`)}>
                <span>
                  {sentenceOf(words, {
                    amount: payableAmount === null ? t("{amount} net", { amount }) : amount,
                    day: <When at={createdAt} />,
                  })}
                </span>
                <span class="task-action">{t(action)}</span>
              </a>
            </li>
          ));
        })}
      </ul>
    )}
  </section>
);

export const Summary = () => {
  const session = useSession();
  const words = useWords();
  const loaded = useLoad("summary", (signal) => readSummary(session, words, signal));
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading your figures" signOut={session.signOut}>
      {({ partners, waiting, statistics, settlements, ...toDo }) => {
        const { settled, unsettled } = statistics.summary;
        const currencies = currenciesOf(statistics);
        return (
          <>
            <Heading title={<Clip>{partners.map(({ name }) => name).join(", ") || t("Overview")}</Clip>}>
              <ReadAt loaded={loaded} />
            </Heading>
            {currencies.length === 0 ? (
              <>
                <Empty title="No commissions yet">
                  {t("They appear here with the first sale that is credited to you.")}
                </Empty>
                {countTasks(toDo) > 0 && <Tasks {...toDo} />}
              </>
            ) : (
              <>
                <div class="cards">
                  {currencies.map((currency) => {
                    const awaited = amountIn(waiting, currency);
                    return (
                      <section
                        key={currency}
                        class="card"
                        aria-label={t("Figures in {currency}", { currency })}
                      >
                        <h2>{currency}</h2>
                        <dl>
                          <div class="main-figure">
                            <dt>{t("Earned, not paid yet")}</dt>
                            <dd>
                              <Amount
                                amount={minus(amountIn(unsettled.amounts, currency), awaited)}
                                currency={currency}
                                strong
                              />
                            </dd>
                          </div>
                          {awaited !== 0n && (
                            <div>
                              <dt>{translated(words.waiting)}</dt>
                              <dd>
                                <Amount amount={awaited} currency={currency} />
                              </dd>
                            </div>
                          )}
                          <div>
                            <dt>{t("Settled so far")}</dt>
                            <dd>
                              <Amount amount={amountIn(settled.amounts, currency)} currency={currency} />
                            </dd>
                          </div>
                        </dl>
                      </section>
                    );
                  })}
                </div>
                <p class="note">{t("Net of tax. Months are in UTC, by the date of the sale.")}</p>
                <div class="columns">
                  <section class="panel">
                    <CommissionsChart
                      title={t("My commissions")}
                      statistics={statistics}
                      currency={currencies[0] ?? "EUR"}
                    />
                  </section>
                  <Tasks {...toDo} />
                </div>
              </>
            )}
            {settlements.length > 0 && (
              <section class="panel">
                <h2>{t("Newest settlements")}</h2>
                <Table
                  caption="My newest settlements"
                  rows={settlements}
                  rowKey={({ id }) => id}
                  link={({ id }) => linkTo(`settlements/${id}`)}
                  columns={[drafted, state, net]}
                />
              </section>
            )}
          </>
        );
      }}
    </LoadResult>
  );
};
