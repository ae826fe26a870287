/** All metrics of the process in the Prometheus text format, version 0.0.4. */
import { Metric, MetricState, Option } from "effect";

type Labels = ReadonlyArray<readonly [name: string, value: string]>;

interface Series {
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly samples: ReadonlyArray<string>;
}

const escaped = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

const number = (value: number | bigint): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const written = labels.map(([label, text]) => `${label}="${escaped(text)}"`).join(",");
  return `${name}${written === "" ? "" : `{${written}}`} ${number(value)}`;
};

const histogram = (name: string, labels: Labels, state: MetricState.MetricState.Histogram): Series => ({
  type: "histogram",
  samples: [
    ...state.buckets.map(([bound, count]) =>
      sample(`${name}_bucket`, [...labels, ["le", number(bound)]], count),
    ),
    sample(`${name}_sum`, labels, state.sum),
    sample(`${name}_count`, labels, state.count),
  ],
});

const summary = (name: string, labels: Labels, state: MetricState.MetricState.Summary): Series => ({
  type: "summary",
  samples: [
    ...state.quantiles.map(([quantile, value]) =>
      sample(
        name,
        [...labels, ["quantile", String(quantile)]],
        Option.getOrElse(value, () => Number.NaN),
      ),
    ),
    sample(`${name}_sum`, labels, state.sum),
    sample(`${name}_count`, labels, state.count),
  ],
});

const seriesOf = (name: string, labels: Labels, state: unknown): Series | null => {
  if (MetricState.isCounterState(state))
    return { type: "counter", samples: [sample(name, labels, state.count)] };
  if (MetricState.isGaugeState(state)) return { type: "gauge", samples: [sample(name, labels, state.value)] };
  if (MetricState.isHistogramState(state)) return histogram(name, labels, state);
  if (MetricState.isSummaryState(state)) return summary(name, labels, state);
  if (!MetricState.isFrequencyState(state)) return null;
  const samples = [...state.occurrences].map(([value, count]) =>
    sample(name, [...labels, ["value", value]], count),
  );
  return { type: "counter", samples };
};

/** The present values of every metric, grouped by name. */
export const text = (): string => {
  const groups = new Map<string, { readonly head: string; readonly samples: Array<string> }>();
  for (const { metricKey, metricState } of Metric.unsafeSnapshot()) {
    const name = metricKey.name.replace(/[^a-zA-Z0-9_:]/g, "_");
    const labels: Labels = metricKey.tags.map(({ key, value }) => [
      key.replace(/[^a-zA-Z0-9_]/g, "_"),
      value,
    ]);
    const series = seriesOf(name, labels, metricState);
    if (series === null) continue;
    const help = Option.match(metricKey.description, {
      onNone: () => "",
      onSome: (description) =>
        `# HELP ${name} ${description.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n`,
    });
    const group = groups.get(name) ?? { head: `${help}# TYPE ${name} ${series.type}`, samples: [] };
    group.samples.push(...series.samples);
    groups.set(name, group);
  }
  return [...groups.values()].map(({ head, samples }) => `${head}\n${samples.join("\n")}\n`).join("");
};
