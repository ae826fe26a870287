import type { Client, Expression as ClientExpression } from "quittance/client";
import type { Expression } from "quittance/formula";
import { open, type Expression as PromiseExpression, type Services } from "quittance/promise";
import { describe, expect, expectTypeOf, it } from "vitest";

/** The expression of the input that a method takes at a place. */
type In<Method extends (...taken: never) => unknown, Place extends number = 0> = Exclude<
  NonNullable<Parameters<Method>[Place]>["expression" & keyof NonNullable<Parameters<Method>[Place]>],
  undefined
>;

type Row<List extends (...taken: never) => Promise<{ readonly items: ReadonlyArray<unknown> }>> = Awaited<
  ReturnType<List>
>["items"][number];

describe("the type of expressions", () => {
  it("is that of the formula language in inputs and results of quittance/promise", () => {
    expectTypeOf<PromiseExpression>().toEqualTypeOf<Expression>();
    type Formulas = Services["commissionFormulas"];
    type Plans = Services["commissionPlans"];
    expectTypeOf<In<Formulas["create"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Formulas["simulate"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Formulas["update"], 1>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Plans["create"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Plans["update"], 1>>().toEqualTypeOf<Expression>();
    expectTypeOf<Row<Formulas["list"]>["versions"][number]["expression"]>().toEqualTypeOf<Expression>();
  });

  it("is that of the formula language in inputs and results of quittance/client", () => {
    expectTypeOf<ClientExpression>().toEqualTypeOf<Expression>();
    type Formulas = Client["commissionFormulas"];
    type Plans = Client["commissionPlans"];
    expectTypeOf<In<Formulas["create"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Formulas["simulate"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Formulas["update"], 1>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Plans["create"]>>().toEqualTypeOf<Expression>();
    expectTypeOf<In<Plans["update"], 1>>().toEqualTypeOf<Expression>();
    expectTypeOf<Row<Formulas["list"]>["formula"]>().toEqualTypeOf<Expression>();
  });

  it("has no node with a wrong name, field or operand, which the engine refuses too", async () => {
    await using quittance = await open({ database: "memory:", worker: false });
    const me = quittance.as({ customerId: crypto.randomUUID() });
    const { id: schemaId } = await me.attributionSchemas.create({
      workspaceId: crypto.randomUUID(),
      name: "Sale",
      properties: [{ name: "cents", type: "number", required: true }],
    });
    const samples = [{ properties: { cents: 100 } }];
    const wrong = [
      me.commissionFormulas.simulate({
        ...{ schemaId, currency: "EUR", samples },
        // @ts-expect-error the node is called property
        expression: { type: "propperty", name: "cents" },
      }),
      me.commissionFormulas.simulate({
        ...{ schemaId, currency: "EUR", samples },
        // @ts-expect-error the field is called name
        expression: { type: "property", nme: "cents" },
      }),
      me.commissionFormulas.simulate({
        ...{ schemaId, currency: "EUR", samples },
        // @ts-expect-error an operand is a node
        expression: { type: "add", operands: [1] },
      }),
    ];
    for (const { status } of await Promise.allSettled(wrong)) expect(status).toBe("rejected");
  });
});
