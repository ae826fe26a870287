/** Builders of links of partners. */
import { shownActor } from "../../domain/Event.ts";
import type { PartnerId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import { type LinkEvent, linkSetId, type PartnerLink } from "../../domain/PartnerLink.ts";
import { format } from "../../domain/Timestamp.ts";
import type { SaveFlat, SaveLogged, Versioned } from "../../ports/Storage.ts";
import { BY, EPOCH, first, flat, fresh, next, type Owner } from "./Basics.ts";

/** The link of a partner to a manager, without an end. */
export const partnerLink = (
  { id: partnerId, customerId, workspaceId }: Pick<Partner, "id" | "customerId" | "workspaceId">,
  uplinePartnerId: PartnerId,
  overrides: Partial<Extract<LinkEvent, { readonly type: "create_partner_link" }>> = {},
): SaveLogged<"partnerLink"> => {
  const role = overrides.role ?? "manager";
  const identity = { id: fresh.partnerLink(), customerId, workspaceId, partnerId, uplinePartnerId, role };
  return first("partnerLink", identity, [
    {
      type: "create_partner_link",
      actor: shownActor(BY),
      ...{ partner_id: partnerId, upline_partner_id: uplinePartnerId, role },
      ...{ start_datetime: format(EPOCH), end_datetime: null },
      ...overrides,
    },
  ]);
};

/** The link once it has an end. */
export const endedLink = (row: Versioned<PartnerLink>, end: number): SaveLogged<"partnerLink"> =>
  next(
    "partnerLink",
    row,
    [{ type: "update_partner_link", actor: shownActor(BY), end_datetime: format(end) }],
    end,
  );

/** The version of the links of a workspace. */
export const linkSet = ({ customerId, workspaceId }: Owner): SaveFlat<"linkSet"> =>
  flat("linkSet", { id: linkSetId(customerId, workspaceId), customerId, workspaceId });
