import { Either, Option, Schema } from "effect";
import { ApiKey, Limits, Principal } from "quittance";
import { describe, expect, it } from "vitest";

const NOW = 1_000;
const CUSTOMER = "c" as never;
const owner = (changes: Partial<Principal.Principal> = {}): Principal.Principal => ({
  ...Principal.customer(CUSTOMER),
  ...changes,
});
const platform = owner({ kind: "platform", customerId: null });
const messageOf = (principal: Principal.Principal, asked: ApiKey.Create): string | null =>
  Either.match(ApiKey.grant(principal, asked, NOW), {
    onLeft: ({ _tag, message }) => `${_tag}: ${message}`,
    onRight: () => null,
  });

describe("the grant of a new key", () => {
  it("is that of its creator, with every scope of the creator but keys:admin", () => {
    expect(ApiKey.grant(owner(), {}, NOW)).toEqual(
      Either.right({
        customerId: "c",
        kind: "customer",
        workspaceIds: "*",
        partnerIds: "*",
        agentId: null,
        scopes: Principal.DEFAULT_SCOPES,
        expiresAt: null,
        name: null,
        person: "host",
      }),
    );
    const reader = owner({ workspaceIds: ["w" as never], scopes: ["partners:read", "keys:admin"] });
    expect(ApiKey.grant(reader, { name: "n", expiresAt: NOW + 1 }, NOW)).toMatchObject(
      Either.right({ workspaceIds: ["w"], scopes: ["partners:read"], name: "n", expiresAt: NOW + 1 }),
    );
  });

  it("names the customer when the platform creates it", () => {
    expect(messageOf(platform, {})).toBe("Invalid: customer_id: is required");
    expect(messageOf(platform, { customerId: CUSTOMER })).toBe(null);
  });

  it("never goes beyond the creator's own customer", () => {
    expect(messageOf(owner(), { customerId: "d" as never })).toBe(
      "Forbidden: customer_id: outside the credential's grant",
    );
    expect(messageOf(owner(), { customerId: CUSTOMER })).toBe(null);
  });

  it("lists the partners of a partner key", () => {
    const message = "Invalid: partner_ids: must list the partners of a partner key";
    expect(messageOf(owner(), { kind: "partner" })).toBe(message);
    expect(messageOf(owner(), { kind: "partner", partnerIds: [] })).toBe(message);
    expect(messageOf(owner(), { kind: "partner", partnerIds: ["p" as never] })).toBe(null);
  });

  it("names the agent of an agent key, and of no other", () => {
    const message = "Invalid: agent_id: is required for, and only for, an agent key";
    expect(messageOf(owner(), { kind: "agent" })).toBe(message);
    expect(messageOf(owner(), { agentId: "a" as never })).toBe(message);
    expect(messageOf(owner(), { kind: "agent", agentId: "a" as never })).toBe(null);
  });

  it("expires in the future or never", () => {
    expect(messageOf(owner(), { expiresAt: NOW })).toBe("Invalid: expires_at: must be in the future");
    expect(messageOf(owner(), { expiresAt: NOW + 1 })).toBe(null);
  });

  it("never outlives its creator's credential, and by default ends with it", () => {
    const guest = owner({ expiresAt: NOW + 10 });
    const refused = "Forbidden: expires_at: must not be later than the credential's own expiry";
    expect(messageOf(guest, { expiresAt: NOW + 11 })).toBe(refused);
    expect(ApiKey.grant(guest, {}, NOW)).toMatchObject(Either.right({ expiresAt: NOW + 10 }));
    expect(ApiKey.grant(guest, { expiresAt: NOW + 10 }, NOW)).toMatchObject(
      Either.right({ expiresAt: NOW + 10 }),
    );
    expect(ApiKey.grant(guest, { expiresAt: NOW + 9 }, NOW)).toMatchObject(
      Either.right({ expiresAt: NOW + 9 }),
    );
  });

  it("has the person of its creator's credential, and no other", () => {
    const refused = "Forbidden: person: must be that of the credential; only the platform names another";
    const ada = owner({ principalId: "key 1", person: "ada" });
    expect(ApiKey.grant(ada, {}, NOW)).toMatchObject(Either.right({ person: "ada" }));
    expect(ApiKey.grant(ada, { person: "ada" }, NOW)).toMatchObject(Either.right({ person: "ada" }));
    expect(messageOf(ada, { person: "bo" })).toBe(refused);
    expect(messageOf(ada, { person: "key 1" })).toBe(refused);
    const unknown = owner({ principalId: "key 2" });
    expect(ApiKey.grant(unknown, {}, NOW)).toMatchObject(Either.right({ person: "key 2" }));
    expect(messageOf(unknown, { person: "ada" })).toBe(refused);
  });

  it("has the person that the platform states, or none", () => {
    const create = (stated: Partial<ApiKey.Create>) =>
      ApiKey.grant(platform, { customerId: CUSTOMER, ...stated }, NOW);
    expect(create({ person: "jwt:ada" })).toMatchObject(Either.right({ person: "jwt:ada" }));
    expect(create({})).toMatchObject(Either.right({ person: null }));
  });

  it.each([
    ["a workspace", { workspaceIds: ["v" as never] }],
    ["all workspaces", { workspaceIds: "*" }],
    ["a partner", { partnerIds: ["q" as never] }],
    ["a scope", { scopes: ["partners:write"] }],
  ] as const)("never adds %s to the creator's grant", (_name, asked) => {
    const bound = owner({
      workspaceIds: ["w" as never],
      partnerIds: ["p" as never],
      scopes: ["partners:read"],
    });
    expect(messageOf(bound, asked as never)).toBe(
      "Forbidden: the key would exceed the credential's own grant",
    );
    expect(messageOf(bound, {})).toBe(null);
  });
});

describe("a key's reach", () => {
  const reach = { workspaceIds: ["w"], partnerIds: "*", agentId: null } as never;

  it("is contained in another one that grants the same or more", () => {
    expect(ApiKey.isWithin(reach, { workspaceIds: "*", partnerIds: "*", agentId: null })).toBe(true);
    expect(ApiKey.isWithin(reach, reach)).toBe(true);
    expect(ApiKey.isWithin(reach, { workspaceIds: ["v"], partnerIds: "*", agentId: null } as never)).toBe(
      false,
    );
    expect(ApiKey.isWithin(reach, { workspaceIds: "*", partnerIds: ["p"], agentId: null } as never)).toBe(
      false,
    );
  });

  it("is contained in an agent's reach only for the same agent", () => {
    const agent = { workspaceIds: "*", partnerIds: "*", agentId: "a" } as never;
    expect(ApiKey.isWithin(reach, agent)).toBe(false);
    expect(ApiKey.isWithin({ ...(reach as object), agentId: "a" } as never, agent)).toBe(true);
    expect(ApiKey.isWithin({ ...(reach as object), agentId: "b" } as never, agent)).toBe(false);
  });
});

const key = {
  id: "id",
  keyId: "0123456789abcdef",
  secretSha256: "",
  customerId: "c",
  name: null,
  person: null,
  kind: "agent",
  workspaceIds: ["w"],
  partnerIds: ["p"],
  agentId: "a",
  scopes: ["partners:read"],
  createdAt: 0,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
} as unknown as ApiKey.ApiKey;

describe("a stored key", () => {
  it("represents a principal that has the key's id", () => {
    expect(ApiKey.principal(key)).toEqual({
      principalId: "id",
      kind: "agent",
      customerId: "c",
      workspaceIds: ["w"],
      partnerIds: ["p"],
      agentId: "a",
      scopes: ["partners:read"],
    });
  });

  it("represents a principal of the person that holds it", () => {
    expect(ApiKey.principal({ ...key, person: "ada" })).toMatchObject({ principalId: "id", person: "ada" });
  });

  it("represents a principal that ends with the key", () => {
    expect(ApiKey.principal({ ...key, expiresAt: NOW })).toMatchObject({ principalId: "id", expiresAt: NOW });
  });

  it("is usable until it expires or is revoked", () => {
    expect(ApiKey.isUsable(key, NOW)).toBe(true);
    expect(ApiKey.isUsable({ ...key, expiresAt: NOW + 1 }, NOW)).toBe(true);
    expect(ApiKey.isUsable({ ...key, expiresAt: NOW }, NOW)).toBe(false);
    expect(ApiKey.isUsable({ ...key, revokedAt: 0 }, NOW)).toBe(false);
  });
});

describe("the events of a key", () => {
  const BY = { actor: "key 1", person: "ada" };
  const ACTOR = { principal_id: "key 1", person: "ada" };
  const grant = { ...key, expiresAt: NOW, person: "bo" };
  const created = ApiKey.create(grant, { keyId: "k", secretSha256: "s" }, BY);

  it("name who created it and what it may do, and never its secret", () => {
    const { stored, ...shown } = created as typeof created & { readonly stored: object };
    expect(shown).toEqual({
      type: "create_api_key",
      actor: ACTOR,
      ...{ name: null, person: "bo", kind: "agent", workspace_ids: ["w"], partner_ids: ["p"] },
      ...{ agent_id: "a", scopes: ["partners:read"], expires_at: "1970-01-01T00:00:01.000Z" },
    });
    expect(stored).toEqual({ key_id: "k", secret_sha256: "s" });
  });

  it("give the key again, and its revocation", () => {
    const view = ApiKey.evolve(null, { at: 5, actor: "key 1", event: created });
    const { id: _, customerId: __, lastUsedAt: ___, ...stored } = grant;
    expect(view).toEqual({ ...stored, keyId: "k", secretSha256: "s", createdAt: 5 });
    const [revoked] = ApiKey.revoke(view, BY);
    expect(revoked).toEqual({ type: "revoke_api_key", actor: ACTOR });
    if (revoked === undefined) throw new Error("one event");
    const after = ApiKey.evolve(view, { at: 9, actor: "key 1", event: revoked });
    expect(after).toEqual({ ...view, revokedAt: 9 });
    expect(ApiKey.revoke(after, BY)).toEqual([]);
  });
});

describe("the request", () => {
  it("names its fields as the interface does", () => {
    const id = "00000000-0000-7000-8000-000000000001";
    expect(
      Schema.decodeUnknownSync(ApiKey.Create)({
        customer_id: id,
        kind: "partner",
        workspace_ids: "*",
        partner_ids: [id],
        agent_id: id,
        scopes: ["partners:read"],
        expires_at: "1970-01-01T00:00:01Z",
        name: "n",
      }),
    ).toEqual({
      customerId: id,
      kind: "partner",
      workspaceIds: "*",
      partnerIds: [id],
      agentId: id,
      scopes: ["partners:read"],
      expiresAt: 1_000,
      name: "n",
    });
    expect(Schema.is(ApiKey.Create)({ kind: "platform" })).toBe(false);
  });
});

it("a key names at most 1,000 partners", () => {
  const ids = Array.from({ length: Limits.GRANT_MAX + 1 }, () => crypto.randomUUID());
  const decode = Schema.decodeUnknownEither(ApiKey.Create);
  expect(Either.isRight(decode({ partner_ids: ids.slice(1) }))).toBe(true);
  expect(Either.getLeft(decode({ partner_ids: ids })).pipe(Option.map(String))).toMatchObject({
    value: expect.stringContaining("must have at most 1000 values"),
  });
});
