/** Shows each partner's gain or loss if the formula had applied to last month's sales. */
import { useMemo, useRef, useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { monthStart } from "../format/Dates.ts";
import { count, countWords, difference, money, shortMoney } from "../format/Money.ts";
import { Empty, Failure } from "../parts/Basics.tsx";
import { Chart, type ChartProps } from "../parts/Chart.tsx";
import { announce } from "../parts/Focus.ts";
import { Table } from "../parts/Table.tsx";
import { compare, histogramOf, type PartnerComparison, readSales } from "./Comparison.ts";
import { readFormula } from "./Evaluation.ts";
import type { Trial } from "./Sources.ts";

interface Result {
  readonly rows: ReadonlyArray<PartnerComparison>;
  readonly names: ReadonlyMap<string, string>;
  readonly isComplete: boolean;
  readonly from: Date;
  readonly to: Date;
}

/** Months of sales that are read before the month in question, for formulas that look at earlier sales. */
const HISTORY_MONTHS = 12;

const monthName = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });

const ComparisonResult = ({ result, currency }: { readonly result: Result; readonly currency: string }) => {
  const { rows, names, isComplete, from } = result;
  const totalBefore = rows.reduce((sum, row) => sum + row.before, 0);
  const totalAfter = rows.reduce((sum, row) => sum + row.after, 0);
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
  if (rows.length === 0) return <Empty title={`No confirmed sales in ${monthName.format(from)}`} />;
  return (
    <>
      <p class="sentence">
        {monthName.format(from)} would have cost {money(totalAfter, currency)} instead of{" "}
        {money(totalBefore, currency)} ({difference(totalAfter - totalBefore, currency)}).{" "}
        {countWords(gaining, "partner gains", "partners gain")}, {countWords(losing, "loses", "lose")},{" "}
        {countWords(rows.length - gaining - losing, "stays", "stay")} the same.
      </p>
      {!isComplete && (
        <div class="notice wait">There are more sales than were read; the figures cover only a part.</div>
      )}
      <Chart props={props} />
      <Table
        caption="What each partner would have earned"
        rows={rows.slice(0, 100)}
        rowKey={({ partnerId }) => partnerId}
        columns={[
          { name: "Partner", show: ({ partnerId }) => names.get(partnerId) ?? partnerId },
          { name: "Sales", isNumber: true, isMinor: true, show: ({ sales }) => count(sales) },
          { name: "Now", isNumber: true, show: ({ before }) => money(before, currency) },
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

const useSimulation = (trial: Trial, expression: unknown) => {
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
      const plan =
        trial.planId === null
          ? undefined
          : (await client.byIds("commissionPlans", [trial.planId])).get(trial.planId);
      const now = readFormula(
        JSON.stringify(plan?.expression ?? { type: "literal", value: { type: "number", value: 0 } }),
        trial.properties,
      );
      const then = readFormula(JSON.stringify(expression), trial.properties);
      if (now.type === "wrong" || then.type === "wrong")
        throw new Error("The formula does not fit the schema.");
      const accumulates = now.compiled.aggregates.length + then.compiled.aggregates.length > 0;
      const from = monthStart(Date.now(), 1);
      const to = monthStart(Date.now());
      const since = accumulates ? monthStart(Date.now(), 1 + HISTORY_MONTHS) : from;
      const { sales, isComplete } = await readSales(
        client,
        trial.schema?.id ?? "",
        since,
        to,
        (readCount, total) => setProgress(`Read ${count(readCount)} of ${count(total)} sales`),
        control.signal,
      );
      const rows = await compare(
        now.compiled,
        then.compiled,
        sales,
        from,
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
        from,
        to,
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

export const Simulate = ({ trial, expression }: { readonly trial: Trial; readonly expression: unknown }) => {
  const { progress, result, failure, run, stop } = useSimulation(trial, expression);
  return (
    <section class="panel">
      <h2>On last month's sales: who gains, who loses</h2>
      <p class="note">
        Every confirmed sale of the schema, compared with{" "}
        {trial.planId === null ? "nothing: the formula is new" : "the plan as it is now"}, for all partners
        alike. Nothing is stored. Plans that look at earlier sales see the last {HISTORY_MONTHS} months.
      </p>
      <span class="row">
        <button type="button" onClick={progress === null ? run : stop}>
          {progress === null ? "Compute" : "Stop"}
        </button>
        {progress}
      </span>
      {failure !== null && <Failure failure={failure} retry={run} />}
      {result !== null && <ComparisonResult result={result} currency={trial.currency} />}
    </section>
  );
};
