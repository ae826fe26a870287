/** The work of `quittance formula`: checks, prints and explains the formula of a file, without a store. */
import { Effect, Either } from "effect";
import { CalendarDate, Explanation, Ids, Properties } from "quittance";
import * as Language from "quittance/formula";
import { type CommandFailed, FAILURE, messageOf, usageError } from "../CommandFailed.ts";
import { asDateTime } from "../importing/Dates.ts";
import { exitWith, print, printText } from "../Output.ts";
import { compileFile, type PropertyTypes, readLanguage } from "./EvaluableFormula.ts";
import { checkFile, formatMistake, type Mistake, orRefuse, parseFile, readFormula } from "./FormulaFile.ts";
import { readDefinitions } from "./SchemaFile.ts";

/** Prints the mistakes of a formula; without a schema those that do not depend on its properties. */
export const check = (
  name: string,
  schemaFile: string | null,
  json: boolean,
): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const file = yield* readFormula(name);
    const result: Either.Either<unknown, ReadonlyArray<Mistake>> = schemaFile === null
      ? parseFile(file)
      : checkFile(file, yield* readDefinitions(schemaFile));
    if (Either.isLeft(result)) {
      for (const mistake of result.left)
        yield* print(json ? JSON.stringify({ file: name, ...mistake }) : formatMistake(file, mistake));
      return yield* exitWith(FAILURE);
    }
    const unchecked = schemaFile === null ? "; names and types are checked with --schema" : "";
    if (!json) yield* print(`${name} has no mistakes${unchecked}`);
  });

/** Prints a formula as canonical text, or as nodes. */
export const show = (name: string, json: boolean): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const file = yield* readFormula(name);
    const expression = yield* orRefuse(file, parseFile(file));
    yield* json ? print(JSON.stringify(expression)) : printText(Language.print(expression));
  });

/** What to explain. */
export interface ExplainRequest {
  readonly formula: string;
  /** The properties of the sale as JSON. */
  readonly sale: string;
  readonly schema: string | null;
  readonly currency: string | undefined;
  /** When the sale happened; null for now. */
  readonly date: string | null;
  readonly language: string | undefined;
  readonly json: boolean;
}

const parseSale = (text: string): Effect.Effect<Readonly<Record<string, unknown>>, CommandFailed> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => usageError(`--sale must be JSON like {"amount": 249.99}: ${messageOf(error)}`),
  }).pipe(
    Effect.filterOrFail(
      (sale): sale is Readonly<Record<string, unknown>> =>
        typeof sale === "object" && sale !== null && !Array.isArray(sale),
      () => usageError('--sale must be an object like {"amount": 249.99}'),
    ),
  );

const typesOf = (sale: Readonly<Record<string, unknown>>): PropertyTypes =>
  new Map(
    Object.entries(sale).map(([name, value]) => [
      name,
      typeof value === "number" ? "number" : typeof value === "boolean" ? "boolean" : "string",
    ]),
  );

/** Prints in sentences what a formula pays for a sale that is the first of its partner, and why. */
export const explain = (request: ExplainRequest): Effect.Effect<void, CommandFailed> =>
  Effect.gen(function* () {
    const occurredAt =
      request.date === null
        ? Date.now()
        : Date.parse(
            yield* Either.mapLeft(asDateTime(request.date), (problem) => usageError(`--date ${problem}`)),
          );
    const language = yield* readLanguage(request.language);
    const sale = yield* parseSale(request.sale);
    const file = yield* readFormula(request.formula);
    const { compiled, definitions, currency, withValues } = yield* compileFile(file, request.currency, {
      schemaFile: request.schema,
      propertyTypes: Effect.succeed(typesOf(sale)),
      guessed: "; without --schema the sale has to state every property",
    });
    const known = new Set(definitions.map(({ name }) => name));
    // Without a schema a sale may have properties that the formula does not read.
    const read =
      request.schema === null
        ? Object.fromEntries(Object.entries(sale).filter(([name]) => known.has(name)))
        : sale;
    const properties = yield* Either.mapLeft(Properties.conform(read as never, definitions), ({ message }) =>
      usageError(`--sale: ${message}`),
    );
    const explanation = Language.explain(
      compiled,
      withValues({
        id: Ids.NIL,
        partnerId: Ids.NIL,
        customerId: Ids.NIL,
        workspaceId: Ids.NIL,
        schemaId: Ids.NIL,
        agentId: null,
        createdAt: occurredAt,
        occurredAt,
        properties,
      }),
      { history: [] },
    );
    const sentences = Explanation.sentences(
      {
        currency,
        occurredOn: CalendarDate.dateOf(occurredAt),
        formula: {
          name: request.formula,
          startDatetime: 0,
          endDatetime: null,
          versions: [{ expression: compiled.checked.expression, effectiveDatetime: null }],
        },
        basis: "evaluated",
        formulaVersion: 1,
        explanation,
      },
      language,
    );
    if (Either.isLeft(explanation.result)) yield* exitWith(FAILURE);
    const amount = Either.getOrNull(explanation.result);
    yield* request.json
      ? print(JSON.stringify({ amount, currency, explanation: sentences.split("\n") }))
      : printText(sentences);
  });
