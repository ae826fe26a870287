/** Which due commissions were earned under terms that their partners have accepted. */
import { Effect } from "effect";
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import { covers } from "../../domain/PlanAcceptance.ts";
import { ruleAt, ruleHash } from "../../domain/PlanTerms.ts";
import type { IsAccepted } from "../../domain/SettlementRun.ts";
import type { Records, Requirement, StorageError } from "../../ports/Storage.ts";
import { collect } from "../commands/Listing.ts";

/** What partners have accepted, and that their formulas stay as they were read. */
export interface AcceptedTerms {
  readonly isAccepted: IsAccepted;
  readonly requires: (partnerId: PartnerId) => ReadonlyArray<Requirement>;
}

const NOTHING_ASKED: AcceptedTerms = { isAccepted: () => true, requires: () => [] };

/**
 * Reads what partners, whose policy requires acceptance, have accepted. A formula that belongs to no plan has no terms to accept. An
 * acceptance is never taken back, so only the formulas have to stay as they are.
 */
export const readAcceptedTerms = (
  storage: Records,
  customerId: CustomerId,
  partnerIds: ReadonlyArray<PartnerId>,
): Effect.Effect<AcceptedTerms, StorageError> =>
  Effect.gen(function* () {
    if (partnerIds.length === 0) return NOTHING_ASKED;
    const [formulas, acceptances] = yield* Effect.all(
      [
        collect(storage, customerId, "formula", { partnerIds }),
        collect(storage, customerId, "planAcceptance", { partnerIds }),
      ],
      { concurrency: "unbounded" },
    );
    const schemas = yield* storage.find(customerId, "schema", [
      ...new Set(formulas.map(({ schemaId }) => schemaId)),
    ]);
    const [byId, schemaOf] = [
      new Map(formulas.map((formula) => [formula.id, formula])),
      new Map(schemas.map((schema) => [schema.id, schema])),
    ];
    const rules = new Map<string, string>();
    return {
      isAccepted: ({ formulaId, occurredAt }) => {
        const formula = byId.get(formulaId);
        const sales = formula === undefined ? undefined : schemaOf.get(formula.schemaId);
        // A formula that was created since the read is asked for as well: its version is not the one required.
        if (formula === undefined || sales === undefined) return false;
        const { assignment, partnerId } = formula;
        if (assignment === null) return true;
        const earnedBy = ruleAt(formula, occurredAt);
        const key = JSON.stringify([formulaId, earnedBy.formulaVersion, earnedBy.values]);
        const rule = rules.get(key) ?? ruleHash(earnedBy, sales);
        rules.set(key, rule);
        const sale = { planId: assignment.planId, partnerId, rule, occurredAt };
        return acceptances.some((acceptance) => covers(acceptance, sale));
      },
      requires: (partnerId) =>
        formulas
          .filter((formula) => formula.partnerId === partnerId)
          .map(({ id, version }) => ({ type: "record", kind: "formula", id, version })),
    };
  });
