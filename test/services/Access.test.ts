import { describe, it } from "@effect/vitest";
import { Effect, Either, Schema } from "effect";
import { Checked, Principal, type Storage } from "quittance";
import { expect } from "vitest";
import { AllCustomers } from "../../src/ports/Storage.ts";
import * as Access from "../../src/services/commands/Access.ts";

const CUSTOMER = "c" as never;
const owner = (changes: Partial<Principal.Principal> = {}): Principal.Principal => ({
  ...Principal.customer(CUSTOMER),
  ...changes,
});
const platform = owner({ kind: "platform", customerId: null });

const described = <A>(result: Either.Either<A, { readonly _tag: string; readonly message: string }>) =>
  Either.mapLeft(result, ({ _tag, message }) => `${_tag}: ${message}`);

describe("the input of a service", () => {
  const schema = Schema.Struct({ name: Schema.String, count: Schema.Int });
  const wrong = { name: 1, count: 1.5 } as never;

  it("is validated, and the message names the first field that is wrong", () => {
    const input = { name: "n", count: 1 };
    expect(Access.validate(schema)(input)).toEqual(Either.right(input));
    expect(described(Access.validate(schema)(wrong))).toEqual(
      Either.left("Invalid: name: Expected string, actual 1"),
    );
  });

  it("is not validated again if a decoder of the same schema has marked it", () => {
    const marked = Checked.mark({ name: 1, count: 1.5 } as never, schema);
    expect(Either.isRight(Access.validate(schema)(marked))).toBe(true);
    const other = Schema.Struct({ name: Schema.String, count: Schema.Int });
    expect(Either.isLeft(Access.validate(other)(marked))).toBe(true);
  });
});

describe("the customer of a principal", () => {
  const refused = Either.left("Forbidden: A platform credential may not do this");

  it("is the one that the principal is bound to; the platform has none", () => {
    expect(Access.customerOf(owner())).toEqual(Either.right("c"));
    expect(described(Access.customerOf(platform))).toEqual(refused);
  });

  it("bounds its reads; the platform reads across customers", () => {
    expect(Access.tenantOf(owner())).toEqual(Either.right("c"));
    expect(Access.tenantOf(platform)).toEqual(Either.right(AllCustomers));
    expect(described(Access.tenantOf(owner({ customerId: null })))).toEqual(
      Either.left("Forbidden: A customer credential may not do this"),
    );
  });

  it("is returned if the operation is allowed, and is not looked at otherwise", () => {
    expect(Access.authorizeCustomer(owner(), "create partner")).toEqual(Either.right("c"));
    expect(described(Access.authorizeCustomer(owner({ scopes: [] }), "create partner"))).toEqual(
      Either.left("Forbidden: The credential lacks the scope partners:write"),
    );
    expect(described(Access.authorizeCustomer(platform, "list partners"))).toEqual(refused);
  });
});

describe("a request", () => {
  const invalid = Either.left({ _tag: "Invalid", message: "name: must not be empty" } as never);
  const outside = () => ({ workspaceIds: ["v"] });
  const bound = owner({ workspaceIds: ["w" as never] });

  it("is refused for its operation first, then for its input, then for the ids that it names, last for its customer", () => {
    const request = (
      principal: Principal.Principal,
      checked: Either.Either<object, never>,
      named?: typeof outside,
    ) => described(Access.authorizeRequest(principal, "list partners", checked, named));
    expect(request({ ...bound, scopes: [] }, invalid, outside)).toEqual(
      Either.left("Forbidden: The credential lacks the scope partners:read"),
    );
    expect(request(bound, invalid, outside)).toEqual(Either.left("Invalid: name: must not be empty"));
    expect(request(bound, Either.right({}), outside)).toEqual(
      Either.left("Forbidden: workspace_id: outside the credential's grant"),
    );
    expect(request(platform, Either.right({}))).toEqual(
      Either.left("Forbidden: A platform credential may not do this"),
    );
    expect(request(bound, Either.right({ a: 1 }))).toEqual(
      Either.right({ customerId: "c", request: { a: 1 } }),
    );
  });
});

/** A store with one row of each kind under the id `x`. */
const storeWith = (row: object): Storage.StorageService =>
  ({
    find: (_tenant: unknown, _kind: unknown, [id]: ReadonlyArray<string>) =>
      Effect.succeed(id === "x" ? [{ id: "p", customerId: "c", workspaceId: "w", version: 1, ...row }] : []),
  }) as never;

describe("a record", () => {
  const find = (principal: Principal.Principal, kind: Storage.Kind, row: object = {}, id = "x") =>
    Access.findVisible(storeWith(row), principal, kind, id);
  const partnerOnly = owner({ partnerIds: ["p" as never] });

  it.effect("is visible if the principal may see its owner", () =>
    Effect.gen(function* () {
      for (const kind of [
        "attribution",
        "formula",
        "commission",
        "settlement",
        "document",
        "taxOrigin",
      ] as const) {
        expect(yield* find(partnerOnly, kind, { partnerId: "p" })).toMatchObject({ customerId: "c" });
        expect(yield* find(partnerOnly, kind, { partnerId: "q" })).toBe(null);
        expect(yield* find(owner(), kind, { partnerId: "p" }, "y")).toBe(null);
      }
      expect(yield* find(owner({ workspaceIds: ["v" as never] }), "settlement", { partnerId: "p" })).toBe(
        null,
      );
    }),
  );

  it.effect("of a partner belongs to that partner, a schema to no partner", () =>
    Effect.gen(function* () {
      expect(yield* find(partnerOnly, "partner")).toMatchObject({ id: "p" });
      expect(yield* find(partnerOnly, "partner", { id: "q" })).toBe(null);
      expect(yield* find(partnerOnly, "schema", { id: "s" })).toMatchObject({ id: "s" });
    }),
  );

  it.effect("of the service's own bookkeeping is visible to no principal", () =>
    Effect.gen(function* () {
      for (const kind of ["apiKey", "billingProfile", "recomputation"] as const) {
        expect(yield* find(owner(), kind, { partnerId: "p" })).toBe(null);
      }
    }),
  );

  it.effect("that does not exist and one of another customer are refused with the same error", () =>
    Effect.gen(function* () {
      const required = (principal: Principal.Principal, id: string) =>
        Effect.map(
          Effect.either(Access.requireVisible(storeWith({ partnerId: "p" }), principal, "settlement", id)),
          described as never,
        );
      const missing = Either.left("Missing: settlement not found");
      expect(yield* required(owner(), "y")).toEqual(missing);
      expect(yield* required(owner({ customerId: "d" as never }), "x")).toEqual(missing);
      expect(
        yield* Access.requireVisible(storeWith({ partnerId: "p" }), owner(), "settlement", "x"),
      ).toMatchObject({
        version: 1,
      });
    }),
  );
});
