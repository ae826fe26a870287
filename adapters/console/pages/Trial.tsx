/** A trial of a plan on past sales: what it would have cost, for whom it changes what, and how it becomes the plan. */
import { useMemo, useRef, useState } from "preact/hooks";
import { type Expression, print } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Plan, Trial as Record, TrialChange, TrialDetails } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useWatch } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import { forgetDraft } from "../data/StoredDraft.ts";
import { day, month as monthWords } from "../format/Dates.ts";
import { count, countWords, difference, money } from "../format/Money.ts";
import { restateAmounts } from "../format/Sentences.ts";
import { Amount, Clip, Empty, Fact, Heading, LoadResult, ReadAt, SoldOn, When } from "../parts/Basics.tsx";
import { Chart, type ChartProps } from "../parts/Chart.tsx";
import { DownloadButton } from "../parts/Download.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { Pager, Table } from "../parts/Table.tsx";
import { nameWords, valueWords } from "../plans/Values.ts";
import { EFFECTIVE_WORDS, EffectiveFields, effectiveOf } from "../plans/VersionsAhead.tsx";

/** The interval in milliseconds at which a running trial is read again. */
const WATCH_MILLISECONDS = 1_000;

const PER_PAGE = 25;

interface TrialPage extends TrialDetails {
  readonly names: ReadonlyMap<string, string>;
  readonly plan: Plan | null;
}

/** The names and the plan that were read before: a trial is read every second while it runs. */
interface Known {
  readonly names: Map<string, string>;
  plan: Plan | null;
}

const readTrial = async (
  client: Client,
  { id, page }: { readonly id: string; readonly page: number },
  known: Known,
  signal: AbortSignal,
): Promise<TrialPage> => {
  const details = await client.remote.planTrials.read(id, { page, perPage: PER_PAGE }, { signal });
  const { results, changes, trial } = details;
  const { names } = known;
  const unknown = [...results, ...changes]
    .map(({ partnerId }) => partnerId)
    .filter((candidate) => !names.has(candidate));
  const planIds = trial.planId === null || known.plan !== null ? [] : [trial.planId];
  const [partners, plans] = await Promise.all([
    client.byIds("partners", unknown, signal),
    client.byIds("commissionPlans", planIds, signal),
  ]);
  for (const [partnerId, { name }] of partners) names.set(partnerId, name);
  known.plan ??= plans.get(trial.planId ?? "") ?? null;
  return { ...details, names, plan: known.plan };
};

/** The values that are tried, such as `rate 9 %`. */
const triedWords = ({ parameters, currency }: Record, plan: Plan | null): string =>
  Object.entries(parameters)
    .map(([name, value]) => {
      const type = typeof value === "number" ? "number" : "string";
      const declaration = plan?.parameters?.find((parameter) => parameter.name === name) ?? { name, type };
      return `${nameWords(declaration)} ${valueWords(declaration, value, currency)}`;
    })
    .join(", ");

/** The days of the trial: its end is not included. */
const spanWords = ({ from, to }: Record): string =>
  `${day(from)} to ${day(new Date(Date.parse(to) - 1).toISOString())}`;

const Progress = ({ trial }: { readonly trial: Record }) =>
  trial.state === "running" ? (
    <div class="notice" role="status">
      <strong>The trial is under way</strong>
      <p>
        <progress
          max={Math.max(1, trial.partnerCount)}
          value={trial.partnersDone}
          aria-label="Partners done"
        />{" "}
        {trial.partnersDone} of {countWords(trial.partnerCount, "partner")}. It continues when you leave this
        page, and after a restart of the server.
      </p>
    </div>
  ) : null;

const classWords = ({ fromPercent, toPercent }: Record["distribution"][number]): string => {
  if (fromPercent === 0 && toPercent === 0) return "unchanged";
  if (fromPercent === null) return `below ${toPercent} %`;
  return toPercent === null ? `above ${fromPercent} %` : `${fromPercent} to ${toPercent} %`;
};

const Distribution = ({ trial }: { readonly trial: Record }) => {
  const props = useMemo(
    (): ChartProps => ({
      title: "Partners by the change of what they earn",
      axis: "Change",
      labels: trial.distribution.map(classWords),
      series: [
        {
          name: "Partners",
          colour: "chart-3",
          values: trial.distribution.map(({ partnerCount }) => partnerCount),
        },
      ],
      format: count,
      tick: count,
      shape: "bars",
    }),
    [trial.distribution],
  );
  return <Chart props={props} />;
};

const Difference = ({ value, currency }: { readonly value: bigint; readonly currency: string }) => (
  <span class={value < 0n ? "negative amount" : "amount"}>{difference(value, currency)}</span>
);

const Changes = ({
  changes,
  names,
  currency,
}: {
  readonly changes: ReadonlyArray<TrialChange>;
  readonly names: ReadonlyMap<string, string>;
  readonly currency: string;
}) => (
  <section class="panel">
    <h2>The largest changes</h2>
    {changes.length === 0 ? (
      <Empty title="No sale earns another amount" />
    ) : (
      <ol class="trial-changes">
        {changes.map((change) => (
          <li key={`${change.attributionId}${change.added}`}>
            <details>
              <summary>
                {names.get(change.partnerId) ?? "a partner"}, sale of <SoldOn sale={change} />
                {change.attributionId === null && " that was added"}:{" "}
                <Amount amount={change.amountNow} currency={currency} /> becomes{" "}
                <Amount amount={change.amountThen} currency={currency} /> (
                <Difference value={change.difference} currency={currency} />)
              </summary>
              <h3>Now</h3>
              <pre class="derivation">{restateAmounts(change.explanationNow, currency)}</pre>
              <h3>Then</h3>
              <pre class="derivation">{restateAmounts(change.explanationThen, currency)}</pre>
              {change.attributionId !== null && (
                <p>
                  <a href={linkTo(`sales/${change.attributionId}`)}>Everything about this sale</a>
                </p>
              )}
            </details>
          </li>
        ))}
      </ol>
    )}
  </section>
);

interface MonthRow {
  readonly key: string;
  readonly partnerId: string;
  readonly month: string;
  readonly salesCount: number;
  readonly amountNow: bigint;
  readonly amountThen: bigint;
  readonly difference: bigint;
}

const Months = ({ shown, currency }: { readonly shown: TrialPage; readonly currency: string }) => (
  <Table
    caption="What each partner would have earned, by month"
    rows={shown.results.flatMap(({ partnerId, months }) =>
      months.map((month): MonthRow => ({ ...month, partnerId, key: `${partnerId} ${month.month}` })),
    )}
    rowKey={({ key }) => key}
    columns={[
      {
        name: "Partner",
        show: ({ partnerId }) => (
          <a href={linkTo(`partners/${partnerId}`)}>
            <Clip>{shown.names.get(partnerId) ?? "…"}</Clip>
          </a>
        ),
      },
      { name: "Month", show: ({ month }) => monthWords(`${month}-01`) },
      { name: "Sales", isNumber: true, isMinor: true, show: ({ salesCount }) => count(salesCount) },
      { name: "Now", isNumber: true, show: ({ amountNow }) => money(amountNow, currency) },
      { name: "Then", isNumber: true, show: ({ amountThen }) => money(amountThen, currency) },
      {
        name: "Difference",
        isNumber: true,
        show: (row) => <Difference value={row.difference} currency={currency} />,
      },
    ]}
  />
);

const Adopt = ({ trial, planName }: { readonly trial: Record; readonly planName: string }) => (
  <ActionButton
    words="Make it the plan"
    isMain
    title={`Change ${planName}`}
    consequence={[
      "The formula of this trial becomes the next version of the plan, for every partner of the plan.",
      ...(Object.keys(trial.parameters).length === 0
        ? []
        : ["The values that were tried stay with the trial: each partner keeps its own."]),
      ...EFFECTIVE_WORDS,
    ]}
    run={(commands, fields) => commands.planTrials.adopt(trial.id, effectiveOf(fields))}
    done={() => {
      forgetDraft();
      go(linkTo(`plans/${trial.planId}`));
    }}
  >
    <EffectiveFields />
  </ActionButton>
);

const Summary = ({ shown: { trial, plan, total } }: { readonly shown: TrialPage }) => {
  const { currency } = trial;
  return (
    <section class="panel lead">
      <p class="next">
        Sales of {spanWords(trial)} {trial.state === "running" ? "cost so far" : "would have cost"}{" "}
        {money(trial.amountThen, currency)} instead of {money(trial.amountNow, currency)} (
        {difference(trial.difference, currency)}).
      </p>
      {trial.notComputableCount > 0 && (
        <div class="notice wait">
          {countWords(trial.notComputableCount, "sale has", "sales have")} no amount on one side, and count in
          no sum.
        </div>
      )}
      <dl class="facts">
        <Fact name="Compared with">{plan?.name ?? `everything that is paid in ${currency}`}</Fact>
        {Object.keys(trial.parameters).length > 0 && (
          <Fact name="With these values">{triedWords(trial, plan)}</Fact>
        )}
        {trial.partnerIds !== null && <Fact name="Of">{countWords(trial.partnerIds.length, "partner")}</Fact>}
        {trial.addedCount > 0 && <Fact name="Sales that did not happen">{count(trial.addedCount)}</Fact>}
        {(trial.waitingNow !== 0n || trial.waitingThen !== 0n) && (
          <Fact name="Waits for the buyers">
            {money(trial.waitingThen, currency)} instead of {money(trial.waitingNow, currency)}
          </Fact>
        )}
        <Fact name="Partners with sales">{count(total)}</Fact>
        <Fact name="Sales">{count(trial.salesCount)}</Fact>
        <Fact name="Started">
          <When at={trial.createdAt} exact />
        </Fact>
      </dl>
      <p class="note">Net of tax. Nothing in the books has changed.</p>
      <pre class="derivation formula">
        {trial.expression === null
          ? "The plan as it is."
          : (trial.formulaText ?? print(trial.expression as unknown as Expression))}
      </pre>
    </section>
  );
};

export const Trial = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const may = useMay();
  const [page, setPage] = useState(1);
  const known = useRef<Known>({ names: new Map(), plan: null });
  const loaded = useLoad(
    `trial/${id}/${page}`,
    (signal) => readTrial(client, { id, page }, known.current, signal),
    true,
  );
  const isRunning = loaded.value?.trial.state === "running";
  useWatch(isRunning, loaded.reload, WATCH_MILLISECONDS);
  return (
    <LoadResult
      loaded={loaded}
      lines={10}
      what="Reading the trial"
      signOut={signOut}
      above={<a href="#/plans">Plans</a>}
    >
      {(shown) => {
        const { trial, plan } = shown;
        const isAdoptable = trial.planId !== null && trial.expression !== null && trial.state === "done";
        return (
          <>
            <Heading
              above={
                trial.planId === null ? (
                  <a href="#/builder">Plan builder</a>
                ) : (
                  <a href={linkTo(`plans/${trial.planId}`)}>{plan?.name ?? "The plan"}</a>
                )
              }
              title="Trial on past sales"
            >
              <ReadAt loaded={loaded} />
              <DownloadButton load={(remote) => remote.planTrials.export(id, { format: "spreadsheet" })}>
                Download as CSV
              </DownloadButton>
              {isAdoptable && may("formulas:write") && (
                <Adopt trial={trial} planName={plan?.name ?? "the plan"} />
              )}
            </Heading>
            <Progress trial={trial} />
            <Summary shown={shown} />
            {!isRunning && (
              <>
                <section class="panel">
                  <Distribution trial={trial} />
                </section>
                <Changes changes={shown.changes} names={shown.names} currency={trial.currency} />
              </>
            )}
            {shown.total === 0 ? (
              <Empty title={isRunning ? "No partner is done yet" : "No partner had a sale in these days"} />
            ) : (
              <>
                <h2>By partner and month</h2>
                <Months shown={shown} currency={trial.currency} />
              </>
            )}
            {shown.total > PER_PAGE && (
              <Pager page={page} perPage={PER_PAGE} total={shown.total} isLoading={false} go={setPage} />
            )}
          </>
        );
      }}
    </LoadResult>
  );
};
