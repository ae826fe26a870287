/** Shows each partner's gain or loss if the formula had applied to last month's sales. */
import { useMemo, useRef, useState } from "preact/hooks";
import type { Compiled } from "quittance/formula";
import { useSession } from "../api/Session.ts";
import { monthStart } from "../format/Dates.ts";
import { count, countWords, difference, money, shortMoney } from "../format/Money.ts";
import { Empty, Failure } from "../parts/Basics.tsx";
import { Chart, type ChartProps } from "../parts/Chart.tsx";
import { announce } from "../parts/Focus.ts";
import { Table } from "../parts/Table.tsx";
import { compare, histogramOf, type PartnerComparison, readRecorded } from "./Comparison.ts";
import type { Draft } from "./Sources.ts";

interface Result {
  readonly rows: ReadonlyArray<PartnerComparison>;
  readonly names: ReadonlyMap<string, string>;
  readonly isComplete: boolean;
  /** Whether amounts are being computed again, so that what is recorded is not final. */
  readonly isMoving: boolean;
  readonly from: Date;
}

const monthName = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

const ComparisonResult = ({ result, currency }: { readonly result: Result; readonly currency: string }) => {
  const { rows, names, isComplete, isMoving, from } = result;
  const totalBefore = rows.reduce((sum, row) => sum + row.before, 0n);
  const totalAfter = rows.reduce((sum, row) => sum + row.after, 0n);
  const gaining = rows.filter((row) => row.after > row.before).length;
  const losing = rows.filter((row) => row.after < row.before).length;
  const props = useMemo((): ChartProps => {
    const classes = histogramOf(rows);
    return {
      title: `Partners by what they gain or lose, in ${currency}`,
      axis: "Gain or loss",
      labels: classes.map(({ from: low, to: high }) => shortMoney((low + high) / 2, currency)),
      series: [{ name: "Partners", colour: "chart-3", values: classes.map((one) => one.count) }],
      format: count,
      tick: count,
      shape: "bars",
    };
  }, [rows, currency]);
  if (rows.length === 0)
    return <Empty title={`No partner earned in ${currency} for sales of ${monthName.format(from)}`} />;
  return (
    <>
      <p class="sentence">
        {monthName.format(from)} would have cost {money(totalAfter, currency)} instead of{" "}
        {money(totalBefore, currency)} ({difference(totalAfter - totalBefore, currency)}).{" "}
        {countWords(gaining, "partner gains", "partners gain")}, {countWords(losing, "loses", "lose")},{" "}
        {countWords(rows.length - gaining - losing, "stays", "stay")} the same.
      </p>
      {!isComplete && (
        <div class="notice wait">There are more records than were read; the figures cover only a part.</div>
      )}
      {isMoving && (
        <div class="notice wait">Recorded amounts are being computed again. Compute later once more.</div>
      )}
      <Chart props={props} />
      <Table
        caption="What each partner would have earned"
        rows={rows.slice(0, 100)}
        rowKey={({ partnerId }) => partnerId}
        columns={[
          { name: "Partner", show: ({ partnerId }) => names.get(partnerId) ?? partnerId },
          { name: "Sales", isNumber: true, isMinor: true, show: ({ sales }) => count(sales) },
          { name: "Recorded", isNumber: true, show: ({ before }) => money(before, currency) },
          { name: "Then", isNumber: true, show: ({ after }) => money(after, currency) },
          {
            name: "Difference",
            isNumber: true,
            show: ({ before, after }) => (
              <span class={after < before ? "negative amount" : "amount"}>
                {difference(after - before, currency)}
              </span>
            ),
          },
        ]}
      />
      {rows.length > 100 && <p class="note">The 100 largest changes of {count(rows.length)} partners.</p>}
    </>
  );
};

const useSimulation = (draft: Draft, compiled: Compiled) => {
  const { client } = useSession();
  const [progress, setProgress] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const abort = useRef<AbortController | null>(null);
  const run = async (): Promise<void> => {
    const control = new AbortController();
    abort.current = control;
    setFailure(null);
    setResult(null);
    setProgress("Reading sales…");
    try {
      const period = { from: monthStart(Date.now(), 1), to: monthStart(Date.now()) };
      const recorded = await readRecorded(
        client,
        draft,
        compiled,
        period,
        (readCount, what) => setProgress(`Read ${count(readCount)} ${what}`),
        control.signal,
      );
      const { formulas, sales, isComplete } = recorded;
      const rows = await compare(
        recorded,
        compiled,
        period,
        (done) => setProgress(`Computed ${count(done)} of ${count(sales.length)} sales`),
        control.signal,
      );
      const partners = await client.byIds(
        "partners",
        rows.slice(0, 100).map(({ partnerId }) => partnerId),
        control.signal,
      );
      setResult({
        rows,
        isComplete,
        isMoving: formulas.some(({ recomputing }) => recomputing),
        from: period.from,
        names: new Map([...partners].map(([id, { name }]) => [id, name])),
      });
      announce(`The comparison of ${countWords(rows.length, "partner")} is shown.`);
    } catch (problem) {
      if (!control.signal.aborted) setFailure(problem);
    }
    setProgress(null);
  };
  return { progress, result, failure, run, stop: () => abort.current?.abort() };
};

export const Simulate = ({ draft, compiled }: { readonly draft: Draft; readonly compiled: Compiled }) => {
  const { progress, result, failure, run, stop } = useSimulation(draft, compiled);
  return (
    <section class="panel">
      <h2>On last month's sales: who gains, who loses</h2>
      <p class="note">
        {draft.planId === null
          ? `The confirmed sales of partners who earn in ${draft.currency} for this schema, compared with everything that is recorded for these sales in ${draft.currency}.`
          : `The confirmed sales of the partners of this plan while they are assigned, compared with what is recorded under the plan, in ${draft.currency}.`}{" "}
        Nothing is stored.
      </p>
      <span class="row">
        <button type="button" onClick={progress === null ? run : stop}>
          {progress === null ? "Compute" : "Stop"}
        </button>
        {progress}
      </span>
      {failure !== null && <Failure failure={failure} retry={run} />}
      {result !== null && <ComparisonResult result={result} currency={draft.currency} />}
    </section>
  );
};
