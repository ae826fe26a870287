/** Sellers with managers and directors above them, and what everybody has of a sale. */
import { Effect } from "effect";
import { type Attribution, Attributions, Credit, type Ids, PartnerLinks } from "quittance";
import type { Expression } from "quittance/formula";
import { checkInvariants } from "quittance/testing";
import * as Given from "./Given.ts";

const { NOW, DAY } = Given;

type Dates = { readonly startDatetime?: number; readonly endDatetime?: number | null };

/** Links partners, from a month ago on unless stated. */
export const link = (
  { owner }: Given.Scene,
  partnerId: Ids.PartnerId,
  uplinePartnerId: Ids.PartnerId,
  { role = "manager", ...dates }: Dates & { readonly role?: string } = {},
) =>
  Effect.flatMap(PartnerLinks.PartnerLinks, ({ create }) =>
    Effect.map(
      create(owner, { partnerId, uplinePartnerId, role, startDatetime: NOW - 30 * DAY, ...dates }),
      ({ id }) => id,
    ),
  );

/** Records a sale; returns its id. */
export const sell = (scene: Given.Scene, orderValue: number, more: Partial<Attribution.Create> = {}) =>
  Effect.flatMap(Attributions.Attributions, ({ create }) =>
    Effect.map(create(scene.owner, { ...Given.sale(scene, orderValue), ...more }), ({ id }) => id),
  );

/** A formula that pays a partner's credits of these roles. */
export const formula = (
  scene: Given.Scene,
  partnerId: Ids.PartnerId,
  expression: Expression,
  roles: ReadonlyArray<string>,
) => Given.formula({ ...scene, partnerId }, { expression, roles });

export const SUM: Expression = {
  type: "aggregate",
  function: "sum",
  value: { type: "property", name: "order_value" },
  window: { type: "lifetime" },
};

export const attributions = (
  { owner }: Pick<Given.Scene, "owner">,
  input: Attributions.ListAttributions = {},
) =>
  Effect.flatMap(Attributions.Attributions, ({ list }) =>
    Effect.map(list(owner, { perPage: 100, ...input }), ({ items }) => items),
  );

/** The attributions of a sale, by depth and role, as partner, role, depth, share and what they earn. */
export const sale = (scene: Given.Scene, id: Ids.AttributionId) =>
  Effect.gen(function* () {
    yield* checkInvariants(scene.customerId);
    const commissions = yield* Given.commissions(scene);
    const items = yield* attributions(scene, { originIds: [id] });
    return items
      .toSorted((a, b) => {
        const [x, y] = [a.credit ?? Credit.WHOLE, b.credit ?? Credit.WHOLE];
        return Credit.compareArrival(x, y) || (a.id < b.id ? -1 : 1);
      })
      .map((item) => ({
        ...item,
        earned: commissions
          .filter(({ attributionId }) => attributionId === item.id)
          .map(({ computedAmount }) => computedAmount),
      }));
  });

export const shown = (found: Effect.Effect.Success<ReturnType<typeof sale>>) =>
  found.map(({ partnerId, credit, earned }) => [
    partnerId,
    credit?.role,
    credit?.depth,
    credit?.share,
    ...earned,
  ]);

/** A seller of the scene below a manager, who is below a director, and a second seller and manager. */
export const team = Effect.gen(function* () {
  const scene = yield* Given.scene();
  const [second, manager, director, other] = yield* Effect.forEach([1, 2, 3, 4], () => Given.partner(scene));
  if (second === undefined || manager === undefined || director === undefined || other === undefined)
    return yield* Effect.die("four partners");
  return { scene, seller: scene.partnerId, second, manager, director, other };
});

/** The team with its links: the manager is above both sellers, and the director above the manager. */
export const linkedTeam = Effect.gen(function* () {
  const all = yield* team;
  const { scene, seller, second, manager, director } = all;
  const [first] = [yield* link(scene, seller, manager)];
  yield* link(scene, second, manager);
  yield* link(scene, manager, director);
  return { ...all, link: first };
});
