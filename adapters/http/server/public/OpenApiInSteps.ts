/** The OpenAPI document for a server, which goes on serving while it is computed. */
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Effect } from "effect";
import { api } from "../../api/Api.ts";
import { isList, isObject, type Json, type JsonObject } from "../../api/openapi/Json.ts";
import { mergeDocuments } from "../../api/openapi/OpenApi.ts";
import { paymentWebhooks } from "../../api/PaymentWebhooks.ts";

const OPTIONS = { additionalPropertiesStrategy: "allow" } as const;

const documentOf = (contract: typeof api): JsonObject =>
  PlatformOpenApi.fromApi(contract, OPTIONS) as unknown as JsonObject;

/** The contract with one of its groups alone. */
const withGroup = (name: string, group: unknown): typeof api =>
  Object.assign(Object.create(Object.getPrototypeOf(api)), api, { groups: { [name]: group } });

const isExtension = (tag: Json): boolean => isObject(tag) && tag.name === "extension";

/** With the tag of extensions after those of all groups. */
const withExtensionLast = (document: JsonObject): JsonObject => {
  const tags = isList(document.tags) ? document.tags : [];
  return { ...document, tags: [...tags.filter((tag) => !isExtension(tag)), ...tags.filter(isExtension)] };
};

/** The same document as `openApi()`, computed group by group: other work waits for one group, not for all of them. */
export const openApiInSteps: Effect.Effect<JsonObject> = Effect.gen(function* () {
  let document: JsonObject | null = null;
  for (const [name, group] of Object.entries(api.groups)) {
    const part = documentOf(withGroup(name, group));
    document = document === null ? part : mergeDocuments(document, part);
    yield* Effect.sleep(0);
  }
  const webhooks = PlatformOpenApi.fromApi(paymentWebhooks, OPTIONS) as unknown as JsonObject;
  return mergeDocuments(withExtensionLast(document ?? {}), webhooks);
});
