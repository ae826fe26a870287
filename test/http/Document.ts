/** Reads the OpenAPI document: its operations, and validation of responses. */
import { Ajv, type ValidateFunction } from "ajv";
import formats from "ajv-formats";
import { openApi } from "quittance/http/api";

interface Media {
  readonly schema: object;
  readonly example?: unknown;
}

interface ResponseShape {
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

/** A schema object, as far as tests look into it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: ReadonlyArray<unknown>;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly oneOf?: ReadonlyArray<Schema>;
  readonly allOf?: ReadonlyArray<Schema>;
  readonly not?: Schema;
}

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With its parameter in braces. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: ReadonlyArray<string>;
  readonly parameters: ReadonlyArray<Parameter>;
  readonly responses: Readonly<Record<string, ResponseShape>>;
  readonly body: "none" | "json" | "multipart";
  readonly request: Media | null;
}

/** The document as it is served. */
export const document = JSON.parse(JSON.stringify(openApi()));

/** The target of a reference, or the value itself. */
export const resolved = <A extends object>(value: A): A =>
  "$ref" in value && typeof value.$ref === "string"
    ? value.$ref
        .split("/")
        .slice(1)
        .reduce((found, step) => found[step], document)
    : value;

const bodyOf = (content: Readonly<Record<string, Media>> | undefined): Operation["body"] =>
  content === undefined ? "none" : "multipart/form-data" in content ? "multipart" : "json";

/** Every operation, in the document's order. */
export const operations: ReadonlyArray<Operation> = Object.entries<object>(document.paths).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const content: Readonly<Record<string, Media>> | undefined = operation.requestBody?.content;
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        name: `${method.toUpperCase()} ${path}`,
        summary: operation.summary,
        description: operation.description,
        tags: operation.tags,
        parameters: operation.parameters,
        responses: Object.fromEntries(
          Object.entries<object>(operation.responses).map(([status, response]) => [
            status,
            resolved(response) as ResponseShape,
          ]),
        ),
        body: bodyOf(content),
        request: content === undefined ? null : (Object.values(content)[0] ?? null),
      };
    }),
);

const judge = new Ajv({ strict: false, allErrors: false, allowUnionTypes: true });
formats.default(judge);

/** The same schema in the words of JSON Schema: null where 3.0.3 says nullable, references into one root. */
const translated = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(translated);
  if (typeof schema !== "object" || schema === null) return schema;
  const { nullable, discriminator: _, example: __, $ref, ...rest } = schema as Record<string, unknown>;
  const words = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, translated(value)]));
  const plain = typeof $ref === "string" ? { $ref: `root${$ref}` } : words;
  return nullable === true ? { anyOf: [{ type: "null" }, plain] } : plain;
};

judge.addSchema({
  $id: "root",
  components: { schemas: translated(document.components.schemas) },
});

const compiled = new WeakMap<object, ValidateFunction>();

/** Why a value does not fit a schema of the document, or null. */
export const misfit = (schema: object, value: unknown): string | null => {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = judge.compile(translated(schema) as object);
    compiled.set(schema, validate);
  }
  return validate(value) ? null : judge.errorsText(validate.errors);
};

/** The validated parts of a response. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Actions, which respond without a body, whose dry run responds with one. */
const DRY_RUNS_OF_ACTIONS: ReadonlySet<string> = new Set(["assignCommissionPlan"]);

/** The first violation of the document by a response's status, media type, body or headers; null when there is none. */
export const fault = (operation: Operation, { status, headers, text }: Answered): string | null => {
  const response = operation.responses[status];
  if (response === undefined) return `${operation.name} answered an undocumented ${status}: ${text}`;
  if (!headers.has("x-request-id")) return `${operation.name} ${status} names no request id`;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  if (response.content === undefined) {
    return text === "" ? null : `${operation.name} ${status} has a body: ${text}`;
  }
  if (text === "" && status === 200 && DRY_RUNS_OF_ACTIONS.has(operation.id)) return null;
  const media = response.content[type];
  if (media === undefined) return `${operation.name} ${status} is of type ${type}`;
  if (type !== "application/json") return null;
  const problem = misfit(media.schema, JSON.parse(text));
  return problem === null ? null : `${operation.name} ${status} ${problem}: ${text.slice(0, 300)}`;
};
