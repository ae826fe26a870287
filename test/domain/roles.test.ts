import { Either, Schema } from "effect";
import { CommissionPlan, Formula, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const ID = "00000000-0000-7000-8000-000000000001";
const request = {
  ...{ partner_id: ID, workspace_id: ID, schema_id: ID, name: "Ten per cent", currency: "EUR" },
  ...{ start_datetime: "2026-01-01T00:00:00Z", expression_text: "amount * 10 %" },
};
const NODE = { type: "literal", value: { type: "number", value: 1 } } as const;

const created = (roles?: ReadonlyArray<string>) =>
  Either.flatMap(
    Schema.decodeUnknownEither(Formula.Create)(roles === undefined ? request : { ...request, roles }),
    (decoded) => Formula.create(decoded, NODE),
  );
const problemOf = (roles: ReadonlyArray<string>): string | null =>
  Either.match(Schema.decodeUnknownEither(Formula.Create)({ ...request, roles }), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

const entry = <Event>(event: Event) => ({ at: 0, actor: "a", event });

describe("the roles of a formula", () => {
  it("are the seller's alone by default, which is stored as nothing", () => {
    for (const roles of [undefined, ["seller"]]) {
      const event = Either.getOrThrow(created(roles));
      expect(event).not.toHaveProperty("roles");
      const view = Formula.evolve(null, entry(event));
      expect(view.roles).toBe(null);
      expect(Formula.rolesOf(view)).toEqual(["seller"]);
    }
  });

  it("are what the request states otherwise", () => {
    const event = Either.getOrThrow(created(["manager", "seller"]));
    expect(event).toMatchObject({ roles: ["manager", "seller"] });
    expect(Formula.evolve(null, entry(event)).roles).toEqual(["manager", "seller"]);
  });

  it("are 1 to 20, of 1 to 64 characters, none of them twice", () => {
    expect(problemOf([])).toBe("roles: must have 1 to 20 roles");
    expect(problemOf(Array.from({ length: 21 }, (_, index) => `r${index}`))).toBe(
      "roles: must have 1 to 20 roles",
    );
    expect(problemOf(["a", "a"])).toBe("roles: must not name one twice");
    expect(problemOf(["r".repeat(65)])).toBe("roles.0: must have 1 to 64 characters");
    expect(problemOf(["r".repeat(64)])).toBe(null);
  });

  it("are those of the plan in each formula that it assigns", () => {
    const { partner_id: _, ...planRequest } = { ...request, roles: ["manager"] };
    const event = Either.getOrThrow(
      Either.flatMap(Schema.decodeUnknownEither(CommissionPlan.Create)(planRequest), (decoded) =>
        CommissionPlan.create(decoded, NODE),
      ),
    );
    const view = CommissionPlan.evolve(null, entry(event));
    expect(view.roles).toEqual(["manager"]);
    const plan = { ...view, id: ID, customerId: ID, workspaceId: ID, schemaId: ID, version: 1 } as never;
    const bounds = { startDatetime: null, endDatetime: null };
    expect(Either.getOrThrow(CommissionPlan.assign(plan, ID as never, bounds, []))).toMatchObject({
      roles: ["manager"],
    });
  });
});
