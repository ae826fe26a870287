/** The types of what an expression names: properties of the schema, parameters of the formula, and variables. */
import { Either } from "effect";
import type { Node } from "./Expression.ts";
import type { ParameterDefinition } from "./Parameter.ts";
import { at, type Problem } from "./Problem.ts";
import type { PropertyDefinition } from "./Property.ts";
import * as Type from "./Type.ts";

/** What can be named at a place in an expression. */
export type Scope = {
  readonly properties: ReadonlyMap<string, PropertyDefinition>;
  readonly parameters: ReadonlyMap<string, ParameterDefinition>;
  readonly variables: ReadonlyMap<string, Type.Typed>;
  /** Inside an aggregate: the variables bound around it, which its rows do not have. */
  readonly outerVariables: ReadonlyMap<string, Type.Typed> | undefined;
};

type Result = Either.Either<Type.Typed, Problem>;

/** The type of a property. */
export const property = (node: Node<"property">, path: string, scope: Scope): Result => {
  const definition = scope.properties.get(node.name);
  if (definition === undefined) return at(`${path}.name`, `the schema has no property \`${node.name}\``);
  const type = Type.fromProperty(definition.type);
  return Either.right(Type.absentIf(!definition.required && definition.default === undefined, type));
};

/** The refusal of a parameter that is not declared. */
export const undeclared = (name: string, path: string): Either.Either<never, Problem> =>
  at(path, `no parameter \`${name}\` is declared`);

/** The type of an attribute. */
export const attribute = ({ name }: Node<"attribute">, path: string, scope: Scope): Result =>
  name === "sellers_commission" && scope.outerVariables !== undefined
    ? at(path, "sellers_commission cannot be read inside an aggregate, whose rows are other sales")
    : Either.right(Type.fromAttribute(name));

/** The type of a parameter, which is never absent. */
export const parameter = (node: Node<"parameter">, path: string, scope: Scope): Result => {
  if (scope.outerVariables !== undefined)
    return at(
      path,
      "a parameter cannot be read inside an aggregate, whose value and where can use only the row",
    );
  const definition = scope.parameters.get(node.name);
  return definition === undefined
    ? undeclared(node.name, `${path}.name`)
    : Either.right(Type.neverAbsent(Type.fromParameter(definition.type)));
};

/** The type of a variable. */
export const variable = (node: Node<"variable">, path: string, scope: Scope): Result => {
  const typed = scope.variables.get(node.name);
  if (typed !== undefined) return Either.right(typed);
  return at(
    `${path}.name`,
    scope.outerVariables?.has(node.name)
      ? `\`${node.name}\` is bound outside the aggregate, whose value and where can use only the row`
      : `no enclosing \`let\` binds \`${node.name}\``,
  );
};
