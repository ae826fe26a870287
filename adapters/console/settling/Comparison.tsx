/** Drafts beside the earlier settlements of their partners: what last month came to, and what is unusual. */
import type { Client } from "../api/Client.ts";
import type { Settlement, Sum } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { month, monthStart } from "../format/Dates.ts";
import { countWords, sumByCurrency, sumsWords } from "../format/Money.ts";
import { Amount, Clip, LoadResult } from "../parts/Basics.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { counts, earlierOf, remarksOn } from "./Remarks.ts";
import type { SettlementRow } from "./SettlementRows.ts";

/** The most earlier settlements that are read for a comparison. */
const EARLIER_MAX = 2_000;

const PARTNERS_PER_REQUEST = 100;

/** Logs that are read at once. */
const LOGS_AT_ONCE = 20;

interface Found {
  /** What to look at twice, by the ids of the drafts that have something. */
  readonly remarks: ReadonlyMap<string, ReadonlyArray<string>>;
  /** The settlements of the partners in the month before this one. */
  readonly lastMonth: ReadonlyArray<Sum>;
}

/** When the account of a partner has changed for the last time; null where its newest events do not say so. */
const readChange = async (client: Client, id: string, signal: AbortSignal): Promise<string | null> => {
  const { events } = await client.remote.partners.events(id, { order: "desc", perPage: 50 }, { signal });
  const isChange = ({ event }: (typeof events)[number]): boolean =>
    event.type === "confirm_payout_account" ||
    (event.type === "update_partner" && event.fields.includes("self_billing_data.bank_account"));
  return events.find(isChange)?.datetime ?? null;
};

const readFound = async (
  client: Client,
  rows: ReadonlyArray<SettlementRow>,
  signal: AbortSignal,
): Promise<Found> => {
  const partnerIds = [...new Set(rows.map(({ settlement }) => settlement.partnerId))];
  const settlements: Array<Settlement> = [];
  for (let from = 0; from < partnerIds.length; from += PARTNERS_PER_REQUEST) {
    const query = { partnerIds: partnerIds.slice(from, from + PARTNERS_PER_REQUEST), order: "desc" };
    settlements.push(...(await client.every("settlements", query, EARLIER_MAX, signal)));
  }
  const changes = new Map<string, string | null>();
  for (let from = 0; from < partnerIds.length; from += LOGS_AT_ONCE)
    await Promise.all(
      partnerIds
        .slice(from, from + LOGS_AT_ONCE)
        .map(async (id) => changes.set(id, await readChange(client, id, signal))),
    );
  const remarks = new Map<string, ReadonlyArray<string>>();
  for (const { settlement, partner } of rows) {
    const changedAt = changes.get(settlement.partnerId) ?? null;
    const found = remarksOn(settlement, partner, earlierOf(settlement, settlements), changedAt);
    if (found.length > 0) remarks.set(settlement.id, found);
  }
  const [start, end] = [monthStart(Date.now(), 1), monthStart(Date.now())].map((date) => date.toISOString());
  const lastMonth = settlements.filter(
    (one) => counts(one) && one.createdAt >= (start ?? "") && one.createdAt < (end ?? ""),
  );
  return {
    remarks,
    lastMonth: sumByCurrency(lastMonth.map(({ currency, total }) => ({ currency, amount: total }))),
  };
};

/** Linked where a row may lead to another page: not in a dialog. */
const columns = (remarks: Found["remarks"], isLinked: boolean): ReadonlyArray<Column<SettlementRow>> => [
  {
    name: "Partner, and why",
    show: ({ settlement, partner }) => (
      <>
        {isLinked ? (
          <a href={linkTo(`settlements/${settlement.id}`)}>
            <Clip>{partner?.name ?? settlement.partnerId}</Clip>
          </a>
        ) : (
          <Clip>{partner?.name ?? settlement.partnerId}</Clip>
        )}
        <span class="under">{remarks.get(settlement.id)?.join(". ")}</span>
      </>
    ),
  },
  {
    name: "Net",
    isNumber: true,
    show: ({ settlement: { total, currency } }) => <Amount amount={total} currency={currency} />,
  },
];

export const Comparison = ({
  rows,
  title: Title = "h2",
}: {
  readonly rows: ReadonlyArray<SettlementRow>;
  /** The level of the heading that fits the place. */
  readonly title?: "h2" | "h3";
}) => {
  const { client } = useSession();
  const ids = rows.map(({ settlement }) => settlement.id);
  const loaded = useLoad(`comparison/${ids}`, (signal) => readFound(client, rows, signal));
  const partners =
    new Set(rows.map(({ settlement }) => settlement.partnerId)).size === 1
      ? "this partner"
      : "these partners";
  const last = month(monthStart(Date.now(), 1).toISOString());
  return (
    <LoadResult loaded={loaded} lines={2} what="Comparing with earlier settlements">
      {({ remarks, lastMonth }) => (
        <>
          <p class="note">
            {lastMonth.length === 0
              ? `For comparison: ${partners} had no settlement in ${last}.`
              : `For comparison: in ${last}, the settlements of ${partners} came to ${sumsWords(lastMonth)} net.`}
            {remarks.size === 0 && " Every draft is like the earlier settlements of its partner."}
          </p>
          {remarks.size > 0 && (
            <>
              <Title>Look twice at {countWords(remarks.size, "draft")}</Title>
              <Table
                caption="Drafts that differ from earlier settlements"
                rows={rows.filter(({ settlement }) => remarks.has(settlement.id))}
                rowKey={({ settlement }) => settlement.id}
                columns={columns(remarks, Title === "h2")}
                {...(Title === "h2"
                  ? { link: ({ settlement }: SettlementRow) => linkTo(`settlements/${settlement.id}`) }
                  : {})}
              />
            </>
          )}
        </>
      )}
    </LoadResult>
  );
};
