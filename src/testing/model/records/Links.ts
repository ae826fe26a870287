/** The model of links of partners. */
import { PartnerLinkId } from "../../../domain/Ids.ts";
import { format } from "../../../domain/Timestamp.ts";
import type { CommandOf } from "../Command.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { misplacement } from "../world/Links.ts";
import { mapWhere, type World } from "../world/World.ts";
import { actorOf, logControl } from "./ControlLogs.ts";

const textOf = (moment: number | null): string | null => (moment === null ? null : format(moment));

/** Create a link: from now without an end, unless stated. */
export const createLink = (world: World, command: CommandOf<"create_link">): Prediction => {
  const { principal, input } = command;
  const { partnerId, uplinePartnerId, role, startDatetime = world.now, endDatetime = null } = input;
  const isOrdered = endDatetime === null || endDatetime >= startDatetime;
  const partnerOf = (id: string) =>
    world.partners.find(
      (partner) => partner.id === id && canSee(principal, { ...partner, partnerId: partner.id }),
    );
  const decide = (): Decision => {
    const [partner, upline] = [partnerOf(partnerId), partnerOf(uplinePartnerId)];
    if (partner === undefined || upline?.workspaceId !== partner.workspaceId || !isOrdered)
      return refuse("Invalid");
    const { customerId, workspaceId } = partner;
    const link = {
      ...{ customerId, workspaceId, partnerId, uplinePartnerId, role, startDatetime, endDatetime },
      createdAt: world.now,
    };
    const problem = misplacement(world, { ...link, id: null });
    if (problem !== null) return conflict(problem);
    return accept((id) =>
      logControl(
        { ...world, links: [...world.links, { ...link, id: PartnerLinkId.make(id) }] },
        customerId,
        `link ${id}`,
        "create_partner_link",
        {
          ...{ ...actorOf(principal), partner_id: partnerId, upline_partner_id: uplinePartnerId, role },
          ...{ start_datetime: format(startDatetime), end_datetime: textOf(endDatetime) },
        },
      ),
    );
  };
  return applyRules(world, {
    ...baseRules(command),
    valid:
      role.length >= 1 &&
      role !== "seller" &&
      partnerId !== uplinePartnerId &&
      (input.startDatetime === undefined || isOrdered),
    partnerIds: [partnerId, uplinePartnerId],
    decide,
  });
};

/** Update a link: its end, which may be its start. */
export const updateLink = (world: World, command: CommandOf<"update_link">): Prediction => {
  const { principal, id, input } = command;
  const decide = (): Decision => {
    const link = world.links.find(
      (candidate) =>
        candidate.id === id &&
        canSee(principal, candidate) &&
        canSee(principal, { ...candidate, partnerId: candidate.uplinePartnerId }),
    );
    if (link === undefined) return refuse("Missing");
    const { endDatetime = link.endDatetime } = input;
    if (input.endDatetime != null && input.endDatetime < link.startDatetime) return refuse("Invalid");
    if (endDatetime === link.endDatetime) return accept(null);
    const updated = { ...link, endDatetime };
    const problem = misplacement(world, updated);
    if (problem !== null) return conflict(problem);
    const after = {
      ...world,
      links: mapWhere(
        world.links,
        (item) => item === link,
        () => updated,
      ),
    };
    const entry = { ...actorOf(principal), end_datetime: textOf(endDatetime) };
    return accept(() => logControl(after, link.customerId, `link ${id}`, "update_partner_link", entry));
  };
  return applyRules(world, { ...baseRules(command), valid: true, decide });
};
