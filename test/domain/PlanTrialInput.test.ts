import { Either } from "effect";
import { Currency, type Refusal } from "quittance";
import { Build } from "quittance/testing";
import { describe, expect, it } from "vitest";
import * as PlanTrialInput from "../../src/domain/PlanTrialInput.ts";

const { EPOCH, DAY, fresh } = Build;
const span = { from: EPOCH, to: EPOCH + DAY };
const draft = {
  ...{ workspaceId: fresh.workspace(), schemaId: fresh.schema() },
  currency: Currency.Currency.make("EUR"),
};
const EXPRESSION = { type: "literal", value: { type: "number", value: 1 } } as const;
const BY_SELLERS = { type: "attribute", name: "sellers_commission" } as const;

const fieldOf = (checked: Either.Either<unknown, Refusal.Invalid>): string | null =>
  Either.isLeft(checked) ? checked.left.field : null;

describe("the subject of a trial", () => {
  it("is a plan, which has its own workspace, schema, currency and roles", () => {
    const planId = fresh.plan();
    expect(PlanTrialInput.subjectOf({ ...span, planId })).toEqual(Either.right({ planId }));
    for (const [name, field] of [
      ["workspaceId", "workspace_id"],
      ["schemaId", "schema_id"],
      ["currency", "currency"],
    ] as const)
      expect(fieldOf(PlanTrialInput.subjectOf({ ...span, planId, [name]: draft[name] }))).toBe(field);
    expect(fieldOf(PlanTrialInput.subjectOf({ ...span, planId, roles: ["manager"] }))).toBe("roles");
  });

  it("is the terms of a draft, of which none is left out", () => {
    const request = { ...span, ...draft, expression: EXPRESSION };
    expect(PlanTrialInput.subjectOf({ ...request, roles: ["manager"] })).toMatchObject(
      Either.right({ ...draft, roles: ["manager"] }),
    );
    for (const [name, field] of [
      ["workspaceId", "workspace_id"],
      ["schemaId", "schema_id"],
      ["currency", "currency"],
    ] as const)
      expect(fieldOf(PlanTrialInput.subjectOf({ ...request, [name]: undefined } as never))).toBe(field);
  });

  it("has a rule for the share only with an expression", () => {
    const request = { ...span, planId: fresh.plan(), applyShare: false };
    expect(fieldOf(PlanTrialInput.subjectOf(request))).toBe("apply_share");
    expect(fieldOf(PlanTrialInput.subjectOf({ ...request, expression: EXPRESSION }))).toBeNull();
  });
});

describe("what a trial starts with", () => {
  const partnerId = fresh.partner();
  const added = { partnerId, properties: {}, occurredAt: EPOCH };
  const check = (more: object) => fieldOf(PlanTrialInput.checkStart({ ...span, ...more } as never));

  it("is a span of some time and at most 3,660 days, and added sales in it, to its partners", () => {
    expect(check({})).toBeNull();
    expect(check({ to: EPOCH })).toBe("to");
    expect(check({ to: EPOCH + 3_660 * DAY })).toBeNull();
    expect(check({ to: EPOCH + 3_660 * DAY + 1 })).toBe("to");
    expect(check({ add: [added, { ...added, occurredAt: EPOCH + DAY }] })).toBe("add.1.occurred_at");
    expect(check({ add: [added], partnerIds: [partnerId] })).toBeNull();
    expect(check({ add: [added], partnerIds: [fresh.partner()] })).toBe("add.0.partner_id");
    expect(check({ add: [{ ...added, occurredOn: "2020-01-01" }] })).toBe("add.0.occurred_on");
  });

  it("states what the sellers of added sales earn, where their role is paid by it", () => {
    const credit = { role: "manager" };
    const sellers = (add: ReadonlyArray<object>, expressions: ReadonlyArray<object>) =>
      fieldOf(PlanTrialInput.checkSellers({ ...span, add } as never, ["manager"], expressions as never));
    expect(sellers([{ ...added, credit }], [BY_SELLERS])).toMatch(/^add\.0/);
    expect(sellers([{ ...added, credit, sellersCommission: 5 }], [BY_SELLERS])).toBeNull();
    expect(sellers([added], [BY_SELLERS])).toBeNull();
    expect(sellers([{ ...added, credit }], [EXPRESSION])).toBeNull();
  });
});
