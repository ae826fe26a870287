/** A progress bar on one line of a terminal; without a terminal it prints a line at each tenth. */
export const progress = (what: string, total: number) => {
  const { stderr } = process;
  const started = Date.now();
  let done = 0;
  const line = (): string => {
    const filled = Math.round((done / total) * 30);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    return `${what} [${"#".repeat(filled).padEnd(30, ".")}] ${done}/${total} ${seconds} s`;
  };
  return {
    step: (): void => {
      done += 1;
      if (stderr.isTTY) stderr.write(`\r${line()}`);
      else if (Math.floor((done * 10) / total) > Math.floor(((done - 1) * 10) / total))
        stderr.write(`${line()}\n`);
    },
    end: (): void => {
      if (stderr.isTTY) stderr.write("\n");
    },
  };
};

/** A table of text: the first column to the left, the others to the right. */
export const table = (header: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)),
  );
  const print = (cells: ReadonlyArray<string>): string =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ");
  return [print(header), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(print)].join("\n");
};
