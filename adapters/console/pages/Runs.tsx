/** Settlement runs: the policies of the customer's workspaces, and the runs. */
import type { ComponentChildren } from "preact";
import type { Run } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo, type Route } from "../data/Route.ts";
import { timeKey } from "../data/Sort.ts";
import { countWords, decimalText, money, sumByCurrency } from "../format/Money.ts";
import { Export, exportOnly } from "../parts/AllRows.tsx";
import { Badge, Empty, Heading, Id, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { Select } from "../parts/Filters.tsx";
import { useRecords } from "../parts/List.tsx";
import { Listed } from "../parts/Listed.tsx";
import { useNames } from "../parts/Names.ts";
import type { Column } from "../parts/Table.tsx";
import { WorkspacePolicy } from "../settling/Policy.tsx";
import { readWorkspaces, type Workspace } from "../settling/Workspaces.ts";
import { type Names, whoWords } from "../words/People.ts";

const PER_PAGE = 25;

/** The sums of the drafts of a run, by currency. */
export const totalsWords = ({ totals }: Pick<Run, "totals">): string =>
  totals.map(({ currency, amount }) => money(amount, currency)).join(" · ");

/** Who or what started a run. */
export const startWords = ({ period, person }: Pick<Run, "period" | "person">, names: Names): string =>
  period === null ? whoWords(person, names) : "the calendar";

const stateWords = ({ state, partnersDone, partnerCount }: Run): string =>
  state === "running" ? `Running, ${partnersDone} of ${partnerCount}` : "Done";

export const RunBadge = ({ run }: { readonly run: Run }) => (
  <Badge family={run.state === "running" ? "open" : "done"}>{stateWords(run)}</Badge>
);

const columnsOf = (names: Names): ReadonlyArray<Column<Run>> => [
  {
    name: "Started",
    show: ({ id, createdAt }) => (
      <a href={linkTo(`runs/${id}`)}>
        <When at={createdAt} exact />
      </a>
    ),
    text: ({ createdAt }) => createdAt,
  },
  { name: "State", show: (run) => <RunBadge run={run} />, sort: stateWords, text: stateWords },
  {
    name: "Sales before",
    show: ({ until }) => (
      <>
        <span class="on-cards">Sales before </span>
        <When at={until} exact />
      </>
    ),
    sort: ({ until }) => timeKey(until),
    text: ({ until }) => until,
  },
  {
    name: "Started by",
    show: (run) => startWords(run, names),
    sort: (run) => startWords(run, names),
    text: (run) => startWords(run, names),
  },
  {
    name: "Drafts",
    show: ({ draftCount }) => countWords(draftCount, "draft"),
    sort: ({ draftCount }) => draftCount,
    text: ({ draftCount }) => draftCount,
  },
  {
    name: "Net",
    isNumber: true,
    show: totalsWords,
    sort: ({ totals }) => sumByCurrency(totals),
    text: ({ totals }) =>
      totals.map(({ currency, amount }) => `${currency} ${decimalText(amount, currency)}`).join(", "),
  },
];

/** What an export has beyond the columns that are shown. */
const exported: ReadonlyArray<Column<Run>> = [
  exportOnly("Partners", ({ partnerCount }) => partnerCount),
  exportOnly("Lines", ({ lineCount }) => lineCount),
  exportOnly("Approved", ({ approvedCount }) => approvedCount),
  exportOnly("Finished", ({ finishedAt }) => finishedAt ?? ""),
  exportOnly("Run", ({ id }) => id),
];

const WorkspaceRuns = ({
  route,
  workspace,
  children,
}: {
  readonly route: Route;
  readonly workspace: Workspace;
  /** The choice of another workspace. */
  readonly children: ComponentChildren;
}) => {
  const may = useMay();
  const list = useRecords({
    list: "settlementRuns",
    filters: { workspaceIds: [workspace.id] },
    route,
    perPage: PER_PAGE,
    columns: columnsOf(useNames()),
    created: "Started",
  });
  return (
    <>
      <Heading title="Runs">
        <ReadAt loaded={list.loaded} />
        {may("settlements:write") && list.loaded.failure === null && (
          <a class="button primary" href={linkTo("runs/new", { workspace: workspace.id })}>
            Settle what is due
          </a>
        )}
      </Heading>
      {children}
      <Listed
        list={list}
        what="Reading runs"
        caption="Settlement runs"
        rowKey={({ id }) => id}
        link={({ id }) => linkTo(`runs/${id}`)}
        none={
          <Empty title="No runs yet">
            A run creates a draft for every partner with something due.{" "}
            {may("settlements:write") && (
              <a href={linkTo("runs/new", { workspace: workspace.id })}>Preview a run</a>
            )}
          </Empty>
        }
      >
        {({ total }) => (
          <Export name="runs" columns={[...list.columns, ...exported]} total={total} pages={list.pages} />
        )}
      </Listed>
      <WorkspacePolicy workspaceId={workspace.id} />
    </>
  );
};

export const Runs = ({ route }: { readonly route: Route }) => {
  const { client, principal, signOut } = useSession();
  const loaded = useLoad("workspaces", (signal) => readWorkspaces(client, principal, signal));
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading workspaces" signOut={signOut}>
      {(workspaces) => {
        const chosen = workspaces.find(({ id }) => id === route.query.get("workspace")) ?? workspaces[0];
        return chosen === undefined ? (
          <>
            <Heading title="Runs" />
            <Empty title="There is nothing to settle yet">
              Runs settle what partners have earned. <a href="#/partners">Add a partner</a> first.
            </Empty>
          </>
        ) : (
          <>
            <WorkspaceRuns key={chosen.id} route={route} workspace={chosen}>
              {workspaces.length > 1 && (
                <div class="filters">
                  <Select
                    route={route}
                    name="workspace"
                    label="Workspace"
                    value={chosen.id}
                    groups={[["Workspaces", workspaces.map(({ id, words }) => [id, words] as const)]]}
                  />
                </div>
              )}
            </WorkspaceRuns>
            {workspaces.length > 1 && (
              <p class="note">
                Shown is the workspace <Id id={chosen.id} />.
              </p>
            )}
          </>
        );
      }}
    </LoadResult>
  );
};
