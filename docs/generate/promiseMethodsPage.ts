/** Prints docs/promise-methods.md: every method of `quittance/promise`, with what it takes, and an example that calls it. */
import { readFileSync } from "node:fs";
import { code, filled, table } from "./Markdown.ts";
import { callableMethods, type Method } from "./PromiseMethods.ts";

/** The path of the page. */
export const file = "docs/promise-methods.md";

/** The services whose methods belong to the engine, not to a caller. */
const OF_ENGINE: ReadonlySet<string> = new Set(["", "deadLetters", "erasures"]);

/** How an example calls a method. */
const callOf = ({ service, name }: Method): string => {
  if (service === "") return name === "open" ? "open(" : `quittance.${name}(`;
  return `${OF_ENGINE.has(service) ? "quittance" : "me"}.${service}.${name}(`;
};

const marked = (name: string, isOptional: boolean): string => `${name}${isOptional ? "?" : ""}`;

const rowOf = ({ service, name, description, parameters }: Method): ReadonlyArray<string> => {
  const [sentence] = /^[\s\S]*?[.;](?=\s|$)/.exec(description) ?? [];
  if (sentence === undefined) throw new Error(`${service}.${name} has no sentence that describes it`);
  const taken = parameters.filter((parameter) => parameter.name !== "signal");
  const fields = taken
    .flatMap((parameter) =>
      [...(parameter.fields?.keys() ?? [])].map((field) => marked(field, parameter.optional.has(field))),
    )
    .sort((a, b) => Number(a.endsWith("?")) - Number(b.endsWith("?")));
  const names = taken.map((parameter) => marked(parameter.name, parameter.isOptional)).join(", ");
  return [
    code(`${OF_ENGINE.has(service) && service !== "" ? `${service}.` : ""}${name}(${names})`),
    fields.map(code).join(" "),
    // The callers of a host are the principals of the services.
    sentence.replace(/\s+/g, " ").replaceAll("principal", "caller").replace(/;$/, "."),
  ];
};

/** The page: the template with a table for each service. Throws for a method without an example, and a service without a table. */
export const print = (): string => {
  const methods = callableMethods();
  const template = readFileSync(new URL("./promise-methods.md", import.meta.url), "utf8");
  const silent = methods.filter((method) => !template.includes(callOf(method)));
  if (silent.length > 0)
    throw new Error(`docs/generate/promise-methods.md has no example of ${silent.map(callOf).join(", ")}`);
  const left = new Set(methods);
  const page = filled(template, (part) => {
    const [kind, service = ""] = part.split(" ");
    if (kind !== "methods") return `<!-- ${part} -->`;
    const own = methods.filter((method) =>
      service === "engine" ? OF_ENGINE.has(method.service) : method.service === service,
    );
    for (const method of own) left.delete(method);
    return own.length === 0 ? undefined : table(["Method", "Fields", "What it does"], own.map(rowOf));
  });
  if (left.size > 0)
    throw new Error(`docs/generate/promise-methods.md has no table for ${[...left].map(callOf).join(", ")}`);
  return page;
};
