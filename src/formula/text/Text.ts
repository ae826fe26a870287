/** The text form of the language: reading it, with every mistake at its place. */
import { Either } from "effect";
import { type Checked, check } from "../Check.ts";
import { decode } from "../Decode.ts";
import type { Expression } from "../Expression.ts";
import type { ParameterDefinition } from "../Parameter.ts";
import type { Problem } from "../Problem.ts";
import type { PropertyDefinition } from "../Property.ts";
import { utf8Length } from "../Utf8.ts";
import { Cursor, type Names, type Range } from "./Cursor.ts";
import { tokenize } from "./Lexer.ts";
import { formula } from "./Parser.ts";
import { placeOf, problemAt, type TextProblem } from "./TextProblem.ts";

/** The most bytes of a text in UTF-8. */
export const TEXT_BYTES_MAX = 131_072;

/** What parsing gives: the value, or all mistakes that could be found, in the order of the text and never none. */
export type Parsed<A> = Either.Either<A, ReadonlyArray<TextProblem>>;

const isTooLong = (text: string): boolean =>
  text.length > TEXT_BYTES_MAX || utf8Length(text) > TEXT_BYTES_MAX;

/** What a message calls things in the JSON form, and what they are called here. */
const IN_TEXT: ReadonlyArray<readonly [string | RegExp, string]> = [
  [/(a text may be absent; )wrap it in coalesce/, '$1say what counts then, as in (… ?? "")'],
  [/(a true\/false value may be absent; )wrap it in coalesce/, "$1say what counts then, as in (… ?? false)"],
  [/(a date may be absent; )wrap it in coalesce/, "$1say what counts then, as in (… ?? 1970-01-01)"],
  ["wrap it in coalesce", "say what counts then, as in (… ?? 0)"],
  ["no enclosing `let` binds", "nothing before binds"],
  [" in one `let`", ""],
  [/of entry \d+/, "of an earlier row"],
];

/** Finds the place in the text that a path of the expression names: that of the innermost part that has one. */
const rangeOf = (cursor: Cursor, root: Expression, path: string): Range => {
  let range: Range = cursor.ranges.get(root) ?? { start: 0, end: 0 };
  let part: unknown = root;
  for (const step of path.split(".").slice(1)) {
    if (typeof part !== "object" || part === null) break;
    range = cursor.itemRanges.get(part)?.[Number(step)] ?? range;
    part = (part as Readonly<Record<string, unknown>>)[step];
    if (typeof part === "object" && part !== null) range = cursor.ranges.get(part) ?? range;
  }
  return range;
};

/** A problem of the expression as one of the text it was read from. */
const located = (text: string, cursor: Cursor, root: Expression, { path, message }: Problem): TextProblem => {
  const { start, end } = rangeOf(cursor, root, path);
  const inText = IN_TEXT.reduce((told, [from, to]) => told.replace(from, to), message).replace(
    /\$(?:\.\w+)+/g,
    (other) => {
      const { line, column } = placeOf(text, rangeOf(cursor, root, other).start);
      return `the value at line ${line}, column ${column}`;
    },
  );
  return problemAt(text, start, end, inText);
};

const parseWith = <A>(
  text: string,
  names: Names | undefined,
  then: (expression: Expression) => Either.Either<A, Problem>,
): Parsed<A> => {
  if (isTooLong(text))
    return Either.left([problemAt("", 0, 0, `the text is larger than ${TEXT_BYTES_MAX / 1024} KiB`)]);
  const cursor = new Cursor(text, tokenize(text), names);
  const root = formula(cursor);
  if (cursor.problems.length > 0) return Either.left(cursor.problems.toSorted((a, b) => a.start - b.start));
  return Either.mapLeft(Either.flatMap(decode(root), then), (problem) => [
    located(text, cursor, root, problem),
  ]);
};

/**
 * Reads the text form of an expression. A bare name is the nearest variable of that name, else the property; with `names` it
 * must be one of them. Never throws, in time that grows with the length of the text, which may be 128 KiB.
 */
export const parse = (text: string, names?: Names): Parsed<Expression> =>
  parseWith(text, names, Either.right);

/**
 * Reads the text form of an expression for a schema and the parameters of a formula, and checks it like `check`; every problem
 * has its place in the text.
 */
export const parseFor = (
  text: string,
  properties: ReadonlyArray<PropertyDefinition>,
  parameters: ReadonlyArray<ParameterDefinition> = [],
): Parsed<Checked> => {
  const namesOf = (definitions: ReadonlyArray<{ readonly name: string }>) =>
    definitions.map(({ name }) => name);
  const names = { properties: namesOf(properties), parameters: namesOf(parameters) };
  return parseWith(text, names, (expression) => check(expression, properties, parameters));
};
