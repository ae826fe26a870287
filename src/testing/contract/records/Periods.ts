/** Laws of closed months: nothing is stored that is dated in one. */
import { Effect } from "effect";
import * as AccountingPeriod from "../../../domain/AccountingPeriod.ts";
import type { CustomerId } from "../../../domain/Ids.ts";
import { type Change, Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expect, expectSame, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const CLOSED =
  "`VersionConflict` of `books` when the command or one of its events is dated before the `closedUntil` of the customer's books, as they are once every earlier commit has ended.";

const MONTH = AccountingPeriod.monthOf(Build.EPOCH);
const END = AccountingPeriod.endOf(MONTH);
const LATER = END + Build.DAY;

const by = (at: number) => ({ id: Build.fresh.command(), actor: Build.ACTOR, at });

const close = (customerId: CustomerId) =>
  Scene.commit(customerId, [Build.closedBooks(customerId, MONTH, LATER)], { command: by(LATER) });

const dated = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [commission] = yield* Scene.commissions(scene, [1200]);
  const { customerId } = scene;
  yield* close(customerId);
  const attribution = Build.attribution(scene);
  const commit = (at: number, ...changes: ReadonlyArray<Change>) =>
    Scene.commit(customerId, changes, { command: by(at) });
  const refused: ReadonlyArray<readonly [string, ReturnType<typeof commit>]> = [
    ["a new attribution", Scene.commit(customerId, [attribution])],
    ["several attributions", Scene.commit(customerId, [Build.attribution(scene), Build.attribution(scene)])],
    ["a partner of the last moment", commit(END - 1, Build.renamedPartner(scene.partner, "Sydlys", END - 1))],
    [
      "an earlier event of a later command",
      commit(LATER, Build.renamedPartner(scene.partner, "Sydlys", END - 1)),
    ],
    ["an earlier revision of a later command", commit(LATER, Scene.revisionOf(commission, 5))],
    ["a record without events", commit(END - 1, Build.flat("schema", scene.schema, END - 1))],
  ];
  for (const [what, refusedCommit] of refused) {
    yield* expectVersionConflict(what, refusedCommit);
    const failed = yield* Effect.either(refusedCommit);
    const conflict =
      failed._tag === "Left" && failed.left._tag === "VersionConflict" ? failed.left.what : null;
    yield* expectSame(what, conflict, "books");
  }
  yield* commit(END, Build.renamedPartner(scene.partner, "Sydlys", END));
  const other = yield* Scene.create();
  yield* Scene.commit(other.customerId, [Build.attribution(other)]);
});

const SALES = 40;

/** Sales of the month are stored while it is closed: each is stored before the closing, or not at all. */
const underLoad = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const count = Effect.map(
    storage.list(customerId, "attribution", { where: {}, page: 1, perPage: 1, order: "asc" }),
    ({ total }) => total,
  );
  const sell = (index: number) =>
    Effect.either(
      // Every other one is stored in the way of larger change sets.
      Scene.commit(customerId, [
        Build.attribution(scene),
        ...(index % 2 === 0 ? [] : [Build.partner(scene)]),
      ]),
    );
  const closed = Effect.zipRight(Effect.yieldNow(), Effect.zipRight(close(customerId), count));
  const [atClosing, outcomes] = yield* Effect.all(
    [
      closed,
      Effect.forEach(
        Array.from({ length: SALES }, (_, index) => index),
        sell,
        { concurrency: 8 },
      ),
    ],
    { concurrency: "unbounded" },
  );
  const stored = outcomes.filter(({ _tag }) => _tag === "Right").length;
  yield* expectSame("the sales of the month after all", yield* count, stored);
  yield* expect(atClosing === stored, `${atClosing} sales at the closing, ${stored} later`);
});

/** The laws. */
export const periods: ReadonlyArray<Law> = [
  law(CLOSED, "a command or an event of a closed month", dated),
  law(CLOSED, "sales while their month is closed", underLoad),
];
