/** `quittance simulate`: tries a formula on the rows of a file. */
import { Effect } from "effect";
import { usageError } from "../CommandFailed.ts";
import type { Format } from "../importing/Rows.ts";
import { type Declare, orUsage, type Task, withJson } from "../Shell.ts";
import { wholeNumber } from "../Value.ts";

interface Options {
  readonly schema?: string;
  readonly currency?: string;
  readonly format?: string;
  readonly dateColumn: string;
  readonly explain?: string;
  readonly language?: string;
  readonly amounts?: true;
  readonly json?: true;
}

const ROW = wholeNumber(1, 1_000_000_000_000);

/** The form of a file, by the option or by its name. */
export const formatOf = (file: string, stated: string | undefined) => {
  const found = stated ?? (/\.csv$/i.test(file) ? "csv" : /\.(ndjson|jsonl)$/i.test(file) ? "ndjson" : "");
  return found === "csv" || found === "ndjson"
    ? Effect.succeed<Format>(found)
    : usageError(
        stated === undefined
          ? `state with --format whether ${file} is csv or ndjson`
          : `--format must be csv or ndjson, not "${stated}"`,
      );
};

export const declare: Declare = (program, shell) => {
  const command = withJson(program.command("simulate"))
    .summary("try a formula on the rows of a file")
    .description(
      "Evaluates a formula on the rows of a file in their order, and prints totals and a histogram. It needs no store and stores nothing. A formula with aggregates sees the rows before. A column occurred_on has the day that a row counts for.",
    )
    .argument("<formula>", "a file with a formula: text, nodes, or the body that creates it")
    .argument("<file>", "a .csv file whose columns are properties, or .ndjson with one object a line")
    .option(
      "--schema <file>",
      "the properties, as in an attribution schema; by default their types are guessed",
    )
    .option("--currency <code>", "the currency of the amounts; by default that of the formula, or EUR")
    .option("--date-column <name>", "the column with the date of each row", "occurred_at")
    .option("--format <format>", "csv or ndjson, if the name of the file does not show it")
    .option("--amounts", "print the amount of each row")
    .option("--explain <row>", "say in sentences how the amount of a row was computed")
    .option("--language <code>", "the language of the sentences: en, de, fr or es; en by default")
    .addHelpText("after", "\nExample:\n  quittance simulate formula.txt sales.csv --explain 1");
  const work = (formula: string, file: string, options: Options): Task =>
    Effect.gen(function* () {
      const format = yield* formatOf(file, options.format);
      const explain =
        options.explain === undefined ? null : yield* orUsage(ROW.parse("--explain", options.explain));
      const { simulate } = yield* Effect.promise(() => import("../simulating/Simulate.ts"));
      yield* simulate({
        formula,
        file,
        format,
        schema: options.schema ?? null,
        currency: options.currency,
        dateColumn: options.dateColumn,
        explain,
        language: options.language,
        amounts: options.amounts === true,
        json: options.json === true,
      });
    });
  command.action((formula: string, file: string, options: Options) =>
    shell.run(work(formula, file, options)),
  );
};
