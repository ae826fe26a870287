/** Query strings: parsed strictly, since a misspelt or repeated parameter would return other records. */
import { SchemaAST as AST, Either, type Schema } from "effect";
import { Refusal, UnknownField } from "quittance";
import * as Decoding from "./Decoding.ts";
import { refusal } from "./DecodingProblem.ts";

type Values = string | Array<string>;

const decodeComponent = (text: string): string | null => {
  if (!text.includes("%") && !text.includes("+")) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return null;
  }
};

const isList = (type: AST.AST): boolean =>
  AST.isTupleType(type) || (AST.isUnion(type) && type.types.some(isList));

/** Which parameters there are, and whether each may be repeated. */
const parametersOf = (schema: Schema.Schema.All): ReadonlyMap<string, boolean> => {
  const ast = AST.encodedAST(schema.ast);
  return new Map(
    AST.isTypeLiteral(ast)
      ? ast.propertySignatures.map(({ name, type }) => [String(name), isList(type)])
      : [],
  );
};

const parse = (
  query: string,
  parameters: ReadonlyMap<string, boolean>,
): Either.Either<Readonly<Record<string, Values>>, Refusal.Invalid> => {
  const values: Record<string, Values> = Object.create(null);
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const name = decodeComponent(equals < 0 ? pair : pair.slice(0, equals));
    const value = decodeComponent(equals < 0 ? "" : pair.slice(equals + 1));
    if (name === null || value === null)
      return Either.left(Refusal.invalid("query", "is not validly escaped"));
    const repeatable = parameters.get(name);
    if (repeatable === undefined)
      return Either.left(UnknownField.unknownField([], name, [...parameters.keys()], "parameter"));
    const before = values[name];
    if (Array.isArray(before)) before.push(value);
    else if (before !== undefined) return Either.left(Refusal.invalid(name, "must not be repeated"));
    else values[name] = repeatable ? [value] : value;
  }
  return Either.right(values);
};

/** A decoder of the query strings that a schema describes; the empty string is no parameters. */
export const decoder = <A, I>(
  schema: Schema.Schema<A, I>,
): ((query: string) => Either.Either<A, Refusal.Invalid>) => {
  const parameters = parametersOf(schema);
  const decode = Decoding.decoder(schema);
  const parseAndDecode = (query: string) =>
    Either.flatMap(parse(query, parameters), (values) =>
      Either.mapLeft(decode(values), ({ issue }) => refusal(issue, "query")),
    );
  // Most requests have no parameters, and the result of none is always the same.
  const emptyQuery = parseAndDecode("");
  return (query) => (query === "" ? emptyQuery : parseAndDecode(query));
};
