/** What the overview shows of settlements: what waits for somebody of the team, and the newest ones. */
import type { Client } from "../api/Client.ts";
import type { Partner, Settlement, SettlementStatus } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { count } from "../format/Money.ts";
import { Amount, Clip, Empty, LoadResult, StateBadge, When } from "../parts/Basics.tsx";
import { Table } from "../parts/Table.tsx";

/** A filter of settlements, as addresses of the console write it. */
type WaitingFilter = {
  readonly statuses?: ReadonlyArray<SettlementStatus>;
  readonly taxReview?: boolean;
  readonly paymentOverdue?: true;
  readonly paymentFailed?: true;
};

/**
 * What the customer has to act on, with its words, and where: on the page of each settlement, of which the oldest one is opened; or on
 * the page of payments. Without either in the list of them, where many are chosen.
 */
type Kind = readonly [filter: WaitingFilter, words: string, action: string, where?: "each" | "payments"];

/** What waits in each state; nothing in those in which the service acts, or nobody. */
const IN_STATES: { readonly [Status in SettlementStatus]: ReadonlyArray<Kind> } = {
  draft: [[{ statuses: ["draft"] }, "Drafts to approve", "Check and approve"]],
  negative_review: [
    [{ statuses: ["negative_review"] }, "Negative settlements to decide on", "Decide", "each"],
  ],
  disputed: [[{ statuses: ["disputed"] }, "Disputes to resolve", "Resolve", "each"]],
  awaiting_payment: [
    [
      { statuses: ["awaiting_payment"], taxReview: true },
      "Documents whose tax to decide on",
      "Decide",
      "each",
    ],
    [{ paymentFailed: true }, "Payments that failed or came back", "Initiate again", "payments"],
  ],
  awaiting_report: [],
  awaiting_invoice: [[{ statuses: ["awaiting_invoice"] }, "Invoices awaited from partners", "Ask for them"]],
  awaiting_credit_note: [
    [{ statuses: ["awaiting_credit_note"] }, "Credit notes awaited from partners", "Ask for them"],
  ],
  payment_initiated: [
    [{ paymentOverdue: true }, "Payments not booked by the bank", "Ask the bank"],
    [{ statuses: ["payment_initiated"] }, "Payments initiated, not confirmed yet", "Check"],
  ],
  paid: [],
  written_off: [],
  cancelled: [],
};

const WAITING = Object.values(IN_STATES).flat();

/** A number of records that wait for somebody, with where to go. */
interface Task {
  readonly words: string;
  readonly action: string;
  readonly total: number;
  readonly link: string;
  /** The list of all, where the link opens the oldest one. */
  readonly all?: string;
}

/** Opens the oldest of several, with the list of all beside it; a single one has no list. */
const oldestOf = (total: number, oldest: string, all: string): Pick<Task, "link" | "all"> =>
  total === 1 ? { link: oldest } : { link: oldest, all };

/** The most payments that are read to tell who pays; of more, the rest counts as paid by the customer. */
const PAYMENTS_MAX = 2_000;

/** The payments by who makes them, which no filter of settlements tells. */
const readPayments = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<Task>> => {
  const ready = { statuses: ["awaiting_payment"], taxReview: false };
  let all = 0;
  let byPartners = 0;
  for await (const { items, total } of client.walk("settlements", ready, PAYMENTS_MAX, signal)) {
    byPartners += items.filter((settlement) => settlement.total < 0).length;
    all = total;
  }
  const link = linkTo("payments");
  return [
    { words: "Settlements to pay", action: "Pay", total: all - byPartners, link },
    { words: "Payments awaited from partners", action: "Check", total: byPartners, link },
  ];
};

const PROPOSED = { payoutAccountProposed: true } as const;

/** The partners with an account to confirm. */
const readProposals = async (client: Client, signal: AbortSignal): Promise<Task> => {
  const { items, total } = await client.list("partners", { ...PROPOSED, perPage: 1 }, signal);
  const [first] = items;
  return {
    ...{ action: "Check", total },
    words:
      total === 1 && first !== undefined
        ? `Payout account to confirm: ${first.name}`
        : "Partners with a payout account to confirm",
    ...oldestOf(total, linkTo(`partners/${first?.id}`), linkTo("partners", PROPOSED)),
  };
};

const readWaiting = async (
  client: Client,
  mayReadPartners: boolean,
  signal: AbortSignal,
): Promise<ReadonlyArray<Task>> => {
  const [proposals, payments, ...settlements] = await Promise.all([
    mayReadPartners ? readProposals(client, signal) : null,
    readPayments(client, signal),
    ...WAITING.map(async ([filter, words, action, where]): Promise<Task> => {
      const query = { ...filter, order: "asc", perPage: 1 };
      const { items, total } = await client.list("settlements", query, signal);
      const all = where === "payments" ? linkTo(where) : linkTo("settlements", filter);
      // A single one has a page of its own.
      const isOpened = where === "each" || (total === 1 && where === undefined);
      return {
        ...{ words, action, total },
        ...(isOpened ? oldestOf(total, linkTo(`settlements/${items[0]?.id}`), all) : { link: all }),
      };
    }),
  ]);
  return [...(proposals === null ? [] : [proposals]), ...settlements, ...payments];
};

export const Waiting = () => {
  const { client } = useSession();
  const mayReadPartners = useMay()("partners:read");
  const loaded = useLoad("waiting", (signal) => readWaiting(client, mayReadPartners, signal));
  return (
    <section class="panel">
      <h2>What waits</h2>
      <LoadResult loaded={loaded} lines={5}>
        {(rows) =>
          rows.every(({ total }) => total === 0) ? (
            <Empty title="Nothing waits for you">
              Drafts, decisions, accounts, disputes and payments appear here.
            </Empty>
          ) : (
            <ul class="tasks">
              {rows
                .filter(({ total }) => total > 0)
                .map(({ words, action, total, link, all }) => (
                  <li key={words}>
                    <a href={link}>
                      <span class="task-count">{count(total)}</span>
                      <span>{words}</span>
                      <span class="task-action">{all === undefined ? action : "The oldest"}</span>
                    </a>
                    {all !== undefined && (
                      <a class="task-all" href={all}>
                        All<span class="visually-hidden"> {words}</span>
                      </a>
                    )}
                  </li>
                ))}
            </ul>
          )
        }
      </LoadResult>
    </section>
  );
};

interface LatestSettlements {
  readonly settlements: ReadonlyArray<Settlement>;
  readonly partners: ReadonlyMap<string, Partner>;
}

export const Latest = () => {
  const { client } = useSession();
  const loaded = useLoad("latest", async (signal): Promise<LatestSettlements> => {
    const { items } = await client.list("settlements", { order: "desc", perPage: 8 }, signal);
    const partners = await client.byIds(
      "partners",
      items.map(({ partnerId }) => partnerId),
      signal,
    );
    return { settlements: items, partners };
  });
  return (
    <section class="panel">
      <h2>Newest settlements</h2>
      <LoadResult loaded={loaded} lines={6}>
        {({ settlements, partners }) =>
          settlements.length === 0 ? (
            <Empty title="No settlements yet">
              Open a partner with something due and draft the first one.
            </Empty>
          ) : (
            <Table
              caption="Newest settlements"
              rows={settlements}
              rowKey={({ id }) => id}
              link={({ id }) => linkTo(`settlements/${id}`)}
              columns={[
                {
                  name: "Partner",
                  show: (row) => (
                    <a href={linkTo(`settlements/${row.id}`)}>
                      <Clip>{partners.get(row.partnerId)?.name ?? "…"}</Clip>
                    </a>
                  ),
                },
                { name: "State", show: (row) => <StateBadge settlement={row} /> },
                { name: "Drafted", isMinor: true, show: ({ createdAt }) => <When at={createdAt} /> },
                {
                  name: "Net",
                  isNumber: true,
                  show: ({ total, currency }) => <Amount amount={total} currency={currency} />,
                },
              ]}
            />
          )
        }
      </LoadResult>
    </section>
  );
};
