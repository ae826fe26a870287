/** A server in this process where people sign in at a real identity provider, and a browser in front of it. */
import { createServer } from "node:http";
import { Clock, Effect, Layer, ManagedRuntime, Redacted } from "effect";
import { ApiKeys, type Directory, type Ids, Sessions, type Storage, TokenVerifier } from "quittance";
import { nodeServer } from "quittance/http";
import { readSettings } from "../../../adapters/server/Settings.ts";
import type { SignIn } from "../../../adapters/server/settings/SignIn.ts";
import * as BrowserSessions from "../../../adapters/server/signIn/BrowserSessions.ts";
import { sessionCookie } from "../../../adapters/server/signIn/SessionCookies.ts";
import { routes } from "../../../adapters/server/signIn/SignIn.ts";
import { captured, services } from "../../http/Engine.ts";
import { type Agent, newAgent } from "./Agent.ts";
import { CLIENT, type IdentityProvider, listenAnywhere, startProvider } from "./IdentityProvider.ts";

export const CUSTOMER = "6f1c2d4e-0000-4000-8000-0000000000c1" as Ids.CustomerId;

/** A clock that tests advance. */
const clockAhead = (clock: { ahead: number }): Clock.Clock => {
  const real = Clock.make();
  const now = (): number => real.unsafeCurrentTimeMillis() + clock.ahead;
  return {
    ...real,
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: now,
    currentTimeMillis: Effect.sync(now),
    sleep: (duration) => real.sleep(duration),
  };
};

/** The settings of signing in that an environment has. */
export const signInOf = (environment: Readonly<Record<string, string>>): SignIn => {
  const settings = readSettings(environment, false);
  if (settings._tag === "Left" || settings.right.signIn === null)
    throw new Error(settings._tag === "Left" ? settings.left : "nobody signs in");
  return settings.right.signIn;
};

export const environmentOf = (publicUrl: string, issuer: string): Record<string, string> => ({
  QUITTANCE_PUBLIC_URL: publicUrl,
  QUITTANCE_OIDC_ISSUER: issuer,
  QUITTANCE_OIDC_CLIENT_ID: CLIENT.id,
  QUITTANCE_OIDC_CLIENT_SECRET: CLIENT.secret,
  QUITTANCE_OIDC_CUSTOMER: CUSTOMER,
});

export interface Place {
  readonly url: string;
  readonly provider: IdentityProvider;
  readonly clock: { ahead: number };
  readonly log: Array<string>;
  /** An agent that has signed in as a person. */
  readonly signedIn: (sub: string) => Promise<Agent>;
  readonly stop: () => Promise<void>;
}

export const isConsole = (url: string): boolean => new URL(url).pathname === "/console/";
export const isCallback = (url: string): boolean => new URL(url).pathname === "/auth/callback";

/** Starts both; `settings` are further ones, `inToken` whether the provider's ID tokens have all claims. */
export const start = async (
  settings: Readonly<Record<string, string>> = {},
  inToken = true,
): Promise<Place> => {
  const clock = { ahead: 0 };
  const log: Array<string> = [];
  const runtime = ManagedRuntime.make(
    Layer.mergeAll(services({ fourEyes: true }), Layer.setClock(clockAhead(clock)), captured(log)),
  );
  // The address has to be known before the server exists.
  const place = createServer();
  const port = await listenAnywhere(place);
  await new Promise((resolve) => place.close(resolve));
  const url = `http://localhost:${port}`;
  const provider = await startProvider(url, inToken);
  const signIn = signInOf({ ...environmentOf(url, provider.issuer), ...settings });
  const parts = await runtime.runPromise(
    Effect.all({
      sessions: Sessions.Sessions,
      apiKeys: ApiKeys.ApiKeys,
      verifier: TokenVerifier.TokenVerifier,
      context: Effect.context<Directory.Directory | Storage.Storage>(),
    }),
  );
  const server = nodeServer(await runtime.runtime(), {
    ready: Effect.void,
    routes: [...routes(signIn, parts), ...BrowserSessions.routes(signIn.publicUrl, parts)],
    sessionCookie: sessionCookie(signIn.publicUrl),
  });
  await new Promise<void>((resolve) => server.listen(port, "localhost", resolve));
  const signedIn = async (sub: string): Promise<Agent> => {
    const agent = newAgent();
    await agent.signIn(`${url}/auth/sign-in`, sub, isConsole);
    return agent;
  };
  return {
    url,
    provider,
    clock,
    log,
    signedIn,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await provider.stop();
      await runtime.dispose();
    },
  };
};

/** The secret of a client, as settings have it. */
export const SECRET = Redacted.make(CLIENT.secret);

interface Called {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  readonly body: any;
}

/** Calls an operation as a page of the server does, unless other headers are stated. */
export const call = async (
  { url }: Pick<Place, "url">,
  agent: Agent,
  method: string,
  path: string,
  json?: unknown,
  headers: Readonly<Record<string, string>> = { "quittance-session": "1", origin: url },
): Promise<Called> => {
  const { status, text } = await agent.send(`${url}/api/v1/${path}`, {
    method,
    headers: { ...headers, ...(json === undefined ? {} : { "content-type": "application/json" }) },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return { status, body: text === "" ? null : JSON.parse(text) };
};
