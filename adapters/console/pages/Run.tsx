/** One settlement run: its progress and results. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Run as Record } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { countWords } from "../format/Money.ts";
import { Empty, Fact, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { useNames } from "../parts/Names.ts";
import { Pager } from "../parts/Table.tsx";
import { Comparison } from "../settling/Comparison.tsx";
import { type FindingRow, FindingTable, findingRows } from "../settling/Findings.tsx";
import { Many } from "../settling/Many.tsx";
import { APPROVE_MANY } from "../settling/ManyActions.ts";
import { type SettlementRow, withPartners } from "../settling/SettlementRows.ts";
import { RunBadge, startWords, totalsWords } from "./Runs.tsx";

/** The interval in milliseconds at which a running run is read again. */
const WATCH_MILLISECONDS = 1_000;

const PER_PAGE = 50;

interface RunPage {
  readonly run: Record;
  readonly rows: ReadonlyArray<FindingRow>;
  /** The number of results on all pages. */
  readonly total: number;
}

const readRun = async (client: Client, id: string, page: number, signal: AbortSignal): Promise<RunPage> => {
  const { settlementRuns } = client.remote;
  const { run, results, total } = await settlementRuns.read(id, { page, perPage: PER_PAGE }, { signal });
  return { run, total, rows: await findingRows(client, results, signal) };
};

const Progress = ({ run }: { readonly run: Record }) =>
  run.state === "running" ? (
    <div class="notice" role="status">
      <strong>The run is under way</strong>
      <p>
        <progress max={Math.max(1, run.partnerCount)} value={run.partnersDone} aria-label="Partners done" />{" "}
        {run.partnersDone} of {countWords(run.partnerCount, "partner")}. It continues when you leave this
        page, and after a restart of the server.
      </p>
    </div>
  ) : null;

const runWords = ({ state, draftCount, approvedCount }: Record): string => {
  const draftWords = `${countWords(draftCount, "draft")}${approvedCount > 0 ? `, of which the run approved ${approvedCount}` : ""}`;
  if (state === "running") return `So far: ${draftWords}.`;
  if (draftCount === 0) return "The run found nothing to settle. The table states why.";
  return approvedCount === draftCount
    ? `The run created and approved ${countWords(draftCount, "draft")}.`
    : `The run created ${draftWords}. Check and approve ${approvedCount > 0 ? "the others" : draftCount === 1 ? "it" : "them"}.`;
};

/** The drafts of a run that are still to be approved. */
const readDrafts = async (
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<ReadonlyArray<SettlementRow>> => {
  const ids: Array<string> = [];
  for (let page = 1; ; page += 1) {
    const { results, total } = await client.remote.settlementRuns.read(
      id,
      { page, perPage: 100 },
      { signal },
    );
    for (const { drafts } of results) ids.push(...drafts.map(({ settlementId }) => settlementId));
    if (results.length === 0 || page * 100 >= total) break;
  }
  const settlements = await client.byIds("settlements", ids, signal);
  const open = [...settlements.values()].filter(({ status }) => status.type === "draft");
  return withPartners(client, open, signal);
};

/** Approves all drafts of a run in one dialog. */
const ApproveDrafts = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const [isOpen, setOpen] = useState(false);
  const loaded = useLoad(`drafts/${id}`, (signal) => readDrafts(client, id, signal));
  const rows = loaded.value ?? [];
  return (
    <LoadResult loaded={loaded} lines={1} what="Reading the drafts of the run">
      {() =>
        rows.length > 0 && (
          <>
            <Comparison rows={rows} />
            <div class="actions">
              <button type="button" class="primary" onClick={() => setOpen(true)}>
                Approve {countWords(rows.length, "draft")}
              </button>
            </div>
            {isOpen && <Many action={APPROVE_MANY} rows={rows} close={() => setOpen(false)} />}
          </>
        )
      }
    </LoadResult>
  );
};

export const Run = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const names = useNames();
  const [page, setPage] = useState(1);
  const loaded = useLoad(`run/${id}/${page}`, (signal) => readRun(client, id, page, signal), true);
  const isRunning = loaded.value?.run.state === "running";
  useWatch(isRunning, loaded.reload, WATCH_MILLISECONDS);
  return (
    <LoadResult
      loaded={loaded}
      lines={10}
      what="Reading the run"
      signOut={signOut}
      above={<a href={linkTo("runs")}>Runs</a>}
    >
      {({ run, rows, total }) => (
        <>
          <Heading
            above={<a href={linkTo("runs", { workspace: run.workspaceId })}>Runs</a>}
            title={
              <>
                <span>
                  Run of <When at={run.createdAt} exact />
                </span>{" "}
                <RunBadge run={run} />
              </>
            }
          >
            <ReadAt loaded={loaded} />
          </Heading>
          <Progress run={run} />
          <section class="panel lead">
            <p class="next">{runWords(run)}</p>
            <dl class="facts">
              <Fact name="Net, in drafts">{totalsWords(run) || "nothing"}</Fact>
              <Fact name="Sales before">
                <When at={run.until} exact />
              </Fact>
              <Fact name="Partners">
                {run.partnerIds === null ? "every partner" : countWords(run.partnerIds.length, "partner")}
              </Fact>
              <Fact name="Currencies">{run.currencies?.join(", ") ?? "every currency"}</Fact>
              <Fact name="Started by">{startWords(run, names)}</Fact>
              {run.finishedAt !== null && (
                <Fact name="Done">
                  <When at={run.finishedAt} exact />
                </Fact>
              )}
            </dl>
            {run.state !== "running" && run.draftCount > run.approvedCount && may("settlements:approve") && (
              <ApproveDrafts id={id} />
            )}
          </section>
          {total === 0 ? (
            <Empty
              title={run.state === "running" ? "No partner is done yet" : "The run covered no partner"}
            />
          ) : (
            <FindingTable
              caption="Results of the run, by partner and currency"
              rows={rows}
              isStale={loaded.isLoading && !isRunning}
            />
          )}
          {total > PER_PAGE && (
            <Pager page={page} perPage={PER_PAGE} total={total} isLoading={false} go={setPage} />
          )}
        </>
      )}
    </LoadResult>
  );
};
