/** Two commits of which each saves a record whose version the other requires. */
import { Effect, Fiber } from "effect";
import type pg from "pg";
import { Build, Scene } from "quittance/testing";
import { untilWaiting } from "./waiting.ts";

/**
 * Stops the first commit between two of its locks by a row that it changes as well, until the second one waits. Returns how
 * each ended: `stored`, or its conflict, which is `lock` when the database had to resolve a deadlock.
 */
export const mutualReliance = (holder: pg.Client, observer: pg.Client) =>
  Effect.gen(function* () {
    const scene = yield* Scene.create();
    const partners = [Build.partner(scene), Build.partner(scene), Build.partner(scene)] as const;
    yield* Scene.commit(scene.customerId, partners);
    const [one, two, held] = partners.map(({ row }) => row).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (one === undefined || two === undefined || held === undefined) throw new Error("there are three");
    const change = (rows: ReadonlyArray<typeof one>, required: typeof one) =>
      Scene.commit(
        scene.customerId,
        rows.map((row) => Build.renamedPartner(row, "Sydlys")),
        { requires: [{ type: "record", kind: "partner", id: required.id, version: 1 }] },
      );
    yield* Effect.promise(() => holder.query("begin"));
    yield* Effect.promise(() =>
      holder.query("select from quittance.partners where id = $1 for update", [held.id]),
    );
    const first = yield* Effect.fork(change([two, held], one));
    yield* untilWaiting(observer, 1);
    const second = yield* Effect.fork(change([one], two));
    yield* untilWaiting(observer, 2);
    yield* Effect.promise(() => holder.query("commit"));
    const outcomes = yield* Effect.forEach([first, second], (fiber) => Effect.either(Fiber.join(fiber)));
    return outcomes.map((outcome) =>
      outcome._tag === "Right" ? "stored" : "what" in outcome.left ? outcome.left.what : outcome.left._tag,
    );
  });
