/** The links of partners by one of their ends. */
import { Effect } from "effect";
import type { PartnerLink, Storage } from "quittance";
import { record } from "../records/RowMapping.ts";
import { type Runner, rowsFromJson, uuids } from "../Statement.ts";
import { forCustomer, type Statement } from "../TenantScope.ts";

/** By the index of the end, whatever the planner estimates. */
const linksBy = (end: "partner_id" | "upline_partner_id"): Statement =>
  forCustomer(`select ${record("partnerLink", "l")}::text as link
from unnest($2::uuid[]) as w(id) cross join lateral (
  select t.* from quittance.partner_links t
  where t.customer_id = $1 and t.${end} >= w.id and t.${end} <= w.id and coalesce(t.role = $3::text, true)
  order by t.${end}) l`);

const STATEMENTS = { partnerId: linksBy("partner_id"), uplinePartnerId: linksBy("upline_partner_id") };

/** The links that have one of the partners at an end. */
export const linksOf = (
  sql: Runner,
  customerId: Parameters<Storage.Earnings["linksOf"]>[0],
  { end, partnerIds, role }: Parameters<Storage.Earnings["linksOf"]>[1],
): ReturnType<Storage.Earnings["linksOf"]> =>
  Effect.map(
    rowsFromJson<{ readonly link: PartnerLink.PartnerLink }>(sql, STATEMENTS[end], [
      customerId,
      uuids(new Set(partnerIds)),
      role,
    ]),
    (found) => found.map(({ link }) => link),
  );
