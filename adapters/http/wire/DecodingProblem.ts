/** What is wrong with a value that a schema refuses, in words for the sender: the field's path, then what it must be. */
import { SchemaAST as AST, Option, type ParseResult } from "effect";
import { Refusal } from "quittance";

type Found = { readonly path: ReadonlyArray<string>; readonly message: string };

const SHOWN_MAX = 100;

const shorten = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

const bounds = (jsonSchema: object): string | null => {
  if ("minimum" in jsonSchema && "maximum" in jsonSchema) {
    return `must be ${jsonSchema.minimum} to ${jsonSchema.maximum}`;
  }
  return "type" in jsonSchema && jsonSchema.type === "integer" ? "must be a whole number" : null;
};

const refinement = (ast: AST.Refinement): string =>
  Option.match(AST.getJSONSchemaAnnotation(ast), {
    onNone: () => expected(ast.from),
    onSome: (jsonSchema) => bounds(jsonSchema) ?? expected(ast.from),
  });

/** Members of a union that mean an absent value; errors do not mention them. */
const isAbsence = (ast: AST.AST): boolean =>
  AST.isUndefinedKeyword(ast) || (AST.isLiteral(ast) && ast.literal === null);

const literals = (ast: AST.Union): ReadonlyArray<string> | null =>
  ast.types.every((member) => AST.isLiteral(member))
    ? ast.types.map((member) => (AST.isLiteral(member) ? String(member.literal) : ""))
    : null;

const union = (ast: AST.Union): string => {
  const choices = literals(ast);
  if (choices !== null) return `must be one of ${choices.join(", ")}`;
  const members = ast.types.filter((member) => !isAbsence(member));
  return `must be ${members.map((member) => expected(member).replace(/^must be /, "")).join(" or ")}`;
};

/** What a value of a schema must be. */
const expected = (ast: AST.AST): string => {
  switch (ast._tag) {
    case "StringKeyword":
      return "must be a string";
    case "NumberKeyword":
      return "must be a number";
    case "BooleanKeyword":
      return "must be true or false";
    case "TypeLiteral":
      return "must be an object";
    case "TupleType":
      return "must be a list";
    case "Literal":
      return `must be ${ast.literal}`;
    case "Union":
      return union(ast);
    case "Refinement":
      return refinement(ast);
    case "Transformation":
      return expected(ast.from);
    default:
      return "is not a valid value";
  }
};

const ownMessage = (issue: ParseResult.Refinement | ParseResult.Type): string | null => {
  const message = Option.getOrNull(AST.getMessageAnnotation(issue.ast));
  const text = message === null ? null : message(issue);
  return typeof text === "string" ? text : null;
};

const below = (path: ParseResult.Path, found: Found): Found => ({
  ...found,
  path: [...(Array.isArray(path) ? path : [path]).map((step) => shorten(String(step))), ...found.path],
});

const isOfAnotherType = ({ path }: Found): boolean => path.length === 1 && path[0] === "type";

/** The member of a union that is closest to the value: of the type that it names, with the deepest problem. */
const ofUnion = (ast: AST.AST, issues: ReadonlyArray<ParseResult.ParseIssue>): Found => {
  const all = issues
    .filter((issue) => !(issue._tag === "Type" && isAbsence(issue.ast)))
    .map((issue) => find(issue));
  const ofType = all.filter((one) => !isOfAnotherType(one));
  const found = ofType.length > 0 ? ofType : all;
  const deepest = found.reduce<Found | null>(
    (chosen, next) => (chosen === null || next.path.length > chosen.path.length ? next : chosen),
    null,
  );
  return deepest !== null && (deepest.path.length > 0 || found.length === 1)
    ? deepest
    : { path: [], message: expected(ast) };
};

const find = (issue: ParseResult.ParseIssue): Found => {
  switch (issue._tag) {
    case "Pointer":
      return below(issue.path, find(issue.issue));
    case "Composite": {
      const issues = "_tag" in issue.issues ? [issue.issues] : issue.issues;
      const [first] = issues;
      return AST.isUnion(issue.ast) || first === undefined ? ofUnion(issue.ast, issues) : find(first);
    }
    case "Refinement": {
      const own = issue.kind === "Predicate" ? ownMessage(issue) : null;
      return own === null ? find(issue.issue) : { path: [], message: own };
    }
    case "Transformation":
      return find(issue.issue);
    case "Missing":
      return { path: [], message: "is required" };
    case "Unexpected":
      return { path: [], message: "is not a known field" };
    case "Type":
      return { path: [], message: issue.message ?? ownMessage(issue) ?? expected(issue.ast) };
    case "Forbidden":
      return { path: [], message: "is not a valid value" };
  }
};

/** The first complaint of a schema as a refusal; `whole` names the value itself where no field is to blame. */
export const refusal = (issue: ParseResult.ParseIssue, whole: string): Refusal.Invalid => {
  const { path, message } = find(issue);
  return Refusal.invalid(path.length === 0 ? whole : path.join("."), message);
};
