/**
 * Readers of journal files, written from the published descriptions of the formats and sharing nothing with the writers. Each
 * returns the postings of a file, and throws where the format is violated.
 */

/** A posting as a file states it: a debit is positive, in the smallest unit. */
export interface Read {
  /** What the file calls the entry; the postings of an entry add up to 0. */
  readonly entry: string;
  /** As 2026-01-31. */
  readonly day: string;
  readonly account: string;
  readonly amount: bigint;
}

const hold = (condition: boolean, words: string): void => {
  if (!condition) throw new Error(words);
};

/** Rows of RFC 4180 with a separator, all of as many cells as the first. */
export const delimited = (text: string, separator: string): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = [[]];
  let at = 0;
  const row = (): Array<string> => rows[rows.length - 1] as Array<string>;
  while (at < text.length) {
    let cell = "";
    if (text[at] === '"') {
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        hold(at < text.length, "a quote is not closed");
        if (text[at] === '"') at++;
        cell += text[at];
      }
      at++;
    } else
      for (; at < text.length && text[at] !== separator && text[at] !== "\r"; at++) {
        hold(text[at] !== '"' && text[at] !== "\n", `a cell that is not quoted has ${text[at]}`);
        cell += text[at];
      }
    row().push(cell);
    if (text[at] === separator) {
      at++;
      if (text[at] === "\r") row().push("");
    }
    if (text[at] !== "\r") continue;
    hold(text[at + 1] === "\n", "a line does not end with CRLF");
    at += 2;
    if (at < text.length) rows.push([]);
  }
  for (const [index, cells] of rows.entries())
    hold(cells.length === rows[0]?.length, `row ${index} has ${cells.length} cells of ${rows[0]?.length}`);
  return rows;
};

/** The smallest units of a decimal with exactly so many decimals. */
const units = (text: string, decimals: number, point = "."): bigint => {
  const found = /^(-?)(\d+)(?:[.,](\d+))?$/.exec(text);
  hold(found !== null && (found[3] ?? "").length === decimals, `${text} has not ${decimals} decimals`);
  hold(decimals === 0 || text.includes(point), `${text} has no ${point}`);
  return BigInt(text.replace(point, ""));
};

/** Debits and credits of one row: one of them is empty. */
const side = (debit: string, credit: string, decimals: number): bigint => {
  hold((debit === "") !== (credit === ""), "a row has a debit or a credit");
  return debit === "" ? -units(credit, decimals) : units(debit, decimals);
};

const namesAt = (header: ReadonlyArray<string>) => (cells: ReadonlyArray<string>, name: string) => {
  const index = header.indexOf(name);
  hold(index >= 0, `no column ${name}`);
  return cells[index] as string;
};

export const readQuickBooks = (text: string, decimals: number): ReadonlyArray<Read> => {
  const [header = [], ...rows] = delimited(text, ",");
  const cell = namesAt(header);
  return rows.map((row) => {
    const date = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell(row, "JournalDate"));
    const entry = cell(row, "JournalNo");
    hold(/^.{1,21}$/.test(entry), `${entry} is no number of 21 characters`);
    return {
      entry,
      day: `${date?.[3]}-${date?.[1]}-${date?.[2]}`,
      account: cell(row, "AccountName"),
      amount: side(cell(row, "Debits"), cell(row, "Credits"), decimals),
    };
  });
};

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const readXero = (text: string, decimals: number): ReadonlyArray<Read> => {
  const [header = [], ...rows] = delimited(text, ",");
  const cell = namesAt(header);
  return rows.map((row) => {
    const date = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(cell(row, "*Date"));
    const month = String(MONTHS.indexOf(date?.[2] ?? "") + 1).padStart(2, "0");
    hold(cell(row, "*TaxRate") !== "" && cell(row, "*Narration") !== "", "a required cell is empty");
    return {
      entry: cell(row, "*Narration"),
      day: `${date?.[3]}-${month}-${date?.[1]}`,
      account: cell(row, "*AccountCode"),
      amount: units(cell(row, "*Amount"), decimals),
    };
  });
};

/** A row of a file of bills; the rows of one number and supplier are a bill. */
export interface BillRow extends Read {
  readonly supplier: string;
  readonly due: string;
  readonly currency: string;
}

export const readQuickBooksBills = (text: string, decimals: number): ReadonlyArray<BillRow> => {
  const [header = [], ...rows] = delimited(text, ",");
  const cell = namesAt(header);
  const day = (cells: ReadonlyArray<string>, name: string): string => {
    const date = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(cell(cells, name));
    hold(date !== null, `${name} is ${cell(cells, name)}`);
    return `${date?.[3]}-${date?.[1]}-${date?.[2]}`;
  };
  return rows.map((row) => {
    const entry = cell(row, "BillNo");
    hold(/^.{1,22}$/su.test(entry), `${entry} is no number of 21 characters`);
    hold(cell(row, "Supplier") !== "", "a bill has no supplier");
    return {
      ...{ entry, supplier: cell(row, "Supplier"), currency: cell(row, "Currency") },
      ...{ day: day(row, "BillDate"), due: day(row, "DueDate"), account: cell(row, "Account") },
      amount: units(cell(row, "LineAmount"), decimals),
    };
  });
};

export const readXeroBills = (text: string, decimals: number): ReadonlyArray<BillRow> => {
  const [header = [], ...rows] = delimited(text, ",");
  const cell = namesAt(header);
  const day = (cells: ReadonlyArray<string>, name: string): string => {
    const date = /^(\d\d) ([A-Z][a-z]{2}) (\d{4})$/.exec(cell(cells, name));
    const month = MONTHS.indexOf(date?.[2] ?? "") + 1;
    hold(month > 0, `${name} is ${cell(cells, name)}`);
    return `${date?.[3]}-${String(month).padStart(2, "0")}-${date?.[1]}`;
  };
  return rows.map((row) => {
    for (const name of header.filter((one) => one.startsWith("*")))
      hold(cell(row, name) !== "", `the required cell ${name} is empty`);
    hold(cell(row, "*Quantity") === "1", "a quantity is not 1");
    return {
      ...{ entry: cell(row, "*InvoiceNumber"), supplier: cell(row, "*ContactName") },
      ...{ day: day(row, "*InvoiceDate"), due: day(row, "*DueDate"), account: cell(row, "*AccountCode") },
      ...{ amount: units(cell(row, "*UnitAmount"), decimals), currency: cell(row, "Currency") },
    };
  });
};

/** What the published table of fields says of those that are not empty, by their number in a row. */
const DATEV_FIELDS: Readonly<Record<number, RegExp>> = {
  1: /^(?!0+,00$)\d{1,10},\d{2}$/,
  2: /^"(S|H)"$/,
  3: /^"[A-Z]{3}"$/,
  7: /^(?!0+$)\d{1,9}$/,
  8: /^(?!0+$)\d{1,9}$/,
  10: /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])$/,
  11: /^"[\w$%\-/]{0,36}"$/,
  14: /^"(?:[^"]|""){0,60}"$/,
  37: /^"[\w ]{0,36}"$/,
  114: /^0$/,
};

/** Fields of the table that are text, and quoted also where they are empty. */
const DATEV_TEXTS = new Set([
  ...[2, 3, 6, 9, 11, 12, 14, 16, 20, 37, 38, 40, 42, 91, 95, 96, 98, 102, 103, 105, 107, 109, 110, 112, 118],
  ...[120, 121, 123],
  ...Array.from({ length: 16 }, (_, index) => 21 + index),
  ...Array.from({ length: 40 }, (_, index) => 48 + index),
]);

/** Cells of a line with their quotes. */
const rawCells = (line: string): ReadonlyArray<string> =>
  Array.from(line.matchAll(/(?:^|;)("(?:[^"]|"")*"|[^;"]*)(?=;|$)/g), ([, cell = ""]) => cell);

/** The header of a DATEV file, by the numbers of its fields, and the rows as they are written. */
export const readDatevLines = (bytes: Uint8Array) => {
  const text = new TextDecoder("windows-1252").decode(bytes);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused.
  hold(!/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/.test(text), "a control character");
  hold(text.endsWith("\r\n") && !/[^\r]\n/.test(text), "a line does not end with CRLF");
  const [first = "", columns = "", ...rows] = text.slice(0, -2).split("\r\n").map(rawCells);
  return { header: first as ReadonlyArray<string>, columns: columns as ReadonlyArray<string>, rows };
};

/** The postings of a DATEV file; `decimals` are those of its currency. */
export const readDatev = (bytes: Uint8Array, decimals: number): ReadonlyArray<Read> => {
  const { header, columns, rows } = readDatevLines(bytes);
  hold(header.length === 31 && columns.length === 125, `${header.length} and ${columns.length} fields`);
  const [kind, version, category, name, format, created] = header;
  hold(
    kind === '"EXTF"' &&
      version === "700" &&
      category === "21" &&
      name === '"Buchungsstapel"' &&
      format === "13",
    "no batch of postings",
  );
  hold(/^20\d{15}$/.test(created ?? ""), `created at ${created}`);
  const [start = "", length = "", from = "", to = ""] = header.slice(12, 16);
  hold(start <= from && from <= to && to < `${Number(start.slice(0, 4)) + 1}${start.slice(4)}`, "the dates");
  return rows.flatMap((cells, index) => {
    hold(cells.length === 125, `row ${index} has ${cells.length} fields`);
    for (const [place, cell] of cells.entries()) {
      const isText = DATEV_TEXTS.has(place + 1);
      hold(isText ? /^".*"$/.test(cell) : !cell.includes('"'), `field ${place + 1}: ${cell}`);
      const pattern = DATEV_FIELDS[place + 1];
      hold(pattern === undefined || pattern.test(cell), `field ${place + 1}: ${cell}`);
      hold(
        pattern !== undefined || place > 46 || /^("")?$/.test(cell),
        `field ${place + 1} is not empty: ${cell}`,
      );
    }
    const at = (place: number): string => cells[place - 1] as string;
    for (const place of [7, 8]) hold(at(place).length <= Number(length) + 1, `${at(place)} is too long`);
    const year = [from.slice(0, 4), to.slice(0, 4)].find((one) => {
      const day = `${one}${at(10).slice(2)}${at(10).slice(0, 2)}`;
      return day >= from && day <= to;
    });
    hold(year !== undefined, `${at(10)} is not in the period`);
    const amount = units(at(1), 2, ",") / 10n ** BigInt(2 - decimals);
    const debit = at(2) === '"S"' ? amount : -amount;
    const stated = {
      entry: String(index),
      day: `${year}-${at(10).slice(2)}-${at(10).slice(0, 2)}`,
    };
    return [
      { ...stated, account: at(7), amount: debit },
      { ...stated, account: at(8), amount: -debit },
    ];
  });
};

/** A journal of `hledger`, with the one form of amounts that we write. */
export const readHledger = (text: string, decimals: number): ReadonlyArray<Read> => {
  const [head = "", ...transactions] = text.split(/\n\n/);
  hold(/^; .*\ndecimal-mark \.$/.test(head.trimEnd()), `the head is ${head}`);
  return transactions.flatMap((transaction, index) => {
    const [first = "", ...postings] = transaction.trimEnd().split("\n");
    const found = /^(\d{4}-\d\d-\d\d) (?:\([^()]*\) |(?![*!(]))[^;|]*\|[^;|]* {2}; .+$/.exec(first);
    hold(found !== null, `a transaction begins with ${first}`);
    return postings.map((posting) => {
      const parts = /^ {4}([a-z][^;]*?) {2}([A-Z]{3}) (-?[\d.]+)(?: {2}; [^;]+)?$/.exec(posting);
      hold(parts !== null, `a posting is ${posting}`);
      const [, account = "", , amount = ""] = parts ?? [];
      return { entry: String(index), day: found?.[1] ?? "", account, amount: units(amount, decimals) };
    });
  });
};

const STRING = String.raw`"(?:[^"\\\n]|\\["\\])*"`;

/** A file of `beancount`. */
export const readBeancount = (text: string, decimals: number): ReadonlyArray<Read> => {
  const lines = text.split("\n");
  hold(lines[1] === 'plugin "beancount.plugins.auto_accounts"', "the plugin");
  let [entry, day] = [0, ""];
  return lines.slice(2).flatMap((line): ReadonlyArray<Read> => {
    const head = new RegExp(`^(\\d{4}-\\d\\d-\\d\\d) \\* ${STRING} ${STRING}$`).exec(line);
    if (head !== null) {
      entry++;
      day = head[1] ?? "";
      return [];
    }
    const posting =
      /^ {2}((?:Assets|Liabilities|Equity|Expenses|Income)(?::[A-Z0-9][A-Za-z0-9-]*)+) {2}(-?[\d.]+) [A-Z]{3}$/.exec(
        line,
      );
    if (posting !== null)
      return [
        { entry: `${entry}`, day, account: posting[1] ?? "", amount: units(posting[2] ?? "", decimals) },
      ];
    hold(line === "" || new RegExp(`^(?: {2}| {4})[a-z_]+: ${STRING}$`).test(line), `a line is ${line}`);
    return [];
  });
};
