/** `quittance formula`: checks, prints and explains formulas in files. */
import { type Declare, load, withJson } from "../Shell.ts";

interface Options {
  readonly schema?: string;
  readonly json?: true;
}

interface ExplainOptions extends Options {
  readonly sale: string;
  readonly currency?: string;
  readonly date?: string;
  readonly language?: string;
}

const FORMULA = "a file with a formula: text, nodes, or the body that creates it";
const LANGUAGE = "the language of the sentences: en, de, fr or es; en by default";
const SCHEMA = "the properties, as in an attribution schema";

export const declare: Declare = (program, shell) => {
  const module = () => import("../formulas/Formula.ts");
  const formula = program
    .command("formula")
    .summary("check, print and explain formulas in files")
    .description(
      "Checks, prints and explains the formula of a file. It needs no store and stores nothing. The formula is text such as `10 % of amount`, or its nodes in JSON.",
    );
  withJson(formula.command("check"))
    .summary("find the mistakes of a formula")
    .description(
      "Prints each mistake with its line and column, and ends with 1 if there is any. Names and types are checked with --schema.",
    )
    .argument("<formula>", FORMULA)
    .option("--schema <file>", SCHEMA)
    .addHelpText("after", "\nExample:\n  quittance formula check plan.txt --schema schema.json")
    .action((file: string, { schema, json }: Options) =>
      shell.run(load(module, ({ check }) => check(file, schema ?? null, json === true))),
    );
  withJson(formula.command("print"))
    .summary("print a formula as text, or as nodes")
    .description("Prints a formula as text in its canonical layout, or with --json as nodes.")
    .argument("<formula>", FORMULA)
    .addHelpText("after", "\nExample:\n  quittance formula print plan.json")
    .action((file: string, { json }: Options) =>
      shell.run(load(module, ({ show }) => show(file, json === true))),
    );
  withJson(formula.command("explain"))
    .summary("say in sentences what a formula pays for a sale")
    .description(
      "Prints what a formula pays for a sale, and why, in the sentences that partners read. The sale is the first of its partner.",
    )
    .argument("<formula>", FORMULA)
    .requiredOption("--sale <json>", "the properties of the sale")
    .option("--schema <file>", `${SCHEMA}; by default those of the sale`)
    .option("--currency <code>", "the currency of the amount; by default that of the formula, or EUR")
    .option("--date <datetime>", "when the sale happened: 2026-03-01 or 2026-03-01T09:30:00Z; now by default")
    .option("--language <code>", LANGUAGE)
    .addHelpText("after", `\nExample:\n  quittance formula explain plan.txt --sale '{"amount": 249.99}'`)
    .action((file: string, options: ExplainOptions) =>
      shell.run(
        load(module, ({ explain }) =>
          explain({
            formula: file,
            sale: options.sale,
            schema: options.schema ?? null,
            currency: options.currency,
            date: options.date ?? null,
            language: options.language,
            json: options.json === true,
          }),
        ),
      ),
    );
};
