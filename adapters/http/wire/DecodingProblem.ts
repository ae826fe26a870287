/** Explains to the sender why a schema refuses a value: the field's path, then what the field must be. */
import { SchemaAST as AST, Option, type ParseResult } from "effect";
import { Refusal } from "quittance";

type Problem = { readonly path: ReadonlyArray<string>; readonly message: string };

const SHOWN_MAX = 100;

const shorten = (text: string): string => (text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text);

const describeBounds = (jsonSchema: object): string | null => {
  if ("minimum" in jsonSchema && "maximum" in jsonSchema) {
    return `must be ${jsonSchema.minimum} to ${jsonSchema.maximum}`;
  }
  return "type" in jsonSchema && jsonSchema.type === "integer" ? "must be a whole number" : null;
};

const describeRefinement = (ast: AST.Refinement): string =>
  Option.match(AST.getJSONSchemaAnnotation(ast), {
    onNone: () => describeExpected(ast.from),
    onSome: (jsonSchema) => describeBounds(jsonSchema) ?? describeExpected(ast.from),
  });

/** Members of a union that mean an absent value; errors do not mention them. */
const isAbsence = (ast: AST.AST): boolean =>
  AST.isUndefinedKeyword(ast) || (AST.isLiteral(ast) && ast.literal === null);

const literals = (ast: AST.Union): ReadonlyArray<string> | null =>
  ast.types.every((member) => AST.isLiteral(member))
    ? ast.types.map((member) => (AST.isLiteral(member) ? String(member.literal) : ""))
    : null;

const describeUnion = (ast: AST.Union): string => {
  const choices = literals(ast);
  if (choices !== null) return `must be one of ${choices.join(", ")}`;
  const members = ast.types.filter((member) => !isAbsence(member));
  return `must be ${members.map((member) => describeExpected(member).replace(/^must be /, "")).join(" or ")}`;
};

/** What a value of a schema must be. */
const describeExpected = (ast: AST.AST): string => {
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
      return describeUnion(ast);
    case "Refinement":
      return describeRefinement(ast);
    case "Transformation":
      return describeExpected(ast.from);
    default:
      return "is not a valid value";
  }
};

const ownMessage = (issue: ParseResult.Refinement | ParseResult.Type): string | null => {
  const message = Option.getOrNull(AST.getMessageAnnotation(issue.ast));
  const text = message === null ? null : message(issue);
  return typeof text === "string" ? text : null;
};

const prependPath = (path: ParseResult.Path, problem: Problem): Problem => ({
  ...problem,
  path: [...(Array.isArray(path) ? path : [path]).map((step) => shorten(String(step))), ...problem.path],
});

const isOfAnotherType = ({ path }: Problem): boolean => path.length === 1 && path[0] === "type";

/** The problem of the member that is closest to the value: of the type that the value names, and deepest in the value. */
const findUnionProblem = (ast: AST.AST, issues: ReadonlyArray<ParseResult.ParseIssue>): Problem => {
  const all = issues
    .filter((issue) => !(issue._tag === "Type" && isAbsence(issue.ast)))
    .map((issue) => findProblem(issue));
  const sameType = all.filter((problem) => !isOfAnotherType(problem));
  const candidates = sameType.length > 0 ? sameType : all;
  const deepest = candidates.reduce<Problem | null>(
    (chosen, next) => (chosen === null || next.path.length > chosen.path.length ? next : chosen),
    null,
  );
  return deepest !== null && (deepest.path.length > 0 || candidates.length === 1)
    ? deepest
    : { path: [], message: describeExpected(ast) };
};

const findProblem = (issue: ParseResult.ParseIssue): Problem => {
  switch (issue._tag) {
    case "Pointer":
      return prependPath(issue.path, findProblem(issue.issue));
    case "Composite": {
      const issues = "_tag" in issue.issues ? [issue.issues] : issue.issues;
      const [first] = issues;
      return AST.isUnion(issue.ast) || first === undefined
        ? findUnionProblem(issue.ast, issues)
        : findProblem(first);
    }
    case "Refinement": {
      const message = issue.kind === "Predicate" ? ownMessage(issue) : null;
      return message === null ? findProblem(issue.issue) : { path: [], message: message };
    }
    case "Transformation":
      return findProblem(issue.issue);
    case "Missing":
      return { path: [], message: "is required" };
    case "Unexpected":
      return { path: [], message: "is not a known field" };
    case "Type":
      return { path: [], message: issue.message ?? ownMessage(issue) ?? describeExpected(issue.ast) };
    case "Forbidden":
      return { path: [], message: "is not a valid value" };
  }
};

/** The first problem as a refusal; `whole` names the value where the problem is in no field. */
export const refusal = (issue: ParseResult.ParseIssue, whole: string): Refusal.Invalid => {
  const { path, message } = findProblem(issue);
  return Refusal.invalid(path.length === 0 ? whole : path.join("."), message);
};
