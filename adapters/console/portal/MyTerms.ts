/** The terms of the plans of the partner that is signed in. */
import { NotFoundError, type PlanTerms } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Partner } from "../api/Records.ts";

/** A plan of a partner with the terms that it has now, or begins with. */
export interface MyPlan {
  readonly partner: Partner;
  readonly terms: PlanTerms;
}

/** True if another of the plans has the name too: only its id tells it from that one. */
export const isAmbiguous = ({ terms }: MyPlan, plans: ReadonlyArray<MyPlan>): boolean =>
  plans.some((other) => other.terms.planId !== terms.planId && other.terms.name === terms.name);

/** Formulas that are read at most; a partner has a few. */
const FORMULAS = 100;

/** The plans of the partners that the key sees, with the terms in force. */
export const readMyTerms = async (
  client: Client,
  partners: ReadonlyArray<Partner>,
  signal: AbortSignal,
): Promise<ReadonlyArray<MyPlan>> => {
  const { items } = await client.list("commissionFormulas", { perPage: FORMULAS }, signal);
  const assigned = new Map<string, { readonly planId: string; readonly partner: Partner }>();
  for (const { planId, partnerId } of items) {
    const partner = partners.find(({ id }) => id === partnerId);
    if (planId != null && partner !== undefined) assigned.set(`${planId} ${partnerId}`, { planId, partner });
  }
  const found = await Promise.all(
    [...assigned.values()].map(async ({ planId, partner }) => {
      try {
        const terms = await client.remote.commissionPlans.terms(
          planId,
          { partnerId: partner.id },
          { signal },
        );
        return { partner, terms };
      } catch (problem) {
        // An assignment that has ended has no terms any more.
        if (problem instanceof NotFoundError) return null;
        throw problem;
      }
    }),
  );
  return found.filter((candidate) => candidate !== null);
};
