/** The sales team of the example company: a manager, recruiters on two levels, a deal of two sellers, and a corrected sale. */
import { Effect, Schema } from "effect";
import {
  Attribution,
  Attributions,
  CommissionPlan,
  CommissionPlans,
  type Ids,
  PartnerLink,
  PartnerLinks,
  type Principal,
  Replacement,
} from "quittance";

/** Who is directly above whom, by name. */
const LINKS = [
  ["Fellside Trading", "Harriet Moorland", "manager"],
  ["Rowan & Pike", "Harriet Moorland", "manager"],
  ["Zeltplatzfinder", "Kletterkinder", "recruiter"],
  ["Kletterkinder", "Outdoor Sparfuchs", "recruiter"],
] as const;

/** The plans of those who are above others. */
const PLANS = [
  {
    ...{ name: "Sales managers: 1\u00a0% of the team's orders", currency: "GBP", roles: ["manager"] },
    description: "1 % of the value of each order that somebody of the team sold.",
    expression_text: "1 % of order_value * 100",
    partners: ["Harriet Moorland"],
  },
  {
    ...{ name: "Recruiters: 2\u00a0%, and 1\u00a0% a level below", currency: "EUR", roles: ["recruiter"] },
    description: "2 % of the orders of partners whom you recruited, 1 % of those whom these recruited.",
    expression_text: "order_value * bands(sale.credit_depth) { up to 1: 2 %; up to 2: 1 %; else: 0 % } * 100",
    partners: ["Kletterkinder", "Outdoor Sparfuchs"],
  },
];

const decodePlan = Schema.decodeUnknownSync(CommissionPlan.Create);
const decodeAssignment = Schema.decodeUnknownSync(CommissionPlan.Assign);
const decodeLink = Schema.decodeUnknownSync(PartnerLink.Create);
const decodeAttribution = Schema.decodeUnknownSync(Attribution.Create);
const decodeReplacement = Schema.decodeUnknownSync(Replacement.Replace);

/** What the team belongs to, and its partners by name. */
interface Company {
  readonly principal: Principal.Principal;
  readonly workspaceId: Ids.WorkspaceId;
  readonly schemaId: Ids.SchemaId;
  readonly partnerOf: (name: string) => Ids.PartnerId;
}

/** Puts partners below others from a date on, and pays those above. */
export const build = ({ principal, workspaceId, schemaId, partnerOf }: Company, from: number) =>
  Effect.gen(function* () {
    const start_datetime = new Date(from).toISOString();
    const plans = yield* CommissionPlans.CommissionPlans;
    for (const { partners, ...terms } of PLANS) {
      const { id } = yield* plans.create(
        principal,
        decodePlan({ ...terms, workspace_id: workspaceId, schema_id: schemaId, start_datetime }),
      );
      yield* plans.assign(principal, id, decodeAssignment({ partner_ids: partners.map(partnerOf) }));
    }
    const links = yield* PartnerLinks.PartnerLinks;
    for (const [partner, upline, role] of LINKS)
      yield* links.create(
        principal,
        decodeLink({
          partner_id: partnerOf(partner),
          upline_partner_id: partnerOf(upline),
          role,
          start_datetime,
        }),
      );
  });

/** Records a deal of two sellers, and an order that is corrected because a part of it came back. */
export const sell = ({ principal, workspaceId, schemaId, partnerOf }: Company, at: number) =>
  Effect.gen(function* () {
    const { create, replace } = yield* Attributions.Attributions;
    const order = (partner: string, order_value: number, fields: object) =>
      create(
        principal,
        decodeAttribution({
          ...{ workspace_id: workspaceId, schema_id: schemaId, partner_id: partnerOf(partner) },
          ...{ occurred_at: new Date(at).toISOString(), properties: { order_value }, ...fields },
        }),
      );
    yield* order("Rowan & Pike", 12_400, {
      external_reference: "NH-DEAL-7",
      credits: [
        { partner_id: partnerOf("Rowan & Pike"), share: "0.6" },
        { partner_id: partnerOf("Fellside Trading"), share: "0.4" },
      ],
    });
    const { id } = yield* order("Sporthaus Reinhold", 2_480, { external_reference: "NH-RETURN-3" });
    yield* replace(
      principal,
      id,
      decodeReplacement({ properties: { order_value: 1_860 }, reason: "two of eight tents came back" }),
    );
  });
