/** A customer with records of every kind, for laws that read many records at once. */
import { Effect } from "effect";
import { format } from "../domain/Timestamp.ts";
import * as Build from "./Build.ts";
import * as Scene from "./Scene.ts";

/**
 * Stores a customer with two workspaces, three partners, eight commissions each, three of them of late attributions, paid
 * and draft settlements, and a plan for each partner.
 */
export const populatedCustomer = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const scenes = [
    yield* Scene.create({ customerId, workspaceId, at: Build.EPOCH + 3 }),
    yield* Scene.create({ customerId, workspaceId, at: Build.EPOCH + 1 }),
    yield* Scene.create({ customerId, at: Build.EPOCH + 2 }),
  ];
  for (const [index, scene] of scenes.entries()) {
    const earned = yield* Scene.earn(
      scene,
      [100, 200, null, -50, 0],
      (each) => Build.EPOCH + index + each * 10,
    );
    const late = [0, 1, 2].map((days) =>
      Build.attribution(scene, {
        createdAt: Build.EPOCH + 5 + days,
        occurredAt: Build.EPOCH - days * Build.DAY,
      }),
    );
    yield* Scene.commit(customerId, [
      ...late,
      ...late.map(({ row }) =>
        Build.commission(row, scene.formula, 3, { createdAt: row.createdAt + index * 10 }),
      ),
    ]);
    const [one, two, , four] = earned.map(({ commission }) => commission);
    if (one === undefined || two === undefined || four === undefined)
      return yield* Effect.die("five commissions were stored");
    yield* Scene.pay(yield* Scene.draft(scene, [one], Build.EPOCH + 100 - index));
    yield* Scene.draft(scene, [two, four], Build.EPOCH + 200);
    const ended = Build.formula(scene, {
      start_datetime: format(Build.EPOCH),
      end_datetime: format(Build.EPOCH + Build.DAY),
      createdAt: Build.EPOCH + 50,
    });
    const second = Build.formula(scene);
    const cancel = Build.next("formula", second.row, [
      { type: "cancel_commission_formula", reason: "never" },
    ]);
    yield* Scene.commit(customerId, [ended, second]);
    const plan = Build.plan(scene, {
      name: ["Nord", "Syd", "Nordsyd"][index] ?? "",
      createdAt: Build.EPOCH + 9 - index,
    });
    yield* Scene.commit(customerId, [plan]);
    yield* Scene.commit(customerId, [Build.formula(scene, Build.assignment(plan.row))]);
    yield* Scene.commit(customerId, [cancel]);
  }
  const [one, , three] = scenes;
  if (one === undefined || three === undefined) return yield* Effect.die("three scenes were stored");
  return { customerId, one, three };
});
