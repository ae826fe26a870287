/** The statement of a partner: opening balance, movements, closing balance. */

import type { ComponentChildren } from "preact";
import type { Client } from "../api/Client.ts";
import type { Commission, Movement, PartnerBalance, PartnerStatement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { calendarDay, dayStart, pastEnd, utcDay } from "../format/Dates.ts";
import { difference, minus, money } from "../format/Money.ts";
import { isEnglish, type Text, t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import { Amount, Clip, Empty, LoadResult, When } from "./Basics.tsx";
import { DownloadButton } from "./Download.tsx";
import { ChipRow, DateFilter, Preset, Select } from "./Filters.tsx";
import { ShowMore, useMore } from "./More.tsx";
import { type Formulas, PlanName, readFormulas } from "./PlanName.tsx";
import { Table } from "./Table.tsx";
import { WhyAmount } from "./Why.tsx";

const PER_PAGE = 100;

/** The first and the last day of the periods that are offered, in UTC. */
const periodPresets = (now: Date): ReadonlyArray<readonly [words: string, from: string, until: string]> => {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  const day = (ofMonth: number, ofDay: number): string => utcDay(Date.UTC(year, ofMonth, ofDay));
  const quarter = month - (month % 3);
  return [
    ["This month", day(month, 1), ""],
    ["Last month", day(month - 1, 1), day(month, 0)],
    ["This quarter", day(quarter, 1), ""],
    ["Last quarter", day(quarter - 3, 1), day(quarter, 0)],
    ["This year", day(0, 1), ""],
    ["Last 12 months", day(month - 11, 1), ""],
  ];
};

/** The days of the address: by default the last three months, until now. */
const periodOf = ({ query }: Route): { readonly from: string; readonly until: string } => {
  const now = new Date();
  return {
    from: query.get("from") || utcDay(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 2, 1)),
    until: query.get("until") ?? "",
  };
};

interface StatementQuery {
  readonly partnerId: string;
  readonly from: string;
  /** Absent: until now. */
  readonly to?: string;
  readonly currency: string;
}

/** The commissions that movements are about, and their formulas; none where the key may not read them. */
interface Earnings {
  readonly commissions: ReadonlyMap<string, Commission>;
  readonly formulas: Formulas;
}

const NO_EARNINGS: Earnings = { commissions: new Map(), formulas: new Map() };

const readEarnings = async (
  client: Client,
  movements: ReadonlyArray<Movement>,
  signal?: AbortSignal,
): Promise<Earnings> => {
  const ids = movements.map(({ commissionId }) => commissionId).filter((id) => id !== undefined);
  const commissions = await client.byIds("commissions", ids, signal);
  return { commissions, formulas: await readFormulas(client, commissions.values(), signal) };
};

interface StatementData {
  readonly balance: PartnerBalance;
  /** Null for a partner that has never earned anything. */
  readonly statement: PartnerStatement | null;
  readonly earnings: Earnings;
  readonly query: StatementQuery | null;
}

const readStatement = async (
  client: Client,
  partnerId: string,
  route: Route,
  signal: AbortSignal,
): Promise<StatementData> => {
  const { partners } = client.remote;
  const balance = await partners.balance(partnerId, {}, { signal });
  const codes = balance.balances.map(({ currency }) => currency);
  const currency = route.query.get("currency") || codes[0];
  if (currency === undefined) return { balance, statement: null, earnings: NO_EARNINGS, query: null };
  const { from, until } = periodOf(route);
  // Null for a day that has not ended: the statement then ends now.
  const to = pastEnd(until);
  const range = { from: dayStart(from), ...(to === null ? {} : { to }), currency };
  const statement = await partners.statement(partnerId, { ...range, limit: PER_PAGE }, { signal });
  const earnings = await readEarnings(client, statement.movements, signal);
  return { balance, statement, earnings, query: { partnerId, ...range } };
};

/** The types of movements in languages other than that of the interface, whose sentence says more. */
const MOVEMENTS: Readonly<Record<string, Text>> = {
  earned: "Earned",
  adjusted: "Amount changed",
  received: "The buyer has paid",
  settled_elsewhere: "Settled in another system",
  paid: "Settled by payment",
  payment_returned: "Payment returned",
  written_off: "Closed without payment",
};

const movementWords = (type: string, text: string): string => {
  const words = MOVEMENTS[type];
  return isEnglish() || words === undefined ? text : t(words);
};

const movementColumns = (currency: string, { commissions, formulas }: Earnings) => [
  { name: "Date", show: ({ datetime }: Movement) => <When at={datetime} /> },
  {
    name: "Movement and plan",
    show: ({ type, text, settlementId, commissionId }: Movement) => {
      const commission = commissions.get(commissionId ?? "");
      return (
        <>
          {settlementId === undefined ? (
            movementWords(type, text)
          ) : (
            <a href={linkTo(`settlements/${settlementId}`)}>{movementWords(type, text)}</a>
          )}
          {commission !== undefined && <PlanName id={commission.commissionFormulaId} formulas={formulas} />}
        </>
      );
    },
  },
  { name: "Reference", isMinor: true, show: ({ reference }: Movement) => <Clip>{reference ?? ""}</Clip> },
  {
    name: "Movement",
    isNumber: true,
    show: ({ amount, commissionId }: Movement) =>
      commissionId === undefined ? (
        <span class="amount">{difference(amount, currency)}</span>
      ) : (
        <WhyAmount commissionId={commissionId} amount={amount} currency={currency} isDifference />
      ),
  },
  {
    name: "Due after it",
    isNumber: true,
    show: ({ balance }: Movement) => <Amount amount={balance} currency={currency} />,
  },
];

const Movements = ({
  statement,
  earnings,
  query,
}: {
  readonly statement: PartnerStatement;
  readonly earnings: Earnings;
  readonly query: StatementQuery;
}) => {
  const { client } = useSession();
  const { currency, openingBalance, closingBalance, from, to } = statement;
  const { movements, nextCursor } = statement;
  const more = useMore({ movements, nextCursor, earnings }, async (before, after) => {
    const { partnerId, ...range } = query;
    const page = { ...range, to, after, limit: PER_PAGE };
    const next = await client.remote.partners.statement(partnerId, page);
    const { commissions, formulas } = await readEarnings(client, next.movements);
    return {
      movements: [...before.movements, ...next.movements],
      nextCursor: next.nextCursor,
      earnings: {
        commissions: new Map([...before.earnings.commissions, ...commissions]),
        formulas: new Map([...before.earnings.formulas, ...formulas]),
      },
    };
  });
  const rows = more.shown.movements;
  return (
    <>
      {rows.length === 0 ? (
        <Empty title="No movements in this period">
          {t("{amount} was due throughout. Choose another period above.", {
            amount: money(closingBalance, currency),
          })}
        </Empty>
      ) : (
        <Table
          caption={t("Movements from {day}", { day: calendarDay(from.slice(0, 10)) })}
          rows={rows}
          rowKey={({ datetime, commissionId, settlementId, balance, type }) =>
            `${datetime}${commissionId ?? settlementId}${type}${balance}`
          }
          columns={movementColumns(currency, more.shown.earnings)}
          head={
            <tr>
              <th scope="row" colSpan={2}>
                {t("Due at the beginning")}
              </th>
              <td class="minor" />
              <td class="minor" />
              <td class="number">
                <Amount amount={openingBalance} currency={currency} />
              </td>
            </tr>
          }
          foot={
            more.shown.nextCursor === null ? (
              <tr>
                <th scope="row" colSpan={2}>
                  {t("Due at the end")}
                </th>
                <td class="minor" />
                <td class="minor" />
                <td class="number">
                  <Amount amount={closingBalance} currency={currency} strong />
                </td>
              </tr>
            ) : undefined
          }
        />
      )}
      <ShowMore more={more} words={t("Show {n} more movements", { n: PER_PAGE })}>
        <span class="note">
          {t("The first {n} are shown; the PDF and the CSV file have all of them.", { n: rows.length })}
        </span>
      </ShowMore>
    </>
  );
};

const summaryWords = ({
  openingBalance,
  closingBalance,
  currency,
  from,
  to,
  final,
}: PartnerStatement): string =>
  final
    ? t("{opening} was due at the beginning of {from}, {closing} at the end of {to}.", {
        ...{ opening: money(openingBalance, currency), closing: money(closingBalance, currency) },
        ...{ from: calendarDay(from.slice(0, 10)), to: calendarDay(utcDay(Date.parse(to) - 1)) },
      })
    : t("{opening} was due at the beginning of {from}, {closing} is due now.", {
        ...{ opening: money(openingBalance, currency), closing: money(closingBalance, currency) },
        from: calendarDay(from.slice(0, 10)),
      });

const Files = ({ query }: { readonly query: StatementQuery }) => {
  const { partnerId, ...range } = query;
  return (
    <>
      <DownloadButton
        load={({ partners }) => partners.statement(partnerId, range, { accept: "application/pdf" })}
      >
        PDF
      </DownloadButton>
      <DownloadButton
        load={({ partners }) =>
          partners.statement(partnerId, { ...range, format: "spreadsheet" }, { accept: "text/csv" })
        }
      >
        CSV
      </DownloadButton>
      <button type="button" onClick={() => print()}>
        {t("Print")}
      </button>
    </>
  );
};

const Period = ({
  route,
  balance,
}: {
  readonly route: Route;
  readonly balance: PartnerBalance | undefined;
}) => {
  const currencies = balance?.balances.map(({ currency }) => currency) ?? [];
  const { from, until } = periodOf(route);
  return (
    <div class="filters">
      <ChipRow label="Period" chosen={`${from}/${until}`}>
        {periodPresets(new Date()).map(([words, first, last]) => (
          <Preset
            key={words}
            route={route}
            values={{ from: first, until: last }}
            isChosen={from === first && until === last}
          >
            {translated(words)}
          </Preset>
        ))}
      </ChipRow>
      <DateFilter route={route} name="from" label="From" value={from} />
      <DateFilter route={route} name="until" label="Until, included" />
      {currencies.length > 1 && (
        <Select
          route={route}
          name="currency"
          label="Currency"
          value={currencies[0] ?? ""}
          groups={[[t("Currencies"), currencies.map((code) => [code, code] as const)]]}
        />
      )}
    </div>
  );
};

/** The statement of a partner for the period of the address. */
export const Statement = ({
  partnerId,
  route,
  heading,
}: {
  readonly partnerId: string;
  readonly route: Route;
  /** The heading with its actions. */
  readonly heading: (
    actions: ComponentChildren,
    loaded: Pick<Loaded<unknown>, "readAt" | "reload" | "isLoading">,
  ) => ComponentChildren;
}) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(
    `statement/${partnerId}?${route.query}`,
    (signal) => readStatement(client, partnerId, route, signal),
    true,
  );
  const { value } = loaded;
  return (
    <>
      {heading(value?.query != null && <Files query={value.query} />, loaded)}
      <Period route={route} balance={value?.balance} />
      <LoadResult loaded={loaded} lines={8} what="Reading the statement" signOut={signOut}>
        {({ statement, earnings, query }) =>
          statement === null || query === null ? (
            <Empty title="Nothing was ever due">
              {t("Movements appear here with the first commission.")}
            </Empty>
          ) : (
            <div class={loaded.isLoading ? "stale" : ""}>
              <p class="sentence">{summaryWords(statement)}</p>
              <p class="note">
                {t(
                  "Net of tax, in {currency}, by the date of each event in UTC. What is in settlements under way is still due.",
                  { currency: statement.currency },
                )}{" "}
                {statement.final
                  ? t("This period is closed: its statement never changes.")
                  : t("The period lasts until now: further movements may be added.")}
              </p>
              <Movements
                key={`${statement.from}${statement.to}${statement.currency}`}
                statement={statement}
                earnings={earnings}
                query={query}
              />
            </div>
          )
        }
      </LoadResult>
    </>
  );
};

/** The earned, settled and due amounts in each currency. */
export const Balances = ({
  balance,
  children,
}: {
  readonly balance: PartnerBalance;
  /** The actions for a currency. */
  readonly children?: (currency: string) => ComponentChildren;
}) => {
  const words = useWords();
  return (
    <div class="cards">
      {balance.balances.map(({ currency, earned, settled, pending, due, waiting }) => (
        <section key={currency} class="card" aria-label={`Figures in ${currency}`}>
          <h2>{currency}</h2>
          <dl>
            <div class="main-figure">
              <dt>Due, in no settlement yet</dt>
              <dd>
                <Amount amount={minus(due, pending)} currency={currency} strong />
              </dd>
            </div>
            {(
              [
                ["In settlements under way", pending],
                ...(waiting === 0n ? [] : [[words.waiting, waiting] as const]),
                ["Settled so far", settled],
                ["Earned in total", earned],
              ] as const
            ).map(([name, amount]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Amount amount={amount} currency={currency} />
                </dd>
              </div>
            ))}
          </dl>
          {children?.(currency)}
        </section>
      ))}
    </div>
  );
};
