/** Adds descriptions, headers and examples to the operations of the OpenAPI document. */
import { EXAMPLES_KEY, type Examples, SCOPE_KEY } from "../shared/Annotation.ts";
import { MEANINGS_KEY, type Meanings } from "../shared/Meaning.ts";
import { failureExample, failureExamples } from "./FailureExample.ts";
import { compose, describeFields } from "./FieldDescription.ts";
import { isList, isObject, type Json, type JsonObject, mapValues } from "./Json.ts";

const IDEMPOTENCY_KEY: JsonObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters. A repetition with the same key and content returns the first result and changes nothing; with other content it is a conflict.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

/** Headers that responses carry. */
export const headers: JsonObject = {
  RequestId: {
    description:
      "Identifies the request in the server's log: the request's own X-Request-Id if it is safe to log, else a new UUID.",
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "The number of seconds after which to retry.",
    schema: { type: "integer", minimum: 1 },
  },
  Authenticate: { description: "The required authentication scheme.", schema: { type: "string" } },
  Replayed: {
    description:
      "Present when the response repeats the result of an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
  Disposition: {
    description: "An attachment with a suggested file name.",
    schema: { type: "string" },
  },
};

const header = (name: string): JsonObject => ({ $ref: `#/components/headers/${name}` });

const REQUEST_ID: JsonObject = { "X-Request-Id": header("RequestId") };
const RETRY_AFTER: JsonObject = { "Retry-After": header("RetryAfter") };
const REPLAYED: JsonObject = { "Idempotent-Replayed": header("Replayed") };
const DISPOSITION: JsonObject = { "Content-Disposition": header("Disposition") };
const AUTHENTICATE: JsonObject = { "WWW-Authenticate": header("Authenticate") };

const FAILURE_HEADERS: Readonly<Record<string, JsonObject>> = {
  Unauthorized: AUTHENTICATE,
  TooManyRequests: RETRY_AFTER,
  Unavailable: RETRY_AFTER,
};

const withExample = (content: Json | undefined, example: Json | undefined): JsonObject =>
  mapValues(content, (media) => (isObject(media) && example !== undefined ? { ...media, example } : media));

/** The failures that have an example for each operation. */
const OWN: ReadonlySet<string> = new Set(["BadRequest", "Forbidden"]);

/** The responses that operations share, by the name of their schema. */
export const failureResponses = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(failureExamples).flatMap(([name, example]) => {
      if (OWN.has(name)) return [];
      const schema = schemas[name];
      const description =
        isObject(schema) && typeof schema.description === "string" ? schema.description : "";
      const content = { "application/json": { schema: { $ref: `#/components/schemas/${name}` }, example } };
      return [[name, { description, headers: { ...REQUEST_ID, ...FAILURE_HEADERS[name] }, content }]];
    }),
  );

/** The name of the failure that a response describes, or null. */
const failureName = (response: JsonObject): string | null => {
  const { content } = response;
  const media = isObject(content) ? content["application/json"] : undefined;
  const schema = isObject(media) ? media.schema : undefined;
  const ref = isObject(schema) ? schema.$ref : undefined;
  const name = typeof ref === "string" ? (ref.split("/").at(-1) ?? "") : "";
  return Object.hasOwn(failureExamples, name) ? name : null;
};

/** The failure of that name as an operation reports it. */
const failureResponse = (
  response: JsonObject,
  { refused = "id: must be a UUID", forbidden }: Examples,
  scope: Json | undefined,
  name: string,
): JsonObject => {
  if (!OWN.has(name)) return { $ref: `#/components/responses/${name}` };
  const example =
    name === "BadRequest"
      ? failureExample(name, refused)
      : failureExample("Forbidden", forbidden ?? `The credential lacks the scope ${scope}`);
  return { ...response, headers: REQUEST_ID, content: withExample(response.content, example) };
};

const isJson = (content: Json | undefined): boolean =>
  isObject(content) && content["application/json"] !== undefined;

const TEXT = { schema: { type: "string" } };
const BYTES = { schema: { type: "string", format: "binary" } };

const PDF = { "application/pdf": BYTES };
const BILL = { ...PDF, "application/xml": BYTES };

/** The further media types that some operations return for the header Accept. */
const OTHER_MEDIA: { readonly [operationId: string]: JsonObject } = {
  readPartnerStatement: { "text/csv": TEXT, ...PDF },
  readJournal: { "text/csv": TEXT, "text/plain": TEXT },
  readPayables: { "text/csv": TEXT },
  explainCommission: { "text/plain": TEXT },
  readCommissionPlanTerms: { "text/plain": TEXT, ...PDF },
  downloadSettlementReport: PDF,
  downloadSettlementInvoice: BILL,
  downloadSettlementCreditNote: BILL,
  downloadSettlementAttachment: PDF,
};

/** True if a response may be a file, which has a suggested name. */
const mayBeFile = (content: JsonObject): boolean =>
  Object.keys(content).some((type) => type !== "application/json" && type !== "text/plain");

const successResponse = (
  response: JsonObject,
  status: string,
  {
    isCommand,
    example,
    others = {},
  }: {
    readonly isCommand: boolean;
    readonly example: Json | undefined;
    /** Other media types of the same response. */
    readonly others: JsonObject | undefined;
  },
): Json => {
  const content = isObject(response.content) ? { ...response.content, ...others } : undefined;
  const description =
    status === "201"
      ? "Created."
      : content === undefined
        ? "Success, without a body."
        : isJson(content)
          ? "Success."
          : "Success, with the file.";
  return {
    ...response,
    description,
    headers: {
      ...REQUEST_ID,
      ...(isCommand ? REPLAYED : {}),
      ...(content !== undefined && mayBeFile(content) ? DISPOSITION : {}),
    },
    ...(content === undefined ? {} : { content: { ...withExample(response.content, example), ...others } }),
  };
};

/** A parameter with its description next to its name instead of in its schema. */
const describeParameter = (meanings: Meanings, parameter: Json): Json => {
  if (!isObject(parameter) || !isObject(parameter.schema)) return parameter;
  const { description: form, ...schema } = parameter.schema;
  const description = compose(meanings[String(parameter.name)], form);
  if (description !== undefined) return { ...parameter, description, schema };
  return parameter.in === "path" ? { ...parameter, description: "The record's id." } : parameter;
};

const describeBody = (meanings: Meanings, content: Json | undefined): JsonObject =>
  mapValues(content, (media) =>
    isObject(media) && isObject(media.schema)
      ? { ...media, schema: describeFields(meanings, media.schema) }
      : media,
  );

const COMMANDS = ["post", "patch", "put", "delete"];

/** The responses of an operation that every valid credential may perform. */
const withoutForbidden = (responses: Json | undefined): JsonObject =>
  Object.fromEntries(
    Object.entries(isObject(responses) ? responses : {}).filter(([status]) => status !== "403"),
  );

/** An operation with its examples, its request and response headers, and its failures by reference. */
export const describeOperation = (operation: JsonObject, method: string): JsonObject => {
  const {
    security: _,
    [SCOPE_KEY]: scope,
    [MEANINGS_KEY]: meaningsStated = {},
    [EXAMPLES_KEY]: examplesStated = {},
    tags = [],
    operationId = "",
    summary = "",
    description = "",
    ...rest
  } = operation;
  const meanings = meaningsStated as Meanings;
  const examples = examplesStated as Examples;
  const { request, response, dryRun } = examples;
  const isWebhook = operationId === "reportPayment";
  const isCommand = COMMANDS.includes(method) && !isWebhook;
  const parameters = (isList(operation.parameters) ? operation.parameters : []).map((parameter) =>
    describeParameter(meanings, parameter),
  );
  const { requestBody } = operation;
  return {
    tags,
    operationId,
    summary,
    description,
    ...rest,
    ...(isWebhook ? { security: [] } : {}),
    parameters: isCommand ? [...parameters, IDEMPOTENCY_KEY] : parameters,
    ...(isObject(requestBody)
      ? {
          requestBody: {
            ...requestBody,
            content: withExample(describeBody(meanings, requestBody.content), request),
          },
        }
      : {}),
    responses: mapValues(
      scope === null && examples.forbidden === undefined
        ? withoutForbidden(operation.responses)
        : operation.responses,
      (operationResponse, status) => {
        if (!isObject(operationResponse)) return operationResponse;
        const name = failureName(operationResponse);
        return name === null
          ? successResponse(operationResponse, status, {
              isCommand,
              example: status === "200" ? (dryRun ?? response) : response,
              others: OTHER_MEDIA[String(operationId)],
            })
          : failureResponse(operationResponse, examples, scope, name);
      },
    ),
  };
};
