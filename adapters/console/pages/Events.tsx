/** The event feed: the events of all records, newest first. */
import { useState } from "preact/hooks";
import type { FeedEntry } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Commission, Partner, Settlement } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { go, linkTo, type Route } from "../data/Route.ts";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Badge, Clip, Empty, Fact, Heading, Id, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { Dialog } from "../parts/Dialog.tsx";
import { Chips, Select } from "../parts/Filters.tsx";
import { useNames } from "../parts/Names.ts";
import { type Column, Table } from "../parts/Table.tsx";
import { WhyAmount } from "../parts/Why.tsx";
import { actorWords, controlWords, isControlEvent } from "../words/ControlWords.ts";
import { EVENT_FAMILIES, eventTypeWords } from "../words/EventNames.ts";
import { eventWords } from "../words/EventWords.ts";
import { type Names, whoWords } from "../words/People.ts";
import { TEAM } from "../words/TeamWords.ts";

const PER_PAGE = 50;

/** The events of one request of an export. */
const EXPORTED_AT_ONCE = 100;

const ABOUT = EVENT_FAMILIES.map(({ id, words }) => [id, words] as const);

/** The event types in the address; none means all. */
const typesOf = ({ query }: Route): ReadonlyArray<string> => {
  const type = query.get("type");
  if (type) return [type];
  const about = query.getAll("about");
  return EVENT_FAMILIES.filter(({ id }) => about.includes(id)).flatMap(({ types }) => Object.keys(types));
};

interface Row {
  readonly entry: FeedEntry;
  readonly currency: string | null;
  readonly partner: Partner | undefined;
  readonly commission: Commission | undefined;
  readonly settlement: Settlement | undefined;
}

interface EventPage {
  readonly rows: ReadonlyArray<Row>;
  readonly nextCursor: string;
}

/** The page that is shown. */
interface ShownPage extends EventPage {
  readonly hasOlder: boolean;
}

/** The records of entries, without those that the key may not read. */
const recordsOf = async (client: Client, entries: ReadonlyArray<FeedEntry>, signal: AbortSignal) => {
  const idsOf = (type: FeedEntry["recordType"]): ReadonlyArray<string> =>
    entries.filter(({ recordType }) => recordType === type).map(({ recordId }) => recordId);
  const emptyMap = () => new Map<string, never>();
  const [attributions, commissions, settlements, formulas] = await Promise.all([
    client.byIds("attributions", idsOf("attribution"), signal).catch(emptyMap),
    client.byIds("commissions", idsOf("commission"), signal).catch(emptyMap),
    client.byIds("settlements", idsOf("settlement"), signal).catch(emptyMap),
    client.byIds("commissionFormulas", idsOf("commission_formula"), signal).catch(emptyMap),
  ]);
  const partnerRecords = [attributions, commissions, settlements, formulas];
  const own = new Set(idsOf("partner"));
  const partnerOf = (id: string): string | undefined =>
    own.has(id)
      ? id
      : partnerRecords.map((records) => records.get(id)?.partnerId).find((found) => found !== undefined);
  const partnerIds = entries.map(({ recordId }) => partnerOf(recordId)).filter((id) => id !== undefined);
  const partners = await client.byIds("partners", partnerIds, signal).catch(emptyMap);
  return { partners, partnerOf, commissions, settlements, formulas };
};

interface Asked {
  /** The cursor before which events are read; null for the newest. */
  readonly after: string | null;
  readonly limit: number;
}

const listEvents = (client: Client, route: Route, { after, limit }: Asked, signal: AbortSignal) => {
  const types = typesOf(route);
  return client.remote.events.list(
    { order: "desc", limit, ...(types.length > 0 ? { types } : {}), ...(after ? { after } : {}) },
    { signal },
  );
};

const readEvents = async (
  client: Client,
  route: Route,
  asked: Asked,
  signal: AbortSignal,
): Promise<EventPage> => {
  const { items, nextCursor } = await listEvents(client, route, asked, signal);
  const { partners, partnerOf, commissions, settlements, formulas } = await recordsOf(client, items, signal);
  const currencyOf = (id: string): string | null =>
    (commissions.get(id) ?? settlements.get(id) ?? formulas.get(id))?.currency ?? null;
  return {
    nextCursor,
    rows: items.map((entry) => ({
      entry,
      currency: currencyOf(entry.recordId),
      partner: partners.get(partnerOf(entry.recordId) ?? ""),
      commission: commissions.get(entry.recordId),
      settlement: settlements.get(entry.recordId),
    })),
  };
};

/** True if no events are before those of a page. With types, also a page that is not full can have others before it. */
const isEnd = (route: Route, { rows, nextCursor }: EventPage, { after, limit }: Asked): boolean =>
  nextCursor === after || (rows.length < limit && typesOf(route).length === 0);

/** Requests at most that look for an older event: with types, one request may find none although there are some. */
const REQUESTS_MAX = 10;

/** True if there are events before a cursor, or if that is not known after many requests. */
const hasBefore = async (
  client: Client,
  route: Route,
  cursor: string,
  signal: AbortSignal,
): Promise<boolean> => {
  let after = cursor;
  for (let requests = 0; requests < REQUESTS_MAX; requests++) {
    const { items, nextCursor } = await listEvents(client, route, { after, limit: 1 }, signal);
    if (items.length > 0) return true;
    if (nextCursor === after) return false;
    after = nextCursor;
  }
  return true;
};

/** Reads the page that is shown. The feed does not say if a page is the last one, so that the event after it is asked for. */
const readShown = async (client: Client, route: Route, signal: AbortSignal): Promise<ShownPage> => {
  const asked = { after: route.query.get("after"), limit: PER_PAGE };
  const page = await readEvents(client, route, asked, signal);
  const hasOlder = !isEnd(route, page, asked) && (await hasBefore(client, route, page.nextCursor, signal));
  return { ...page, hasOlder };
};

/** The events of the filters, the newest first, in pages; stops after `limit`. */
async function* pagesOf(
  client: Client,
  route: Route,
  signal: AbortSignal,
  limit: number,
): AsyncGenerator<ReadonlyArray<Row>> {
  let after: string | null = null;
  for (let seen = 0; seen < limit; ) {
    const asked = { after, limit: Math.min(EXPORTED_AT_ONCE, limit - seen) };
    const page = await readEvents(client, route, asked, signal);
    yield page.rows;
    if (isEnd(route, page, asked)) return;
    seen += page.rows.length;
    after = page.nextCursor;
  }
}

/** The event in words, with its details. */
const detail = ({ entry: { event }, currency }: Row, names?: Names): string =>
  event === null
    ? ""
    : isControlEvent(event)
      ? controlWords(event, names)
      : eventWords(TEAM.events, event, currency);

/** Who has acted, by the names that are known, or exactly as it is stored; null where the log does not know. */
const whoOf = ({ entry: { event, sequence }, settlement }: Row, names?: Names): string | null => {
  if (event !== null && isControlEvent(event)) return actorWords(event, names);
  // The log of a settlement names who has acted, the feed does not.
  const logged = settlement?.events[sequence - 1];
  if (logged === undefined || !("person" in logged) || logged.person === undefined) return null;
  return names === undefined ? logged.person : whoWords(logged.person, names);
};

const RECORDS: Readonly<Record<FeedEntry["recordType"], string>> = {
  attribution: "Sale",
  commission: "Commission",
  commission_formula: "Formula",
  commission_plan: "Plan",
  settlement: "Settlement",
  partner: "Partner",
  api_key: "Key",
  billing_profile: "Company",
  settlement_policy: "Settlement policy",
  workspace: "Workspace",
  books: "Books",
  plan_acceptance: "Acceptance of a plan",
  partner_link: "Upline of a partner",
};

/** The address of the record's page; null when the key may not read that page's records. */
const pathOf = ({ entry: { event, recordId, recordType }, commission, partner }: Row): string | null => {
  switch (recordType) {
    case "attribution":
      return `sales/${recordId}`;
    case "settlement":
      return `settlements/${recordId}`;
    case "commission_plan":
      return `plans/${recordId}`;
    case "commission_formula":
      return partner === undefined ? null : `partners/${partner.id}`;
    case "commission":
      return commission === undefined ? null : `sales/${commission.attributionId}`;
    case "partner":
      return `partners/${recordId}`;
    case "api_key":
      return "keys";
    case "settlement_policy":
      return event !== null && "partner_id" in event && event.partner_id !== null
        ? `partners/${event.partner_id}`
        : "runs";
    case "plan_acceptance":
      return event !== null && "plan_id" in event ? `plans/${event.plan_id}` : null;
    case "partner_link":
      return event !== null && "upline_partner_id" in event ? `partners/${event.partner_id}` : null;
    case "books":
      return "books/rules";
    case "billing_profile":
      return "company";
    case "workspace":
      return null;
  }
};

const RecordLink = ({ row }: { readonly row: Row }) => {
  const { recordId, recordType } = row.entry;
  const words = RECORDS[recordType];
  const path = pathOf(row);
  return path === null ? (
    <>
      {words} <Id id={recordId} />
    </>
  ) : (
    <a href={linkTo(path)}>{words}</a>
  );
};

const typeWords = ({ entry: { event } }: Row): string =>
  event === null ? "Erased" : eventTypeWords(event.type);

const columnsOf = (choose: (row: Row) => void, names: Names): ReadonlyArray<Column<Row>> => [
  {
    name: "When",
    show: ({ entry }) => <When at={entry.datetime} exact />,
    text: ({ entry }) => entry.datetime,
  },
  {
    name: "What happened",
    show: (row) =>
      row.entry.event === null ? (
        <Badge family="stopped">{typeWords(row)}</Badge>
      ) : (
        <button type="button" class="link left" onClick={() => choose(row)}>
          {typeWords(row)}
        </button>
      ),
    text: typeWords,
  },
  { name: "Details", show: (row) => <Clip>{detail(row, names)}</Clip>, text: (row) => detail(row) },
  {
    name: "Partner",
    show: ({ partner }) => <Clip>{partner?.name ?? ""}</Clip>,
    text: ({ partner }) => partner?.name ?? "",
  },
  {
    name: "Record",
    isMinor: true,
    show: (row) => <RecordLink row={row} />,
    text: ({ entry }) => RECORDS[entry.recordType],
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<Row>> = [
  exportOnly("By", (row) => whoOf(row) ?? ""),
  exportOnly("Type", ({ entry }) => entry.event?.type ?? ""),
  exportOnly("Record id", ({ entry }) => entry.recordId),
  exportOnly("Position", ({ entry }) => entry.sequence),
  exportOnly("Event", ({ entry }) => entry.id),
];

const Entry = ({ row, close }: { readonly row: Row; readonly close: () => void }) => {
  const { entry, commission, partner } = row;
  const names = useNames();
  const who = whoOf(row, names);
  return (
    <Dialog title={entry.event === null ? "Erased" : eventTypeWords(entry.event.type)} side close={close}>
      <p class="sentence">
        {entry.event === null
          ? "The event was erased, because it had personal data. The chain of hashes is still valid."
          : detail(row, names)}
      </p>
      <dl class="facts">
        <Fact name="When">
          <When at={entry.datetime} exact />
        </Fact>
        <Fact name="Record">
          <RecordLink row={row} />
        </Fact>
        {who !== null && <Fact name="By">{who}</Fact>}
        {partner !== undefined && (
          <Fact name="Partner">
            <a href={linkTo(`partners/${partner.id}`)}>{partner.name}</a>
          </Fact>
        )}
        {commission !== undefined && (
          <Fact name="Worth now">
            <WhyAmount
              commissionId={commission.id}
              amount={commission.computedAmount ?? 0}
              currency={commission.currency}
            />
          </Fact>
        )}
        <Fact name="Position in the log of the record">{entry.sequence}</Fact>
      </dl>
      <details open>
        <summary>As JSON</summary>
        <pre class="derivation">{JSON.stringify(entry.event, null, 2)}</pre>
      </details>
      <details>
        <summary>Identification and hashes</summary>
        <dl class="facts long">
          <Fact name="Event">{entry.id}</Fact>
          <Fact name="Cursor">{entry.cursor}</Fact>
          <Fact name="Hash">{entry.hash}</Fact>
          <Fact name="Previous hash">{entry.previousHash}</Fact>
        </dl>
      </details>
    </Dialog>
  );
};

/** Links to newer and older events: the feed has no page numbers. */
const Steps = ({ route, loaded }: { readonly route: Route; readonly loaded: Loaded<ShownPage> }) => {
  const filters = { about: route.query.getAll("about"), type: route.query.get("type") };
  const { value, isLoading } = loaded;
  const isFirst = !route.query.get("after");
  const isLast = value?.hasOlder !== true;
  return (
    <nav class="pager" aria-label="Pages">
      <span aria-live="polite">
        {isLoading ? "Reading…" : isFirst ? "The newest events" : "Older events"}
      </span>
      <span class="row">
        <button
          type="button"
          aria-disabled={isFirst}
          onClick={() => !isFirst && go(linkTo("events", filters))}
        >
          Newest
        </button>
        <button
          type="button"
          aria-disabled={isLast}
          onClick={() => !isLast && go(linkTo("events", { ...filters, after: value?.nextCursor }))}
        >
          Older
        </button>
      </span>
    </nav>
  );
};

export const Events = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(`events?${route.query}`, (signal) => readShown(client, route, signal), true);
  const [chosen, setChosen] = useState<Row | null>(null);
  const columns = columnsOf(setChosen, useNames());
  const isFiltered = typesOf(route).length > 0;
  return (
    <>
      <Heading title="Events">
        <ReadAt loaded={loaded} />
      </Heading>
      <div class="filters">
        <Chips route={route} name="about" label="About" options={ABOUT} />
        <Select
          route={route}
          name="type"
          label="Type"
          all="All types"
          groups={EVENT_FAMILIES.map(({ words, types }) => [words, Object.entries(types)] as const)}
        />
      </div>
      <LoadResult loaded={loaded} lines={10} what="Reading events" signOut={signOut}>
        {({ rows, nextCursor }) =>
          rows.length === 0 && nextCursor === (route.query.get("after") ?? nextCursor) ? (
            <Empty
              title={
                isFiltered
                  ? "No event of these types"
                  : route.query.get("after")
                    ? "No more"
                    : "No events yet"
              }
            >
              {isFiltered || route.query.get("after") ? (
                <a href="#/events">Show the newest events of all types</a>
              ) : (
                "Every change of a record appears here: the first sale, the first plan, the first settlement."
              )}
            </Empty>
          ) : (
            <>
              <Table
                caption="Events, newest first"
                rows={rows}
                rowKey={({ entry }) => entry.id}
                open={setChosen}
                isStale={loaded.isLoading}
                columns={columns}
              />
              <Steps route={route} loaded={loaded} />
              <p class="row">
                <Export
                  name="events"
                  columns={[...columns, ...exported]}
                  total={null}
                  pages={(signal, limit) => pagesOf(client, route, signal, limit)}
                />
              </p>
            </>
          )
        }
      </LoadResult>
      {chosen !== null && <Entry row={chosen} close={() => setChosen(null)} />}
    </>
  );
};
