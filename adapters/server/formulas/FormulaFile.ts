/** Files with a formula: as text, as nodes, or as the body with which a formula or a plan is created. */
import { readFileSync } from "node:fs";
import { Effect, Either } from "effect";
import * as Language from "quittance/formula";
import { type CommandFailed, messageOf, usageError } from "../CommandFailed.ts";

/** A formula as a file states it, before it is checked. */
export interface FormulaFile {
  readonly name: string;
  /** Text, or what should be nodes. */
  readonly stated: string | { readonly nodes: unknown };
  /** The currency of a body; null where there is none. */
  readonly currency: string | null;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The formula of a parsed file. */
const ofJson = (name: string, value: unknown): FormulaFile => {
  if (!isRecord(value)) return { name, stated: { nodes: value }, currency: null };
  const currency = typeof value.currency === "string" ? value.currency : null;
  if (typeof value.expression_text === "string") return { name, stated: value.expression_text, currency };
  return { name, stated: { nodes: "expression" in value ? value.expression : value }, currency };
};

/** Reads the file of a formula. Text never begins with a brace, and JSON of a formula always does. */
export const readFormula = (name: string): Effect.Effect<FormulaFile, CommandFailed> =>
  Effect.try({
    try: () => readFileSync(name, "utf8"),
    catch: (error) => usageError(`${name} cannot be read: ${messageOf(error)}`),
  }).pipe(
    Effect.flatMap((text) =>
      /^\ufeff?\s*\{/.test(text)
        ? Effect.try({
            try: () => ofJson(name, JSON.parse(text.replace(/^\ufeff/, ""))),
            catch: (error) => usageError(`${name} is not JSON: ${messageOf(error)}`),
          })
        : Effect.succeed<FormulaFile>({ name, stated: text, currency: null }),
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
  { stated }: FormulaFile,
  properties: ReadonlyArray<Language.PropertyDefinition>,
): Either.Either<Language.Checked, ReadonlyArray<Mistake>> =>
  typeof stated === "string"
    ? Language.parseFor(stated, properties)
    : Language.decode(stated.nodes).pipe(
        Either.flatMap((expression) => Language.check(expression, properties)),
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
