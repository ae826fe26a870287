/** A real OpenID provider in this process, with forms for signing in that take any password. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider from "oidc-provider";

export const CLIENT = {
  id: "quittance",
  secret: "a secret of the client, which is long enough",
};
/** Another client of the same provider. */
export const OTHER_CLIENT = "another";

/** What the provider says of a person besides `sub`. */
export type Person = Readonly<Record<string, unknown>>;

export interface IdentityProvider {
  readonly issuer: string;
  /** The people who can sign in, by `sub`. */
  readonly people: Map<string, Person>;
  /** Where set, the claims of every ID token are changed by it, under the provider's own signature. */
  forge: ((claims: JWTPayload) => JWTPayload) | null;
  /** True while it closes every connection without a response. */
  isAway: boolean;
  readonly stop: () => Promise<void>;
}

/** Listens on a free port; returns the server and its port. */
export const listenAnywhere = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  return (server.address() as AddressInfo).port;
};

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

interface TokenResponse {
  id_token: string;
}

/** The same token with other claims. */
const resign = async (
  token: string,
  key: JWK,
  change: (claims: JWTPayload) => JWTPayload,
): Promise<string> => {
  const [, payload = ""] = token.split(".");
  const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as JWTPayload;
  return new SignJWT(change(claims))
    .setProtectedHeader({ alg: "RS256", kid: "own" })
    .sign(await importJWK(key, "RS256"));
};

/** Starts the provider for a client at an address. `inToken`: claims are in the ID token, and not only at the userinfo endpoint. */
export const startProvider = async (publicUrl: string, inToken = true): Promise<IdentityProvider> => {
  let handle: ReturnType<Provider["callback"]> = async () => {};
  let running: IdentityProvider | null = null;
  const server = createServer((request, response) => {
    if (running?.isAway === true) request.destroy();
    else void handle(request, response);
  });
  const issuer = `http://localhost:${await listenAnywhere(server)}`;
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const key: JWK = { ...(await exportJWK(privateKey)), kid: "own", alg: "RS256", use: "sig" };
  const people = new Map<string, Person>();
  const redirects = { redirect_uris: [`${publicUrl}/auth/callback`] };
  const provider = new Provider(issuer, {
    clients: [
      { client_id: CLIENT.id, client_secret: CLIENT.secret, ...redirects },
      { client_id: OTHER_CLIENT, client_secret: "a secret of the other client, also long", ...redirects },
    ],
    claims: { openid: ["sub"], profile: ["name", "roles", "realm_access"], email: ["email"] },
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    cookies: { keys: ["a key of cookies in tests"] },
    jwks: { keys: [key as never] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      IdToken: 600,
      Interaction: 600,
      Session: 3_600,
      Grant: 3_600,
    },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ ...people.get(id), sub: id }) }),
  });
  const started: IdentityProvider = {
    issuer,
    people,
    forge: null,
    isAway: false,
    stop: () => stop(server),
  };
  running = started;
  provider.use(async (context, next) => {
    await next();
    const body = context.body as TokenResponse | undefined;
    if (context.path === "/token" && started.forge !== null && body?.id_token !== undefined)
      body.id_token = await resign(body.id_token, key, started.forge);
  });
  handle = provider.callback();
  return started;
};
