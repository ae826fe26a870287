/** Laws of lists: order, pages, totals, name search, and the fields computed at read. */
import { Effect } from "effect";
import { searchable } from "../../../domain/Text.ts";
import { type Query, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import { populatedCustomer } from "../../PopulatedCustomer.ts";
import * as Scene from "../../Scene.ts";
import { listAll } from "../../StateDump.ts";

const ORDER = "One page of a list, in order of creation (`createdAt`, then `id`).";
const PAGE = "One page with events and the exact total, of one snapshot.";
const NAME =
  "Matches when the text that it reads contains the value, both as `Text.searchable` folds them; no character is a wildcard.";

const byCreation = (a: { createdAt: number; id: string }, b: { createdAt: number; id: string }): number =>
  a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1);

const ids = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  items.map(({ id }) => id);

const order = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const moments = [5, 1, 1, 3, 1, 9, 0, 5, 5];
  const attributions = moments.map((moment) => Build.attribution(scene, { createdAt: Build.EPOCH + moment }));
  for (const change of attributions) yield* Scene.commit(scene.customerId, [change]);
  const due = ids(attributions.map(({ row }) => row).toSorted(byCreation));
  const page = (query: Partial<Query>) => storage.list(scene.customerId, "attribution", Build.query(query));
  yield* expectSame("the list in ascending order", ids((yield* page({})).items), due);
  yield* expectSame(
    "the list in descending order",
    ids((yield* page({ order: "desc" })).items),
    due.toReversed(),
  );
  for (const direction of ["asc", "desc"] as const) {
    const whole = direction === "asc" ? due : due.toReversed();
    for (const perPage of [1, 2, 4, 9, 10]) {
      for (let number = 1; number <= 11; number++) {
        const found = yield* page({ page: number, perPage, order: direction });
        const part = whole.slice((number - 1) * perPage, number * perPage);
        yield* expectSame(`page ${number} of ${perPage}, ${direction}`, ids(found.items), part);
        yield* expectSame("the total beside it", found.total, due.length);
      }
    }
  }
  const past = yield* page({ page: 2_147_483_647, perPage: 100 });
  yield* expectSame("the largest page number", past, { items: [], total: due.length });
});

const NAMES = [
  "100 % Ærlig",
  "100 x Ærlig",
  "under_score",
  "underXscore",
  "back\\slash",
  "backslash",
  "ΟΔΟΣ",
  "İstanbul",
  "STRASSE ẞ",
  'O\'Hara "Q"',
  "naïve",
  "naïve",
  "emoji 🦔",
];
const SEARCHES = [
  "%",
  "_",
  "\\",
  "100 %",
  "æ",
  "οδος",
  "οδοσ",
  "i̇st",
  "istanbul",
  "ß",
  "'",
  '"',
  "naïve",
  "🦔",
  ".*",
  "u",
  "",
];

const names = Effect.gen(function* () {
  const storage = yield* Storage;
  const owner = { customerId: Build.fresh.customer(), workspaceId: Build.fresh.workspace() };
  for (const name of NAMES) {
    const schema = Build.schema(owner, { name });
    const plan = Build.plan({ ...owner, schemaId: schema.row.id }, { name });
    yield* Scene.commit(owner.customerId, [Build.partner(owner, { name }), schema, plan]);
  }
  for (const kind of ["partner", "schema", "plan"] as const) {
    for (const name of SEARCHES) {
      const query = Build.query({ where: { name } });
      const { items, total } = yield* storage.list(owner.customerId, kind, query);
      const due = NAMES.filter((candidate) => searchable(candidate).includes(searchable(name)));
      const what = `${kind}s whose name contains ${JSON.stringify(name)}`;
      yield* expectSame(what, [items.map(({ name }) => name).sort(), total], [due.sort(), due.length]);
    }
  }
  const [renamed] = yield* listAll(owner.customerId, "partner", { name: "under_" });
  if (renamed === undefined) return yield* Effect.die("the partner is stored");
  yield* Scene.commit(owner.customerId, [Build.renamedPartner(renamed, "Renamed")]);
  yield* expectSame(
    "a renamed partner by its old name",
    yield* listAll(owner.customerId, "partner", { name: "under_" }),
    [],
  );
  yield* expectSame(
    "a renamed partner by its new name",
    ids(yield* listAll(owner.customerId, "partner", { name: "renam" })),
    [renamed.id],
  );
});

const beside = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId } = yield* populatedCustomer;
  for (const kind of ["attribution", "formula", "commission", "settlement"] as const) {
    for (const item of yield* listAll(customerId, kind)) {
      const log = yield* storage.log(customerId, kind, item.id);
      const due = log.map((entry) => ({
        ...entry,
        event: Object.fromEntries(Object.entries(entry.event).filter(([name]) => name !== "stored")),
      }));
      yield* expectSame(`events of a ${kind}`, item.events, due);
      yield* expectSame(`the version of a ${kind}`, item.version, log.length);
    }
  }
  for (const { id, lines } of yield* listAll(customerId, "settlement")) {
    const [entry] = yield* storage.log(customerId, "settlement", id);
    const stored = entry?.event.type === "create_settlement" ? entry.event.stored.lines : null;
    yield* expectSame("lines of a settlement", lines, stored);
  }
});

const linesMax = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId } = yield* populatedCustomer;
  const whole = yield* listAll(customerId, "settlement");
  yield* expectSame(
    "whether some settlement has several lines",
    whole.some(({ lines }) => lines.length > 1),
    true,
  );
  for (const linesMax of [0, 1, 2, 10_000]) {
    const query = Build.query({ linesMax });
    const { items } = yield* storage.list(customerId, "settlement", query);
    const cut = whole.map((settlement) => ({ ...settlement, lines: settlement.lines.slice(0, linesMax) }));
    yield* expectSame(`at most ${linesMax} lines`, items, cut);
  }
});

const recomputing = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const shown = Effect.map(listAll(scene.customerId, "formula"), (items) =>
    items.map((item) => item.recomputing),
  );
  yield* expectSame("whether a formula without recomputations is shown as recomputing", yield* shown, [
    false,
  ]);
  const [done, one, two] = [
    Build.recomputation(scene.formula, false),
    Build.recomputation(scene.formula, true),
    Build.recomputation(scene.formula, true),
  ];
  yield* Scene.commit(scene.customerId, [done]);
  yield* expectSame("whether it is with a finished recomputation", yield* shown, [false]);
  yield* Scene.commit(scene.customerId, [one, two]);
  yield* expectSame("whether it is with two pending ones", yield* shown, [true]);
  yield* Scene.commit(scene.customerId, [Build.flat("recomputation", { ...one.row, pending: false })]);
  yield* expectSame("whether it is with one pending one", yield* shown, [true]);
  yield* Scene.commit(scene.customerId, [Build.flat("recomputation", { ...two.row, pending: false })]);
  yield* expectSame("whether it is with two finished ones", yield* shown, [false]);
});

export const lists: ReadonlyArray<Law> = [
  law(ORDER, "equal moments, both directions, several page sizes", order),
  law(NAME, "percent, underscore, backslash, and letters whose lower case is longer", names),
  law(PAGE, "as many events as the version, in order", beside),
  law(
    "What a page holds: the record and what is shown beside it. Events are in order, without their `stored` part.",
    "every kind with a log",
    beside,
  ),
  law("In the order they were given at creation.", "the lines of a settlement", beside),
  law(
    "On settlements: only so many of the first lines of each are shown, 0 or more; absent shows all.",
    "none, one, two, and more than there are",
    linesMax,
  ),
  law("True if a recomputation of it is pending.", "none, a finished one, pending ones", recomputing),
];
