/** Previews a run for chosen partners, currencies and sales, and starts it. */
import { useEffect } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { DryRun, RunCriteria, Sum, Terms } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { go, linkTo, type Route, replace } from "../data/Route.ts";
import { calendarDay, pastEnd, utcDay } from "../format/Dates.ts";
import { countWords, sumsWords } from "../format/Money.ts";
import { Amount, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { DateFilter, Search } from "../parts/Filters.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { type FindingRow, Findings, findingRows } from "../settling/Findings.tsx";
import {
  CHANGES_WORDS,
  type Parts,
  type PartsOfPartner,
  partsOf,
  readBalances,
  sumParts,
} from "../settling/Reconciliation.ts";
import { TERM_WORDS } from "../settling/Terms.ts";

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

/** What explains the preview: the terms of the policy, and how the balances of the partners add up. */
interface Explained {
  /** Null for a key that may not read it. */
  readonly terms: Terms | null;
  /** Empty for a run that ends before now: balances are of now. */
  readonly parts: ReadonlyArray<PartsOfPartner>;
}

const UNEXPLAINED: Explained = { terms: null, parts: [] };

const readExplained = async (
  client: Client,
  { results, currencies, workspaceId }: DryRun,
  isUntilNow: boolean,
  signal: AbortSignal,
): Promise<Explained> => {
  const partnerIds = isUntilNow ? [...new Set(results.map(({ partnerId }) => partnerId))] : [];
  const [terms, balances] = await Promise.all([
    client.remote.settlementPolicies.read(workspaceId, { signal }),
    readBalances(client, partnerIds, signal),
  ]);
  const chosen = balances.filter(({ currency }) => currencies === null || currencies.includes(currency));
  return { terms, parts: partsOf(results, chosen) };
};

/** The rows with by how much sales in settlements have changed. */
const withChanges = (
  rows: ReadonlyArray<FindingRow>,
  parts: ReadonlyArray<PartsOfPartner>,
): ReadonlyArray<FindingRow> => {
  const changed = new Map<string, ReadonlyArray<Sum>>();
  for (const { partnerId, currency, changed: amount } of parts)
    if (amount !== null && amount !== 0n)
      changed.set(partnerId, [...(changed.get(partnerId) ?? []), { currency, amount }]);
  return rows.map((row) => {
    const { partnerId, currency } = row.finding;
    const changes = changed.get(partnerId) ?? [];
    return { ...row, changes: changes.filter((one) => currency === null || one.currency === currency) };
  });
};

const part = (name: string, amountOf: (parts: Parts) => bigint | null, isTotal = false): Column<Parts> => ({
  name,
  isNumber: true,
  show: (parts) => {
    const amount = amountOf(parts);
    return amount === null ? (
      "not stated"
    ) : (
      <Amount amount={amount} currency={parts.currency} strong={isTotal} />
    );
  },
});

const PARTS: ReadonlyArray<Column<Parts>> = [
  { name: "Currency", show: ({ currency }) => currency },
  part("In drafts", ({ drafted }) => drafted),
  part("Left out", ({ leftOut }) => leftOut),
  part("Changes in settlements", ({ changed }) => changed),
  part("Due, in no settlement yet", ({ due }) => due, true),
];

/** How the drafts and what is left out add up to what is due, as the overview and the partners have it. */
const AddsUp = ({ parts }: { readonly parts: ReadonlyArray<Parts> }) =>
  parts.length === 0 ? null : (
    <section class="panel" aria-label="What is due">
      <h2>What is due</h2>
      <Table
        caption="What is due and in no settlement yet, by currency"
        rows={parts}
        rowKey={({ currency }) => currency}
        columns={PARTS}
      />
      {parts.some(({ changed }) => changed !== 0n) && <p class="note">{CHANGES_WORDS}</p>}
    </section>
  );

const draftsWords = (drafts: number): string =>
  `${countWords(drafts, "draft")} ${drafts === 1 ? "is" : "are"}`;

/** The consequences of starting the run, in sentences. */
const consequences = ({ totals, draftCount, results }: DryRun): ReadonlyArray<string> => {
  const approved = results
    .filter(({ autoApprove }) => autoApprove)
    .reduce((sum, result) => sum + result.draftCount, 0);
  return [
    `${draftsWords(draftCount)} created: ${sumsWords(totals)} net${draftCount === 1 ? "" : " in all"}. What is due may change until then; the run settles what is due when it starts.`,
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

/** Up to when sales are settled: a day that was chosen, or now. */
const Until = ({ route, until }: { readonly route: Route; readonly until: string }) => {
  const chosen = route.query.get("until");
  return chosen === null || pastEnd(chosen) === null ? (
    <>
      now, <When at={until} exact />
    </>
  ) : (
    <>{calendarDay(chosen)} (UTC), that day included</>
  );
};

const PreviewContent = ({ preview, route }: { readonly preview: Preview; readonly route: Route }) => {
  const { client } = useSession();
  const may = useMay();
  const { run } = preview;
  const drafts = run.draftCount;
  const canRead = may("settlements:read");
  const isUntilNow = pastEnd(route.query.get("until")) === null;
  const explained = useLoad(`explained/${route.query}/${run.until}`, async (signal) =>
    canRead ? readExplained(client, run, isUntilNow, signal) : UNEXPLAINED,
  );
  const { terms, parts } = explained.value ?? UNEXPLAINED;
  return (
    <>
      <Partners route={route} rows={preview.rows} />
      <section class="panel lead">
        <p class="next">
          {drafts === 0
            ? "A run would create no draft now. The table states why."
            : `A run would create ${countWords(drafts, "draft")}: ${sumsWords(run.totals)} net${drafts === 1 ? "" : " in all"}. Nothing has been created yet.`}
        </p>
        <p class="note">
          Sales until <Until route={route} until={run.until} />, net of tax, by the{" "}
          <a href={linkTo("runs", { workspace: route.query.get("workspace") })}>policy of settlement runs</a>.
          {terms !== null && ` ${TERM_WORDS.holdDays(terms)} ${TERM_WORDS.minimum(terms)}`}
        </p>
        {drafts > 0 &&
          (may("settlements:write") ? (
            <Go preview={preview} route={route} />
          ) : (
            <p class="note">You need a key with settlements:write to start a run.</p>
          ))}
      </section>
      <LoadResult loaded={explained} lines={3} what="Reading the balances of the partners">
        {(found) => <AddsUp parts={sumParts(found.parts)} />}
      </LoadResult>
      <Findings rows={withChanges(preview.rows, parts)} />
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
        <DateFilter route={route} name="until" label="Sales until" value={utcDay(Date.now())} />
        <Search route={route} name="currencies" label="Only these currencies, such as EUR, SEK" />
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
