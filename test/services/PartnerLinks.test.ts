/** Who is above whom: what a link needs, who may write and see it, and that no two commands decide at the same time. */
import { describe, expect, it } from "@effect/vitest";
import { Effect } from "effect";
import {
  Events,
  type Ids,
  Limits,
  type Listing,
  PartnerLinks,
  Partners,
  type Principal,
  type Storage,
} from "quittance";
import { Build } from "quittance/testing";
import * as Given from "./Given.ts";

const { rule, NOW, DAY } = Given;

/** Partners of the scene's workspace. */
const partners = (scene: Given.Scene, count: number) =>
  Effect.forEach(Array.from({ length: count }), () => Given.partner(scene));

type Dates = { readonly startDatetime?: number; readonly endDatetime?: number | null };

const link = (
  { owner }: Pick<Given.Scene, "owner">,
  partnerId: Ids.PartnerId,
  uplinePartnerId: Ids.PartnerId,
  { role = "manager", ...dates }: Dates & { readonly role?: string } = {},
) =>
  Effect.flatMap(PartnerLinks.PartnerLinks, ({ create }) =>
    Effect.map(create(owner, { partnerId, uplinePartnerId, role, ...dates }), ({ id }) => id),
  );

const end = ({ owner }: Pick<Given.Scene, "owner">, id: Ids.PartnerLinkId, endDatetime: number | null) =>
  Effect.flatMap(PartnerLinks.PartnerLinks, ({ update }) => update(owner, id, { endDatetime }));

const listed = ({ owner }: Pick<Given.Scene, "owner">, input: Listing.ListInput<"partnerLink"> = {}) =>
  Effect.flatMap(PartnerLinks.PartnerLinks, ({ list }) =>
    Effect.map(list(owner, input), ({ items }) => items),
  );

/** A scene with three partners. */
const threePartners = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const [a, b, c] = yield* partners(scene, 3);
  if (a === undefined || b === undefined || c === undefined) return yield* Effect.die("three partners");
  return { scene, a, b, c };
});

describe("a link", () => {
  it.effect("begins now and has no end unless stated, and is in the feed", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a, b } = yield* threePartners;
        const id = yield* link(scene, a, b);
        expect(yield* listed(scene)).toMatchObject([
          { id, partnerId: a, uplinePartnerId: b, role: "manager", startDatetime: NOW, endDatetime: null },
        ]);
        yield* end(scene, id, NOW + DAY);
        yield* end(scene, id, NOW + DAY);
        const { list } = yield* Events.Events;
        const { items } = yield* list(scene.owner, { types: ["create_partner_link", "update_partner_link"] });
        expect(items.map(({ kind, recordId, event }) => [kind, recordId, event])).toMatchObject([
          ["partnerLink", id, { upline_partner_id: b, role: "manager", end_datetime: null }],
          ["partnerLink", id, { type: "update_partner_link", end_datetime: "2026-01-02T00:00:00.000Z" }],
        ]);
      }),
    ),
  );

  it.effect("needs two partners of one workspace, which the caller sees", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a } = yield* threePartners;
        const { create } = yield* Partners.Partners;
        const elsewhere = { name: "Elsewhere", workspaceId: Build.fresh.workspace() };
        const { id: other } = yield* create(scene.owner, elsewhere);
        const unknown = Build.fresh.partner();
        expect(yield* Given.refusal(link(scene, unknown, a))).toBe("partner_id: must be the id of a partner");
        const wrong = "upline_partner_id: must be the id of a partner of the same workspace";
        expect(yield* Given.refusal(link(scene, a, unknown))).toBe(wrong);
        expect(yield* Given.refusal(link(scene, a, other))).toBe(wrong);
        expect(yield* Given.refusal(link(scene, a, a))).toBe(
          "upline_partner_id: must be another partner than partner_id",
        );
        expect(yield* Given.refusal(link(scene, a, unknown, { startDatetime: 5, endDatetime: 4 }))).toBe(
          "end_datetime: must not be before start_datetime",
        );
        expect(yield* Given.refusal(link(scene, a, unknown, { role: "seller" }))).toMatch(
          /^role: must not be/,
        );
        expect(yield* listed(scene)).toEqual([]);
      }),
    ),
  );

  it.effect("is refused where it overlaps another one, closes a loop or makes a chain too long", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a, b, c } = yield* threePartners;
        yield* link(scene, a, b);
        yield* link(scene, b, c);
        expect(yield* Given.refusal(link(scene, a, c))).toMatch(/^link_overlap: /);
        expect(yield* Given.refusal(link(scene, c, a))).toBe(
          `link_loop: the chain of the role manager would meet itself: ${[c, a, b, c].join(" → ")}`,
        );
        yield* link(scene, c, a, { role: "recruiter" });
        let top = c;
        for (const next of yield* partners(scene, Limits.UPLINE_DEPTH_MAX - 2)) {
          yield* link(scene, top, next);
          top = next;
        }
        const [above, below] = yield* partners(scene, 2);
        if (above === undefined || below === undefined) return yield* Effect.die("two partners");
        expect(yield* Given.refusal(link(scene, top, above))).toMatch(/^link_depth: .* 17 links/);
        expect(yield* Given.refusal(link(scene, below, a))).toMatch(/^link_depth: /);
        yield* link(scene, below, b);
      }),
    ),
  );

  it.effect("that is withdrawn leaves its place, and may not come back where it is taken", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a, b, c } = yield* threePartners;
        const first = yield* link(scene, a, b);
        yield* end(scene, first, NOW);
        yield* link(scene, a, c);
        expect(yield* Given.refusal(end(scene, first, null))).toMatch(/^link_overlap: /);
        yield* link(scene, b, a, { startDatetime: NOW - 2 * DAY, endDatetime: NOW - DAY });
        expect(yield* Given.refusal(end(scene, first, NOW - 1))).toMatch(/^end_datetime: /);
        expect((yield* listed(scene, { activeAt: NOW })).map((one) => one.uplinePartnerId)).toEqual([c]);
      }),
    ),
  );
});

describe("who may", () => {
  const grant = (scene: Given.Scene, partnerIds: ReadonlyArray<Ids.PartnerId>) => ({
    ...scene.owner,
    partnerIds,
  });

  it.effect(
    "a credential for some partners writes links between them alone, and sees those that name one",
    () =>
      rule(
        Effect.gen(function* () {
          const { scene, a, b, c } = yield* threePartners;
          const id = yield* link(scene, b, c);
          const own = { owner: grant(scene, [a, b]) };
          expect(yield* Given.refusal(link(own, a, c))).toBe(
            "upline_partner_id: outside the credential's grant",
          );
          expect(yield* Given.refusal(link(own, c, a))).toBe("partner_id: outside the credential's grant");
          yield* link(own, a, b);
          expect((yield* listed(own)).length).toBe(2);
          expect((yield* listed({ owner: grant(scene, [a]) })).map(({ partnerId }) => partnerId)).toEqual([
            a,
          ]);
          expect((yield* listed({ owner: grant(scene, [c]) })).map(({ partnerId }) => partnerId)).toEqual([
            b,
          ]);
          expect(yield* listed({ owner: grant(scene, []) })).toEqual([]);
          expect(yield* Given.refusal(end(own, id, null))).toMatch(/not found/);
          expect(yield* Given.refusal(link({ owner: grant(scene, [a, c]) }, c, a))).toBe(
            `link_loop: the chain of the role manager would meet itself: ${c} → ${a} → another partner → ${c}`,
          );
        }),
      ),
  );

  it.effect("a partner lists the links that name it, and writes none", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a, b } = yield* threePartners;
        yield* link(scene, a, b);
        const owner: Principal.Principal = { ...grant(scene, [b]), kind: "partner" };
        expect((yield* listed({ owner })).length).toBe(1);
        expect(yield* Given.refusal(link({ owner }, a, b))).toMatch(/may not create partner link/);
      }),
    ),
  );
});

describe("two commands at the same time", () => {
  /** Another process stores a link just before the commit of the next command. */
  const overtaking = (changes: () => ReadonlyArray<Storage.Change>): Given.Host => {
    let hasOvertaken = false;
    return {
      storage: (service) => ({
        commit: (customerId, changeSet) => {
          const saves = changeSet.changes.some((one) => one.type === "save" && one.kind === "partnerLink");
          if (!saves || hasOvertaken) return service.commit(customerId, changeSet);
          hasOvertaken = true;
          const other = Build.changeSet({ changes: changes() });
          return Effect.zipRight(service.commit(customerId, other), service.commit(customerId, changeSet));
        },
      }),
    };
  };

  it.effect("do not close a loop together", () => {
    let changes: ReadonlyArray<Storage.Change> = [];
    return rule(
      Effect.gen(function* () {
        const { scene, a, b } = yield* threePartners;
        const { customerId, workspaceId } = scene;
        changes = [
          Build.linkSet({ customerId, workspaceId }),
          Build.partnerLink({ id: b, customerId, workspaceId }, a),
        ];
        expect(yield* Given.refusal(link(scene, a, b))).toMatch(/^link_loop: /);
        expect((yield* listed(scene)).map(({ partnerId }) => partnerId)).toEqual([b]);
      }),
      overtaking(() => changes),
    );
  });

  it.effect("that do not concern each other both succeed", () => {
    let changes: ReadonlyArray<Storage.Change> = [];
    return rule(
      Effect.gen(function* () {
        const { scene, a, b, c } = yield* threePartners;
        const { customerId, workspaceId } = scene;
        changes = [
          Build.linkSet({ customerId, workspaceId }),
          Build.partnerLink({ id: b, customerId, workspaceId }, c),
        ];
        yield* link(scene, a, b);
        expect((yield* listed(scene)).length).toBe(2);
      }),
      overtaking(() => changes),
    );
  });

  it.effect("of one process wait for each other, however many there are", () =>
    rule(
      Effect.gen(function* () {
        const { scene, a } = yield* threePartners;
        const team = yield* partners(scene, 30);
        yield* Effect.forEach(team, (id) => link(scene, id, a), { concurrency: "unbounded", discard: true });
        const { list } = yield* PartnerLinks.PartnerLinks;
        expect((yield* list(scene.owner, { uplinePartnerIds: [a] })).total).toBe(30);
      }),
    ),
  );
});
