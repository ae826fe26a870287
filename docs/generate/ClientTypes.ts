/** Prints schemas of the OpenAPI document as types of TypeScript, in the names that the client uses. */

/** A schema of the document, as far as its type is concerned. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly nullable?: boolean;
  readonly enum?: ReadonlyArray<unknown>;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly oneOf?: ReadonlyArray<Schema>;
  readonly allOf?: ReadonlyArray<Schema>;
}

/** Named schemas. */
export type Schemas = Readonly<Record<string, Schema>>;

/** How a schema is printed: as sent by the server, as the caller writes it, or as it travels. */
export type Form = "output" | "input" | "wire";

/** A name of HTTP as the client writes it. */
export const camelCase = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The name of a type. */
export const pascalCase = (name: string): string => name.replace(/^./, (letter) => letter.toUpperCase());

const PREFIX = "#/components/schemas/";

/** The name of the schema that a reference leads to. */
export const nameOf = ({ $ref }: Schema): string | null =>
  $ref?.startsWith(PREFIX) === true ? $ref.slice(PREFIX.length) : null;

/** The schema that a reference leads to, or the schema itself. */
export const resolve = (schemas: Schemas, schema: Schema): Schema => {
  const name = nameOf(schema);
  return name === null ? schema : (schemas[name] ?? {});
};

/** Fields whose own fields are fields of the record around them. */
export const FLAT = ["metadata", "view"];

/** Schemas with a language of their own. */
const LANGUAGES: ReadonlySet<string> = new Set(["Expression"]);

/** The schema of sums over any number of records, which are big integers here. */
const SUM = "Sum";

/** Where a field is: its own name after that of the nearest object with a name around it. */
const placeOf = (parent: string, name: string): string => `${parent}.${name}`;

/** The places of sums in responses. A place has either sums or other values, so that a client needs no schema to read them. */
export const sumPlaces = (schemas: Schemas, roots: ReadonlyArray<Schema>): ReadonlySet<string> => {
  const sums = new Set<string>();
  const others = new Set<string>();
  const seen = new Set<string>();
  const visit = (given: Schema, parent: string): void => {
    const key = `${parent} ${nameOf(given) ?? ""}`;
    if (nameOf(given) !== null && seen.has(key)) return;
    seen.add(key);
    const schema = resolve(schemas, given);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const isSum = nameOf(field) === SUM;
      (isSum ? sums : others).add(placeOf(parent, name));
      visit(field, name);
    }
    for (const part of [
      ...(schema.items === undefined ? [] : [schema.items]),
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ])
      visit(part, parent);
  };
  for (const root of roots) visit(root, "");
  const unclear = [...sums].filter((place) => others.has(place));
  if (unclear.length > 0) throw new Error(`a sum in one response and not in another: ${unclear.join(", ")}`);
  return sums;
};

/** Fields that have the same form here and over HTTP, whatever their schema is. */
const ALWAYS_UNCHANGED = ["event"];

const isFreeForm = (schemas: Schemas, schema: Schema): boolean => {
  const name = nameOf(schema);
  if (name !== null && LANGUAGES.has(name)) return true;
  const {
    properties = {},
    additionalProperties,
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = resolve(schemas, schema);
  if (typeof additionalProperties === "object" && Object.keys(properties).length === 0) return true;
  const isUnion = Object.keys(properties).length === 0;
  const parts = [...(items === undefined ? [] : [items]), ...(isUnion ? [...anyOf, ...oneOf, ...allOf] : [])];
  return parts.some((part) => isFreeForm(schemas, part));
};

/** The fields, anywhere in the schemas, whose content has the same form here and over HTTP. */
export const unchangedFields = (schemas: Schemas, roots: ReadonlyArray<Schema>): ReadonlySet<string> => {
  const found = new Set(ALWAYS_UNCHANGED);
  const seen = new Set<Schema>();
  const visit = (given: Schema): void => {
    const schema = resolve(schemas, given);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (isFreeForm(schemas, field)) found.add(name);
      else if (!found.has(name)) visit(field);
    }
    for (const part of [
      schema.items,
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
    ]) {
      if (part !== undefined) visit(part);
    }
  };
  roots.forEach(visit);
  return found;
};

/** The fields of requests that hold moments. A name has either moments or other values, so that a client needs no schema to write it. */
export const momentFields = (schemas: Schemas, roots: ReadonlyArray<Schema>): ReadonlySet<string> => {
  const moments = new Set<string>();
  const others = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (given: Schema, name: string): void => {
    const schema = resolve(schemas, given);
    if (schema.format === "date-time") moments.add(name);
    else if (schema.type === "integer" || schema.type === "number") others.add(name);
    if (seen.has(schema)) return;
    seen.add(schema);
    for (const [field, below] of Object.entries(schema.properties ?? {})) visit(below, field);
    const { items, anyOf = [], oneOf = [], allOf = [] } = schema;
    for (const part of [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf, ...allOf])
      visit(part, name);
  };
  for (const root of roots) visit(root, "");
  const unclear = [...moments].filter((name) => others.has(name));
  if (unclear.length > 0)
    throw new Error(`a moment in one request and a number in another: ${unclear.join(", ")}`);
  return moments;
};

const literal = (value: unknown): string => (value === null ? "null" : JSON.stringify(value));

const union = (types: ReadonlyArray<string>): string => [...new Set(types)].join(" | ");

const grouped = (type: string): string => (type.includes(" | ") ? `(${type})` : type);

const COMMENT_WIDTH = 100;

/** A text in lines that are not longer than comments should be. */
const linesOf = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= COMMENT_WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
};

/** A comment of paragraphs; nothing without any. */
export const comment = (paragraphs: ReadonlyArray<string>): string => {
  const lines = paragraphs
    .filter((text) => text !== "")
    .flatMap((text) => linesOf(text.replaceAll("*/", "* /")));
  return lines.length < 2
    ? lines.map((line) => `/** ${line} */\n`).join("")
    : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
};

/** Prints types, and keeps those that have a name. */
export const printer = (schemas: Schemas, unchanged: ReadonlySet<string>) => {
  const declared = new Map<string, string>();
  const names = new Map<string, string>();

  const reference = (name: string, form: Form): string => {
    if (LANGUAGES.has(name)) return name;
    if (name === SUM) return "bigint";
    const known = names.get(`${name} ${form}`);
    if (known !== undefined) return known;
    const schema = schemas[name] ?? {};
    const text = type(schema, form);
    const candidates = [name, `${name}${pascalCase(form)}`];
    const free = candidates.find((candidate) => !declared.has(candidate) || declared.get(candidate) === text);
    if (free === undefined) throw new Error(`the schema ${name} has no free name as ${form}`);
    declared.set(free, text);
    names.set(`${name} ${form}`, free);
    return free;
  };

  const fields = (schema: Schema, form: Form): ReadonlyArray<string> =>
    Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
      const within = resolve(schemas, field);
      if (form === "output" && FLAT.includes(name) && within.properties !== undefined)
        return fields(within, form);
      const isRequired = schema.required?.includes(name) ?? false;
      const shown = form === "wire" ? name : camelCase(name);
      const printed = type(field, unchanged.has(name) ? "wire" : form);
      return [
        `${comment([field.description ?? ""])}readonly ${shown}${isRequired ? "" : "?"}: ${printed}${isRequired || form !== "input" ? "" : " | undefined"};`,
      ];
    });

  const plain = (schema: Schema, form: Form): string => {
    const name = nameOf(schema);
    if (name !== null) return reference(name, form);
    const { properties = {}, additionalProperties, anyOf, oneOf, allOf, enum: values } = schema;
    if (Object.keys(properties).length > 0) return `{\n${fields(schema, form).join("\n")}\n}`;
    if (values !== undefined) return union(values.filter((value) => value !== null).map(literal));
    if (allOf !== undefined) return allOf.map((part) => grouped(type(part, form))).join(" & ");
    const members = oneOf ?? anyOf;
    if (members !== undefined) return union(members.map((part) => type(part, form)));
    if (typeof additionalProperties === "object") {
      return `{ readonly [name: string]: ${type(additionalProperties, form)} }`;
    }
    switch (schema.type) {
      case "string":
        return schema.format === "binary"
          ? "Uint8Array | Blob"
          : schema.format === "date-time" && form === "input"
            ? "Moment"
            : "string";
      case "integer":
      case "number":
        return "number";
      case "boolean":
        return "boolean";
      case "array":
        return `ReadonlyArray<${type(schema.items ?? {}, form)}>`;
      case "object":
        return "{ readonly [name: string]: unknown }";
      default:
        return "unknown";
    }
  };

  const type = (schema: Schema, form: Form): string => {
    const printed = plain(schema, form);
    const isOnlyNull = printed === "" || (schema.enum?.length === 1 && schema.enum[0] === null);
    if (isOnlyNull) return "null";
    return schema.nullable === true ? `${printed} | null` : printed;
  };

  return {
    type,
    isSchema: (name: string): boolean => schemas[name] !== undefined,
    /** The fields of an input, from the parameters or the body that it is made of. */
    object: (schema: Schema, form: Form): string => `{\n${fields(schema, form).join("\n")}\n}`,
    declare: (name: string, text: string): string => {
      if (declared.has(name) && declared.get(name) !== text)
        throw new Error(`two types have the name ${name}`);
      declared.set(name, text);
      return name;
    },
    /** Every type with a name, in order of appearance. */
    declarations: (): ReadonlyArray<readonly [string, string]> => [...declared],
  };
};
