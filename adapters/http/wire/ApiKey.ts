/** API keys on the wire: without the secret's digest. */
import { ApiKey, Principal } from "quittance";
import * as Contract from "../api/ApiKeys.ts";
import { recordWriter } from "./Encoding.ts";

/** An API key in a list. */
export const apiKey = recordWriter<ApiKey.ApiKey>()(Contract.ApiKey, {
  use: ApiKey.useOf,
  person: ({ id, person }) => person ?? id,
  session_id: ({ sessionId = null }) => sessionId,
});

/** A new key with its secret. */
export const createdApiKey = recordWriter<{
  readonly id: string;
  readonly key: string;
  readonly mailedTo?: string;
}>()(Contract.CreatedApiKey, {});

/** The caller of a request. A partner does not learn which person of the customer has created its key. */
export const currentPrincipal = recordWriter<
  Principal.Principal & { readonly customerName: string | null }
>()(Contract.CurrentPrincipal, {
  person: (row) => (row.kind === "partner" ? row.principalId : Principal.personOf(row)),
  name: ({ name = null }) => name,
});
