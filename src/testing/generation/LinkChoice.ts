/** Turns intents about links of partners into commands. */
import { AttributionId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { Command } from "../model/Command.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { chooseMoments } from "./FormulaChoice.ts";

const ROLES = ["manager", "manager", "recruiter"] as const;

/** A link of two partners, of the same workspace if it should succeed. */
const chooseCreateLink = (context: ChoiceContext, partner: Partner): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const others = world.partners.filter(
    ({ id, customerId, workspaceId }) =>
      !eligible ||
      (id !== partner.id && customerId === partner.customerId && workspaceId === partner.workspaceId),
  );
  const upline = chooseIfAny(others, picks[2]);
  if (upline === undefined) return null;
  const moments = chooseMoments(world);
  const role = !eligible && picks[3] % 7 === 0 ? "seller" : choose(ROLES, picks[3]);
  return {
    type: "create_link",
    ...callerFor(context, { ...partner, partnerId: partner.id }),
    input: {
      ...{ partnerId: partner.id, uplinePartnerId: upline.id, role },
      ...(picks[3] % 4 === 0 ? {} : { startDatetime: choose(moments, picks[3] >> 2) }),
      ...(picks[2] % 3 === 0 ? { endDatetime: choose([...moments, null], picks[2] >> 4) } : {}),
    },
  };
};

/** Recredits a sale, if it should succeed one of a partner that has an upline at some time. */
export const chooseRecredit = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const linked = new Set(world.links.map(({ partnerId }) => partnerId));
  const among = world.attributions.filter(
    ({ cancelReason, originId, partnerId }) =>
      !eligible || (cancelReason === null && originId === null && linked.has(partnerId)),
  );
  const attribution = chooseIfAny(among, picks[0]);
  if (attribution === undefined) return null;
  const id = !eligible && picks[2] % 4 === 0 ? AttributionId.make(principals.unknown) : attribution.id;
  const reason = !eligible && picks[3] % 4 === 0 ? "" : `entered late ${picks[2] % 5}`;
  return { type: "recredit_attribution", ...callerFor(context, attribution), id, reason };
};

/** A new link, another end of one, or a sale that gets the uplines of the links. */
export const chooseLink = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { picks } = intent;
  if (picks[1] % 4 === 3) {
    const recredit = chooseRecredit(context);
    if (recredit !== null) return recredit;
  }
  const partner = chooseIfAny(world.partners, picks[0]);
  if (partner === undefined) return null;
  const link = chooseIfAny(world.links, picks[0]);
  if (link === undefined || picks[1] % 3 < 2) return chooseCreateLink(context, partner);
  return {
    type: "update_link",
    ...callerFor(context, link),
    id: link.id,
    input: {
      ...(picks[2] % 8 === 0
        ? {}
        : { endDatetime: choose([link.startDatetime, null, ...chooseMoments(world)], picks[2]) }),
    },
  };
};
