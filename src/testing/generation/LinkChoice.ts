/** Turns intents about links of partners into commands. */
import { AttributionId, PartnerId } from "../../domain/Ids.ts";
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

/** Which partners' sales a run recredits: mostly all of the workspace; one that is not eligible names partners that it may not. */
const choosePartnersOfRun = ({ principals, intent }: ChoiceContext, { id }: Partner) => {
  const { eligible, picks } = intent;
  if (eligible) return picks[1] % 5 === 0 ? { partnerIds: [id] } : {};
  const refused = [[PartnerId.make(principals.unknown)], [id, id], []] as const;
  return { partnerIds: picks[3] % 3 === 0 ? choose<ReadonlyArray<PartnerId>>(refused, picks[2]) : [id] };
};

/** Recredits the sales of a time, or only says what that would change; if it should change some, all of a workspace with links. */
const chooseRecreditRun = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { eligible, picks } = intent;
  const linked = world.partners.filter(({ id }) => world.links.some(({ partnerId }) => partnerId === id));
  const partner = chooseIfAny(eligible ? linked : world.partners, picks[0]);
  if (partner === undefined) return null;
  const moments = chooseMoments(world);
  const ends =
    eligible && picks[0] % 4 > 0 ? moments : [choose(moments, picks[2]), choose(moments, picks[3])];
  return {
    type: "recredit_run",
    ...callerFor(context, { ...partner, partnerId: null }),
    input: {
      workspaceId: partner.workspaceId,
      ...choosePartnersOfRun(context, partner),
      from: Math.min(...ends),
      to: Math.max(...ends) + Number(eligible),
      reason: !eligible && picks[2] % 4 === 0 ? "" : `entered late ${picks[2] % 5}`,
      ...(picks[3] % 4 === 0 ? { dryRun: true } : {}),
    },
  };
};

/** A new link, another end of one, or sales that get the uplines of the links. */
export const chooseLink = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const { picks } = intent;
  if (picks[1] % 4 === 3) {
    const recredit = picks[2] % 2 === 0 ? chooseRecreditRun(context) : chooseRecredit(context);
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
