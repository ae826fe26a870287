import { Either, Schema } from "effect";
import { Principal } from "quittance";
import { describe, expect, it } from "vitest";

type Operation = Parameters<typeof Principal.authorize>[1];

const OPERATIONS = Object.keys(Principal.SCOPE_OF) as ReadonlyArray<Operation>;

const SCOPED = OPERATIONS.flatMap((operation) => {
  const scope = Principal.SCOPE_OF[operation];
  return scope === null ? [] : [[operation, scope] as const];
});

const principal = (changes: Partial<Principal.Principal> = {}): Principal.Principal => ({
  ...Principal.customer("c" as never),
  ...changes,
});

const record = { customerId: "c", workspaceId: "w", partnerId: "p" } as never;
const allowed = (kind: Principal.Kind): ReadonlyArray<Operation> =>
  OPERATIONS.filter((operation) => Either.isRight(Principal.authorize(principal({ kind }), operation)));
const messageOf = (result: Either.Either<void, { readonly message: string }>): string | null =>
  Either.match(result, { onLeft: ({ message }) => message, onRight: () => null });

describe("what a principal sees", () => {
  it("are the records of its own customer", () => {
    expect(Principal.canSee(principal(), record)).toBe(true);
    expect(Principal.canSee(principal({ customerId: "d" as never }), record)).toBe(false);
  });

  it("are the records of every customer, for the platform", () => {
    expect(Principal.canSee(principal({ kind: "platform", customerId: null }), record)).toBe(true);
    expect(
      Principal.canSee(principal({ kind: "platform", customerId: null, workspaceIds: [] }), record),
    ).toBe(false);
  });

  it("are the records of the workspaces and partners of its grant", () => {
    expect(Principal.canSee(principal({ workspaceIds: ["w" as never] }), record)).toBe(true);
    expect(Principal.canSee(principal({ workspaceIds: ["v" as never] }), record)).toBe(false);
    expect(Principal.canSee(principal({ partnerIds: ["p" as never] }), record)).toBe(true);
    expect(Principal.canSee(principal({ partnerIds: ["q" as never] }), record)).toBe(false);
  });

  it("include records that belong to no partner, whatever its partners", () => {
    expect(
      Principal.canSee(principal({ partnerIds: [] }), { ...(record as object), partnerId: null } as never),
    ).toBe(true);
  });
});

describe("the filters of a list", () => {
  const ids = (...names: ReadonlyArray<string>) => names as never;

  it("are the requested ones if the grant is everything", () => {
    expect(Principal.restrict(principal(), {})).toStrictEqual({});
    expect(Principal.restrict(principal(), { workspaceIds: ids("w"), partnerIds: ids("p") })).toEqual({
      workspaceIds: ["w"],
      partnerIds: ["p"],
    });
  });

  it("are the grant if nothing is requested", () => {
    const bound = principal({ workspaceIds: ids("w"), partnerIds: ids("p", "q") });
    expect(Principal.restrict(bound, {})).toEqual({ workspaceIds: ["w"], partnerIds: ["p", "q"] });
  });

  it("are restricted to the grant; ids outside of it match nothing", () => {
    const bound = principal({ workspaceIds: ids("w"), partnerIds: ids("p") });
    expect(Principal.restrict(bound, { workspaceIds: ids("w", "v"), partnerIds: ids("q") })).toEqual({
      workspaceIds: ["w"],
      partnerIds: [],
    });
  });

  it("do not filter by partner if the records belong to no partner", () => {
    const bound = principal({ partnerIds: ids("p") });
    expect(Principal.restrict(bound, {}, false)).toEqual({});
    expect(Principal.restrict(bound, { partnerIds: ids("q") }, false)).toEqual({ partnerIds: ["q"] });
  });
});

describe("what a kind of principal may do", () => {
  it("is everything but erasing for a customer and an agent, within the scopes", () => {
    const operations = OPERATIONS.filter((operation) => !operation.startsWith("erase"));
    expect(allowed("customer")).toEqual(operations);
    expect(allowed("agent")).toEqual(operations);
  });

  it("is reading its own records, uploading documents and attachments, raising disputes and withdrawing them, commenting, and proposing an account for a partner", () => {
    expect(allowed("partner")).toEqual([
      "read principal",
      "accept invitation",
      "list attributions",
      "attribution statistics",
      "list partners",
      "list payout accounts",
      "propose payout account",
      "list partner links",
      "list formulas",
      "read plan terms",
      "list plan acceptances",
      "accept plan terms",
      "list commissions",
      "commission statistics",
      "explain commission",
      "list settlements",
      "read settlement document",
      "read balance",
      "read statement",
      "upload invoice",
      "upload credit note",
      "dispute settlement",
      "withdraw dispute",
      "comment settlement",
      "attach file",
    ]);
  });

  it("is reading, creating settlements, managing keys and erasing for the platform", () => {
    expect(allowed("platform")).toEqual([
      "read principal",
      "list attributions",
      "attribution statistics",
      "list schemas",
      "list partners",
      "read partner events",
      "list payout accounts",
      "list partner links",
      "list formulas",
      "simulate formula",
      "list plans",
      "read plan terms",
      "list plan acceptances",
      "list commissions",
      "commission statistics",
      "explain commission",
      "list settlements",
      "preview settlement",
      "read settlement document",
      "read balance",
      "read statement",
      "create settlement",
      "list keys",
      "create key",
      "revoke key",
      "erase partner",
      "erase events",
    ]);
  });

  it("is nothing for the system, which has no credential", () => {
    expect(allowed("system")).toEqual([]);
  });

  it("is refused with the kind and the operation", () => {
    expect(messageOf(Principal.authorize(principal({ kind: "partner" }), "create partner"))).toBe(
      "A partner credential may not create partner",
    );
  });

  it("needs no scope to read one's own principal", () => {
    expect(messageOf(Principal.authorize(principal({ scopes: [] }), "read principal"))).toBe(null);
  });

  it.each(SCOPED)("needs the scope of the operation: %s", (operation, scope) => {
    const kind = operation.startsWith("erase") ? "platform" : "customer";
    expect(messageOf(Principal.authorize(principal({ kind, scopes: [scope] }), operation))).toBe(null);
    const others = Principal.ALL_SCOPES.filter((other) => other !== scope);
    expect(messageOf(Principal.authorize(principal({ kind, scopes: others }), operation))).toBe(
      `The credential lacks the scope ${scope}`,
    );
  });
});

describe("scopes", () => {
  it("are listed in this order", () => {
    expect(Principal.ALL_SCOPES).toEqual([
      "attributions:read",
      "attributions:write",
      "schemas:read",
      "schemas:write",
      "partners:read",
      "partners:write",
      "formulas:read",
      "formulas:write",
      "commissions:read",
      "settlements:read",
      "settlements:write",
      "settlements:approve",
      "settlements:pay",
      "payouts:read",
      "events:read",
      "events:write",
      "keys:admin",
    ]);
    expect(Principal.DEFAULT_SCOPES).toEqual(Principal.ALL_SCOPES.slice(0, -1));
  });

  it("that the operations need are these", () => {
    expect(Principal.SCOPE_OF).toMatchObject({
      "cancel attribution": "attributions:write",
      "replace attribution": "attributions:write",
      "recredit attribution": "attributions:write",
      "state received": "attributions:write",
      "preview received": "commissions:read",
      "create schema": "schemas:write",
      "update partner": "partners:write",
      "propose payout account": "partners:write",
      "confirm payout account": "settlements:approve",
      "choose payout account": "settlements:approve",
      "simulate formula": "formulas:read",
      "cancel formula": "formulas:write",
      "explain commission": "commissions:read",
      "preview settlement": "settlements:read",
      "cancel settlement": "settlements:write",
      "dispute settlement": "settlements:write",
      "withdraw dispute": "settlements:write",
      "comment settlement": "settlements:write",
      "attach file": "settlements:write",
      "write off settlement": "settlements:approve",
      "resolve dispute": "settlements:approve",
      "mark settlement as paid": "settlements:pay",
      "reconcile settlement": "settlements:pay",
      "write billing profile": "keys:admin",
      "read billing profile": "settlements:read",
    });
  });
});

describe("ids that a request names", () => {
  const bound = principal({ workspaceIds: ["w" as never], partnerIds: ["p" as never] });

  it("pass inside the grant, and always under the grant *", () => {
    expect(messageOf(Principal.withinGrants(bound, {}))).toBe(null);
    expect(messageOf(Principal.withinGrants(bound, { workspaceIds: ["w"], partnerIds: ["p"] }))).toBe(null);
    expect(messageOf(Principal.withinGrants(principal(), { workspaceIds: ["x"], partnerIds: ["x"] }))).toBe(
      null,
    );
  });

  it("are refused outside the grant, by the name of the field or the parameter", () => {
    expect(messageOf(Principal.withinGrants(bound, { workspaceIds: ["w", "v"] }))).toBe(
      "workspace_id: outside the credential's grant",
    );
    expect(messageOf(Principal.withinGrants(bound, { partnerIds: ["p", "q"] }))).toBe(
      "partner_id: outside the credential's grant",
    );
    expect(messageOf(Principal.withinGrants(bound, { workspaceIds: ["v"] }, true))).toBe(
      "workspace_ids: outside the credential's grant",
    );
    expect(messageOf(Principal.withinGrants(bound, { partnerIds: ["q"] }, true))).toBe(
      "partner_ids: outside the credential's grant",
    );
  });
});

describe("a principal", () => {
  it("of a host may do everything for one customer", () => {
    expect(Principal.customer("c" as never)).toEqual({
      principalId: "host",
      kind: "customer",
      customerId: "c",
      workspaceIds: "*",
      partnerIds: "*",
      agentId: null,
      scopes: Principal.ALL_SCOPES,
    });
    expect(Principal.customer("c" as never, "me").principalId).toBe("me");
  });

  it("of the platform has no customer and every scope", () => {
    expect(Principal.platform("platform:admin")).toEqual({
      ...Principal.customer(null as never, "platform:admin"),
      kind: "platform",
    });
  });

  it("is decoded from claims: grants are * or a list of ids, the customer is null for the platform", () => {
    const decode = Schema.is(Principal.Principal);
    const id = "00000000-0000-7000-8000-000000000001";
    const claims = { ...Principal.customer(id as never), workspaceIds: [id], partnerIds: "*" };
    expect(decode(claims)).toBe(true);
    expect(decode({ ...claims, customerId: null })).toBe(true);
    expect(decode({ ...claims, principalId: "" })).toBe(false);
    expect(decode({ ...claims, principalId: "x".repeat(256) })).toBe(false);
    expect(decode({ ...claims, workspaceIds: "all" })).toBe(false);
    expect(decode({ ...claims, kind: "root" })).toBe(false);
    expect(decode({ ...claims, scopes: ["everything"] })).toBe(false);
    for (const kind of ["customer", "partner", "agent", "platform", "system"]) {
      expect(decode({ ...claims, kind })).toBe(true);
    }
  });
});
