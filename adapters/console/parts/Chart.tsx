/** Charts with labelled axes, values on hover and by keyboard, and the same figures as a table. */

import { useEffect, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { lazily, locale, t } from "../words/Language.ts";

export interface Series {
  readonly name: string;
  /** Sums may be beyond what a number holds exactly: then they are drawn at the nearest number. */
  readonly values: ReadonlyArray<number | bigint>;
  /** The colour token: `chart-1`, `chart-2`. */
  readonly colour: string;
}

export interface ChartProps {
  /** What the chart shows, for screen readers and as its caption. */
  readonly title: string;
  /** The label below the horizontal axis. */
  readonly axis: string;
  readonly labels: ReadonlyArray<string>;
  readonly series: ReadonlyArray<Series>;
  readonly format: (value: number | bigint) => string;
  /** The short text of a number on the vertical axis. */
  readonly tick: (value: number) => string;
  /** Bars that stand on each other, bars, or a line over `positions`. */
  readonly shape: "stacked" | "bars" | "line";
  /** Where the values of a line lie on the horizontal axis. */
  readonly positions?: ReadonlyArray<number>;
}

const token = (element: Element, name: string): string =>
  getComputedStyle(element).getPropertyValue(`--${name}`).trim();

/** The upper edge of each series where bars stand on each other: positive values upward, negative ones downward. */
const edges = (series: ReadonlyArray<Series>, length: number): ReadonlyArray<ReadonlyArray<number>> => {
  const up = new Array<number>(length).fill(0);
  const down = new Array<number>(length).fill(0);
  return series.map(({ values }) =>
    values.map(Number).map((value, index) => {
      const stack = value >= 0 ? up : down;
      stack[index] = (stack[index] ?? 0) + value;
      return stack[index] ?? 0;
    }),
  );
};

type Library = typeof uPlot;

const optionsOf = (library: Library, element: HTMLElement, props: ChartProps): uPlot.Options => {
  const { labels, series, shape, tick, positions } = props;
  const text = token(element, "text-2");
  const line = token(element, "line");
  const size = { width: Math.max(240, element.clientWidth), height: 240 };
  const axis = {
    stroke: text,
    grid: { stroke: line, width: 1 },
    ticks: { show: false },
    font: "12px system-ui",
  };
  const isLine = shape === "line";
  const shown = shape === "stacked" ? [...series].reverse() : series;
  return {
    ...size,
    legend: { show: false },
    pxAlign: isLine ? 0 : 1,
    cursor: { y: false, points: { show: isLine } },
    scales: {
      x: { time: false, ...(isLine ? {} : { range: () => [-0.6, labels.length - 0.4] as [number, number] }) },
      y: {
        range: (_, low, high) =>
          low === high
            ? [Math.min(0, low), Math.max(1, high)]
            : library.rangeNum(Math.min(0, low), Math.max(0, high), 0.08, true),
      },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        // The zero of the other axis keeps its distance from the first label.
        gap: 10,
        size: 40,
        values: (_, splits) =>
          splits.map((at) =>
            isLine ? tickOf(at, positions) : Number.isInteger(at) ? (labels[at] ?? "") : "",
          ),
        space: 64,
        incrs: isLine
          ? [
              0.01, 0.1, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5,
              1e6, 1e7, 1e8, 1e9,
            ]
          : [1, 2, 3, 6, 12],
      },
      { ...axis, size: 74, values: (_, splits) => splits.map(tick) },
    ],
    series: [
      {},
      ...shown.map(({ name, colour }) => ({
        label: name,
        stroke: token(element, colour),
        ...(isLine ? { width: 2 } : { fill: token(element, colour), width: 0 }),
        points: { show: false },
        ...(isLine || library.paths.bars === undefined
          ? {}
          : { paths: library.paths.bars({ size: [0.7, 40] }) }),
      })),
    ],
  };
};

const numbers = lazily(
  () => new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 2 }),
);
const tickOf = (at: number, _: ReadonlyArray<number> | undefined): string => numbers().format(at);

const dataOf = ({ labels, series, shape, positions }: ChartProps): uPlot.AlignedData => {
  const xs = positions ?? labels.map((_, index) => index);
  const values =
    shape === "stacked"
      ? [...edges(series, labels.length)].reverse()
      : series.map((item) => item.values.map(Number));
  return [[...xs], ...values.map((value) => [...value])];
};

/** Draws into an element; draws again when its width or the colour scheme changes. */
const useDrawing = (props: ChartProps, hover: (index: number | null) => void) => {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let isGone = false;
    let stop = (): void => {};
    import("uplot").then(({ default: library }) => {
      if (isGone) return;
      const draw = (): void => {
        chart.current?.destroy();
        const options = optionsOf(library, target, props);
        chart.current = new library(
          { ...options, hooks: { setCursor: [({ cursor }) => hover(cursor.idx ?? null)] } },
          dataOf(props),
          target,
        );
      };
      draw();
      let width = target.clientWidth;
      const observer = new ResizeObserver(() => {
        if (Math.abs(target.clientWidth - width) < 2) return;
        width = target.clientWidth;
        chart.current?.setSize({ width: Math.max(240, width), height: 240 });
      });
      observer.observe(target);
      const scheme = matchMedia("(prefers-color-scheme: dark)");
      scheme.addEventListener("change", draw);
      stop = () => {
        observer.disconnect();
        scheme.removeEventListener("change", draw);
      };
    });
    return () => {
      isGone = true;
      stop();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [props, hover]);
  return element;
};

const AsTable = ({ title, axis, labels, series, format }: ChartProps) => (
  <div class="table-frame">
    <table>
      <caption class="visually-hidden">{title}</caption>
      <thead>
        <tr>
          <th scope="col">{axis}</th>
          {series.map(({ name }) => (
            <th key={name} scope="col" class="number">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {labels.map((label, index) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {series.map(({ name, values }) => (
              <td key={name} data-name={name} class="number">
                {format(values[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/** A chart. The arrow keys move along the horizontal axis. Pass the same props object to keep the drawing. */
export const Chart = ({ props }: { readonly props: ChartProps }) => {
  const { title, labels, series, format } = props;
  const [index, setIndex] = useState<number | null>(null);
  const [isTable, setTable] = useState(false);
  const drawing = useDrawing(props, setIndex);
  const at = Math.min(index ?? labels.length - 1, labels.length - 1);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: labels.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    setIndex(Math.max(0, Math.min(labels.length - 1, to)));
  };
  return (
    <figure class="chart">
      <figcaption>
        <span>{title}</span>
        <button type="button" class="link" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {isTable ? t("As a chart") : t("As a table")}
        </button>
      </figcaption>
      {isTable ? (
        <AsTable {...props} />
      ) : (
        <>
          <div
            class="drawing"
            ref={drawing}
            role="slider"
            tabIndex={0}
            aria-label={title}
            aria-valuemin={0}
            aria-valuemax={Math.max(0, labels.length - 1)}
            aria-valuenow={at}
            aria-valuetext={`${labels[at]}: ${series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`).join(", ")}`}
            onKeyDown={onKeyDown}
          />
          <p class="legend">
            <strong>{labels[at]}</strong>
            {series.map(({ name, values, colour }) => (
              <span key={name}>
                <i class={colour} aria-hidden="true" />
                {name} {format(values[at] ?? 0)}
              </span>
            ))}
          </p>
        </>
      )}
    </figure>
  );
};
