/** A formula of a file that is ready to be evaluated, checked against a schema or the types of values. */
import { Effect, Either, Option, Schema } from "effect";
import { Currency, Parameter } from "quittance";
import { LANGUAGES, type Language } from "quittance/explanation";
import * as Formulas from "quittance/formula";
import { type CommandFailed, usageError } from "../CommandFailed.ts";
import { checkFile, type FormulaFile, orRefuse, parseFile } from "./FormulaFile.ts";
import { readDefinitions } from "./SchemaFile.ts";

type Definition = Formulas.PropertyDefinition;

/** A formula that is ready to be evaluated. */
export interface EvaluableFormula {
  readonly compiled: Formulas.Compiled;
  readonly definitions: ReadonlyArray<Definition>;
  readonly currency: Currency.Currency;
  /** The facts of a sale with the values of the parameters that the file declares. */
  readonly withValues: (facts: Formulas.Facts) => Formulas.Facts;
}

/** The names of the properties that an expression reads. */
const namesIn = (part: unknown): ReadonlyArray<string> => {
  if (Array.isArray(part)) return part.flatMap(namesIn);
  if (typeof part !== "object" || part === null) return [];
  const { type, name, group_by: grouped } = part as Readonly<Record<string, unknown>>;
  const own = type === "property" && typeof name === "string" ? [name] : [];
  const groups = type === "aggregate" && Array.isArray(grouped) ? grouped.map(String) : [];
  return [...own, ...groups, ...Object.values(part).flatMap(namesIn)];
};

/** The names of the properties that a formula reads. */
export const namesOf = (file: FormulaFile): Effect.Effect<ReadonlyArray<string>, CommandFailed> =>
  Effect.map(orRefuse(file, parseFile(file)), (expression) => [...new Set(namesIn(expression))]);

/** The type of the values of each property: what the cells of its column look like, or what a sale has. */
export type PropertyTypes = ReadonlyMap<string, Definition["type"]>;

/** The properties that a formula reads, with the types of their values. */
const guessDefinitions = (
  names: ReadonlyArray<string>,
  propertyTypes: PropertyTypes,
): ReadonlyArray<Definition> =>
  names.flatMap((name) => {
    const type = propertyTypes.get(name);
    return type === undefined ? [] : [{ name, type, required: true }];
  });

/** The language that an option states, English by default. */
export const readLanguage = (stated: string | undefined): Effect.Effect<Language, CommandFailed> => {
  const language = LANGUAGES.find((candidate) => candidate === (stated ?? "en"));
  return language === undefined
    ? usageError(`--language must be one of ${LANGUAGES.join(", ")}, not "${stated}"`)
    : Effect.succeed(language);
};

const decodeCurrency = Schema.decodeUnknownOption(Currency.Currency);

/** The types of the properties of a formula. */
interface Types {
  /** The file of a schema; null where types are guessed. */
  readonly schemaFile: string | null;
  /** The guessed types. */
  readonly propertyTypes: Effect.Effect<PropertyTypes, CommandFailed>;
  /** What messages about guessed types end with. */
  readonly guessed: string;
}

/** The formula of a file, checked against the properties of a schema, or against types that are guessed from values. */
export const compileFile = (
  file: FormulaFile,
  currencyOption: string | undefined,
  { schemaFile, propertyTypes, guessed }: Types,
): Effect.Effect<EvaluableFormula, CommandFailed> =>
  Effect.gen(function* () {
    const names = yield* namesOf(file);
    const definitions =
      schemaFile === null
        ? guessDefinitions(names, yield* propertyTypes)
        : yield* readDefinitions(schemaFile);
    const checked = yield* orRefuse(file, checkFile(file, definitions), schemaFile === null ? guessed : "");
    const compiled = Formulas.compile(checked);
    if (compiled.readsSellers)
      return yield* usageError(
        `${file.name}: reads sellers_commission, which no sale here states: simulate it over the API with samples that do`,
      );
    const code = currencyOption ?? file.currency ?? "EUR";
    const currency = Option.getOrNull(decodeCurrency(code));
    if (currency === null) return yield* usageError(`--currency must be a code like EUR, not "${code}"`);
    const { parameters, values } = file;
    yield* Either.mapLeft(Parameter.checkFirstValues(parameters, values, "values"), ({ message }) =>
      usageError(`${file.name}: ${message}`),
    );
    const declared = { parameters, parameterValues: Parameter.firstStatements(values) };
    return {
      compiled,
      definitions,
      currency,
      withValues: (facts) => Parameter.withValues(declared, facts),
    };
  });
