/** A process that commits to an embedded store until it is killed, and prints each acknowledged commit. */
import { Effect } from "effect";
import { layer } from "quittance/pglite";
import { Build, Scene } from "quittance/testing";

const [folder = ""] = process.argv.slice(2);

const write = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const say = (...words: ReadonlyArray<string>) =>
    Effect.sync(() => process.stdout.write(`${words.join(" ")}\n`));
  yield* say("customer", scene.customerId);
  yield* Effect.forever(
    Effect.suspend(() => {
      const attribution = Build.attribution(scene);
      return Effect.zipRight(
        Scene.commit(scene.customerId, [attribution]),
        say("stored", attribution.row.id),
      );
    }),
  );
});

await Effect.runPromise(Effect.provide(write, layer({ folder })));
