/** All metrics of the process in the Prometheus text format, version 0.0.4. */
import { Metric, MetricState, Option } from "effect";

type Labels = ReadonlyArray<readonly [name: string, value: string]>;

interface Series {
  readonly type: "counter" | "gauge" | "histogram" | "summary";
  readonly samples: ReadonlyArray<string>;
}

const escapeLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');

const number = (value: number | bigint): string =>
  value === Number.POSITIVE_INFINITY ? "+Inf" : String(value);

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const labelText = labels.map(([label, text]) => `${label}="${escapeLabel(text)}"`).join(",");
  return `${name}${labelText === "" ? "" : `{${labelText}}`} ${number(value)}`;
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

/** Descriptions of the metrics of the Effect runtime, which have none of their own. */
const OF_RUNTIME: Readonly<Record<string, string>> = {
  effect_fiber_started: "Fibers, the threads of the program, that were started.",
  effect_fiber_active: "Fibers that run now.",
  effect_fiber_successes: "Fibers that succeeded.",
  effect_fiber_failures: "Fibers that failed or were interrupted.",
  effect_fiber_lifetimes: "How long fibers lived, in milliseconds.",
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
    const description = Option.getOrElse(
      metricKey.description,
      () => OF_RUNTIME[name] ?? "A metric of the host.",
    );
    const help = description.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
    const group = groups.get(name) ?? {
      head: `# HELP ${name} ${help}\n# TYPE ${name} ${series.type}`,
      samples: [],
    };
    group.samples.push(...series.samples);
    groups.set(name, group);
  }
  return [...groups.values()].map(({ head, samples }) => `${head}\n${samples.join("\n")}\n`).join("");
};
