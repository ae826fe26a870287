/** Typesets text: chooses fonts, measures, breaks lines and draws. */
import * as Breaking from "./Breaking.ts";
import type * as Fonts from "./Fonts.ts";
import * as Glyphs from "./Glyphs.ts";
import * as Runs from "./Runs.ts";
import type * as Tagging from "./Tagging.ts";

/** The style of text; the size is in points. */
export interface Style {
  readonly font: Fonts.Weight;
  readonly size: number;
  readonly color: string;
}

/** The colours of a document. */
export interface Palette {
  /** Of titles and strong lines. */
  readonly accent: string;
  /** Behind key facts. */
  readonly background: string;
}

/** The PDF that is being written, and its fonts; the first family is the base font. */
export interface Pdf extends Tagging.TaggedFile {
  readonly families: ReadonlyArray<Fonts.Family>;
  /** The fonts that are open in the PDF, by weight and family. */
  readonly opened: Readonly<Record<Fonts.Weight, Map<Fonts.Family, Glyphs.Font>>>;
  readonly palette: Palette;
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

const ELLIPSIS = "…";

/** The height of letters above and below the baseline, as parts of the size; some fonts state more than any letter needs. */
const HIGHEST = 1.2;
const DEEPEST = 0.5;

/** The font of a family, opened when it is first needed. */
const fontOf = ({ file, opened }: Pdf, family: Fonts.Family, weight: Fonts.Weight): Glyphs.Font => {
  const openFont = opened[weight].get(family);
  if (openFont !== undefined) return openFont;
  family.open(weight, file, `${family.name} ${weight}`);
  const font = Glyphs.fontOf(file);
  opened[weight].set(family, font);
  return font;
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
  const { ascent, descent } = extentOf(pdf, style, runs);
  let width = 0;
  const placedRuns = runs.map(({ family, text, isWhole }): Glyphs.Placed => {
    const font = fontOf(pdf, family, style.font);
    const shape = Glyphs.shape(font, text, isWhole);
    const x = width;
    width += (shape.width * style.size) / 1_000;
    return { font, shape, x };
  });
  return {
    width,
    ascent,
    height: ascent + descent,
    draw: (left, top) => {
      if (actual !== null) file.markContent("Span", { actual });
      file.fillColor(style.color);
      Glyphs.write(
        file,
        placedRuns.map((run) => ({ ...run, x: left + run.x })),
        style.size,
        top + ascent,
      );
      if (actual !== null) file.endMarkedContent();
    },
  };
};

const trimSpaces = (clusters: ReadonlyArray<Runs.Cluster>): ReadonlyArray<Runs.Cluster> => {
  const isSpace = (cluster: Runs.Cluster | undefined): boolean => cluster?.text === " ";
  let start = 0;
  let end = clusters.length;
  while (start < end && isSpace(clusters[start])) start += 1;
  while (start < end && isSpace(clusters[end - 1])) end -= 1;
  return clusters.slice(start, end);
};

const lineOfClusters = (pdf: Pdf, style: Style, clusters: ReadonlyArray<Runs.Cluster>): Line => {
  const trimmedClusters = trimSpaces(clusters);
  const isTurned = trimmedClusters.some(({ level }) => level % 2 === 1);
  return lineOf(
    pdf,
    style,
    Runs.runsOf(trimmedClusters),
    isTurned ? trimmedClusters.map(({ text }) => text).join("") : null,
  );
};

/** The width of a cluster by itself. */
const clusterWidth = (pdf: Pdf, { font, size }: Style, cluster: Runs.Cluster): number => {
  const { family, text, isWhole } = Runs.runOf(cluster);
  return (Glyphs.shape(fontOf(pdf, family, font), text, isWhole).width * size) / 1_000;
};

/**
 * The width of text before it is laid out: that of its clusters. Letters that join are narrower together, so that a line
 * may break earlier than it must. Laying out each word to find where lines break would take most of the time.
 */
const widthOf = (pdf: Pdf, style: Style, clusters: ReadonlyArray<Runs.Cluster>): number =>
  clusters.reduce((sum, cluster) => sum + clusterWidth(pdf, style, cluster), 0);

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
    return widthOf(pdf, style, trimSpaces(word)) <= width ? [word] : word.map((cluster) => [cluster]);
  });
};

const breakLines = (
  pdf: Pdf,
  style: Style,
  width: number,
  clusters: ReadonlyArray<Runs.Cluster>,
): ReadonlyArray<ReadonlyArray<Runs.Cluster>> => {
  const lines: Array<ReadonlyArray<Runs.Cluster>> = [];
  let line: ReadonlyArray<Runs.Cluster> = [];
  let used = 0;
  for (const unit of unitsOf(pdf, style, width, clusters)) {
    if (line.length > 0 && used + widthOf(pdf, style, trimSpaces(unit)) > width) {
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
  breakLines(pdf, style, width, Runs.clustersOf(pdf.families, text)).map((line) =>
    lineOfClusters(pdf, style, line),
  );

/** The text on one line, however long. */
export const singleLine = (pdf: Pdf, style: Style, text: string): Line => {
  const [base] = pdf.families;
  return base !== undefined && Runs.isSimple(text, base)
    ? lineOf(pdf, style, [{ text, family: base, isWhole: false }], null)
    : lineOfClusters(pdf, style, Runs.clustersOf(pdf.families, text));
};

/** The clusters that fit before an ellipsis, at least one, as a line that ends with it. */
const truncateClusters = (
  pdf: Pdf,
  style: Style,
  width: number,
  clusters: ReadonlyArray<Runs.Cluster>,
): Line => {
  const ellipsis = Runs.clustersOf(pdf.families, ELLIPSIS);
  const room = width - widthOf(pdf, style, ellipsis);
  let count = 0;
  for (let used = 0; count < clusters.length; count += 1) {
    const cluster = clusters[count];
    if (cluster === undefined) break;
    used += widthOf(pdf, style, [cluster]);
    if (used > room) break;
  }
  for (;;) {
    const line = lineOfClusters(pdf, style, [...trimSpaces(clusters.slice(0, count)), ...ellipsis]);
    if (line.width <= width || count <= 1) return line;
    count -= 1;
  }
};

/** The text on one line of at most the width; a longer text ends with an ellipsis. */
export const truncate = (pdf: Pdf, style: Style, width: number, text: string): Line => {
  const whole = singleLine(pdf, style, text);
  return whole.width <= width
    ? whole
    : truncateClusters(pdf, style, width, Runs.clustersOf(pdf.families, text));
};

/** The text on one line, in a smaller size where it would be wider than the width. */
export const shrink = (pdf: Pdf, style: Style, width: number, text: string): Line => {
  const whole = singleLine(pdf, style, text);
  return whole.width <= width
    ? whole
    : singleLine(pdf, { ...style, size: (style.size * width) / whole.width }, text);
};

/** The text on at most that many lines; a longer text ends with an ellipsis. */
export const fit = (
  pdf: Pdf,
  style: Style,
  width: number,
  text: string,
  linesMax: number,
): ReadonlyArray<Line> => {
  if (text === "") return [];
  const [base] = pdf.families;
  if (base !== undefined && Runs.isSimple(text, base)) {
    const whole = singleLine(pdf, style, text);
    if (whole.width <= width) return [whole];
  }
  const clusters = Runs.clustersOf(pdf.families, text);
  if (linesMax === 1 && widthOf(pdf, style, clusters) > width)
    return [truncateClusters(pdf, style, width, clusters)];
  const lines = linesMax === 1 ? [clusters] : breakLines(pdf, style, width, clusters);
  const isCut = lines.length > linesMax;
  const shownLines = lines
    .slice(0, isCut ? linesMax - 1 : linesMax)
    .map((line) => lineOfClusters(pdf, style, line));
  return isCut
    ? [...shownLines, truncateClusters(pdf, style, width, lines.slice(linesMax - 1).flat())]
    : shownLines;
};
