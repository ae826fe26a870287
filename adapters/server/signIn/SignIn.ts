/** Signing in to the console: the routes that lead to the identity provider, and back from it. */
import { Clock, Effect, LogLevel, Schema } from "effect";
import { Limits, Principal, type Sessions, type TokenVerifier } from "quittance";
import { cookieOf, type PublicRoute, type Request, type Response } from "quittance/http";
import type { Role, SignIn } from "../settings/SignIn.ts";
import { ATTEMPT_SECONDS, open, seal } from "./Attempt.ts";
import { closeSession } from "./BrowserSessions.ts";
import { type Claims, claimOf, make as makeProvider, type Provider } from "./Provider.ts";
import { scopesOf } from "./Roles.ts";
import { cookiesOf } from "./SessionCookies.ts";

/** Why nobody was signed in, as the console reads it from its address. */
type Problem = "expired" | "failed" | "no_role" | "unavailable";

/** The services that sign-in needs. */
export interface Services {
  readonly sessions: Sessions.Sessions;
  readonly verifier: TokenVerifier.TokenVerifierService;
}

const RETURN_TO = /^\/[!-~]{0,2000}$/;

/** Where a person continues: an address behind the `#` of the console, so that no other page can be named. */
const returnToOf = (url: URL): string => {
  const stated = url.searchParams.get("return_to") ?? "";
  return RETURN_TO.test(stated) ? stated : "/";
};

const redirect = (location: string, ...set: ReadonlyArray<string>): Response => ({
  status: 303,
  headers: { location, "content-type": "text/plain; charset=utf-8" },
  cookies: set,
  body: "",
});

const isName = Schema.is(Principal.Person);
const textOr = (value: unknown): string | null => (isName(value) ? value : null);

const cut = (text: string, maximum: number): string => [...text].slice(0, maximum).join("");

/** The roles that claims name. */
const rolesOf = (claims: Claims, { roleClaim, roleNames }: SignIn): ReadonlyArray<Role> => {
  const stated = claimOf(claims, roleClaim);
  const names: ReadonlyArray<unknown> = Array.isArray(stated) ? stated : [stated];
  return names.flatMap((name) => (typeof name === "string" ? (roleNames.get(name) ?? []) : []));
};

/** What the log says of a failure of the provider's library, whose messages have no secrets. */
const reasonOf = (problem: unknown): string => {
  if (!(problem instanceof Error)) return "unknown";
  const { error, error_description } = problem as {
    readonly error?: string;
    readonly error_description?: string;
  };
  const { cause } = problem;
  const because = cause instanceof Error && cause !== problem ? cause.message : "";
  return [problem.message, error, error_description, because].filter((text) => text).join(": ");
};

const logProblem = (problem: Problem, reason: string) =>
  Effect.logWarning("nobody was signed in").pipe(Effect.annotateLogs({ problem, reason }));

/** The routes. */
export const routes = (
  signIn: SignIn,
  { sessions, verifier }: Services,
  provider: Provider = makeProvider(signIn),
): ReadonlyArray<PublicRoute> => {
  const { publicUrl, clientSecret, customerId, personClaim, sessionMilliseconds } = signIn;
  const names = cookiesOf(publicUrl);
  const consoleAt = (returnTo: string, problem: Problem | null = null): string =>
    `${publicUrl}/console/${problem === null ? "" : `?sign-in=${problem}`}#${returnTo}`;
  const urlOf = ({ target }: Request): URL => new URL(`${publicUrl}${target}`);
  const refuse = (returnTo: string, problem: Problem, reason: string) =>
    Effect.as(logProblem(problem, reason), redirect(consoleAt(returnTo, problem), names.clearAttempt));

  const begin = (request: Request) =>
    Effect.gen(function* () {
      const returnTo = returnToOf(urlOf(request));
      const now = yield* Clock.currentTimeMillis;
      return yield* Effect.tryPromise(async () => {
        const { url, attempt } = await provider.begin(returnTo);
        return redirect(url.href, names.setAttempt(await seal(clientSecret, attempt, now), ATTEMPT_SECONDS));
      }).pipe(Effect.catchAll(({ error }) => refuse(returnTo, "unavailable", reasonOf(error))));
    });

  /** Opens a session of the person whom the claims describe, in place of the one that the browser has. */
  const enter = (request: Request, claims: Claims, returnTo: string) =>
    Effect.gen(function* () {
      const person = textOr(claimOf(claims, personClaim));
      if (person === null || !isName(`jwt:${person}`))
        return yield* refuse(returnTo, "failed", `the claim ${personClaim} does not identify a person`);
      const roles = rolesOf(claims, signIn);
      if (roles.length === 0)
        return yield* refuse(returnTo, "no_role", `the claim ${signIn.roleClaim} has no known role`);
      const name = textOr(claims.name) ?? textOr(claims.preferred_username) ?? textOr(claims.email) ?? person;
      const { key } = yield* sessions.open({
        customerId,
        person: `jwt:${person}`,
        name: cut(name, Limits.NAME_MAX),
        scopes: scopesOf(roles),
        expiresAt: (yield* Clock.currentTimeMillis) + sessionMilliseconds,
      });
      yield* closeSession({ sessions, verifier }, publicUrl, request);
      const set = names.setSession(key, sessionMilliseconds);
      return redirect(consoleAt(returnTo), set, names.clearAttempt);
    });

  const finish = (request: Request) =>
    Effect.gen(function* () {
      const sealed = cookieOf(request, names.attempt) ?? "";
      const now = yield* Clock.currentTimeMillis;
      const attempt = yield* Effect.promise(() => open(clientSecret, sealed, now));
      if (attempt === null) return yield* refuse("/", "expired", "no sign-in of this browser is under way");
      const { returnTo } = attempt;
      const claims = yield* Effect.either(Effect.tryPromise(() => provider.finish(urlOf(request), attempt)));
      return claims._tag === "Left"
        ? yield* refuse(returnTo, "failed", reasonOf(claims.left.error))
        : yield* enter(request, claims.right, returnTo);
    });

  const level = LogLevel.Info;
  return [
    { method: "GET", template: "/auth/sign-in", level, respond: begin },
    { method: "GET", template: "/auth/callback", level, respond: finish },
  ];
};
