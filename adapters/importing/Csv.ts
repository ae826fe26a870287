/** Reads CSV files in chunks of text: in a process from a file, in a browser from a file that was dropped. */

/** A row of a file. */
export interface Row {
  /** From 1, without the header. */
  readonly number: number;
  /** The line on which it begins, from 1. */
  readonly line: number;
  /** What is wrong with the row itself; its cells are then not used. Null if nothing is. */
  readonly problem: string | null;
  /** A cell by its column; `undefined` where there is none. */
  readonly cell: (column: string) => unknown;
}

/** The cells between two ends of lines. */
interface CsvRecord {
  /** The line on which it begins, from 1. */
  readonly line: number;
  readonly cells: ReadonlyArray<string>;
  /**
   * True if a cell has quotes other than around it. Programs disagree about what such a cell means, and a lone quote could
   * make one cell of several lines.
   */
  readonly isMisquoted: boolean;
}

/** Splits text into records of cells (RFC 4180), across chunks; decision 87 says why no library does. */
class CsvSplitter {
  #cell = "";
  #cells: Array<string> = [];
  #isQuoted = false;
  /** True if the last character was a quote inside quotes: the end of the quotes, or the first of two. */
  #isAfterQuote = false;
  /** True if the quotes around the present cell have ended. */
  #wasQuoted = false;
  #isMisquoted = false;
  #line = 1;
  #startsAt = 1;
  readonly #delimiter: string;
  readonly records: Array<CsvRecord> = [];

  constructor(delimiter: string) {
    this.#delimiter = delimiter;
  }

  /** A quote outside quotes begins them, or is the second of two that stand for one. */
  #beginQuotes(): void {
    if (this.#isAfterQuote) this.#cell += '"';
    this.#isQuoted = this.#isAfterQuote || (!this.#wasQuoted && this.#cell.trim() === "");
    this.#isMisquoted ||= !this.#isQuoted;
    this.#isAfterQuote = false;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = "";
    this.#isAfterQuote = false;
    this.#wasQuoted = false;
  }

  #endRecord(): void {
    this.#endCell();
    const isEmpty = this.#cells.length === 1 && this.#cells[0] === "";
    if (!isEmpty)
      this.records.push({ line: this.#startsAt, cells: this.#cells, isMisquoted: this.#isMisquoted });
    this.#cells = [];
    this.#isMisquoted = false;
    this.#startsAt = this.#line;
  }

  add(text: string): void {
    let from = 0;
    for (let index = 0; index < text.length; index++) {
      const character = text[index];
      if (character === "\n") this.#line += 1;
      if (this.#isQuoted) {
        if (character !== '"') continue;
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#isQuoted = false;
        this.#isAfterQuote = true;
        this.#wasQuoted = true;
      } else if (character === '"') {
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#beginQuotes();
      } else if (character === this.#delimiter) {
        this.#cell += text.slice(from, index);
        from = index + 1;
        this.#endCell();
      } else if (character === "\n") {
        this.#cell += text.slice(from, index);
        if (this.#cell.endsWith("\r")) this.#cell = this.#cell.slice(0, -1);
        from = index + 1;
        this.#endRecord();
      } else {
        this.#isAfterQuote = false;
        if (this.#wasQuoted && character?.trim() !== "") this.#isMisquoted = true;
      }
    }
    this.#cell += text.slice(from);
  }

  /** Adds the last record, whose line may have no end. Returns the problem with the end of the file, or null. */
  end(): string | null {
    if (this.#isQuoted) return `the quotes that begin in line ${this.#startsAt} never end`;
    if (this.#cell.endsWith("\r")) this.#cell = this.#cell.slice(0, -1);
    if (this.#cell !== "" || this.#cells.length > 0) this.#endRecord();
    return null;
  }
}

const DELIMITERS = [",", ";", "\t"];

/** The delimiter that the first line has most of. */
const delimiterOf = (text: string): string => {
  const [head = ""] = text.split("\n", 1);
  const counts = DELIMITERS.map((delimiter) => head.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
};

const MISQUOTED = "it has quotes inside a cell: put the cell in quotes, and write each quote in it twice";

const problemOf = ({ cells, isMisquoted }: CsvRecord, columnCount: number): string | null => {
  if (isMisquoted) return MISQUOTED;
  return cells.length === columnCount ? null : `it has ${cells.length} cells, the header has ${columnCount}`;
};

const csvRow =
  (columns: ReadonlyMap<string, number>) =>
  (record: CsvRecord, number: number): Row => ({
    number,
    line: record.line,
    problem: problemOf(record, columns.size),
    cell: (column) => record.cells[columns.get(column) ?? -1],
  });

/** What is wrong with a whole file, as words that follow its name. */
export class CsvProblem extends Error {}

/** The columns that a header names. */
const columnsOf = ({ cells, isMisquoted }: CsvRecord): ReadonlyMap<string, number> => {
  if (isMisquoted) throw new CsvProblem(`: the header: ${MISQUOTED}`);
  const names = cells.map((name) => name.trim());
  const duplicate = names.find((name, index) => names.indexOf(name) < index);
  if (duplicate !== undefined) throw new CsvProblem(` has two columns "${duplicate}"`);
  return new Map(names.map((name, index) => [name, index]));
};

/**
 * The rows of a CSV file in order, from its text in chunks; `header` gets its columns before the first row. Throws `CsvProblem`.
 */
export const csvRows = async function* (
  chunks: AsyncIterable<string>,
  header?: (columns: ReadonlyArray<string>) => void,
): AsyncGenerator<ReadonlyArray<Row>> {
  let splitter: CsvSplitter | null = null;
  let rowOf: ReturnType<typeof csvRow> | null = null;
  let number = 0;
  const take = (current: CsvSplitter): ReadonlyArray<Row> => {
    const records = current.records.splice(0);
    const first = rowOf === null ? records.shift() : undefined;
    if (first !== undefined) {
      const columns = columnsOf(first);
      header?.([...columns.keys()]);
      rowOf = csvRow(columns);
    }
    const toRow = rowOf;
    return toRow === null ? [] : records.map((record) => toRow(record, ++number));
  };
  for await (const text of chunks) {
    splitter ??= new CsvSplitter(delimiterOf(text));
    splitter.add(text);
    yield take(splitter);
  }
  const problem = splitter?.end() ?? null;
  if (problem !== null) throw new CsvProblem(`: ${problem}`);
  if (splitter !== null) yield take(splitter);
  if (rowOf === null) throw new CsvProblem(" is empty: a CSV file begins with a line of column names");
};
