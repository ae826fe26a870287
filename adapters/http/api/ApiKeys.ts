/** API keys: credentials that the platform or a holder of `keys:admin` creates. */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint";
import * as HttpApiGroup from "@effect/platform/HttpApiGroup";
import * as HttpApiSchema from "@effect/platform/HttpApiSchema";
import * as PlatformOpenApi from "@effect/platform/OpenApi";
import { Schema } from "effect";
import { ApiKey as Domain, Ids, Principal } from "quittance";
import * as Example from "./openapi/examples/Story.ts";
import { extension } from "./shared/Annotation.ts";
import { BodyFailure, RecordFailure } from "./shared/Failure.ts";
import { DateTime, ErasureEvent, EventActor, event, Id, pageOf } from "./shared/Field.ts";
import { filters } from "./shared/Filters.ts";
import { paging, recordPath } from "./shared/Query.ts";
import { shownFields } from "./shared/Record.ts";

const { name, expires_at, kind, workspace_ids, partner_ids, agent_id, scopes } = shownFields(Domain.Allowed);

const reach = { workspace_ids, partner_ids, agent_id, scopes };

/** A key without its secret. */
export const ApiKey = Schema.Struct({
  id: Id,
  customer_id: Id,
  name,
  use: Domain.Use,
  person: Schema.String,
  kind,
  ...reach,
  created_at: DateTime,
  expires_at,
  revoked_at: Schema.NullOr(DateTime),
  session_id: Schema.NullOr(Id),
  last_used_at: Schema.NullOr(DateTime),
}).annotations({ identifier: "ApiKey" });

/** The events of a key. */
export const ApiKeyEvent = Schema.Union(
  event("create_api_key", {
    actor: EventActor,
    name,
    use: Schema.optionalWith(Schema.Literal("session", "invitation"), { exact: true }),
    person: Schema.NullOr(Schema.String),
    kind,
    ...reach,
    expires_at,
  }),
  event("revoke_api_key", {
    actor: EventActor,
    session_id: Schema.optionalWith(Id, { exact: true }),
  }),
  ErasureEvent,
).annotations({ identifier: "ApiKeyEvent" });

/** The caller that a credential identifies. */
export const CurrentPrincipal = Schema.Struct({
  principal_id: Schema.String,
  person: Schema.String,
  name: Schema.NullOr(Schema.String),
  kind: Principal.Kind,
  customer_id: Schema.NullOr(Id),
  customer_name: Schema.NullOr(Schema.String),
  ...reach,
}).annotations({ identifier: "CurrentPrincipal" });

/** A new key; no other response shows the secret. */
export const CreatedApiKey = Schema.Struct({
  id: Id,
  key: Schema.String,
  mailed_to: Schema.optionalWith(Schema.String, { exact: true }),
}).annotations({ identifier: "CreatedApiKey" });

const list = HttpApiEndpoint.get("list", "/api-keys")
  .setUrlParams(Schema.Struct({ ...filters("apiKey"), ...paging }))
  .addSuccess(pageOf("api_keys", ApiKey))
  .pipe(
    extension({
      operation: "list keys",
      id: "listApiKeys",
      summary: "List API keys",
      description:
        "Returns the keys whose grant is within the caller's grant, without their secrets. Oldest first by default.",
      response: { api_keys: [Example.apiKey], ...Example.paged },
      refused: Example.PAGE,
    }),
  );

const create = HttpApiEndpoint.post("create", "/api-keys")
  .setPayload(Domain.Create)
  .addSuccess(CreatedApiKey, { status: 201 })
  .addError(BodyFailure)
  .pipe(
    extension({
      operation: "create key",
      id: "createApiKey",
      summary: "Create an API key",
      description:
        "The key's grant must be within the caller's grant. Without `scopes` it has every scope except keys:admin. It has the person of the caller; the platform states any person. The secret is shown only here. `mailed_to` is the address to which the link of an invitation was mailed; without it, none was.",
      request: { name: "shop", workspace_ids: [Example.WORKSPACE], scopes: ["attributions:write"] },
      response: { id: Example.KEY, key: `qk_${"0123456789abcdef"}_${"x".repeat(43)}` },
      refused: "kind: must be one of customer, partner, agent",
    }),
  );

const accept = HttpApiEndpoint.post("accept", "/invitations/accept")
  .addSuccess(CreatedApiKey, { status: 201 })
  .pipe(
    extension({
      operation: "accept invitation",
      id: "acceptInvitation",
      summary: "Accept an invitation",
      description:
        "The credential of the request is the invitation. It ends, and the response is the key of a session of its partner: valid for 30 days, shown only here. Of two requests at once one opens a session; any later one gets 401 or 403. Needs no scope.",
      response: { id: Example.KEY, key: `qk_${"0123456789abcdef"}_${"x".repeat(43)}` },
      refused: "page: is not a known parameter",
      forbidden: "The credential is no invitation, or it was used or withdrawn",
    }),
  );

const revoke = HttpApiEndpoint.del("revoke", "/api-keys/:id")
  .setPath(recordPath(Ids.Uuid))
  .addSuccess(HttpApiSchema.Empty(200))
  .addError(RecordFailure)
  .pipe(
    extension({
      operation: "revoke key",
      id: "revokeApiKey",
      summary: "Revoke an API key",
      description: "Every later request with the key returns 401. A second revocation changes nothing.",
    }),
  );

const current = HttpApiEndpoint.get("current", "/principal")
  .addSuccess(CurrentPrincipal)
  .pipe(
    extension({
      operation: "read principal",
      id: "readPrincipal",
      summary: "Read the caller's own principal",
      description:
        "Returns the kind, the grants and the scopes of the request's credential, and the legal name of its customer's billing profile. Needs no scope.",
      response: {
        principal_id: Example.KEY,
        person: "jwt:ida",
        name: null,
        kind: "customer",
        customer_id: Example.CUSTOMER,
        customer_name: "Example Shop GmbH",
        workspace_ids: "*",
        partner_ids: "*",
        agent_id: null,
        scopes: ["attributions:read", "settlements:read"],
      },
      refused: "page: is not a known parameter",
    }),
  );

/** The operations on API keys. */
export const ApiKeys = HttpApiGroup.make("api_keys")
  .add(list)
  .add(create)
  .add(accept)
  .add(revoke)
  .add(current)
  .annotate(PlatformOpenApi.Title, "API keys")
  .annotate(PlatformOpenApi.Description, "Credentials of a customer.");
