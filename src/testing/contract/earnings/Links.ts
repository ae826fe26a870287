/** Laws of links of partners: by either end, and the version of those of a workspace. */
import { Effect } from "effect";
import type { PartnerId } from "../../../domain/Ids.ts";
import type { PartnerLink } from "../../../domain/PartnerLink.ts";
import { format } from "../../../domain/Timestamp.ts";
import { Storage } from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, expectSameSet, expectVersionConflict, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const byEnd = Effect.gen(function* () {
  const storage = yield* Storage;
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const [second, third] = [Build.partner(scene), Build.partner(scene)];
  yield* Scene.commit(customerId, [second, third]);
  const [a, b, c] = [scene.partnerId, second.row.id, third.row.id];
  const managed = Build.partnerLink(scene.partner, b);
  const ended = Build.partnerLink(scene.partner, c, { end_datetime: format(Build.EPOCH) });
  const recruited = Build.partnerLink(scene.partner, c, { role: "recruiter" });
  const above = Build.partnerLink(second.row, c);
  yield* Scene.commit(customerId, [managed, ended, recruited, above]);
  const expectLinks = (
    what: string,
    query: Parameters<typeof storage.linksOf>[1],
    expected: ReadonlyArray<{ readonly row: PartnerLink }>,
  ) =>
    Effect.flatMap(storage.linksOf(customerId, query), (found) =>
      expectSameSet(
        what,
        found,
        expected.map(({ row }) => row),
        ({ id }) => id,
      ),
    );
  const up = (partnerIds: ReadonlyArray<PartnerId>, role: string | null = null) =>
    ({ end: "partnerId", partnerIds, role }) as const;
  const down = (partnerIds: ReadonlyArray<PartnerId>, role: string | null = null) =>
    ({ end: "uplinePartnerId", partnerIds, role }) as const;
  yield* expectLinks("of nobody", up([]), []);
  yield* expectLinks("upwards of one", up([a]), [managed, ended, recruited]);
  yield* expectLinks("upwards of two, one of them twice", up([a, b, a]), [managed, ended, recruited, above]);
  yield* expectLinks("upwards as manager", up([a, b], "manager"), [managed, ended, above]);
  yield* expectLinks("upwards in a role that nobody has", up([a], "Manager"), []);
  yield* expectLinks("upwards of the top", up([c]), []);
  yield* expectLinks("downwards of one", down([c]), [ended, recruited, above]);
  yield* expectLinks("downwards as recruiter", down([c, b], "recruiter"), [recruited]);
  yield* expectLinks("downwards of an unknown partner", down([Build.fresh.partner()]), []);
});

const sets = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const upline = Build.partner(scene);
  yield* Scene.commit(customerId, [upline]);
  const set = Build.linkSet(scene);
  yield* Scene.commit(customerId, [set, Build.partnerLink(scene.partner, upline.row.id)]);
  yield* expectVersionConflict(
    "two commands that begin with no link",
    Scene.commit(customerId, [Build.linkSet(scene), Build.partnerLink(upline.row, scene.partner.id)]),
  );
  yield* Scene.commit(customerId, [Build.flat("linkSet", set.row)]);
  const storage = yield* Storage;
  const [found] = yield* storage.find(customerId, "linkSet", [set.row.id]);
  yield* expectSame("the version after two commands", found?.version, 2);
});

const required = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const { customerId } = scene;
  const upline = Build.partner(scene);
  yield* Scene.commit(customerId, [upline]);
  const set = Build.linkSet(scene);
  const { commit } = yield* Storage;
  const sell = (version: number) =>
    commit(
      customerId,
      Build.changeSet({
        requires: [{ type: "record", kind: "linkSet", id: set.row.id, version }],
        changes: [Build.attribution(scene)],
      }),
    );
  yield* sell(0);
  yield* Scene.commit(customerId, [set, Build.partnerLink(scene.partner, upline.row.id)]);
  yield* expectVersionConflict("a sale that knows no link", sell(0));
  yield* sell(1);
  yield* Scene.commit(customerId, [Build.flat("linkSet", set.row)]);
  yield* expectVersionConflict("a sale that does not know the last link", sell(1));
});

/** Every law of links of partners. */
export const links: ReadonlyArray<Law> = [
  law(
    "The links that have one of the partners at an end, whatever their dates, of a role or, for null, of every role, in any order.",
    "either end, one role and every role, and a link that ended",
    byEnd,
  ),
  law(
    "`VersionConflict` when a requirement, an expected version or a unique key no longer holds, `IdempotencyKeyUsed` when the idempotency key is taken.",
    "two commands on the links of a workspace",
    sets,
  ),
  law("The record still has this version.", "the links of a workspace, of a creation", required),
];
