/** The arguments by which a method of the client takes the parameters of its path. */
import { camelCase, type Schema } from "./ClientTypes.ts";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

/** One argument with its type for each parameter of a path, in their order: a text, or a number. */
export const pathArguments = (path: string, parameters: ReadonlyArray<Parameter>): ReadonlyArray<string> =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => {
    const { schema } = parameters.find((parameter) => parameter.name === name) ?? {};
    return `${camelCase(name)}: ${schema?.type === "integer" ? "number" : "string"}`;
  });
