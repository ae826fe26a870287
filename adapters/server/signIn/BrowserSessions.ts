/** Sessions in the cookie of a browser: accepting an invitation to the portal, and signing out of console and portal. */
import { type Context, Effect, LogLevel } from "effect";
import {
  ApiKey,
  type ApiKeys,
  type Directory,
  Invitations,
  type Sessions,
  type Storage,
  Timestamp,
  TokenVerifier,
} from "quittance";
import { cookieOf, FOREIGN, isForeign, type PublicRoute, type Request, type Response } from "quittance/http";
import { cookiesOf, sessionCookie } from "./SessionCookies.ts";

/** The services that sessions need, and the ports that reading an invitation needs. */
export interface Services {
  readonly sessions: Sessions.Sessions;
  readonly apiKeys: ApiKeys.ApiKeys;
  readonly verifier: TokenVerifier.TokenVerifierService;
  readonly context: Context.Context<Directory.Directory | Storage.Storage>;
}

/** The invitation with which a request is made; the header keeps it out of every log. */
const invitationOf = (request: Request): Effect.Effect<string, TokenVerifier.Unauthorized> => {
  const [, token] = /^bearer +([\w-]+)$/i.exec(request.header("authorization") ?? "") ?? [];
  return token === undefined ? Effect.fail(new TokenVerifier.Unauthorized()) : Effect.succeed(token);
};

/** Ends the session of the browser, if it has one. */
export const closeSession = (
  { sessions, verifier }: Pick<Services, "sessions" | "verifier">,
  publicUrl: string,
  request: Request,
) =>
  Effect.flatMap(verifier.verify(cookieOf(request, cookiesOf(publicUrl).session) ?? ""), sessions.close).pipe(
    // It has ended before.
    Effect.catchTag("Unauthorized", () => Effect.void),
  );

/** The routes. Opening the link of an invitation reads it and nothing more: programs that check links do that, too. */
export const routes = (publicUrl: string, services: Services): ReadonlyArray<PublicRoute> => {
  const { apiKeys, verifier, context } = services;
  const cookies = cookiesOf(publicUrl);
  const cookie = sessionCookie(publicUrl);

  const read = (request: Request) =>
    Effect.gen(function* () {
      const invitation = yield* Invitations.readInvitation(yield* invitationOf(request));
      const { state, expiresAt, partnerNames, customerName } = invitation;
      return {
        status: 200,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          state,
          expires_at: expiresAt === null ? null : Timestamp.format(expiresAt),
          partner_names: partnerNames,
          customer_name: customerName,
        }),
      } satisfies Response;
    }).pipe(Effect.provide(context));

  /** Opens a session of the invited partner, in place of the one that the browser has. */
  const accept = (request: Request) =>
    Effect.gen(function* () {
      if (isForeign(cookie, request)) return yield* FOREIGN;
      const { key } = yield* apiKeys.accept(yield* verifier.verify(yield* invitationOf(request)));
      yield* closeSession(services, publicUrl, request);
      return {
        status: 204,
        headers: {},
        cookies: [cookies.setSession(key, ApiKey.PORTAL_SESSION)],
        body: null,
      } satisfies Response;
    });

  const leave = (request: Request) =>
    Effect.gen(function* () {
      if (isForeign(cookie, request)) return yield* FOREIGN;
      yield* closeSession(services, publicUrl, request);
      return { status: 204, headers: {}, cookies: [cookies.clearSession], body: null } satisfies Response;
    });

  const level = LogLevel.Info;
  return [
    { method: "GET", template: "/auth/invitation", level, respond: read },
    { method: "POST", template: "/auth/invitation", level, respond: accept },
    { method: "POST", template: "/auth/sign-out", level, respond: leave },
  ];
};
