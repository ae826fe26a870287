/** The work of `quittance simulate`: a formula on the rows of a file, without a store. */
import { Effect, Either, Schema, Stream } from "effect";
import { Attribution, CalendarDate, Currency, Ids, Properties } from "quittance";
import { explainText } from "quittance/explanation";
import type * as Language from "quittance/formula";
import { type CommandFailed, FAILURE, usageError } from "../CommandFailed.ts";
import { Evaluation } from "../Evaluation.ts";
import { compileFile, namesOf, type PropertyTypes, readLanguage } from "../formulas/EvaluableFormula.ts";
import { readFormula } from "../formulas/FormulaFile.ts";
import { asDateTime } from "../importing/Dates.ts";
import { asType } from "../importing/Mapping.ts";
import { type Format, type Row, rowsOf } from "../importing/Rows.ts";
import { exitWith, note, print, printText } from "../Output.ts";
import { histogram, Summary } from "./Summary.ts";

/** What to simulate. */
export interface Request {
  readonly formula: string;
  readonly file: string;
  readonly format: Format;
  /** The file of the schema; null where types are guessed from the columns. */
  readonly schema: string | null;
  readonly currency: string | undefined;
  /** The column with the date of each event. */
  readonly dateColumn: string;
  /** The row whose amount is explained. */
  readonly explain: number | null;
  /** The language of its explanation. */
  readonly language: string | undefined;
  /** True if the amount of each row is printed. */
  readonly amounts: boolean;
  readonly json: boolean;
}

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

const looksOf = (value: unknown): Language.PropertyDefinition["type"] | null => {
  if (value === undefined || value === null || value === "") return null;
  const text = String(value).trim();
  return /^(true|false)$/i.test(text) ? "boolean" : NUMBER.test(text) ? "number" : "string";
};

/** What the columns look like, by all rows: a number or a truth value only where every cell is one. */
const propertyTypes = (rows: Stream.Stream<Row, CommandFailed>, names: ReadonlyArray<string>) =>
  Effect.map(
    Stream.runFold(rows, new Map<string, Language.PropertyDefinition["type"]>(), (found, row) => {
      for (const name of names) {
        const look = looksOf(row.cell(name));
        if (look === null) continue;
        const before = found.get(name);
        found.set(name, before === undefined || before === look ? look : "string");
      }
      return found;
    }),
    (found): PropertyTypes => found,
  );

/** The column with the day that a row counts for, where no property has this name. */
const DAY_COLUMN = "occurred_on";

/** The calendar day that a row states; null where it is the UTC day. */
const dayOf = (
  row: Row,
  definitions: ReadonlyArray<Language.PropertyDefinition>,
  occurredAt: number,
): Either.Either<string | null, string> => {
  const cell = definitions.some(({ name }) => name === DAY_COLUMN) ? undefined : row.cell(DAY_COLUMN);
  if (cell === undefined || cell === null || cell === "") return Either.right(null);
  if (!Schema.is(CalendarDate.CalendarDate)(cell))
    return Either.left(`${DAY_COLUMN}: must be a date as YYYY-MM-DD`);
  return Either.mapBoth(Attribution.checkDates({ occurredOn: cell }, occurredAt), {
    onLeft: ({ message }) => message,
    onRight: () => cell,
  });
};

/** The facts of a row that a formula reads. A row without a date occurs at the time of the simulation. */
const factsOf = (
  row: Row,
  definitions: ReadonlyArray<Language.PropertyDefinition>,
  dateColumn: string,
  now: number,
): Either.Either<Language.Facts, string> =>
  Either.gen(function* () {
    if (row.problem !== null) return yield* Either.left(row.problem);
    const input: Record<string, string | number | boolean> = {};
    for (const { name, type } of definitions) {
      const cell = row.cell(name);
      if (cell === undefined || cell === null || cell === "") continue;
      if (typeof cell === "object") return yield* Either.left(`${name} is not a single value`);
      input[name] = yield* Either.mapLeft(asType(cell as string, type), (problem) => `${name}: ${problem}`);
    }
    const properties = yield* Either.mapLeft(
      Properties.conform(input, definitions),
      ({ message }) => message,
    );
    const cell = row.cell(dateColumn);
    const occurredAt =
      cell === undefined || cell === ""
        ? now
        : Date.parse(
            yield* Either.mapLeft(asDateTime(String(cell)), (problem) => `${dateColumn}: ${problem}`),
          );
    return {
      id: Ids.NIL,
      partnerId: Ids.NIL,
      customerId: Ids.NIL,
      workspaceId: Ids.NIL,
      schemaId: Ids.NIL,
      agentId: null,
      createdAt: Math.max(now, occurredAt),
      occurredAt,
      occurredOn: yield* dayOf(row, definitions, occurredAt),
      properties,
    };
  });

type Amount = ReturnType<Evaluation["amountOf"]>;

/** Prints the amount of a row where it was asked for, and why there is none in any case. */
const printAmount = ({ json, amounts }: Request, row: Row, amount: Amount, currency: Currency.Currency) => {
  const shown = Either.match(amount, { onLeft: ({ code }) => code, onRight: (value) => value });
  const isProblem = Either.isLeft(amount);
  if (json) return print(JSON.stringify({ row: row.number, [isProblem ? "problem" : "amount"]: shown }));
  if (!amounts && !isProblem) return Effect.void;
  const text = typeof shown === "number" ? Currency.formatAmount(shown, currency) : shown;
  return print(`${String(row.number).padStart(8)}  ${text}`);
};

const printProblem = ({ json }: Request, { number, line }: Row, problem: string) =>
  json
    ? print(JSON.stringify({ row: number, line, problem }))
    : note(`row ${number} (line ${line}): ${problem}`);

const printSummary = ({ json }: Request, summary: Summary, currency: Currency.Currency) =>
  Effect.gen(function* () {
    if (summary.problems > 0) yield* exitWith(FAILURE);
    if (json) return yield* print(JSON.stringify({ currency, ...summary.facts() }));
    yield* printText(summary.text(currency));
    if (summary.count > 1) yield* printText(`\n${histogram(summary.amounts, currency)}`);
  });

/** Simulates the rows in their order: each counts the rows before it. */
export const simulate = (request: Request): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const { file, format, json, dateColumn, explain } = request;
    const rows = rowsOf(file, format);
    const language = yield* readLanguage(request.language);
    const formula = yield* readFormula(request.formula);
    const names = yield* namesOf(formula);
    const { compiled, definitions, currency, withValues } = yield* compileFile(formula, request.currency, {
      schemaFile: request.schema,
      propertyTypes: propertyTypes(rows, names),
      guessed:
        "; types are guessed from the columns, and one with any other cell is text: state them with --schema",
    });
    const evaluation = new Evaluation(
      [compiled],
      (_, { path }, group, bucket) => `${path} ${group} ${bucket}`,
    );
    const summary = new Summary();
    const now = Date.now();
    const money = { currency, decimals: Currency.decimals(currency) };
    let explained: string | null = null;
    const evaluate = (row: Row) => {
      const facts = Either.map(factsOf(row, definitions, dateColumn, now), withValues);
      if (Either.isLeft(facts)) {
        summary.addProblem();
        return printProblem(request, row, facts.left);
      }
      if (row.number === explain)
        explained = explainText(evaluation.explain(1, facts.right), money, language);
      const amount = evaluation.amountOf(1, facts.right);
      evaluation.add(facts.right);
      if (Either.isLeft(amount)) summary.addProblem();
      else summary.add(amount.right);
      return printAmount(request, row, amount, currency);
    };
    yield* Stream.runForEach(rows, (row) => Effect.suspend(() => evaluate(row)));
    if (explain !== null && explained === null)
      return yield* usageError(`--explain ${explain}: the file has no such row, or it is wrong`);
    yield* printSummary(request, summary, currency);
    if (explained === null) return;
    yield* json
      ? print(JSON.stringify({ row: explain, explanation: explained }))
      : printText(`\nRow ${explain}: ${explained}`);
  });
