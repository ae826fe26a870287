/** Laws of `Storage` for the walk over the sales of a workspace. */
import { Effect } from "effect";
import type { Position } from "../../../domain/Recomputation.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const SALES =
  "The origins of the sales of a workspace that occurred from `from` (inclusive) to `to` (exclusive), each once, after a position, in order of (occurredAt, id); where `partnerIds` is not null, of the sales in which one of the partners has an attribution.";

const inOrder = (a: Position, b: Position): number => a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1);

/**
 * Returns sales of two sellers. Several occur in one millisecond; sales are alternately recorded immediately and late; every third one
 * has a credit of an upline, which is recorded later. Other sales belong to another workspace.
 */
const createSales = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [second, upline] = [Build.partner(scene), Build.partner(scene)];
  yield* Scene.commit(scene.customerId, [second, upline]);
  const sales = [0, 1, 1, 1, 2, 5, 5, 5, 9, 9, 12].map((moment, index) => {
    const occurredAt = Build.EPOCH + moment;
    const createdAt = index % 2 === 0 ? occurredAt : Build.EPOCH + Build.DAY - moment;
    const partnerId = index % 4 === 1 ? second.row.id : scene.partnerId;
    const { row, ...save } = Build.attribution({ ...scene, partnerId }, { createdAt, occurredAt });
    const credit = { role: "manager", share: "1", depth: 1 } as const;
    const above =
      index % 3 === 0
        ? [
            Build.attribution(
              { ...scene, partnerId: upline.row.id },
              { credit, originId: row.id, createdAt: createdAt + 7, occurredAt },
            ),
          ]
        : [];
    return { partnerId, position: { occurredAt, id: row.id }, saves: [{ ...save, row }, ...above] };
  });
  yield* Scene.commit(scene.customerId, [
    ...sales.flatMap(({ saves }) => saves),
    Build.attribution({ ...scene, workspaceId: Build.fresh.workspace() }),
  ]);
  return { scene, second: second.row.id, upline: upline.row.id, sales };
});

const walk = Effect.gen(function* () {
  const storage = yield* Storage;
  const { scene, second, upline, sales } = yield* createSales;
  const { customerId, workspaceId, partnerId } = scene;
  const span = {
    workspaceId,
    partnerIds: null,
    from: 0,
    to: Build.EPOCH + Build.DAY,
    after: null,
    limit: 99,
  };
  const all = sales.map(({ position }) => position).sort(inOrder);
  const expectSales = (
    what: string,
    query: Partial<Parameters<typeof storage.salesOf>[1]>,
    due: typeof all,
  ) =>
    Effect.flatMap(storage.salesOf(customerId, { ...span, ...query }), (found) =>
      expectSame(what, found, due),
    );
  yield* expectSales("every sale", {}, all);
  const from = Build.EPOCH + 1;
  const to = Build.EPOCH + 9;
  const within = all.filter(({ occurredAt }) => occurredAt >= from && occurredAt < to);
  yield* expectSales("a span", { from, to }, within);
  const of = (partners: ReadonlyArray<unknown>, managed: boolean) =>
    sales
      .filter((sale, index) => partners.includes(sale.partnerId) || (managed && index % 3 === 0))
      .map(({ position }) => position)
      .sort(inOrder);
  yield* expectSales("of one seller", { partnerIds: [second] }, of([second], false));
  yield* expectSales("of an upline", { partnerIds: [upline] }, of([], true));
  yield* expectSales("of a seller and an upline", { partnerIds: [partnerId, upline] }, of([partnerId], true));
  yield* expectSales("of nobody", { partnerIds: [] }, []);
  for (const partnerIds of [null, [second, upline]]) {
    const due = partnerIds === null ? all : of([second], true);
    const found: Array<Position> = [];
    for (;;) {
      const after = found.at(-1) ?? null;
      const page = yield* storage.salesOf(customerId, { ...span, partnerIds, after, limit: 2 });
      found.push(...page);
      if (page.length < 2 || found.length > due.length) break;
    }
    yield* expectSame("all pages of two", found, due);
  }
});

/** Returns every law of the walk. */
export const sales: ReadonlyArray<Law> = [
  law(SALES, "by pages, spans and partners, dated and undated, with credits that arrived later", walk),
];
