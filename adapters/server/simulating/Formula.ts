/** The formula and the properties of a simulation, from files. */
import { Effect, Either, Schema } from "effect";
import { AttributionSchema, Currency, Refusal } from "quittance";
import * as Language from "quittance/formula";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { readJson } from "../importing/Mapping.ts";

type Definition = Language.PropertyDefinition;

/** A formula that is ready to be evaluated. */
interface EvaluableFormula {
  readonly compiled: Language.Compiled;
  readonly definitions: ReadonlyArray<Definition>;
  readonly currency: Currency.Currency;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An expression by itself, or the body with which a formula is created. */
const expressionOf = (value: unknown): unknown =>
  isRecord(value) && "expression" in value ? value.expression : value;

const decodeDefinitions = Schema.decodeUnknownEither(AttributionSchema.PropertyDefinitions);

/** The properties of a schema, from a list of them or the body with which a schema is created. */
const definitionsIn = (file: string): Effect.Effect<ReadonlyArray<Definition>, CommandFailed> =>
  Effect.flatMap(readJson(file), (value) =>
    Either.mapLeft(
      decodeDefinitions(isRecord(value) && "properties" in value ? value.properties : value),
      (error) => usageError(`${file}: ${Refusal.fromParseError(error).message}`),
    ),
  );

/** The names of the properties that an expression reads. */
const namesIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isRecord(value)) return [];
  const grouped = Array.isArray(value.group_by)
    ? value.group_by.filter((name) => typeof name === "string")
    : [];
  const propertyNames = value.type === "property" && typeof value.name === "string" ? [value.name] : [];
  return [...propertyNames, ...grouped, ...Object.values(value).flatMap(namesIn)];
};

/** The names of the properties that the formula of a file reads. */
export const namesOf = (file: string): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.map(readJson(file), (value) => [...new Set(namesIn(expressionOf(value)))]);

/** The type that the cells of each column look like, by the column's property. */
export type PropertyTypes = ReadonlyMap<string, Definition["type"]>;

/** The properties that the expression reads, with the types that their columns look like. */
const guessDefinitions = (expression: unknown, propertyTypes: PropertyTypes): ReadonlyArray<Definition> =>
  [...new Set(namesIn(expression))].flatMap((name) => {
    const type = propertyTypes.get(name);
    return type === undefined ? [] : [{ name, type, required: true }];
  });

const isCurrency = Schema.is(Currency.Currency);

/** The formula of a file, checked against the properties of a schema, or against types that are guessed from the columns. */
export const read = (
  file: string,
  schemaFile: string | null,
  currencyOption: string | undefined,
  propertyTypes: Effect.Effect<PropertyTypes, CommandFailed>,
): Effect.Effect<EvaluableFormula, CommandFailed> =>
  Effect.gen(function* () {
    const value = yield* readJson(file);
    const source = expressionOf(value);
    const expression = yield* Either.mapLeft(Language.decode(source), (problem) =>
      usageError(`${file}: ${Language.formatProblem(problem)}`),
    );
    const definitions =
      schemaFile === null ? guessDefinitions(source, yield* propertyTypes) : yield* definitionsIn(schemaFile);
    const hint =
      schemaFile === null
        ? "; types are guessed from the columns, and one with any other cell is text: state them with --schema"
        : "";
    const checked = yield* Either.mapLeft(Language.check(expression, definitions), (problem) =>
      usageError(`${file}: ${Language.formatProblem(problem)}${hint}`),
    );
    const currency =
      currencyOption ?? (isRecord(value) && typeof value.currency === "string" ? value.currency : "EUR");
    if (!isCurrency(currency))
      return yield* usageError(`--currency must be a code like EUR, not "${currency}"`);
    return { compiled: Language.compile(checked), definitions, currency };
  });
