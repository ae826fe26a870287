import { readFileSync } from "node:fs";
import { Either } from "effect";
import { FormulaSchemas } from "quittance";
import { decode } from "quittance/formula";
import { describe, expect, it } from "vitest";
import { GRAMMAR } from "../../src/formula/Expression.ts";
import { KINDS } from "../../src/formula/Grammar.ts";
import { sized } from "../support/profile.ts";
import { expression, random } from "./RandomFormula.ts";
import { accumulating } from "./RandomHistory.ts";

const schemas = FormulaSchemas.jsonSchemas();

const resolve = (schema: FormulaSchemas.JsonSchema): FormulaSchemas.JsonSchema => {
  const target =
    schema.$ref === undefined ? schema : schemas[schema.$ref.replace("#/components/schemas/", "")];
  if (target === undefined) throw new Error(`${schema.$ref} is not there`);
  return target;
};

/** True if a value satisfies a schema, for the keywords that the schemas use. */
const isValid = (reference: FormulaSchemas.JsonSchema, value: unknown): boolean => {
  const schema = resolve(reference);
  if (schema.oneOf !== undefined)
    return schema.oneOf.filter((jsonSchema) => isValid(jsonSchema, value)).length === 1;
  switch (schema.type) {
    case "object": {
      if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
      const { properties = {}, required = [] } = schema;
      return (
        required.every((name) => Object.hasOwn(value, name)) &&
        Object.entries(value).every(([name, inner]) => {
          const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
          return property !== undefined && isValid(property, inner);
        })
      );
    }
    case "array":
      return (
        Array.isArray(value) &&
        value.length >= (schema.minItems ?? 0) &&
        value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY) &&
        value.every((item) => schema.items !== undefined && isValid(schema.items, item))
      );
    case "string":
      return (
        typeof value === "string" &&
        Array.from(value).length >= (schema.minLength ?? 0) &&
        Array.from(value).length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
        (schema.enum?.includes(value) ?? true)
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        (schema.type === "number" || Number.isInteger(value)) &&
        value >= (schema.minimum ?? Number.NEGATIVE_INFINITY) &&
        value <= (schema.maximum ?? Number.POSITIVE_INFINITY)
      );
    case "boolean":
      return typeof value === "boolean";
    default:
      throw new Error("a schema without a type");
  }
};

const root: FormulaSchemas.JsonSchema = { $ref: "#/components/schemas/Expression" };

type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [key: string]: Json };

/** The value with one thing in it changed: a key lost, added or renamed, or a value replaced. */
const damaged = (r: ReturnType<typeof random>, value: Json): Json => {
  const others: ReadonlyArray<Json> = [
    null,
    true,
    -3,
    "x",
    "",
    [],
    {},
    { type: "number", value: 1 },
    { type: "add" },
  ];
  if (typeof value !== "object" || value === null || r.chance(0.1)) return r.pick(others);
  if (Array.isArray(value)) {
    if (value.length === 0 || r.chance(0.1)) return [];
    const index = r.integer(0, value.length - 1);
    return value.map((item: Json, place) => (place === index ? damaged(r, item) : item));
  }
  const keys = Object.keys(value);
  const key = r.pick([...keys, "extra"]);
  const inner = (value as { readonly [key: string]: Json })[key];
  if (inner === undefined) return { ...value, extra: 1 };
  if (r.chance(0.1)) return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: damaged(r, inner) };
};

const published: {
  readonly components: { readonly schemas: Readonly<Record<string, FormulaSchemas.JsonSchema>> };
} = JSON.parse(readFileSync(new URL("../../docs/openapi.json", import.meta.url), "utf8"));

describe("the JSON schemas", () => {
  it("are published word by word in the OpenAPI document", () => {
    for (const [name, schema] of Object.entries(schemas))
      expect(published.components.schemas[name], name).toEqual(schema);
  });

  it("have one schema per kind of node, of value and of window", () => {
    expect(resolve(root).oneOf).toHaveLength(KINDS.length);
    expect(KINDS).toHaveLength(Object.keys(GRAMMAR).length);
    expect(Object.keys(schemas)).toHaveLength(KINDS.length + 6 + 3 + 4 + 1);
    for (const [type, target] of Object.entries(resolve(root).discriminator?.mapping ?? {}))
      expect(resolve({ $ref: target }).properties?.type?.enum).toEqual([type]);
  });

  it("refer to each other by the given prefix", () => {
    const text = JSON.stringify(FormulaSchemas.jsonSchemas("#/$defs/"));
    expect(text).toContain('"#/$defs/Expression"');
    expect(text).not.toContain("components");
  });

  it("accept what decode accepts, and refuse what decode refuses for its shape", () => {
    const beyondSchemas = /nodes|bytes|digits|decimals|must be a date/;
    let refused = 0;
    for (let seed = 1; seed <= sized(300, 600, 1_500); seed++) {
      const r = random(seed);
      const accumulates = r.chance(0.3);
      const input: Json = JSON.parse(
        JSON.stringify(accumulates ? accumulating(r, 3) : expression(r, "number", r.integer(1, 4))),
      );
      for (const candidate of [input, damaged(r, input), damaged(r, input)]) {
        const decoded = decode(candidate);
        if (Either.isLeft(decoded) && beyondSchemas.test(decoded.left.message)) continue;
        expect(isValid(root, candidate), `seed ${seed}: ${JSON.stringify(decoded)}`).toBe(
          Either.isRight(decoded),
        );
        if (Either.isLeft(decoded)) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});
