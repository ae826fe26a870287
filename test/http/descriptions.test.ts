import { describe, expect, it } from "vitest";
import { document, type Operation, operations, resolved, type Schema } from "./Document.ts";

type Described = Schema & { readonly description?: string };

/** Descriptions that say only the form of a value, as every value of its type has them. */
const FORMS = [
  /^A UUID/,
  /^RFC 3339/,
  /^An ISO 4217 code/,
  /^A calendar date/,
  /^An? (array|number|string)\b/i,
  /^Matches any of these values/,
  /^The record's id\.$/,
];

const hasMeaning = (description: string | undefined): boolean =>
  description !== undefined && description.trim() !== "" && !FORMS.some((form) => form.test(description));

/** The one value of a member of a union that chooses it. */
const isDiscriminator = (name: string, field: Schema): boolean => name === "type" && field.enum?.length === 1;

/** The fields of a body at any depth. Nodes of the formula language have a description each, see below. */
const fieldsOf = (given: Described, path = ""): ReadonlyArray<readonly [string, Described]> => {
  const schema = resolved<Described>(given);
  if (given.$ref?.endsWith("/Expression")) return [];
  const { properties = {}, items, anyOf = [], oneOf = [] } = schema;
  const named = Object.entries<Described>(properties);
  // Next to properties, anyOf and oneOf state conditions between them.
  const members = named.length === 0 ? [...anyOf, ...oneOf] : [];
  return [
    ...named
      .filter(([name, field]) => !isDiscriminator(name, field))
      .flatMap(([name, field]) => [
        [`${path}.${name}`, field] as const,
        ...fieldsOf(field, `${path}.${name}`),
      ]),
    ...(items === undefined ? [] : fieldsOf(items, path)),
    ...members.flatMap((member) => fieldsOf(member, path)),
  ];
};

const byName = operations.map((operation) => [operation.name, operation] as const);
const bodyFields = ({ request }: Operation) => fieldsOf(request?.schema ?? {});

describe("descriptions in the OpenAPI document", () => {
  it.each(byName)("%s has a summary, and a description that says more", (_name, { summary, description }) => {
    expect(summary).not.toBe("");
    expect(description).not.toBe("");
    expect(description).not.toBe(summary);
  });

  it.each(byName)("each parameter of %s has its meaning", (_name, { parameters, path }) => {
    const ownId = (name: string) => name === "id" && path.includes("{id}");
    const without = parameters.filter(
      ({ name, description }) => !hasMeaning(description) && !(ownId(name) && description !== ""),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
  });

  it.each(byName)("each field in the body of %s has its meaning", (_name, operation) => {
    const without = bodyFields(operation).filter(([, { description }]) => !hasMeaning(description));
    expect(without.map(([path]) => path)).toEqual([]);
  });

  it("a date that filters or bounds says whether it is included, and its form", () => {
    const isDate = ({ format }: Schema) => format === "date-time";
    const dates = operations.flatMap(({ name, parameters }) =>
      parameters
        .filter(({ schema }) => isDate(schema))
        .map((parameter) => [`${name} ${parameter.name}`, parameter.description] as const),
    );
    expect(dates.length).toBeGreaterThan(10);
    for (const [name, description] of dates) {
      expect(description, name).toMatch(/[Ii]nclusive|[Ee]xclusive|at this moment/);
      expect(description, name).toMatch(/RFC 3339/);
    }
  });

  it("every node of the formula language has a description", () => {
    const nodes: ReadonlyArray<Described> = document.components.schemas.Expression.oneOf.map(resolved);
    expect(nodes.length).toBeGreaterThan(20);
    for (const node of nodes) expect(node.description, JSON.stringify(node.properties?.type)).toBeTruthy();
  });

  it("a form alone is found", () => {
    expect(hasMeaning("A UUID, in any letter case.")).toBe(false);
    expect(hasMeaning("an array of at most 100 item(s)")).toBe(false);
    expect(hasMeaning("The partner. A UUID, in any letter case.")).toBe(true);
    expect(
      fieldsOf({ type: "object", properties: { inner: { properties: { deep: { type: "string" } } } } }).map(
        ([path]) => path,
      ),
    ).toEqual([".inner", ".inner.deep"]);
  });
});
