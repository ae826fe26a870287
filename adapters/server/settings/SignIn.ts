/** The identity provider where people sign in to the console. */
import { Either, type Redacted } from "effect";
import type { Ids } from "quittance";
import * as Value from "../Value.ts";
import { type Parsed, setting } from "./Setting.ts";

/** The roles of people; `signIn/Roles.ts` has the scopes of each. */
export const ROLE_NAMES = ["viewer", "operator", "approver", "admin"] as const;
export type Role = (typeof ROLE_NAMES)[number];

/** The roles by the names that the provider has for them. */
export type RoleNames = ReadonlyMap<string, Role>;

/** How people sign in. */
export interface SignIn {
  /** Where browsers reach this server, without a slash at its end. */
  readonly publicUrl: string;
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: Redacted.Redacted;
  readonly customerId: Ids.CustomerId;
  readonly roleClaim: string;
  readonly roleNames: RoleNames;
  readonly personClaim: string;
  readonly sessionMilliseconds: number;
}

const HOUR = 3_600_000;

const isLocal = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";

/** A URL that browsers may send secrets to: `https`, or `http` on this machine. */
const safeUrl: Value.Kind<URL | null> = {
  values: "an `https` URL, or `http` on this machine",
  parse: (name, stated) => {
    if (stated === "") return Either.right(null);
    const url = URL.canParse(stated) ? new URL(stated) : null;
    const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal(url));
    return url !== null && isSafe && url.username === "" && url.search === "" && url.hash === ""
      ? Either.right(url)
      : Either.left(
          `${name} must be an https URL (http is for this machine only) without credentials, query and fragment, not "${stated}"`,
        );
  },
};

// Not the schema of ids: every command would load all schemas before it runs.
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const customer: Value.Kind<Ids.CustomerId | null> = {
  values: "a UUID",
  parse: (name, stated) => {
    if (stated === "") return Either.right(null);
    return UUID.test(stated)
      ? Either.right(stated.toLowerCase() as Ids.CustomerId)
      : Either.left(`${name} must be the id of a customer, a UUID, not "${stated}"`);
  },
};

const PAIR = /^(.+)=([a-z]+)$/;

const roles: Value.Kind<RoleNames> = {
  values: "`<name>=<role>`, …",
  parse: (name, list) => {
    const names = new Map<string, Role>();
    for (const part of list.split(",")) {
      const [, theirs = "", stated = ""] = PAIR.exec(part.trim()) ?? [];
      const role = ROLE_NAMES.find((candidate) => candidate === stated);
      if (role === undefined)
        return Either.left(
          `${name} must be like finance-team=approver, with the roles ${ROLE_NAMES.join(", ")}, not "${part.trim()}"`,
        );
      if (names.has(theirs)) return Either.left(`${name} must name a role once, not "${theirs}" again`);
      names.set(theirs, role);
    }
    return Either.right(names);
  },
};

/** Settings of sign-in. */
export const SIGN_IN = {
  publicUrl: setting({
    name: "QUITTANCE_PUBLIC_URL",
    option: "public-url",
    placeholder: "url",
    fallback: "",
    meaning:
      "where browsers reach this server: https://pay.example; needed to sign in and to invite partners",
    details:
      "where browsers reach this server, such as `https://pay.example`; needed for signing in and for [inviting partners](how-to/partner-portal.md)",
    kind: safeUrl,
  }),
  oidcIssuer: setting({
    name: "QUITTANCE_OIDC_ISSUER",
    option: "oidc-issuer",
    placeholder: "url",
    fallback: "",
    meaning: "people sign in to the console at this identity provider, by OpenID Connect",
    details:
      "people [sign in to the console](how-to/sign-in.md) at this identity provider, by OpenID Connect. Needs the public URL, the client's id and secret and the customer",
    kind: safeUrl,
  }),
  oidcClientId: setting({
    name: "QUITTANCE_OIDC_CLIENT_ID",
    option: "oidc-client-id",
    placeholder: "id",
    fallback: "",
    meaning: "the id of this server as a client of the identity provider",
    kind: Value.text,
  }),
  oidcClientSecret: setting({
    name: "QUITTANCE_OIDC_CLIENT_SECRET",
    option: null,
    fallback: "",
    meaning: "the secret of that client; the same in every process on a store",
    kind: Value.secret,
  }),
  oidcCustomer: setting({
    name: "QUITTANCE_OIDC_CUSTOMER",
    option: "oidc-customer",
    placeholder: "id",
    fallback: "",
    meaning: "the customer whose team signs in",
    kind: customer,
  }),
  oidcRoleClaim: setting({
    name: "QUITTANCE_OIDC_ROLE_CLAIM",
    option: "oidc-role-claim",
    placeholder: "claim",
    fallback: "roles",
    meaning: "the claim with a person's roles, a text or a list; dots lead into objects: realm_access.roles",
    details:
      "the claim with a person's roles, a text or a list of texts; dots lead into objects, as in `realm_access.roles`",
    kind: Value.nonEmpty,
  }),
  oidcRoles: setting({
    name: "QUITTANCE_OIDC_ROLES",
    option: "oidc-roles",
    placeholder: "names",
    fallback: ROLE_NAMES.map((role) => `${role}=${role}`).join(","),
    meaning: "the provider's names of roles, and ours: finance=operator,heads=approver",
    details:
      "the provider's names of roles, and the [role](how-to/sign-in.md#roles) that each stands for, as in `finance=operator,heads=approver`. Whoever has none of them cannot sign in",
    kind: roles,
  }),
  oidcPersonClaim: setting({
    name: "QUITTANCE_OIDC_PERSON_CLAIM",
    option: "oidc-person-claim",
    placeholder: "claim",
    fallback: "sub",
    meaning: "the claim that identifies a person; it must never change or pass to somebody else",
    details:
      "the claim that identifies a person for four eyes, after `jwt:`. It must never change and never pass to somebody else",
    kind: Value.nonEmpty,
  }),
  sessionMilliseconds: setting({
    name: "QUITTANCE_SESSION_HOURS",
    option: "session-hours",
    placeholder: "hours",
    fallback: "8",
    meaning: "hours until a person has to sign in again",
    kind: Value.wholeNumber(1, 24, HOUR),
  }),
};

/** Where browsers reach this server, without a slash at its end; null where it is not stated. */
export const publicUrlOf = ({ publicUrl }: Pick<Parsed<typeof SIGN_IN>, "publicUrl">): string | null =>
  publicUrl === null ? null : publicUrl.href.replace(/\/+$/, "");

/** How people sign in, or null. */
export const joinSignIn = (parsed: Parsed<typeof SIGN_IN>): Value.Value<SignIn | null> => {
  const { publicUrl, oidcIssuer, oidcClientId, oidcClientSecret, oidcCustomer } = parsed;
  const needed = [
    [SIGN_IN.oidcIssuer, oidcIssuer],
    [SIGN_IN.oidcClientId, oidcClientId || null],
    [SIGN_IN.oidcClientSecret, oidcClientSecret],
    [SIGN_IN.oidcCustomer, oidcCustomer],
  ] as const;
  if (needed.every(([, value]) => value === null)) return Either.right(null);
  if (
    publicUrl === null ||
    oidcIssuer === null ||
    oidcClientId === "" ||
    oidcClientSecret === null ||
    oidcCustomer === null
  ) {
    const missing = [[SIGN_IN.publicUrl, publicUrl] as const, ...needed].filter(
      ([, value]) => value === null,
    );
    return Either.left(
      `${missing.map(([{ name }]) => name).join(", ")} must be set too, because another setting of signing in is`,
    );
  }
  return Either.right({
    publicUrl: publicUrl.href.replace(/\/+$/, ""),
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    customerId: oidcCustomer,
    roleClaim: parsed.oidcRoleClaim,
    roleNames: parsed.oidcRoles,
    personClaim: parsed.oidcPersonClaim,
    sessionMilliseconds: parsed.sessionMilliseconds,
  });
};
