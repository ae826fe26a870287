/** Everything that a caller can make long, many or large has a limit in the contract. */
import { describe, expect, it } from "vitest";
import { operations, resolved, type Schema } from "./Document.ts";

/** Formats and enumerations have a longest text. */
const isBounded = ({ enum: values, format, maxLength, pattern }: Schema): boolean =>
  [values, maxLength, pattern].some((limit) => limit !== undefined) ||
  ["uuid", "date", "date-time", "binary"].includes(format ?? "");

/** Objects whose names the caller chooses: what limits their number. */
const NAMES: Readonly<Record<string, string>> = {
  properties: "the properties of the schema",
  parameters: "the parameters of the plan",
  values: "the parameters of the formula or plan",
  details: "PAYOUT_FIELDS_MAX, as their type demands",
  minimum: "the currencies",
  auto_approve: "the currencies",
  four_eyes_above: "the currencies",
};

/** The places of a schema that have no limit. A node of the language is checked by its depth and its number of nodes. */
function* unlimited(given: Schema, path: string): Generator<string> {
  if (given.$ref?.endsWith("/Expression") === true) return;
  const schema = resolved(given);
  const { type, items, properties = {}, additionalProperties } = schema;
  // Members beside a type narrow it.
  if (type === undefined)
    for (const member of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.oneOf ?? [])])
      yield* unlimited(member, path);
  if (type === "string" && !isBounded(schema)) yield `${path}: text`;
  if (type === "array") {
    if (schema.maxItems === undefined) yield `${path}: array`;
    if (items !== undefined) yield* unlimited(items, `${path}[]`);
  }
  if (type === "integer" || type === "number") {
    const { minimum, maximum } = schema;
    if (minimum === undefined || maximum === undefined) yield `${path}: number`;
  }
  for (const [name, field] of Object.entries(properties)) yield* unlimited(field, `${path}.${name}`);
  if (typeof additionalProperties === "object") {
    if (NAMES[path.split(".").at(-1) ?? ""] === undefined) yield `${path}: names`;
    yield* unlimited(additionalProperties, `${path}.*`);
  }
}

describe("every field of a request", () => {
  const bodies = operations.flatMap(({ id, request }) =>
    request === null ? [] : [{ id, schema: request.schema as Schema }],
  );

  it("has a limit", () => {
    expect(bodies.length).toBeGreaterThan(30);
    expect(bodies.flatMap(({ id, schema }) => [...unlimited(schema, id)])).toEqual([]);
  });

  it("without a limit is found", () => {
    const schema: Schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        tags: { type: "array", items: { type: "string", maxLength: 10 } },
        count: { type: "integer", minimum: 0 },
        map: { type: "object", additionalProperties: { type: "boolean" } },
      },
    };
    expect([...unlimited(schema, "post")]).toEqual([
      "post.name: text",
      "post.tags: array",
      "post.count: number",
      "post.map: names",
    ]);
  });
});

it("every parameter that is a list or a number has a limit; a text is as long as a URL may be", () => {
  const found = operations.flatMap(({ id, parameters }) =>
    parameters.flatMap(({ name, schema }) => [...unlimited(schema, `${id}?${name}`)]),
  );
  expect(found.filter((place) => !place.endsWith(": text"))).toEqual([]);
});
