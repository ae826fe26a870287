/** Files with a formula: as text, as nodes, or as the body with which a formula or a plan is created. */
import { readFileSync } from "node:fs";
import { Effect, Either, Schema } from "effect";
import { Parameter, Refusal } from "quittance";
import * as Language from "quittance/formula";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";

/** A formula as a file states it, before it is checked. */
export interface FormulaFile {
  readonly name: string;
  /** Text, or what should be nodes. */
  readonly stated: string | { readonly nodes: unknown };
  /** The currency of a body; null where there is none. */
  readonly currency: string | null;
  /** The parameters that a body declares, and the values that it states for them. */
  readonly parameters: ReadonlyArray<Language.ParameterDefinition>;
  readonly values: Parameter.FirstValues;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const NOT_DECLARED = { parameters: [], values: {} } as const;

const decodeDeclared = Schema.decodeUnknownEither(
  Schema.Struct({
    parameters: Schema.optionalWith(Parameter.Declarations, { default: () => [] }),
    values: Schema.optionalWith(Parameter.FirstValues, { default: () => ({}) }),
  }),
);

/** The parameters of a body, and their values. */
const declaredBy = (
  name: string,
  body: Readonly<Record<string, unknown>>,
): Effect.Effect<Pick<FormulaFile, "parameters" | "values">, CommandFailed> =>
  Either.mapLeft(decodeDeclared(body), (error) =>
    usageError(`${name}: ${Refusal.fromParseError(error).message}`),
  );

/** The formula of a parsed file. */
const ofJson = (name: string, value: unknown): Effect.Effect<FormulaFile, CommandFailed> => {
  const isBody = isRecord(value) && ("expression_text" in value || "expression" in value);
  if (!isBody) return Effect.succeed({ name, stated: { nodes: value }, currency: null, ...NOT_DECLARED });
  const currency = typeof value.currency === "string" ? value.currency : null;
  const { expression_text: text, expression } = value;
  const stated = typeof text === "string" ? text : { nodes: expression };
  return Effect.map(declaredBy(name, value), (declared) => ({ name, stated, currency, ...declared }));
};

/** Reads the file of a formula. Text never begins with a brace, and JSON of a formula always does. */
export const readFormula = (name: string): Effect.Effect<FormulaFile, CommandFailed> =>
  Effect.try({
    try: () => readFileSync(name, "utf8"),
    catch: (error) => usageError(`${name} cannot be read: ${messageOf(error)}`),
  }).pipe(
    Effect.flatMap((text) =>
      /^\ufeff?\s*\{/.test(text)
        ? Effect.flatMap(
            Effect.try({
              try: (): unknown => JSON.parse(text.replace(/^\ufeff/, "")),
              catch: (error) => usageError(`${name} is not JSON: ${messageOf(error)}`),
            }),
            (value) => ofJson(name, value),
          )
        : Effect.succeed<FormulaFile>({ name, stated: text, currency: null, ...NOT_DECLARED }),
    ),
  );

/** A mistake of a formula: its line and column in a text, or the path of a node. */
export type Mistake = Language.TextProblem | Language.Problem;

/** The mistake on one line, with the file: `plan.txt:2:5: …` for a text, as editors and terminals link it. */
export const formatMistake = ({ name }: FormulaFile, mistake: Mistake): string =>
  "line" in mistake
    ? `${name}:${mistake.line}:${mistake.column}: ${mistake.message}`
    : `${name}: ${Language.formatProblem(mistake)}`;

/** The expression, with the mistakes that are found without a schema. */
export const parseFile = ({
  stated,
}: FormulaFile): Either.Either<Language.Expression, ReadonlyArray<Mistake>> =>
  typeof stated === "string"
    ? Language.parse(stated)
    : Either.mapLeft(Language.decode(stated.nodes), (problem) => [problem]);

/** The expression, checked against the properties of a schema. */
export const checkFile = (
  { stated, parameters }: FormulaFile,
  properties: ReadonlyArray<Language.PropertyDefinition>,
): Either.Either<Language.Checked, ReadonlyArray<Mistake>> =>
  typeof stated === "string"
    ? Language.parseFor(stated, properties, parameters)
    : Language.decode(stated.nodes).pipe(
        Either.flatMap((expression) => Language.check(expression, properties, parameters)),
        Either.mapLeft((problem) => [problem]),
      );

/** The result, or the failure of a command whose formula is wrong, with the first mistake. */
export const orRefuse = <A>(
  file: FormulaFile,
  result: Either.Either<A, ReadonlyArray<Mistake>>,
  hint = "",
): Effect.Effect<A, CommandFailed> =>
  Either.mapLeft(result, ([first]) =>
    usageError(`${first === undefined ? file.name : formatMistake(file, first)}${hint}`),
  );
