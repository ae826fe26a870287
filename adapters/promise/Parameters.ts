/** Refuses arguments that a method does not know: a misspelt filter would be no filter, and a misspelt field another command. */
import { UnknownField } from "quittance";
import { InvalidError } from "../client/QuittanceError.ts";
import { errorFromInput } from "./Failure.ts";
import { METHODS } from "./Methods.ts";

/** The fields of an input; null where any name is one. */
type Fields = ReadonlyMap<string, Fields | null>;

/** A parameter of a method. */
interface Parameter {
  readonly name: string;
  readonly fields: Fields | null;
}

/** The parameters that a text of the table states. */
const parse = (text: string): ReadonlyArray<Parameter> => {
  const tokens = text.match(/\w+|[()]/g) ?? [];
  let next = 0;
  const readAll = (): ReadonlyArray<Parameter> => {
    const found: Array<Parameter> = [];
    for (let name = tokens[next]; name !== undefined && name !== ")"; name = tokens[next]) {
      next += 1;
      let fields: Fields | null = null;
      if (tokens[next] === "(") {
        next += 1;
        fields = new Map(readAll().map((field) => [field.name, field.fields]));
        next += 1;
      }
      found.push({ name, fields });
    }
    return found;
  };
  return readAll();
};

const checkFields = (fields: Fields, value: unknown, path: ReadonlyArray<string>): void => {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkFields(fields, item, [...path, String(index)]);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const below = fields.get(name);
    if (below === undefined) throw errorFromInput(UnknownField.unknownField(path, name, [...fields.keys()]));
    if (below !== null) checkFields(below, item, [...path, name]);
  }
};

const known = new Map<string, ReadonlyArray<Parameter>>();

const parametersOf = (service: string, method: string): ReadonlyArray<Parameter> => {
  const name = `${service}.${method}`;
  const found = known.get(name) ?? parse(METHODS[service]?.[method] ?? "");
  known.set(name, found);
  return found;
};

/** What an argument states beyond the parameters; empty options state nothing. */
const namesOf = (argument: unknown): ReadonlyArray<string> =>
  typeof argument === "object" ? Object.keys(argument ?? {}) : argument === undefined ? [] : ["options"];

/** A check of the arguments of a method, without the options of the call; it throws an `InvalidError`. */
export const checkerOf = (service: string, method: string): ((args: ReadonlyArray<unknown>) => void) => {
  if (METHODS[service]?.[method] === undefined)
    throw new Error(`the parameters of ${service}.${method} are not known: npm run docs writes them`);
  return (args) => {
    const parameters = parametersOf(service, method);
    for (const [index, argument] of args.slice(0, parameters.length).entries()) {
      const fields = parameters[index]?.fields ?? null;
      if (fields !== null) checkFields(fields, argument, []);
    }
    const field = args.slice(parameters.length).flatMap(namesOf)[0];
    if (field === undefined) return;
    const names = [...parameters.map(({ name }) => name), "options"].join(", ");
    throw new InvalidError(
      `${field}: is no option of ${service}.${method}(${names}); there are signal and idempotencyKey`,
      { field },
    );
  };
};
