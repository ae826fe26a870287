/** Commissions over time, settled and not settled. */

import { useMemo } from "preact/hooks";
import type { CommissionStatistics } from "../api/Records.ts";
import { month } from "../format/Dates.ts";
import { amountIn, money, shortMoney } from "../format/Money.ts";
import { t } from "../words/Language.ts";
import { Chart, type ChartProps } from "./Chart.tsx";

const MONTHS = 18;

const chartOf = ({ buckets }: CommissionStatistics, title: string, currency: string): ChartProps => {
  const shown = buckets.slice(-MONTHS);
  return {
    title: t("{title} by month of the sale, in {currency}, net of tax", { title, currency }),
    axis: t("Month"),
    labels: shown.map(({ timestamp }) => month(timestamp)),
    series: [
      {
        name: t("Settled"),
        colour: "chart-1",
        values: shown.map(({ settled }) => amountIn(settled.amounts, currency)),
      },
      {
        name: t("Not settled"),
        colour: "chart-2",
        values: shown.map(({ unsettled }) => amountIn(unsettled.amounts, currency)),
      },
    ],
    format: (value) => money(value, currency),
    tick: (value) => shortMoney(value, currency),
    shape: "stacked",
  };
};

/** The last months of one currency; the title says whose commissions they are. */
export const CommissionsChart = ({
  title,
  statistics,
  currency,
}: {
  readonly title: string;
  readonly statistics: CommissionStatistics;
  readonly currency: string;
}) => {
  const props = useMemo(() => chartOf(statistics, title, currency), [statistics, title, currency]);
  return <Chart props={props} />;
};
