/** Metrics of requests: their number by route and status, and their duration. */
import { Metric, MetricBoundaries, MetricKey, MetricLabel } from "effect";

const BOUNDARIES_SECONDS = MetricBoundaries.fromIterable([
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
]);

const requests = MetricKey.counter("quittance_http_requests_total", {
  description: "Responses, by method, route and status.",
  incremental: true,
});

const seconds = MetricKey.histogram(
  "quittance_http_request_duration_seconds",
  BOUNDARIES_SECONDS,
  "Time from the head of a request to its response, by method and route.",
);

/** Records a response of one route. */
export type RecordResponse = (status: number, durationMilliseconds: number) => void;

/** The recorder of a route. The labels are in the key of its series, so that an update needs no look-up. */
export const responseRecorder = (method: string, route: string): RecordResponse => {
  const labels = [MetricLabel.make("method", method), MetricLabel.make("route", route)];
  const durations = Metric.fromMetricKey(MetricKey.taggedWithLabels(seconds, labels));
  const counters = new Map<number, Metric.Metric.Counter<number>>();
  return (status, durationMilliseconds) => {
    let counter = counters.get(status);
    if (counter === undefined) {
      counter = Metric.fromMetricKey(
        MetricKey.taggedWithLabels(requests, [...labels, MetricLabel.make("status", String(status))]),
      );
      counters.set(status, counter);
    }
    counter.unsafeUpdate(1, []);
    durations.unsafeUpdate(durationMilliseconds / 1000, []);
  };
};
