/** Tables: rows of cells, over as many pages as they need, with the heading repeated on each. */
import type * as Block from "./Block.ts";
import type { Column, Row, Section } from "./DocumentText.ts";
import * as Flow from "./Flow.ts";
import * as Sheet from "./Sheet.ts";
import * as Tagging from "./Tagging.ts";
import * as Typesetting from "./Typesetting.ts";

const PADDING = 3;
/** Between the text of neighbouring columns. */
const GUTTER = 4;

interface ColumnArea {
  readonly column: Column;
  readonly left: number;
  readonly width: number;
}

/** The room for the text of each column. */
export const areasOf = (columns: ReadonlyArray<Column>): ReadonlyArray<ColumnArea> => {
  let edge = Sheet.LEFT;
  return columns.map((column, index) => {
    const left = edge + (index === 0 ? 0 : GUTTER);
    edge += column.width;
    return { column, left, width: edge - (index === columns.length - 1 ? 0 : GUTTER) - left };
  });
};

const cellLines = (
  pdf: Sheet.Pdf,
  style: Typesetting.Style,
  { column, width }: ColumnArea,
  text: string,
): ReadonlyArray<Typesetting.Line> => {
  if (text === "") return [];
  return column.linesMax === 0
    ? [Typesetting.shrink(pdf, style, width, text)]
    : Typesetting.fit(pdf, style, width, text, column.linesMax);
};

const heightOf = (all: ReadonlyArray<Typesetting.Line>): number =>
  all.reduce((sum, { height }) => sum + height, 0);

const drawLines = (
  pdf: Sheet.Pdf,
  { column, left, width }: ColumnArea,
  all: ReadonlyArray<Typesetting.Line>,
  top: number,
): void => {
  if (all.length === 0) return;
  Tagging.content(pdf, () => {
    let next = top;
    for (const line of all) {
      line.draw(column.isRight ? left + width - line.width : left, next);
      next += line.height;
    }
  });
};

/** A row whose cells each have their lines. */
const cellRow = (
  pdf: Sheet.Pdf,
  role: "TH" | "TD",
  cellsWithLines: ReadonlyArray<{
    readonly area: ColumnArea;
    readonly lines: ReadonlyArray<Typesetting.Line>;
  }>,
  below: ReadonlyArray<{
    readonly index: number;
    readonly area: ColumnArea;
    readonly line: Typesetting.Line;
  }>,
): Block.Block => {
  // First lines share a baseline, although fonts of other scripts are higher.
  const ascent = Math.max(0, ...cellsWithLines.map((cell) => cell.lines[0]?.ascent ?? 0));
  const downOf = (all: ReadonlyArray<Typesetting.Line>): number => ascent - (all[0]?.ascent ?? ascent);
  const heightFrom = (first: number): number =>
    Math.max(0, ...cellsWithLines.slice(first).map((cell) => downOf(cell.lines) + heightOf(cell.lines)));
  // Details are below the cells over which they extend.
  const belowTop = heightFrom(below[0]?.index ?? 0);
  const belowHeight = heightOf(below.map(({ line }) => line));
  return {
    height: 2 * PADDING + Math.max(heightFrom(0), belowTop + belowHeight),
    draw: (top) =>
      Tagging.element(pdf, "TR", () => {
        cellsWithLines.forEach((cell, index) => {
          Tagging.element(
            pdf,
            role,
            () => {
              drawLines(pdf, cell.area, cell.lines, top + PADDING + downOf(cell.lines));
              let next = top + PADDING + belowTop;
              for (const each of below) {
                if (each.index === index) drawLines(pdf, each.area, [each.line], next);
                next += each.line.height;
              }
            },
            role === "TH" ? { scope: "Column" } : {},
          );
        });
      }),
  };
};

const underline = (pdf: Sheet.Pdf, block: Block.Block, isFaint: boolean): Block.Block => ({
  height: block.height,
  draw: (top) => {
    block.draw(top);
    Sheet.rule(pdf, { left: Sheet.LEFT, right: Sheet.RIGHT, isFaint }).draw(top + block.height);
  },
});

/** The heading of the columns. */
const headingBlock = (pdf: Sheet.Pdf, areas: ReadonlyArray<ColumnArea>): Block.Block => {
  const cellsWithLines = areas.map((area) => ({
    area,
    lines: cellLines(pdf, Sheet.HEADING, area, area.column.heading),
  }));
  return underline(pdf, cellRow(pdf, "TH", cellsWithLines, []), false);
};

/** A heading row over the whole width, which names the rows below it. */
const groupHeading = (pdf: Sheet.Pdf, text: string): Block.Block => {
  const [line] = Typesetting.fit(pdf, Sheet.STRONG_CELL, Sheet.WIDTH - 2 * GUTTER, text, 1);
  const height = 2 * PADDING + (line?.height ?? 0);
  return {
    height,
    draw: (top) => {
      Tagging.artifact(pdf, "Layout", () => {
        pdf.file.rect(Sheet.LEFT, top, Sheet.WIDTH, height).fill(pdf.palette.background);
      });
      Tagging.element(pdf, "TR", () =>
        Tagging.element(pdf, "TH", () =>
          Tagging.content(pdf, () => line?.draw(Sheet.LEFT + GUTTER, top + PADDING)),
        ),
      );
    },
  };
};

/** The most lines of one detail of a row; longer text ends with an ellipsis. */
export const DETAIL_LINES_MAX = 2;

/** The room for the details of rows: from their column to the right edge. */
export const detailAreaOf = (columns: ReadonlyArray<Column>, detailColumn: number): ColumnArea => {
  const left = areasOf(columns)[detailColumn]?.left ?? Sheet.LEFT;
  const width = Sheet.RIGHT - left;
  return { column: { heading: "", width, isRight: false, linesMax: DETAIL_LINES_MAX }, left, width };
};

const rowBlock = (
  pdf: Sheet.Pdf,
  areas: ReadonlyArray<ColumnArea>,
  detail: { readonly column: number; readonly area: ColumnArea },
  row: Row,
): Block.Block => {
  if (row.type === "heading") return groupHeading(pdf, row.cells[0] ?? "");
  const style = row.type === "sum" ? Sheet.STRONG_CELL : Sheet.CELL;
  const cellsWithLines = areas.map((area, index) => ({
    area,
    lines: cellLines(pdf, style, area, row.cells[index] ?? ""),
  }));
  const below = row.details.flatMap((text) =>
    cellLines(pdf, Sheet.DETAIL, detail.area, text).map((line) => ({
      index: detail.column,
      area: detail.area,
      line,
    })),
  );
  return underline(pdf, cellRow(pdf, "TD", cellsWithLines, below), true);
};

/** The number of rows that move to a new page with the block after the table, so that no page shows totals without rows. */
const ROWS_KEPT_WITH_END = 3;

/** Rows are drawn one after the other: only a few are in memory. */
export const draw = async (
  pdf: Sheet.Pdf,
  flow: Flow.Flow,
  { columns, detailColumn, rows }: Section,
  /** The height of the block that must stay with the last rows. */
  endHeight: number,
): Promise<void> => {
  const areas = areasOf(columns);
  const top = headingBlock(pdf, areas);
  const detail = { column: detailColumn, area: detailAreaOf(columns, detailColumn) };
  const blockOf = (row: Row): Block.Block => rowBlock(pdf, areas, detail, row);
  Tagging.open(pdf, "Table");
  const ahead: Array<Block.Block> = [];
  const blockAt = (index: number): Block.Block | undefined => {
    while (ahead.length < ROWS_KEPT_WITH_END) {
      const row = rows[index + ahead.length];
      if (row === undefined) break;
      ahead.push(blockOf(row));
    }
    return ahead[0];
  };
  let isHeaded = false;
  for (const [index, row] of rows.entries()) {
    const block = blockAt(index);
    if (block === undefined) break;
    const rest = rows.length - index;
    // A heading stays with the row below it, and the last rows with the block after the table.
    const blocksTogether =
      rest <= ROWS_KEPT_WITH_END
        ? [...ahead, { height: endHeight }]
        : ahead.slice(0, row.type === "heading" ? 2 : 1);
    const needed = blocksTogether.reduce((sum, { height }) => sum + height, isHeaded ? 0 : top.height);
    const fitsLater = needed + top.height <= Flow.ROOM;
    if (!flow.fits(fitsLater || !isHeaded ? Math.min(needed, Flow.ROOM) : block.height)) {
      await flow.breakPage();
      if (isHeaded) Tagging.artifact(pdf, "Pagination", () => flow.place(top));
    }
    if (!isHeaded) flow.place(top);
    isHeaded = true;
    flow.place(block);
    ahead.shift();
  }
  Tagging.close(pdf);
};
