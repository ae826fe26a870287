/**
 * The form in which responses state what the domain declares: the same fields under their wire names, without the rules of
 * requests, and with their meanings where those hold for responses too.
 */
import { SchemaAST as AST, Option, Schema } from "effect";
import { Field } from "quittance";
import { Amount, CalendarDate, Currency, DateTime, Id, Integer, Sum } from "./Field.ts";
import type { CamelCase } from "./Name.ts";

/** A field of a record by its wire name; events have their fields under these names. */
type Member<Type, Name> =
  Extract<Type, object> extends infer Whole
    ? Name extends keyof Whole
      ? Whole[Name]
      : CamelCase<Name> extends keyof Whole
        ? Whole[CamelCase<Name>]
        : never
    : never;

/** Names of the fields that a stored record always has; a request may leave them out for a default. */
type Required<Type, Wire> = {
  [Name in keyof Wire]-?: undefined extends Member<Type, Name> ? never : Name;
}[keyof Wire];

/** The wire form of a type, from the form of requests. */
type Shown<Type, Wire> =
  Wire extends ReadonlyArray<infer Item>
    ? ReadonlyArray<Shown<Extract<Type, ReadonlyArray<unknown>>[number], Item>>
    : Wire extends object
      ? {
          readonly [Name in Required<Type, Wire>]: Shown<Member<Type, Name>, Exclude<Wire[Name], undefined>>;
        } & {
          readonly [Name in Exclude<keyof Wire, Required<Type, Wire>>]?: Shown<
            Exclude<Member<Type, Name>, undefined>,
            Exclude<Wire[Name], undefined>
          >;
        }
      : Wire extends string
        ? [Extract<Type, number>] extends [never]
          ? Wire
          : DateTime
        : Wire;

type ShownField<Value> = [undefined] extends [Value]
  ? Schema.optionalWith<Schema.Schema<Exclude<Value, undefined>>, { exact: true }>
  : Schema.Schema<Value>;

type ShownMembers<Members extends ReadonlyArray<Schema.Schema.All>> = {
  readonly [Index in keyof Members]: Schema.Schema<
    Shown<Schema.Schema.Type<Members[Index]>, Schema.Schema.Encoded<Members[Index]>>
  >;
};

/** The response schemas of strings, by what requests say of their form. */
const STRINGS: ReadonlyArray<readonly [keyword: string, value: string, shown: AST.AST]> = [
  ["format", "uuid", Id.ast],
  ["format", "date-time", DateTime.ast],
  ["format", "date", CalendarDate.ast],
  ["pattern", "^[A-Z]{3}$", Currency.ast],
];

/** The response schema of a rule, or null where it leaves the form as it is. */
const leafOf = (ast: AST.AST): AST.AST | null => {
  const form = Option.getOrElse(AST.getJSONSchemaAnnotation(ast), () => ({})) as Readonly<
    Record<string, unknown>
  >;
  if (form.type === "integer" && AST.isRefinement(ast))
    return (form.format === "int64" ? Amount : Integer).ast;
  if (form.type === "integer") return ast;
  return STRINGS.find(([keyword, value]) => form[keyword] === value)?.[2] ?? null;
};

const withoutUndefined = (ast: AST.AST): AST.AST =>
  AST.isUnion(ast) && ast.types.some(AST.isUndefinedKeyword)
    ? AST.Union.make(ast.types.filter((member) => !AST.isUndefinedKeyword(member)))
    : ast;

const withoutNull = (ast: AST.AST): AST.AST =>
  AST.isUnion(ast)
    ? AST.Union.make(ast.types.filter((member) => !AST.isLiteral(member) || member.literal !== null))
    : ast;

/** The fields of an object as records have them: under their wire names, optional only where a record may lack them. */
const signaturesOf = (ast: AST.AST): ReadonlyArray<AST.PropertySignature> => {
  if (AST.isRefinement(ast)) return signaturesOf(ast.from);
  if (AST.isTypeLiteral(ast))
    return ast.propertySignatures.map(
      ({ name, type, isOptional }) => new AST.PropertySignature(name, shownAst(type), isOptional, true),
    );
  if (!AST.isTransformation(ast) || !AST.isTypeLiteralTransformation(ast.transformation))
    throw new Error(`no fields in ${ast}`);
  const renamed = ast.transformation.propertySignatureTransformations;
  const stored = AST.getPropertySignatures(ast.to);
  return AST.getPropertySignatures(ast.from).map(({ name, type, isOptional }) => {
    const field = renamed.find(({ from }) => from === name)?.to ?? name;
    const isAbsent = stored.find((signature) => signature.name === field)?.isOptional ?? isOptional;
    return new AST.PropertySignature(name, shownAst(withoutUndefined(type)), isAbsent, true);
  });
};

/** The description of a type, also within the form that it states itself. */
const described = (shown: AST.AST, description: string) => ({
  [AST.DescriptionAnnotationId]: description,
  ...Option.match(AST.getJSONSchemaAnnotation(shown), {
    onNone: () => ({}),
    onSome: (form) => ({ [AST.JSONSchemaAnnotationId]: { ...form, description } }),
  }),
});

const shownAst = (ast: AST.AST): AST.AST => {
  const shown = leafOf(ast) ?? bareAst(ast);
  const name = AST.getAnnotation<string>(ast, Field.NAME);
  const meaning = AST.getAnnotation<string>(ast, Field.SHOWN_MEANING);
  if (Option.isNone(name) && Option.isNone(meaning)) return shown;
  return AST.annotations(shown, {
    ...(Option.isSome(name) ? { [AST.IdentifierAnnotationId]: name.value } : {}),
    ...(Option.isSome(meaning) ? described(shown, meaning.value) : {}),
  });
};

const bareAst = (ast: AST.AST): AST.AST => {
  switch (ast._tag) {
    case "Refinement":
      return shownAst(ast.from);
    case "Transformation":
      return AST.isTypeLiteralTransformation(ast.transformation)
        ? new AST.TypeLiteral(signaturesOf(ast), [])
        : shownAst(ast.from);
    case "TypeLiteral":
      return new AST.TypeLiteral(
        signaturesOf(ast),
        ast.indexSignatures.map(
          ({ parameter, type }) => new AST.IndexSignature(parameter, shownAst(type), true),
        ),
      );
    case "Union":
      return AST.Union.make(ast.types.map(shownAst));
    case "TupleType":
      return new AST.TupleType(
        [],
        ast.rest.map(({ type }) => new AST.Type(shownAst(type))),
        true,
      );
    case "Literal":
      return new AST.Literal(ast.literal);
    case "StringKeyword":
      return AST.stringKeyword;
    case "NumberKeyword":
      return AST.numberKeyword;
    case "BigIntKeyword":
      return Sum.ast;
    case "BooleanKeyword":
      return AST.booleanKeyword;
    default:
      throw new Error(`responses cannot state ${ast}`);
  }
};

/** What responses state of a value that requests state too. */
export const shown = <Type, Wire>(schema: Schema.Schema<Type, Wire>): Schema.Schema<Shown<Type, Wire>> =>
  Schema.make(shownAst(schema.ast));

/** The same for the fields of a record, to be the fields of a struct. */
export const shownFields = <Type, Wire>(
  schema: Schema.Schema<Type, Wire>,
): { readonly [Name in keyof Shown<Type, Wire>]-?: ShownField<Shown<Type, Wire>[Name]> } =>
  Object.fromEntries(
    signaturesOf(schema.ast).map(({ name, type, isOptional }) => [
      name,
      isOptional ? Schema.optionalWith(Schema.make(type), { exact: true }) : Schema.make(type),
    ]),
  ) as never;

/** The same where a record has a field only if there is something to state: each is optional, and none is null. */
export const presentFields = <Type, Wire>(
  schema: Schema.Schema<Type, Wire>,
): {
  readonly [Name in keyof Shown<Type, Wire>]-?: Schema.optionalWith<
    Schema.Schema<Exclude<Shown<Type, Wire>[Name], null | undefined>>,
    { exact: true }
  >;
} =>
  Object.fromEntries(
    signaturesOf(schema.ast).map(({ name, type }) => [
      name,
      Schema.optionalWith(Schema.make(withoutNull(type)), { exact: true }),
    ]),
  ) as never;

/** The same for the members of a union. */
export const shownMembers = <const Members extends ReadonlyArray<Schema.Schema.All>>({
  members,
}: {
  readonly members: Members;
}): ShownMembers<Members> => members.map(({ ast }) => Schema.make(shownAst(ast))) as never;
