/** Prints adapters/promise/Methods.ts: the parameters of every method, and the fields of their inputs. */
import { execFileSync } from "node:child_process";
import { type Fields, promiseMethods } from "./PromiseMethods.ts";

/** The path of the table. */
export const file = "adapters/promise/Methods.ts";

const HEADER = `/**
 * The parameters of every method and the fields that their inputs may have, generated from the types of the services by
 * \`npm run docs\`: change the services, not this file. \`input(name address(street))\` is a parameter with two fields, one
 * of which has a field; one without parentheses has any.
 */
export const METHODS: Readonly<Record<string, Readonly<Record<string, string>>>> = `;

const printFields = (name: string, fields: Fields | null): string =>
  fields === null
    ? name
    : `${name}(${[...fields]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([field, below]) => printFields(field, below))
        .join(" ")})`;

/** The whole module. */
export const print = (): string => {
  const services = new Map<string, Map<string, string>>();
  for (const { service, name, parameters } of promiseMethods()) {
    const methods = services.get(service) ?? new Map<string, string>();
    services.set(service, methods);
    methods.set(name, parameters.map((parameter) => printFields(parameter.name, parameter.fields)).join(" "));
  }
  const table = Object.fromEntries(
    [...services].map(([service, methods]) => [service, Object.fromEntries(methods)]),
  );
  return execFileSync(
    new URL("../../node_modules/.bin/biome", import.meta.url).pathname,
    ["format", "--stdin-file-path", file],
    {
      input: `${HEADER}${JSON.stringify(table)};`,
      encoding: "utf8",
      cwd: new URL("../..", import.meta.url),
    },
  );
};
