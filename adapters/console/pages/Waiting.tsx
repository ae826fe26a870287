/** What the overview shows of settlements: what waits for somebody of the team, and the newest ones. */
import type { Client } from "../api/Client.ts";
import type { Partner, Settlement } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { count } from "../format/Money.ts";
import { Amount, Clip, Empty, LoadResult, StateBadge, When } from "../parts/Basics.tsx";
import { Table } from "../parts/Table.tsx";
import type { States } from "../words/States.ts";
import { TEAM_STATES, type TeamTask } from "../words/TeamStates.ts";

const STATES: States<string, TeamTask> = TEAM_STATES;

/** What waits in the states, those first in which the team has to act. */
const TASKS = Object.entries(STATES)
  .toSorted(([, { family: a }], [, { family: b }]) => Number(b === "waiting") - Number(a === "waiting"))
  .flatMap(([type, { tasks }]) =>
    tasks.map(([words, action, where, filter = { statuses: [type] }]) => ({ words, action, where, filter })),
  );

/** A number of records that wait for somebody, with where to go. */
interface Task {
  readonly words: string;
  readonly action: string;
  readonly total: number;
  readonly link: string;
  /** The list of all, where the link opens the oldest one. */
  readonly all?: string;
}

const wordsOf = ([one, several]: TeamTask[0], total: number): string => (total === 1 ? one : several);

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
  const byCompany = all - byPartners;
  return [
    {
      ...{ action: "Pay", total: byCompany, link },
      words: wordsOf(["Settlement to pay", "Settlements to pay"], byCompany),
    },
    {
      ...{ action: "Check", total: byPartners, link },
      words: wordsOf(["Refund awaited from a partner", "Refunds awaited from partners"], byPartners),
    },
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
    ...TASKS.map(async ({ words, action, where, filter }): Promise<Task> => {
      const query = { ...filter, order: "asc", perPage: 1 };
      const { items, total } = await client.list("settlements", query, signal);
      const all = where === "payments" ? linkTo(where) : linkTo("settlements", filter);
      // A single one has a page of its own.
      const isOpened = where === "each" || (total === 1 && where === "list");
      return {
        ...{ words: wordsOf(words, total), action, total },
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
              A <a href="#/runs">run</a> drafts a settlement for each partner who has earned something.
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
                { name: "Drafted", show: ({ createdAt }) => <When at={createdAt} /> },
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
