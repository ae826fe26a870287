/** Credits of uplines in the model: the shares of a sale go up from its sellers, one step of the chains of a role at a time. */
import type { PartnerId } from "../../../domain/Ids.ts";
import type { Part } from "./Credits.ts";
import { holdsAt } from "./Links.ts";
import { addShares } from "./Shares.ts";
import type { World } from "./World.ts";

/** Who stands at a height above the sellers, because of which of them. */
type Step = ReadonlyArray<{ readonly partnerId: PartnerId; readonly sellers: ReadonlyArray<Part> }>;

/** The partners one step above those of a step. */
const stepAbove = ({ links }: World, role: string, step: Step, moment: number): Step => {
  const above = new Map<PartnerId, ReadonlyArray<Part>>();
  for (const { partnerId, sellers } of step) {
    const link = links.find(
      (one) => one.partnerId === partnerId && one.role === role && holdsAt(one, moment),
    );
    if (link === undefined) continue;
    above.set(link.uplinePartnerId, [...(above.get(link.uplinePartnerId) ?? []), ...sellers]);
  }
  return [...above].map(([partnerId, sellers]) => ({ partnerId, sellers }));
};

/** The parts of the uplines of a sale at the moment for which it counts, by role. */
export const uplineParts = (
  world: World,
  given: ReadonlyArray<Part>,
  moment: number,
): ReadonlyArray<Part> => {
  const sellersGiven = given.filter(({ role }) => role === "seller");
  const roles = [...new Set(world.links.map(({ role }) => role))].filter((role) =>
    given.every((part) => part.role !== role),
  );
  return roles.flatMap((role) => {
    const parts: Array<Part> = [];
    let step: Step = sellersGiven.map((seller) => ({ partnerId: seller.partnerId, sellers: [seller] }));
    for (let depth = 1; step.length > 0; depth++) {
      step = stepAbove(world, role, step, moment);
      for (const { partnerId, sellers } of step)
        parts.push({
          ...{ partnerId, role, depth, share: addShares(sellers.map(({ share }) => share)) },
          ...(sellers.length === sellersGiven.length
            ? {}
            : // In the order in which they were given.
              { sellers: sellersGiven.filter((one) => sellers.includes(one)).map((one) => one.partnerId) }),
        });
    }
    return parts;
  });
};
