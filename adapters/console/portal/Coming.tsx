/** What comes when: what is under way with its days, what the next settlement takes, and what waits for buyers. */

import type { SettlementSchedule } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { EventOf, EventType, Page, Partner, PartnerBalance, Settlement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { calendarDay, day, dayIn, utcDay } from "../format/Dates.ts";
import { minus, money } from "../format/Money.ts";
import { Amount, Clip, Empty, Fact, Heading, LoadResult, ReadAt } from "../parts/Basics.tsx";
import { Table } from "../parts/Table.tsx";
import { many, type Text, t, translated } from "../words/Language.ts";
import { openStatesOf } from "../words/OpenStates.ts";
import { PAYEE_STATES } from "../words/PayeeStates.ts";
import { useWords } from "../words/Reader.ts";
import { state } from "./SettlementColumns.tsx";

const OPEN_STATES = openStatesOf(PAYEE_STATES);

/** What a partner has earned that no settlement has yet, and when the next one comes. */
interface Ahead {
  readonly partner: Partner;
  readonly balances: PartnerBalance["balances"];
  readonly schedule: SettlementSchedule;
}

interface ComingData {
  readonly ahead: ReadonlyArray<Ahead>;
  readonly open: Page<Settlement>;
  readonly paid: ReadonlyArray<Settlement>;
}

/** Settlements under way that are shown at most. */
const OPEN_MAX = 100;

/** Paid settlements that are shown at most. */
const PAID_MAX = 5;

const readAhead = async (
  client: Client,
  partners: ReadonlyArray<Partner>,
  signal: AbortSignal,
): Promise<ReadonlyArray<Ahead>> => {
  const { partners: remote } = client.remote;
  const partnerIds = partners.map(({ id }) => id);
  if (partnerIds.length === 0) return [];
  const [{ balances }, schedules] = await Promise.all([
    remote.balances({ partnerIds }, { signal }),
    Promise.all(partnerIds.map((id) => remote.settlementSchedule(id, { signal }))),
  ]);
  return partners.flatMap((partner, index) => {
    const schedule = schedules[index];
    const own = balances.filter(({ partnerId }) => partnerId === partner.id);
    return schedule === undefined ? [] : [{ partner, balances: own, schedule }];
  });
};

/** The day by which a settlement is to be paid; none sorts last. */
const sortKey = ({ dueDate }: Settlement): string => dueDate ?? "9999";

const readComing = async (client: Client, signal: AbortSignal): Promise<ComingData> => {
  const list = (statuses: ReadonlyArray<string>, perPage: number) =>
    client.list("settlements", { statuses, order: "desc", perPage }, signal);
  const [{ items: partners }, open, paid] = await Promise.all([
    client.list("partners", { perPage: 100 }, signal),
    list(OPEN_STATES, OPEN_MAX),
    list(["paid"], PAID_MAX),
  ]);
  const ahead = await readAhead(client, partners, signal);
  const items = open.items.toSorted((a, b) => sortKey(a).localeCompare(sortKey(b)));
  return { ahead, open: { ...open, items }, paid: paid.items };
};

/** The last event of a type in the log of a settlement. */
const lastOf = <Type extends EventType>(
  { events }: Settlement,
  type: Type,
): { readonly event: EventOf<Type>; readonly datetime: string } | undefined =>
  events.findLast((entry) => entry.event.type === type) as never;

const byDay = (dueDate: string): string =>
  t(dueDate < utcDay(Date.now()) ? "Was due on {day}" : "By {day}", { day: calendarDay(dueDate) });

/** When a settlement under way is paid: a day that is stored, or why there is none. */
const whenWords = (settlement: Settlement, terms: number | undefined): string => {
  const { status, dueDate, total, billingMode, taxReview } = settlement;
  if (status.type === "disputed") return t("No day while the objection is open");
  if (total < 0) return dueDate === null ? t("No day is agreed") : byDay(dueDate);
  const handedOver = lastOf(settlement, "hand_over_payment");
  if (settlement.paymentFileStatus === "handed_over" && handedOver !== undefined)
    return t("Our bank pays on {day}", { day: calendarDay(handedOver.event.execution_date) });
  if (status.type === "draft") return t("No day yet: we check its lines");
  if (status.type === "awaiting_invoice" && billingMode === "partner_billing")
    return t("No day yet: we wait for your invoice");
  if (taxReview !== null) return t("No day yet: we check the tax of your document");
  if (dueDate !== null) return byDay(dueDate);
  return terms !== undefined && billingMode === "self_billing"
    ? many(terms, "{n} day after the date of its invoice", "{n} days after the date of its invoice")
    : t("No day is agreed");
};

/** The steps that a settlement has taken, each with its day. */
const STEPS = [
  ["create_settlement", "put together {day}"],
  ["approve_settlement", "lines fixed {day}"],
  ["link_report", "report {day}"],
  ["link_invoice", "invoice {day}"],
  ["link_credit_note", "credit note {day}"],
  ["dispute_settlement", "objection {day}"],
  ["initiate_payment", "payment started {day}"],
  ["hand_over_payment", "given to our bank {day}"],
] as const satisfies ReadonlyArray<readonly [EventType, Text]>;

const stepsWords = (settlement: Settlement): string =>
  STEPS.flatMap(([type, words]) => {
    const entry = lastOf(settlement, type);
    return entry === undefined ? [] : [t(words, { day: day(entry.datetime) })];
  }).join(", ");

/** The settlement, by its date. */
const settlementOf = {
  name: "Settlement",
  show: ({ id, createdAt }: Settlement) => (
    <a href={linkTo(`settlements/${id}`)}>{t("Settlement of {day}", { day: day(createdAt) })}</a>
  ),
};

const payable = {
  name: "Amount",
  isNumber: true,
  show: ({ payableAmount, total, currency }: Settlement) => (
    <>
      <Amount amount={payableAmount ?? total} currency={currency} strong />
      <span class="under">{payableAmount === null ? t("net") : t("with tax")}</span>
    </>
  ),
};

const UnderWay = ({ open: { items, total }, ahead }: ComingData) => {
  const termsOf = new Map(
    ahead.map(({ partner }) => [partner.id, partner.selfBillingData?.paymentTermsDays]),
  );
  return (
    <section class="panel">
      <h2>{t("Under way")}</h2>
      {items.length === 0 ? (
        <Empty title="No settlement is under way" />
      ) : (
        <Table
          caption="My settlements under way, the first to be paid first"
          rows={items}
          rowKey={({ id }) => id}
          link={({ id }) => linkTo(`settlements/${id}`)}
          columns={[
            {
              name: "When",
              show: (settlement) => (
                <>
                  <strong>{whenWords(settlement, termsOf.get(settlement.partnerId))}</strong>
                  <span class="under">{stepsWords(settlement)}</span>
                </>
              ),
            },
            settlementOf,
            state,
            payable,
          ]}
        />
      )}
      {total > items.length && (
        <p class="note">
          <a href={linkTo("settlements", { statuses: OPEN_STATES })}>
            {t("All {n} settlements that are under way", { n: total })}
          </a>
        </p>
      )}
    </section>
  );
};

/** When the next settlement comes, as the terms in force say; one sentence each. */
const scheduleWords = ({ schedule, partner }: Ahead): ReadonlyArray<string> => {
  const { cadence, nextRun, holdDays, requireAcceptance } = schedule;
  const terms = partner.selfBillingData?.paymentTermsDays;
  return [
    cadence === "manual" || nextRun === null
      ? t("No day is set for your next settlement: we start it by hand.")
      : t("Your next settlement is put together on {day}.", { day: dayIn(nextRun.at, cadence.timeZone) }),
    ...(holdDays > 0
      ? [
          many(
            holdDays,
            "A sale comes into a settlement {n} day after it, at the earliest.",
            "A sale comes into a settlement {n} days after it, at the earliest.",
          ),
        ]
      : []),
    ...(requireAcceptance ? [t("What you earn under terms that you have not accepted waits for that.")] : []),
    partner.billingMode === "self_billing" && terms !== undefined
      ? many(
          terms,
          "We pay within {n} day from the date of the invoice.",
          "We pay within {n} days from the date of the invoice.",
        )
      : t("We pay after your invoice. No day is agreed for that."),
  ];
};

/** What happens to an amount that no settlement has yet. */
const fateWords = (amount: bigint, minimum: number, currency: string): string => {
  if (amount < 0n) return t("returned sales are worth more than new ones");
  return amount < BigInt(minimum)
    ? t("waits: a settlement has at least {minimum}, {missing} more", {
        ...{ minimum: money(minimum, currency), missing: money(minus(minimum, amount), currency) },
      })
    : "";
};

const NextSettlement = ({ ahead, isNamed }: { readonly ahead: Ahead; readonly isNamed: boolean }) => {
  const words = useWords();
  const { partner, balances, schedule } = ahead;
  const figures = balances.filter(({ due, pending, waiting }) => due !== pending || waiting !== 0n);
  return (
    <section class="panel lead">
      <h2>{t("Next settlement")}</h2>
      {isNamed && (
        <p class="above">
          <Clip>{partner.name}</Clip>
        </p>
      )}
      {scheduleWords(ahead).map((sentence, index) => (
        <p key={sentence} class={index === 0 ? "next" : "note"}>
          {sentence}
        </p>
      ))}
      {figures.length === 0 ? (
        <p>{t("There is nothing for it yet.")}</p>
      ) : (
        <dl class="facts wide">
          {figures.flatMap(({ currency, due, pending, waiting }) => {
            const left = minus(due, pending);
            const fate = fateWords(left, schedule.minimum[currency] ?? 0, currency);
            return [
              left !== 0n && (
                <Fact key={currency} name={t("Earned in {currency}, in no settlement yet", { currency })}>
                  <Amount amount={left} currency={currency} strong />
                  {fate !== "" && <span class="under">{fate}</span>}
                </Fact>
              ),
              waiting !== 0n && (
                <Fact key={`${currency} waiting`} name={translated(words.waiting)}>
                  <Amount amount={waiting} currency={currency} />
                  <span class="under">{t("no day: it depends on them")}</span>
                </Fact>
              ),
            ];
          })}
        </dl>
      )}
    </section>
  );
};

const Paid = ({ paid }: { readonly paid: ReadonlyArray<Settlement> }) => (
  <section class="panel">
    <h2>{t("Paid")}</h2>
    <Table
      caption="My newest settlements that are paid"
      rows={paid}
      rowKey={({ id }) => id}
      link={({ id }) => linkTo(`settlements/${id}`)}
      columns={[
        {
          name: "When",
          show: ({ paidAt }) => (
            <strong>{paidAt === null ? t("Paid") : t("Paid on {day}", { day: day(paidAt) })}</strong>
          ),
        },
        settlementOf,
        payable,
      ]}
    />
  </section>
);

export const Coming = () => {
  const { client, signOut } = useSession();
  const loaded = useLoad("coming", (signal) => readComing(client, signal));
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading what comes when" signOut={signOut}>
      {(data) => (
        <>
          <Heading title={t("What comes when")}>
            <ReadAt loaded={loaded} />
          </Heading>
          {data.ahead.map((ahead) => (
            <NextSettlement key={ahead.partner.id} ahead={ahead} isNamed={data.ahead.length > 1} />
          ))}
          <UnderWay {...data} />
          {data.paid.length > 0 && <Paid paid={data.paid} />}
        </>
      )}
    </LoadResult>
  );
};
