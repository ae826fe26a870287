/** Which properties an attribution has: stated once for a workspace. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import { AttributionSchemas } from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule } = Given;
const schemas = AttributionSchemas.AttributionSchemas;

const amount = { name: "amount", type: "number", required: true, format: "money_major" } as const;

describe("creating a schema", () => {
  it.effect("keeps its properties in the order they are given in", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create, list } = yield* schemas;
        const properties = [amount, { name: "plan", type: "string", required: false } as const];
        const { id } = yield* create(owner, { workspaceId, name: "Renewal", properties });
        expect((yield* list(owner, { ids: [id] })).items[0]?.properties).toEqual(properties);
      }),
    ),
  );

  it.effect("refuses a property that is named twice", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const { create } = yield* schemas;
        const twice = { workspaceId, name: "Renewal", properties: [amount, amount] };
        expect(yield* Given.refusal(create(owner, twice))).toBe(
          "properties.1.name: is used by an earlier property",
        );
      }),
    ),
  );

  it.effect("refuses a workspace outside the credential's grant", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const bound = { ...owner, workspaceIds: [Build.fresh.workspace()] };
        const { create } = yield* schemas;
        expect(
          yield* Given.refusal(create(bound, { workspaceId, name: "Renewal", properties: [amount] })),
        ).toBe("workspace_id: outside the credential's grant");
      }),
    ),
  );

  it.effect("needs the scope schemas:write", () =>
    rule(
      Effect.gen(function* () {
        const { owner, workspaceId } = yield* Given.scene();
        const reader = { ...owner, scopes: ["schemas:read"] as const };
        const { create } = yield* schemas;
        expect(
          yield* Given.refusal(create(reader, { workspaceId, name: "Renewal", properties: [amount] })),
        ).toBe("The credential lacks the scope schemas:write");
      }),
    ),
  );
});

describe("a list of schemas", () => {
  it.effect("contains only the schemas of the credential's customer", () =>
    rule(
      Effect.gen(function* () {
        const [scene, other] = [yield* Given.scene(), yield* Given.scene()];
        const { list } = yield* schemas;
        expect((yield* list(scene.owner)).items.map(({ id }) => id)).toEqual([scene.schemaId]);
        expect((yield* list(scene.owner, { ids: [other.schemaId] })).total).toBe(0);
      }),
    ),
  );

  it.effect("finds a part of a name in any letter case", () =>
    rule(
      Effect.gen(function* () {
        const { owner } = yield* Given.scene();
        const { list } = yield* schemas;
        expect([
          (yield* list(owner, { name: "SAL" })).total,
          (yield* list(owner, { name: "x" })).total,
        ]).toEqual([1, 0]);
      }),
    ),
  );
});
