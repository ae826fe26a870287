/** Typesets text: chooses fonts, measures, breaks lines and draws. */
import type PDFDocument from "pdfkit";
import * as Breaking from "./Breaking.ts";
import type * as Fonts from "./Fonts.ts";
import * as Runs from "./Runs.ts";

/** The style of text; the size is in points. */
export interface Style {
  readonly font: Fonts.Weight;
  readonly size: number;
  readonly color: string;
}

/** The PDF that is being written, and its fonts; the first family is the base font. */
export interface Pdf {
  readonly file: typeof PDFDocument.prototype;
  readonly families: ReadonlyArray<Fonts.Family>;
  /** The names of the fonts that are open in the PDF. */
  readonly opened: Set<string>;
}

/** A measured line; lengths in points. */
export interface Line {
  readonly width: number;
  /** From the top of the line to its baseline. */
  readonly ascent: number;
  readonly height: number;
  /** Draws the line from its left edge; the baseline is `ascent` below the top. */
  readonly draw: (left: number, top: number) => void;
}

/** The height of letters above and below the baseline, as parts of the size; some fonts state more than any mark needs. */
const HIGHEST = 1.2;
const DEEPEST = 0.5;

const use = ({ file, opened }: Pdf, family: Fonts.Family, { font, size }: Style): void => {
  const name = `${family.name} ${font}`;
  if (!opened.has(name)) {
    family.open(font, file, name);
    opened.add(name);
  }
  file.font(name).fontSize(size);
};

const options = (isWhole: boolean) => (isWhole ? { features: [] } : {});

const measure = (pdf: Pdf, style: Style, { family, text, isWhole }: Runs.Run): number => {
  use(pdf, family, style);
  return pdf.file.widthOfString(text, options(isWhole));
};

/** Above and below the baseline, in points; at least that of the base font, so that lines are evenly spaced. */
const extentOf = (pdf: Pdf, { font, size }: Style, runs: ReadonlyArray<Runs.Run>) => {
  const base = pdf.families[0]?.extent(font) ?? { ascent: 0, descent: 0 };
  let { ascent, descent } = base;
  for (const { family } of runs) {
    if (family === pdf.families[0]) continue;
    const other = family.extent(font);
    ascent = Math.max(ascent, Math.min(other.ascent, HIGHEST));
    descent = Math.max(descent, Math.min(other.descent, DEEPEST));
  }
  return { ascent: size * ascent, descent: size * descent };
};

const lineOf = (pdf: Pdf, style: Style, runs: ReadonlyArray<Runs.Run>, actual: string | null): Line => {
  const { file } = pdf;
  const widths = runs.map((run) => measure(pdf, style, run));
  const { ascent, descent } = extentOf(pdf, style, runs);
  return {
    width: widths.reduce((sum, width) => sum + width, 0),
    ascent,
    height: ascent + descent,
    draw: (left, top) => {
      if (actual !== null) file.markContent("Span", { actual });
      let x = left;
      runs.forEach(({ family, text, isWhole }, index) => {
        const width = widths[index] ?? 0;
        use(pdf, family, style);
        file.fillColor(style.color).text(text, x, top + ascent, {
          lineBreak: false,
          baseline: "alphabetic",
          ...options(isWhole),
        });
        x += width;
      });
      if (actual !== null) file.endMarkedContent();
    },
  };
};

const trimmed = (clusters: ReadonlyArray<Runs.Cluster>): ReadonlyArray<Runs.Cluster> => {
  const isSpace = (cluster: Runs.Cluster | undefined): boolean => cluster?.text === " ";
  let start = 0;
  let end = clusters.length;
  while (start < end && isSpace(clusters[start])) start += 1;
  while (start < end && isSpace(clusters[end - 1])) end -= 1;
  return clusters.slice(start, end);
};

const lineOfClusters = (pdf: Pdf, style: Style, clusters: ReadonlyArray<Runs.Cluster>): Line => {
  const shown = trimmed(clusters);
  const isTurned = shown.some(({ level }) => level % 2 === 1);
  return lineOf(pdf, style, Runs.runsOf(shown), isTurned ? shown.map(({ text }) => text).join("") : null);
};

const widthOf = (pdf: Pdf, style: Style, clusters: ReadonlyArray<Runs.Cluster>): number =>
  Runs.runsOf(clusters).reduce((sum, run) => sum + measure(pdf, style, run), 0);

/** Parts that are not broken: words, and the characters of a word that is longer than a line. */
const unitsOf = (
  pdf: Pdf,
  style: Style,
  width: number,
  clusters: ReadonlyArray<Runs.Cluster>,
): ReadonlyArray<ReadonlyArray<Runs.Cluster>> => {
  const starts = Breaking.starts(clusters.map(({ text }) => text));
  return starts.flatMap((start, index) => {
    const word = clusters.slice(start, starts[index + 1] ?? clusters.length);
    return widthOf(pdf, style, trimmed(word)) <= width ? [word] : word.map((cluster) => [cluster]);
  });
};

const broken = (
  pdf: Pdf,
  style: Style,
  width: number,
  clusters: ReadonlyArray<Runs.Cluster>,
): ReadonlyArray<ReadonlyArray<Runs.Cluster>> => {
  const lines: Array<ReadonlyArray<Runs.Cluster>> = [];
  let line: ReadonlyArray<Runs.Cluster> = [];
  let used = 0;
  for (const unit of unitsOf(pdf, style, width, clusters)) {
    if (line.length > 0 && used + widthOf(pdf, style, trimmed(unit)) > width) {
      lines.push(line);
      line = [];
      used = 0;
    }
    line = [...line, ...unit];
    used += widthOf(pdf, style, unit);
  }
  return line.length > 0 ? [...lines, line] : lines;
};

/** The text on lines of at most the width; a word longer than a line is broken. Empty text has no line. */
export const wrap = (pdf: Pdf, style: Style, width: number, text: string): ReadonlyArray<Line> =>
  broken(pdf, style, width, Runs.clustersOf(pdf.families, text)).map((line) =>
    lineOfClusters(pdf, style, line),
  );

/** The text on one line, however long. */
export const single = (pdf: Pdf, style: Style, text: string): Line => {
  const [base] = pdf.families;
  return base !== undefined && Runs.isSimple(text, base)
    ? lineOf(pdf, style, [{ text, family: base, isWhole: false }], null)
    : lineOfClusters(pdf, style, Runs.clustersOf(pdf.families, text));
};

/** The text on one line of at most the width; a longer text ends with an ellipsis. */
export const truncate = (pdf: Pdf, style: Style, width: number, text: string): Line => {
  const whole = single(pdf, style, text);
  if (whole.width <= width) return whole;
  const clusters = Runs.clustersOf(pdf.families, text);
  let low = 0;
  let high = clusters.length;
  const cut = (count: number): Line =>
    single(
      pdf,
      style,
      `${clusters
        .slice(0, count)
        .map((cluster) => cluster.text)
        .join("")
        .trimEnd()}…`,
    );
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (cut(middle).width <= width) low = middle;
    else high = middle - 1;
  }
  return cut(low);
};
