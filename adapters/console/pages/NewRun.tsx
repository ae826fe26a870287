/** Previews a run for chosen partners, currencies and sales, and starts it. */
import { useEffect } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { DryRun, RunCriteria } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { go, linkTo, type Route, replace } from "../data/Route.ts";
import { pastEnd, utcDay } from "../format/Dates.ts";
import { countWords, sumsWords } from "../format/Money.ts";
import { Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { DateFilter, Search } from "../parts/Filters.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { type FindingRow, Findings, findingRows } from "../settling/Findings.tsx";

/** The partners, currencies and sales of the run, from the address. */
const criteriaOf = ({ query }: Route) => {
  // Null for a day that has not ended: the run then covers everything until now.
  const until = pastEnd(query.get("until"));
  const currencies = (query.get("currencies") ?? "").toUpperCase().match(/[A-Z]{3}/g) ?? [];
  const partnerIds = query.getAll("partner");
  return {
    workspaceId: query.get("workspace") ?? "",
    ...(until === null ? {} : { until }),
    ...(currencies.length > 0 ? { currencies } : {}),
    ...(partnerIds.length > 0 ? { partnerIds } : {}),
  };
};

interface Preview {
  readonly run: DryRun;
  readonly rows: ReadonlyArray<FindingRow>;
}

const readPreview = async (client: Client, route: Route, signal: AbortSignal): Promise<Preview> => {
  const run = await client.dryRun(criteriaOf(route), signal);
  return { run, rows: await findingRows(client, run.results, signal) };
};

/** The consequences of starting the run, in sentences. */
const consequences = ({ totals, draftCount, results }: DryRun): ReadonlyArray<string> => {
  const approved = results
    .filter(({ autoApprove }) => autoApprove)
    .reduce((sum, result) => sum + result.draftCount, 0);
  return [
    `${countWords(draftCount, "draft")} over ${sumsWords(totals)} net ${draftCount === 1 ? "is" : "are"} created. What is due may change until then; the run settles what is due when it starts.`,
    approved === 0
      ? "No draft is approved: no document is created and no money moves. A draft can be cancelled."
      : `The policy approves ${approved === draftCount ? "all of them" : `${approved} of them`} at once, which cannot be undone: their reports and invoices are created. ${approved === draftCount ? "" : "The others wait for approval. "}No money moves.`,
    "The run continues when you leave this page.",
  ];
};

const Go = ({ preview, route }: { readonly preview: Preview; readonly route: Route }) => {
  // The sales of the preview, not those that have come since.
  const criteria: RunCriteria = { ...criteriaOf(route), until: preview.run.until };
  return (
    <ActionButton
      words="Start the run"
      title="Start the run"
      isMain
      consequence={consequences(preview.run)}
      run={(commands) => commands.settlementRuns.start(criteria)}
      done={({ id }) => go(linkTo(`runs/${id}`))}
    />
  );
};

const Partners = ({ route, rows }: { readonly route: Route; readonly rows: ReadonlyArray<FindingRow> }) => {
  const chosen = route.query.getAll("partner");
  if (chosen.length === 0) return null;
  const names = rows
    .filter(({ finding }) => chosen.includes(finding.partnerId))
    .map(({ partner }) => partner?.name);
  return (
    <p class="note">
      Only {[...new Set(names)].join(", ") || countWords(chosen.length, "partner")}.{" "}
      <a
        href={linkTo("runs/new", {
          workspace: route.query.get("workspace"),
          until: route.query.get("until"),
        })}
      >
        Every partner instead
      </a>
    </p>
  );
};

const PreviewContent = ({ preview, route }: { readonly preview: Preview; readonly route: Route }) => {
  const may = useMay();
  const drafts = preview.run.draftCount;
  return (
    <>
      <Partners route={route} rows={preview.rows} />
      <section class="panel lead">
        <p class="next">
          {drafts === 0
            ? "A run would create no draft now. The table states why."
            : `A run would create ${countWords(drafts, "draft")} over ${sumsWords(preview.run.totals)} net. Nothing has been created yet.`}
        </p>
        <p class="note">
          Sales before <When at={preview.run.until} exact />, net of tax, under the{" "}
          <a href={linkTo("runs", { workspace: route.query.get("workspace") })}>policy of the workspace</a>.
        </p>
        {drafts > 0 &&
          (may("settlements:write") ? (
            <Go preview={preview} route={route} />
          ) : (
            <p class="note">You need a key with settlements:write to start a run.</p>
          ))}
      </section>
      <Findings rows={preview.rows} />
    </>
  );
};

const PreviewPage = ({ route }: { readonly route: Route }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(`preview?${route.query}`, (signal) => readPreview(client, route, signal), true);
  return (
    <>
      <Heading above={<a href="#/runs">Runs</a>} title="Settle what is due">
        <ReadAt loaded={loaded} />
      </Heading>
      <div class="filters">
        <DateFilter route={route} name="until" label="Sales until, included" value={utcDay(Date.now())} />
        <Search route={route} name="currencies" label="Currencies (such as EUR, SEK)" />
      </div>
      <LoadResult loaded={loaded} lines={10} what="Computing the preview" signOut={signOut}>
        {(preview) => (
          <div class={loaded.isLoading ? "stale" : ""}>
            <PreviewContent preview={preview} route={route} />
          </div>
        )}
      </LoadResult>
    </>
  );
};

/** Leads to the page that chooses the workspace. */
const ToRuns = () => {
  useEffect(() => replace(linkTo("runs")), []);
  return null;
};

export const NewRun = ({ route }: { readonly route: Route }) =>
  route.query.get("workspace") ? <PreviewPage route={route} /> : <ToRuns />;
