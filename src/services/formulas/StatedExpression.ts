/** Expressions as requests state them: as nodes, or as text that is read to nodes. Only the nodes are stored. */
import { Either } from "effect";
import type { AttributionSchema } from "../../domain/AttributionSchema.ts";
import type { Stated } from "../../domain/Formula.ts";
import { type Invalid, invalid } from "../../domain/Refusal.ts";
import * as Language from "../../formula/index.ts";
import { checkExpression, decodeExpression } from "../attributions/Evaluator.ts";

/** An expression, and the text that it was read from; null where the request has nodes. */
export interface StatedExpression {
  readonly expression: Language.Expression;
  readonly text: string | null;
}

/** What parsing gives, refused with the first mistake and its line and column. */
const readText = <A>(parsed: Language.Parsed<A>): Either.Either<A, Invalid> =>
  Either.mapLeft(parsed, ([first, ...more]) => {
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    // There is never a refusal without a problem.
    return invalid(
      "expression_text",
      `${first === undefined ? "" : Language.formatTextProblem(first)}${others}`,
    );
  });

/** The expression that a request states, or null if it states none. */
export const readStated = ({
  expression,
  expressionText,
}: Stated): Either.Either<StatedExpression | null, Invalid> => {
  if (expressionText === undefined)
    return expression === undefined
      ? Either.right(null)
      : Either.map(decodeExpression(expression), (decoded) => ({ expression: decoded, text: null }));
  return expression === undefined
    ? Either.map(readText(Language.parse(expressionText)), (read) => ({
        expression: read,
        text: expressionText,
      }))
    : Either.left(invalid("expression_text", "must not be given together with expression"));
};

/** The expression of a request that has to state one. */
export const requireStated = (request: Stated): Either.Either<StatedExpression, Invalid> =>
  Either.filterOrLeft(
    readStated(request),
    (found) => found !== null,
    () => invalid("expression", "is missing; state it as nodes, or as text in expression_text"),
  );

/** Checks an expression against a schema and declared parameters. Text is read once more, with the names of the schema, for the places of mistakes. */
export const checkStated = (
  { expression, text }: StatedExpression,
  schema: AttributionSchema,
  parameters: ReadonlyArray<Language.ParameterDefinition>,
): Either.Either<Language.Checked, Invalid> =>
  text === null
    ? checkExpression(expression, schema, parameters)
    : readText(Language.parseFor(text, schema.properties, parameters));
