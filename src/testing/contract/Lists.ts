/** Laws of lists: order, pages, totals, every filter alone and together, and what is shown beside a record. */
import { Effect } from "effect";
import * as Formula from "../../domain/Formula.ts";
import { settlementStatus } from "../../domain/Ledger.ts";
import { searchable } from "../../domain/Text.ts";
import { format } from "../../domain/Timestamp.ts";
import { type Listed, type ListedKind, type Query, Storage, type Where } from "../../ports/Storage.ts";
import * as Build from "../Build.ts";
import { expect, expectSame, type Law, law } from "../Law.ts";
import { all } from "../Portrait.ts";
import * as Scene from "../Scene.ts";

const ORDER = "One page of a list, in order of creation (`createdAt`, then `id`).";
const PAGE = "One page with events and the exact total, of one snapshot.";
const FILTERS =
  "Filters of a list; they AND together, the values of one OR. Absent filters nothing, an empty list matches nothing.";
const NAME =
  "On schemas and partners: the lower-case name contains this lower-case text; no character is a wildcard.";

const byCreation = (
  one: { createdAt: number; id: string },
  other: { createdAt: number; id: string },
): number => one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);

const ids = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  items.map(({ id }) => id);

const order = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.scene();
  const moments = [5, 1, 1, 3, 1, 9, 0, 5, 5];
  const made = moments.map((moment) => Build.attribution(scene, { createdAt: Build.EPOCH + moment }));
  for (const change of made) yield* Scene.commit(scene.customerId, [change]);
  const due = ids(made.map(({ row }) => row).toSorted(byCreation));
  const page = (query: Partial<Query>) =>
    storage.list(scene.customerId, "attribution", {
      where: {},
      page: 1,
      perPage: 100,
      order: "asc",
      ...query,
    });
  yield* expectSame("oldest first", ids((yield* page({})).items), due);
  yield* expectSame("newest first", ids((yield* page({ order: "desc" })).items), due.toReversed());
  for (const direction of ["asc", "desc"] as const) {
    const whole = direction === "asc" ? due : due.toReversed();
    for (const perPage of [1, 2, 4, 9, 10]) {
      for (let number = 1; number <= 11; number++) {
        const answer = yield* page({ page: number, perPage, order: direction });
        const part = whole.slice((number - 1) * perPage, number * perPage);
        yield* expectSame(`page ${number} of ${perPage}, ${direction}`, ids(answer.items), part);
        yield* expectSame("its total", answer.total, due.length);
      }
    }
  }
  const past = yield* page({ page: 2_147_483_647, perPage: 100 });
  yield* expectSame("the last page there could be", past, { items: [], total: due.length });
});

/** A customer with several of everything: two workspaces, two partners in each, settlements in every status. */
const furnished = Effect.gen(function* () {
  const customerId = Build.fresh.customer();
  const workspaceId = Build.fresh.workspace();
  const scenes = [
    yield* Scene.scene({ customerId, workspaceId, at: Build.EPOCH + 3 }),
    yield* Scene.scene({ customerId, workspaceId, at: Build.EPOCH + 1 }),
    yield* Scene.scene({ customerId, at: Build.EPOCH + 2 }),
  ];
  for (const [index, scene] of scenes.entries()) {
    const earned = yield* Scene.earn(
      scene,
      [100, 200, null, -50, 0],
      (each) => Build.EPOCH + index + each * 10,
    );
    const [one, two, , four] = earned.map(({ commission }) => commission);
    if (one === undefined || two === undefined || four === undefined)
      return yield* Effect.die("five were earned");
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
    yield* Scene.commit(customerId, [cancel]);
  }
  return { customerId, scenes };
});

/** What each filter means, said once more: the naive reading that a store's answer must equal. */
const matches =
  (kind: ListedKind, where: Where) =>
  (item: Listed[ListedKind]): boolean => {
    const among = (values: ReadonlyArray<string> | undefined, value: string) =>
      values === undefined || values.includes(value);
    const partnerId = kind === "partner" ? item.id : "partnerId" in item ? item.partnerId : null;
    return (
      among(where.ids, item.id) &&
      among(where.customerIds, item.customerId) &&
      (!("workspaceId" in item) || among(where.workspaceIds, item.workspaceId)) &&
      (partnerId === null || among(where.partnerIds, partnerId)) &&
      (!("attributionId" in item) || among(where.attributionIds, item.attributionId)) &&
      (!("computedAmount" in item) ||
        where.settlementStatus === undefined ||
        settlementStatus(item) === where.settlementStatus) &&
      (!("lines" in item) ||
        where.commissionIds === undefined ||
        item.lines.some(({ commissionId }) => among(where.commissionIds, commissionId))) &&
      (!("versions" in item) ||
        where.activeAt === undefined ||
        (item.status === "active" && Formula.covers(item, where.activeAt))) &&
      ((kind !== "schema" && kind !== "partner") ||
        where.nameContains === undefined ||
        ("name" in item && searchable(item.name ?? "").includes(where.nameContains)))
    );
  };

const compare = <Kind extends ListedKind>(
  customerId: Build.Owner["customerId"],
  kind: Kind,
  filters: ReadonlyArray<Where>,
) =>
  Effect.gen(function* () {
    const storage = yield* Storage;
    const everything = yield* all(customerId, kind);
    const wheres = filters.flatMap((one, index) => [
      one,
      ...filters.slice(index + 1).map((two) => ({ ...one, ...two })),
    ]);
    let emptyAnswers = 0;
    for (const where of wheres) {
      const due = everything.filter(matches(kind, where));
      if (due.length === 0) emptyAnswers += 1;
      for (const direction of ["asc", "desc"] as const) {
        const query: Query = { where, page: 1, perPage: 3, order: direction };
        const answer = yield* storage.list(customerId, kind, query);
        const wanted = (direction === "asc" ? due : due.toReversed()).slice(0, 3);
        const what = `${kind} ${JSON.stringify(where)} ${direction}`;
        yield* expectSame(
          what,
          { ...answer, items: ids(answer.items) },
          { items: ids(wanted), total: due.length },
        );
      }
    }
    yield* expect(
      emptyAnswers < wheres.length,
      `no filter of ${kind} matched anything: the law would prove nothing`,
    );
  });

const filters = Effect.gen(function* () {
  const { customerId, scenes } = yield* furnished;
  const [one, two, three] = scenes;
  if (one === undefined || two === undefined || three === undefined)
    return yield* Effect.die("three were made");
  const shared: ReadonlyArray<Where> = [
    { workspaceIds: [one.workspaceId] },
    { workspaceIds: [three.workspaceId, Build.fresh.workspace()] },
    { partnerIds: [one.partnerId] },
    { partnerIds: [one.partnerId, three.partnerId, three.partnerId] },
    { customerIds: [customerId, Build.fresh.customer()] },
    { customerIds: [Build.fresh.customer()] },
    { ids: [] },
    { workspaceIds: [] },
    { partnerIds: [] },
    { customerIds: [] },
  ];
  const attributions = yield* all(customerId, "attribution");
  const commissions = yield* all(customerId, "commission");
  const some = (items: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<Where> => [
    { ids: ids(items.filter((_, index) => index % 2 === 0)) },
    { ids: [...ids(items.slice(0, 2)), ...ids(items.slice(0, 1)), Build.freshUuid()] },
  ];
  yield* compare(customerId, "attribution", [...shared, ...some(attributions)]);
  yield* compare(customerId, "commission", [
    ...shared,
    ...some(commissions),
    { attributionIds: attributions.slice(2, 9).map(({ id }) => id) },
    { attributionIds: [] },
    { settlementStatus: "unsettled" },
    { settlementStatus: "pending_settlement" },
    { settlementStatus: "settled" },
  ]);
  yield* compare(customerId, "settlement", [
    ...shared,
    ...some(yield* all(customerId, "settlement")),
    { commissionIds: commissions.slice(0, 4).map(({ id }) => id) },
    { commissionIds: commissions.map(({ id }) => id) },
    { commissionIds: [] },
  ]);
  yield* compare(customerId, "formula", [
    ...shared,
    ...some(yield* all(customerId, "formula")),
    ...[-31 * Build.DAY, 0, Build.DAY - 1, Build.DAY].map(
      (offset): Where => ({ activeAt: Build.EPOCH + offset }),
    ),
  ]);
  yield* compare(customerId, "schema", [
    ...shared,
    ...some(yield* all(customerId, "schema")),
    { nameContains: "al" },
    { nameContains: "ale of" },
  ]);
  yield* compare(customerId, "partner", [
    ...shared,
    ...some(yield* all(customerId, "partner")),
    { nameContains: "nord" },
    { nameContains: "syd" },
  ]);
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
    yield* Scene.commit(owner.customerId, [Build.partner(owner, { name }), Build.schema(owner, { name })]);
  }
  for (const kind of ["partner", "schema"] as const) {
    for (const nameContains of SEARCHES) {
      const query: Query = { where: { nameContains }, page: 1, perPage: 100, order: "asc" };
      const { items, total } = yield* storage.list(owner.customerId, kind, query);
      const due = NAMES.filter((name) => searchable(name).includes(nameContains));
      const what = `${kind}s whose name contains ${JSON.stringify(nameContains)}`;
      yield* expectSame(what, [items.map(({ name }) => name).sort(), total], [due.sort(), due.length]);
    }
  }
  const [renamed] = yield* all(owner.customerId, "partner", { nameContains: "under_" });
  if (renamed === undefined) return yield* Effect.die("a partner has that name");
  yield* Scene.commit(owner.customerId, [Build.flat("partner", { ...renamed, name: "Renamed" })]);
  yield* expectSame("its old name", yield* all(owner.customerId, "partner", { nameContains: "under_" }), []);
  yield* expectSame("its new name", ids(yield* all(owner.customerId, "partner", { nameContains: "renam" })), [
    renamed.id,
  ]);
});

const beside = Effect.gen(function* () {
  const storage = yield* Storage;
  const { customerId } = yield* furnished;
  for (const kind of ["attribution", "formula", "commission", "settlement"] as const) {
    for (const item of yield* all(customerId, kind)) {
      const log = yield* storage.log(customerId, kind, item.id);
      const due = log.map((entry) => ({
        ...entry,
        event: Object.fromEntries(Object.entries(entry.event).filter(([name]) => name !== "stored")),
      }));
      yield* expectSame(`events of a ${kind}`, item.events, due);
      yield* expectSame(`number of its events`, item.version, log.length);
    }
  }
  for (const { id, lines } of yield* all(customerId, "settlement")) {
    const [entry] = yield* storage.log(customerId, "settlement", id);
    const stored = entry?.event.type === "create_settlement" ? entry.event.stored.lines : null;
    yield* expectSame("lines of a settlement", lines, stored);
  }
});

const walk = (pending: boolean, scene: Scene.Scene) =>
  Build.flat("recomputation", {
    id: Build.fresh.recomputation(),
    customerId: scene.customerId,
    formulaId: scene.formula.id,
    from: Build.EPOCH,
    to: null,
    after: null,
    pending,
  });

const recomputing = Effect.gen(function* () {
  const scene = yield* Scene.scene();
  const shown = Effect.map(all(scene.customerId, "formula"), (items) =>
    items.map((item) => item.recomputing),
  );
  yield* expectSame("no recomputation", yield* shown, [false]);
  const [done, one, two] = [walk(false, scene), walk(true, scene), walk(true, scene)];
  yield* Scene.commit(scene.customerId, [done]);
  yield* expectSame("a finished one", yield* shown, [false]);
  yield* Scene.commit(scene.customerId, [one, two]);
  yield* expectSame("two pending", yield* shown, [true]);
  yield* Scene.commit(scene.customerId, [Build.flat("recomputation", { ...one.row, pending: false })]);
  yield* expectSame("one pending", yield* shown, [true]);
  yield* Scene.commit(scene.customerId, [Build.flat("recomputation", { ...two.row, pending: false })]);
  yield* expectSame("none pending", yield* shown, [false]);
});

/** Laws of lists. */
export const lists: ReadonlyArray<Law> = [
  law(ORDER, "equal moments, both directions, every page size", order),
  law(FILTERS, "each alone and every two together, against the naive reading", filters),
  law(NAME, "percent, underscore, backslash, letters whose lower case is longer", names),
  law(PAGE, "events in order, and as many as the version says", beside),
  law(
    "What a page holds: the record and what is shown beside it. Events come in order, without their `stored` part.",
    "every logged kind",
    beside,
  ),
  law("In the order they were given at creation.", "lines", beside),
  law("Whether a recomputation of it is pending.", "none, finished, pending", recomputing),
];
