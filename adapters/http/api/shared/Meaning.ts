/** The meanings of an operation's parameters and of the fields of its body, which the domain states with the fields. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import { SchemaAST as AST, Option, type Schema } from "effect";
import { Field } from "quittance";
import type { Json, JsonObject } from "../openapi/Json.ts";

/** The key under which an operation of the platform's document states its meanings; our document does not show it. */
export const MEANINGS_KEY = "x-meanings";

/** Meanings by the path of a field. Elements of lists have the path of their list. */
export type Meanings = Readonly<Record<string, string>>;

const partsOf = (ast: AST.AST): ReadonlyArray<AST.AST> => {
  switch (ast._tag) {
    case "Refinement":
    case "Transformation":
      return [ast.from];
    case "Union":
      return ast.types;
    case "TupleType":
      return ast.rest.map(({ type }) => type);
    default:
      return [];
  }
};

/** An annotation of a field; one with a default may also be undefined, so that its type is a member of a union. */
const annotationOf = <Value>(ast: AST.AST, key: symbol): Option.Option<Value> =>
  Option.orElse(AST.getAnnotation<Value>(ast, key), () =>
    AST.isUnion(ast)
      ? Option.firstSomeOf(ast.types.map((member) => annotationOf<Value>(member, key)))
      : Option.none(),
  );

/** The examples that the fields of a schema state, in an object; a field without an example of its own has those below it. */
const collectExamples = (ast: AST.AST): JsonObject | null => {
  if (!AST.isTypeLiteral(ast))
    return (
      partsOf(ast)
        .map(collectExamples)
        .find((found) => found !== null) ?? null
    );
  const fields = ast.propertySignatures.flatMap(({ name, type }) => {
    const value = Option.getOrElse(annotationOf<Json>(type, Field.EXAMPLE), () => collectExamples(type));
    return value === null ? [] : [[String(name), value] as const];
  });
  return fields.length === 0 ? null : Object.fromEntries(fields);
};

/** The examples of the fields of a schema. */
export const exampleOf = ({ ast }: Schema.Schema.All): JsonObject => collectExamples(ast) ?? {};

const collect = (ast: AST.AST, path: string): ReadonlyArray<readonly [path: string, meaning: string]> =>
  AST.isTypeLiteral(ast)
    ? ast.propertySignatures.flatMap(({ name, type }) => {
        const below = path === "" ? String(name) : `${path}.${String(name)}`;
        const meaning = Option.toArray(annotationOf<string>(type, Field.MEANING));
        return [...meaning.map((text) => [below, text] as const), ...collect(type, below)];
      })
    : partsOf(ast).flatMap((part) => collect(part, path));

/** The meanings of the fields of a schema. */
export const meaningsIn = ({ ast }: Schema.Schema.All): Meanings => Object.fromEntries(collect(ast, ""));

type Request = Pick<
  HttpApiEndpoint.HttpApiEndpoint.AnyWithProps,
  "pathSchema" | "urlParamsSchema" | "payloadSchema"
>;

/** The meanings of the parameters and of the fields of the body of an operation. */
export const meaningsOf = ({ pathSchema, urlParamsSchema, payloadSchema }: Request): Meanings =>
  Object.assign(
    {},
    ...[pathSchema, urlParamsSchema, payloadSchema].flatMap((schema) =>
      Option.toArray<Schema.Schema.All>(schema).map(meaningsIn),
    ),
  );
