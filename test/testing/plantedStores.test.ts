/** Every law of the storage contract can fail: at least one store with a planted bug breaks it. */
import { assert, describe, it } from "@effect/vitest";
import { Context, Effect, Layer } from "effect";
import { Directory, Documents, Outbox, Storage } from "quittance";
import { layer } from "quittance/memory";
import { type Ports, storageContract } from "quittance/testing";
import type { Bug } from "./planted/Bug.ts";
import { commitBugs } from "./planted/commitBugs.ts";
import { feedBugs } from "./planted/feedBugs.ts";
import { listBugs } from "./planted/listBugs.ts";
import { otherBugs } from "./planted/otherBugs.ts";
import { readBugs } from "./planted/readBugs.ts";

const bugs: ReadonlyArray<Bug> = [...commitBugs, ...listBugs, ...readBugs, ...otherBugs, ...feedBugs];

const buggy = ({ plant }: Bug): Layer.Layer<Ports> =>
  Layer.map(layer, (context) => {
    const services = {
      storage: Context.get(context, Storage.Storage),
      directory: Context.get(context, Directory.Directory),
      outbox: Context.get(context, Outbox.Outbox),
      documents: Context.get(context, Documents.DocumentStore),
    };
    const planted = { ...services, ...plant(services) };
    return Context.make(Storage.Storage, planted.storage).pipe(
      Context.add(Directory.Directory, planted.directory),
      Context.add(Outbox.Outbox, planted.outbox),
      Context.add(Documents.DocumentStore, planted.documents),
    );
  });

const lawsNamed = (part: string) => storageContract.filter(({ name }) => name.includes(part));

describe("a store with a planted bug breaks the storage contract", () => {
  for (const bug of bugs) {
    it.live(`${bug.bug}`, () =>
      Effect.gen(function* () {
        for (const part of bug.breaks) {
          const laws = lawsNamed(part);
          assert.isNotEmpty(laws, `no law has a name with ${part}`);
          const exits = yield* Effect.forEach(laws, (law) =>
            Effect.exit(Effect.provide(law.check, buggy(bug))),
          );
          assert.isTrue(
            exits.every((exit) => exit._tag === "Failure"),
            `not every law fails:  ${laws.map(({ name }) => name).join("; ")}`,
          );
        }
      }),
    );
  }

  it("every law is broken by at least one planted bug", () => {
    const broken = new Set(bugs.flatMap(({ breaks }) => breaks.flatMap(lawsNamed)).map(({ name }) => name));
    assert.deepStrictEqual(
      storageContract.map(({ name }) => name).filter((name) => !broken.has(name)),
      [],
    );
  });
});
