/** One recredit run: its progress, and what becomes of each sale. One that was only tried can be carried out from here. */
import { useState } from "preact/hooks";
import type { RecreditRunResult, RecreditRun as Run } from "quittance/client";
import type { Client } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import { roleWords } from "../format/Credits.ts";
import { countWords, difference, minus, sumByCurrency } from "../format/Money.ts";
import { Badge, Clip, Empty, Fact, Heading, Id, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { useNames } from "../parts/Names.ts";
import { type Column, Pager, Table } from "../parts/Table.tsx";
import { whoWords } from "../words/People.ts";

/** The interval in milliseconds at which a run under way is read again. */
const WATCH_MILLISECONDS = 1_000;

const PER_PAGE = 50;

type Names = ReadonlyMap<string, string>;

const readRun = async (client: Client, id: string, page: number, signal: AbortSignal) => {
  const found = await client.remote.recredits.read(id, { page, perPage: PER_PAGE }, { signal });
  const concerned = [
    ...(found.run.partnerIds ?? []),
    ...found.results.flatMap(({ credits }) => credits.map(({ partnerId }) => partnerId)),
  ];
  const partners = await client.byIds("partners", concerned, signal);
  return { ...found, names: new Map([...partners.values()].map((partner) => [partner.id, partner.name])) };
};

const OUTCOMES: Readonly<Record<RecreditRunResult["outcome"], string>> = {
  changed: "Changes",
  attribution_cancelled: "Cancelled sale, left as it is",
  too_many_credits: "Too many credits, left as it is",
  failed: "Left as it is",
};

/** What one sale's credits earn more, or less, by currency. */
const moneyOf = ({ commissions }: RecreditRunResult): ReadonlyArray<string> =>
  sumByCurrency(
    commissions.map(({ currency, amountBefore, amountAfter }) => ({
      currency,
      amount: minus(amountAfter ?? 0, amountBefore ?? 0),
    })),
  ).map(({ currency, amount }) => difference(amount, currency));

/** The sign of a credit that a sale gets, loses, or has with another share. */
const signOf = ({ shareBefore, shareAfter }: RecreditRunResult["credits"][number]): string => {
  if (shareAfter === null) return "−";
  return shareBefore === null ? "+" : "±";
};

const columns = (names: Names): ReadonlyArray<Column<RecreditRunResult>> => [
  {
    name: "Sale",
    show: ({ attributionId }) => (
      <a href={linkTo(`sales/${attributionId}`)}>
        <Id id={attributionId} />
      </a>
    ),
  },
  {
    name: "Outcome",
    show: ({ outcome, problem }) => (
      <>
        {OUTCOMES[outcome]}
        {outcome === "failed" && <span class="problem">{problem}</span>}
      </>
    ),
  },
  {
    name: "Uplines",
    show: ({ credits }) =>
      credits.map((credit) => (
        <div key={JSON.stringify(credit)}>
          <Clip>{`${signOf(credit)} ${names.get(credit.partnerId) ?? "A partner"}`}</Clip>
          <span class="under">{roleWords(credit)}</span>
        </div>
      )),
  },
  { name: "Earns", isNumber: true, show: (result) => moneyOf(result).join(", ") || "–" },
];

const Progress = ({ run }: { readonly run: Run }) =>
  run.state === "running" ? (
    <div class="notice" role="status">
      <strong>{run.dryRun ? "The sales are being looked through" : "The sales are being recredited"}</strong>
      <p>
        <progress
          max={Date.parse(run.to) - Date.parse(run.from)}
          value={Date.parse(run.reached) - Date.parse(run.from)}
          aria-label="Span done"
        />{" "}
        {countWords(run.salesDone, "sale")}, up to <When at={run.reached} />. It continues when you leave this
        page, and after a restart of the server.
      </p>
    </div>
  ) : null;

const summaryOf = ({ state, dryRun, changedCount, creditsAdded, creditsCancelled }: Run): string => {
  const credits = `${countWords(creditsAdded, "credit")} added, ${creditsCancelled} cancelled`;
  if (state === "running") return `So far: ${countWords(changedCount, "sale")}, ${credits}.`;
  if (changedCount === 0) return "Every sale has the uplines that it should have. Nothing changes.";
  return dryRun
    ? `${countWords(changedCount, "sale")} would change: ${credits}. Nothing has been changed yet.`
    : `${countWords(changedCount, "sale")} changed: ${credits}.`;
};

const leftWords = ({ cancelledCount, tooManyCreditsCount, failedCount }: Run): string =>
  [
    cancelledCount > 0 ? `${cancelledCount} cancelled` : "",
    tooManyCreditsCount > 0 ? `${tooManyCreditsCount} with too many credits` : "",
    failedCount > 0 ? `${failedCount} with another problem` : "",
  ]
    .filter((words) => words !== "")
    .join(", ") || "none";

const moneyWords = ({ totals }: Run): string =>
  totals
    .map(({ currency, amountBefore, amountAfter }) => difference(amountAfter - amountBefore, currency))
    .join(", ") || "nothing";

const Facts = ({ run, names }: { readonly run: Run; readonly names: Names }) => (
  <dl class="facts">
    <Fact name={run.dryRun ? "The uplines would earn" : "The uplines earn"}>{moneyWords(run)}</Fact>
    <Fact name="Sales looked at">{run.salesDone}</Fact>
    <Fact name="Left as they are">{leftWords(run)}</Fact>
    <Fact name="Sales from">
      <When at={run.from} exact />
    </Fact>
    <Fact name="Sales before">
      <When at={run.to} exact />
    </Fact>
    <Fact name="Partners">
      {run.partnerIds === null ? (
        "every partner"
      ) : (
        <Clip>{run.partnerIds.map((id) => names.get(id) ?? "a partner").join(", ")}</Clip>
      )}
    </Fact>
    <Fact name="Started by">{whoWords(run.person, useNames())}</Fact>
    <Fact name="Reason">
      <Clip>{run.reason}</Clip>
    </Fact>
  </dl>
);

/** Carries out what a dry run has shown. */
const CarryOut = ({ run }: { readonly run: Run }) => {
  const { workspaceId, partnerIds, from, to, reason } = run;
  return (
    <ActionButton
      words={`Recredit ${countWords(run.changedCount, "sale")}`}
      title="Recredit these sales"
      isMain
      consequence={[
        "The sales get the uplines of the links that there are when the run reaches them.",
        "A credit that is lost is cancelled: what was paid for it is taken back in the next settlement.",
        "A link that is corrected later can be followed by another run.",
      ]}
      run={(commands) => commands.recredits.start({ workspaceId, partnerIds, from, to, reason })}
      done={({ id }) => go(linkTo(`recredits/${id}`))}
    />
  );
};

export const RecreditRun = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const [page, setPage] = useState(1);
  const loaded = useLoad(`recredit/${id}/${page}`, (signal) => readRun(client, id, page, signal), true);
  const isRunning = loaded.value?.run.state === "running";
  useWatch(isRunning, loaded.reload, WATCH_MILLISECONDS);
  return (
    <LoadResult
      loaded={loaded}
      lines={10}
      what="Reading the run"
      signOut={signOut}
      above={<a href="#/sales">Sales</a>}
    >
      {({ run, results, total, names }) => (
        <>
          <Heading
            title={
              <>
                {run.dryRun ? "Preview of recredited sales" : "Recredited sales"}{" "}
                <Badge family={isRunning ? "open" : "done"}>{isRunning ? "Running" : "Done"}</Badge>
              </>
            }
          >
            <ReadAt loaded={loaded} />
          </Heading>
          <Progress run={run} />
          <section class="panel lead">
            <p class="next">{summaryOf(run)}</p>
            <Facts run={run} names={names} />
            {run.dryRun && !isRunning && run.changedCount > 0 && may("attributions:write") && (
              <CarryOut run={run} />
            )}
          </section>
          {total === 0 ? (
            <Empty title={isRunning ? "No sale has changed yet" : "No sale changes"} />
          ) : (
            <Table
              caption="Sales that change, and those that are left as they are"
              rows={results}
              rowKey={({ attributionId }) => attributionId}
              columns={columns(names)}
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
