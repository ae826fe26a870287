/** The routes by which the console opens the example company: who may, and how far it is. */
import { Effect, LogLevel } from "effect";
import { Commissions, type Ids, Principal, Refusal, TokenVerifier } from "quittance";
import {
  authenticate,
  type PublicRoute,
  type Request,
  type Response,
  type SessionCookie,
} from "quittance/http";
import type { Example } from "./Example.ts";

const json = (status: number, body: object): Response => ({
  status,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify(body),
});

const HAS_COMMISSIONS = json(409, {
  error_code: "CONFLICT",
  message: "There are commissions already; the example company is for an installation without any",
});

type OfCustomer = Principal.Principal & { readonly customerId: Ids.CustomerId };

/** Its administrators alone: who has the key of the example may use the memory of the server. */
const mayOpen = (principal: Principal.Principal): principal is OfCustomer => {
  const { kind, customerId, scopes, workspaceIds, partnerIds } = principal;
  const isOfCustomer = kind === "customer" && customerId !== null;
  return isOfCustomer && scopes.includes("keys:admin") && workspaceIds === "*" && partnerIds === "*";
};

const FORBIDDEN = Refusal.forbidden(
  "Opening the example company needs a credential with the scope keys:admin",
);

/** `POST /example` fills it where there is none, `GET /example` reports how far it is; each returns the key of one that is ready. */
export const routes = (example: Example, sessionCookie: SessionCookie | null) =>
  Effect.gen(function* () {
    const verifier = yield* TokenVerifier.TokenVerifier;
    const commissions = yield* Commissions.Commissions;
    const principalOf = (request: Request) =>
      Effect.filterOrFail(authenticate({ verifier, sessionCookie }, request), mayOpen, () => FORBIDDEN);
    const read = (request: Request) => Effect.map(principalOf(request), () => json(200, example.state()));
    const open = (request: Request) =>
      Effect.gen(function* () {
        const { customerId } = yield* principalOf(request);
        const company = Principal.customer(customerId, "example");
        const { total } = yield* commissions.list(company, { perPage: 1 });
        if (total > 0) return HAS_COMMISSIONS;
        example.start();
        return json(200, example.state());
      });
    const level = LogLevel.Info;
    const all: ReadonlyArray<PublicRoute> = [
      { method: "GET", template: "/example", level, respond: read },
      { method: "POST", template: "/example", level, respond: open },
    ];
    return all;
  });
