/** Laws of actors: who has caused an event, and for which person. */
import { Effect } from "effect";
import type { Entry } from "../../../domain/Event.ts";
import { type Change, type Listed, type Logged, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const PERSON = "Every event keeps its actor and its person; one of changed lines has those of the command.";

const ADA = { actor: "first key", person: "ada" };

/** The save with entries of another actor. */
const by = <Save extends { readonly entries: ReadonlyArray<Entry<unknown>> }>(
  save: Save,
  actor: typeof ADA,
): Save => ({
  ...save,
  entries: save.entries.map((entry) => ({ ...entry, ...actor })),
});

const actorsOf = (entries: ReadonlyArray<Entry<unknown>>) =>
  entries.map(({ actor, person = null }) => [actor, person]);

/** The actors of a record's events, by the log and by a list. */
const actors = (
  customerId: Build.Owner["customerId"],
  kind: "attribution" | "commission" | "settlement",
  id: string,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const log = yield* storage.log(customerId, kind, id);
    const items: ReadonlyArray<Listed[typeof kind]> = yield* listAll(customerId, kind);
    const listed = items
      .filter((item) => item.id === id)
      .flatMap(({ events }) => [...(events as ReadonlyArray<Entry<Logged[typeof kind]["event"]>>)]);
    yield* expectSame(`the events of a ${kind} in a list and in its log`, actorsOf(listed), actorsOf(log));
    return actorsOf(log);
  });

/** Stores new sales with their commissions, each by the actor; returns the saves. */
const sell = (scene: Scene.Scene, actor: typeof ADA, count: number) =>
  Effect.gen(function* () {
    const sold = Array.from({ length: count }, () => {
      const attribution = Build.attribution(scene);
      return { attribution, commission: Build.commission(attribution.row, scene.formula, 500) };
    });
    const changes = sold.flatMap(
      ({ attribution, commission }): ReadonlyArray<Change> => [by(attribution, actor), by(commission, actor)],
    );
    const command = { id: Build.fresh.command(), ...actor, at: Build.EPOCH };
    yield* Scene.commit(scene.customerId, changes, { command });
    return sold;
  });

const persons = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const expected = [[ADA.actor, ADA.person]];
  for (const count of [1, 2]) {
    const sold = yield* sell(scene, ADA, count);
    for (const { attribution, commission } of sold) {
      yield* expectSame("of a sale", yield* actors(customerId, "attribution", attribution.row.id), expected);
      yield* expectSame(
        "of its commission",
        yield* actors(customerId, "commission", commission.row.id),
        expected,
      );
    }
  }
  const [sold] = yield* sell(scene, ADA, 1);
  if (sold === undefined) return;
  const lines = Build.linesOf([sold.commission.row]);
  const draft = Build.settlement(scene, lines);
  yield* Scene.commit(
    customerId,
    [
      by(draft, { actor: "second key", person: "ada" }),
      { type: "reserve", settlementId: draft.row.id, lines },
    ],
    { command: { id: Build.fresh.command(), actor: "second key", person: "ada", at: Build.EPOCH } },
  );
  yield* expectSame("of a draft", yield* actors(customerId, "settlement", draft.row.id), [
    ["second key", "ada"],
  ]);
  yield* expectSame("of its line", yield* actors(customerId, "commission", sold.commission.row.id), [
    ...expected,
    ["second key", "ada"],
  ]);
  yield* Scene.cancel(draft.row);
  yield* expectSame("without a person", yield* actors(customerId, "settlement", draft.row.id), [
    ["second key", "ada"],
    [Build.ACTOR, null],
  ]);
});

export const actorLaws: ReadonlyArray<Law> = [
  law(PERSON, "of one command, of several rows, of lines", persons),
];
