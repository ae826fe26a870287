/** Turns intents about links of partners into commands. */
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

/** A new link, or another end of one. */
export const chooseLink = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { picks } = intent;
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
