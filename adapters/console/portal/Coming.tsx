/** What comes when: what is under way with its days, what the next settlement takes, and what waits for buyers. */

import type { SettlementSchedule } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { EventOf, EventType, Page, Partner, Settlement } from "../api/Records.ts";
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
import { isSuspended, type Outlook, outlookOf, type Parts, readParts } from "./Ahead.ts";
import { state } from "./SettlementColumns.tsx";

const OPEN_STATES = openStatesOf(PAYEE_STATES);

/** What a partner has earned that no settlement has yet, and when the next one comes. */
interface Ahead {
  readonly partner: Partner;
  readonly parts: ReadonlyArray<Parts>;
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
  const balances = remote.balances({ partnerIds }, { signal });
  return Promise.all(
    partners.map(async (partner) => {
      const schedule = await remote.settlementSchedule(partner.id, { signal });
      const own = (await balances).balances.filter(({ partnerId }) => partnerId === partner.id);
      return { partner, schedule, parts: await readParts(client, partner, own, schedule, signal) };
    }),
  );
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
  if (total < 0) return dueDate === null ? t("No due date is agreed") : byDay(dueDate);
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
    : t("No due date is agreed");
};

/** The steps that a settlement takes. */
const STEPS: ReadonlyMap<EventType, Text> = new Map<EventType, Text>([
  ["create_settlement", "put together {day}"],
  ["approve_settlement", "checked {day}"],
  ["link_report", "report {day}"],
  ["link_invoice", "invoice {day}"],
  ["link_credit_note", "credit note {day}"],
  ["dispute_settlement", "objection {day}"],
  ["initiate_payment", "payment started {day}"],
  ["hand_over_payment", "given to our bank {day}"],
]);

/** The last step that a settlement has taken, with its day: its page has all of them. */
const lastStepWords = ({ events }: Settlement): string => {
  const last = events.findLast(({ event }) => STEPS.has(event.type));
  const words = last && STEPS.get(last.event.type);
  return last === undefined || words === undefined ? "" : t(words, { day: day(last.datetime) });
};

/** The settlement, by its date. */
const settlementOf = {
  name: "Settlement",
  show: ({ id, createdAt }: Settlement) => (
    <a href={linkTo(`settlements/${id}`)}>{t("Settlement of {day}", { day: day(createdAt) })}</a>
  ),
};

/** The kind of an amount: with tax only where somebody has stated the tax. */
const kindOf = ({ payableAmount, taxAmount }: Settlement): Text =>
  payableAmount === null ? "net" : taxAmount === null ? "no tax stated" : "with tax";

const payable = {
  name: "Amount",
  isNumber: true,
  show: (settlement: Settlement) => (
    <>
      <Amount amount={settlement.payableAmount ?? settlement.total} currency={settlement.currency} strong />
      <span class="under">{t(kindOf(settlement))}</span>
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
                  <span class="under">{lastStepWords(settlement)}</span>
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

/** What is said of the day of the next run, as things stand. */
const OUTLOOKS: Readonly<Record<Outlook, Text>> = {
  settled: "Your next settlement is put together on {day}.",
  waits: "As things stand, there is no settlement for you on {day}.",
  nothing: "The next settlements are put together on {day}. You have earned nothing for one yet.",
  not_known: "The next settlements are put together on {day}.",
  suspended: "Your settlements are suspended at present. Ask us why.",
  by_hand: "No day is set for your next settlement: we start it by hand.",
};

/** The day of the next run of a partner in the time zone of its cadence; empty where there is none. */
const dayOfRun = ({ partner, schedule: { cadence, nextRun } }: Ahead): string =>
  cadence === "manual" || nextRun === null || isSuspended(partner) ? "" : dayIn(nextRun.at, cadence.timeZone);

/** When the next settlement comes, as the terms in force say; one sentence each. */
const scheduleWords = (ahead: Ahead): ReadonlyArray<string> => {
  const { schedule, partner, parts } = ahead;
  const { holdDays, requireAcceptance } = schedule;
  const terms = partner.selfBillingData?.paymentTermsDays;
  return [
    t(OUTLOOKS[outlookOf(partner, schedule, parts)], { day: dayOfRun(ahead) }),
    ...(holdDays > 0
      ? [
          many(
            holdDays,
            "A sale is settled {n} day after it, at the earliest.",
            "A sale is settled {n} days after it, at the earliest.",
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
      : t("We pay when we have your invoice. No due date is agreed for that."),
  ];
};

/** What becomes of the amount that the next run counts. */
const fateWords = (amount: bigint, minimum: number, currency: string): string => {
  if (amount < 0n) return t("returned sales are worth more than new ones");
  return amount < BigInt(minimum)
    ? t("It waits: a settlement needs at least {minimum}, so {missing} more.", {
        ...{ minimum: money(minimum, currency), missing: money(minus(minimum, amount), currency) },
      })
    : t("so far");
};

/** What no settlement has in one currency, by what becomes of it. */
const PartsFacts = ({
  parts: { currency, next, recent, failed, changed, left, waiting },
  ahead,
}: {
  readonly parts: Parts;
  readonly ahead: Ahead;
}) => {
  const words = useWords();
  const { schedule } = ahead;
  const runDay = dayOfRun(ahead);
  const earned = next ?? left;
  const facts: ReadonlyArray<readonly [name: string, amount: bigint, under: string]> = [
    runDay === "" || next === null
      ? [t("Earned in {currency}, in no settlement yet", { currency }), earned, ""]
      : [
          t("In {currency}, for the settlement of {day}", { currency, day: runDay }),
          earned,
          fateWords(next, schedule.minimum[currency] ?? 0, currency),
        ],
    [
      t("In {currency}, for a later settlement", { currency }),
      recent,
      many(
        schedule.holdDays,
        "Its sales are less than {n} day old then.",
        "Its sales are less than {n} days old then.",
      ),
    ],
    [
      t("In {currency}, cannot be computed at present", { currency }),
      failed,
      t("It comes into a settlement when we have mended that."),
    ],
    [
      t("In {currency}, changes of sales in a settlement", { currency }),
      changed,
      t("Sales have changed since a settlement took them. A later settlement compensates for it."),
    ],
    [translated(words.waiting), waiting, t("no day: it depends on them")],
  ];
  return (
    <>
      {facts.map(
        ([name, amount, under], index) =>
          amount !== 0n && (
            <Fact key={name} name={name}>
              <Amount amount={amount} currency={currency} strong={index === 0} />
              {under !== "" && <span class="under">{under}</span>}
            </Fact>
          ),
      )}
    </>
  );
};

const NextSettlement = ({ ahead, isNamed }: { readonly ahead: Ahead; readonly isNamed: boolean }) => (
  <section class="panel lead">
    <h2>{t("Next settlement")}</h2>
    {isNamed && (
      <p class="above">
        <Clip>{ahead.partner.name}</Clip>
      </p>
    )}
    {scheduleWords(ahead).map((sentence, index) => (
      <p key={sentence} class={index === 0 ? "next" : "note"}>
        {sentence}
      </p>
    ))}
    {ahead.parts.length > 0 && (
      <dl class="facts wide">
        {ahead.parts.map((parts) => (
          <PartsFacts key={parts.currency} parts={parts} ahead={ahead} />
        ))}
      </dl>
    )}
  </section>
);

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
