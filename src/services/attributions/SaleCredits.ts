/** The credits of a sale that is recorded: those that are given, and those of the partners above the sellers. */
import { Either } from "effect";
import * as Attribution from "../../domain/Attribution.ts";
import * as Commission from "../../domain/Commission.ts";
import * as Credit from "../../domain/Credit.ts";
import type { SchemaId } from "../../domain/Ids.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import * as Replacement from "../../domain/Replacement.ts";
import * as SettledElsewhere from "../../domain/SettledElsewhere.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import * as Upline from "../../domain/Upline.ts";
import { type AttributionCreation, foundFor } from "./CreationReads.ts";
import type { FormulaContext } from "./FormulaSetCache.ts";

/** A sale that is new, with the formulas under which its partner earns. */
interface NewSale {
  readonly given: Credit.SaleCredits;
  readonly event: Attribution.CreateEvent;
  readonly context: FormulaContext;
  readonly identity: { readonly schemaId: SchemaId };
}

/** A credit of a sale with several, and the formulas under which its partner earns. */
export interface PartnerCredit {
  readonly credit: Credit.OfPartner;
  readonly context: FormulaContext;
  readonly isOrigin: boolean;
}

/** The formulas of a partner that a command credits, which was found before. */
export const contextOfCredit = (
  creation: AttributionCreation,
  key: Parameters<typeof foundFor>[1],
): FormulaContext => {
  const { partner, schema, formulaSet, accumulating } = foundFor(creation, key);
  if (partner === null || schema === null || formulaSet === null || accumulating === null)
    throw new Error("a partner is credited before it is read");
  return { partner, schema, formulaSet, accumulating };
};

/** A part of a sale; without a credit where its partner alone earns from it. */
interface Part extends Pick<PartnerCredit, "context"> {
  readonly credit: Credit.OfPartner | null;
}

/** The parts of a sale, of which there is one where its partner alone earns. */
export const partsOf = (
  { context }: Pick<NewSale, "context">,
  credits: ReadonlyArray<PartnerCredit> | null,
): ReadonlyArray<Part> => credits ?? [{ context, credit: null }];

/** True if one of the credits of a sale earns under a formula whose amounts wait for receipts. */
const waits = (credits: ReadonlyArray<Part>, occurredAt: Timestamp): boolean =>
  credits.some(({ context, credit }) =>
    context.formulaSet.formulas.some(
      (formula) => formula.release !== null && Commission.pays(formula, { credit, occurredAt }),
    ),
  );

/**
 * The credits of a creation at the moment of its creation, in the order in which they arrive, or its refusal; null where the
 * partner alone earns.
 */
export const creditsAt = (
  creation: AttributionCreation,
  { given, event, context, identity: { schemaId } }: NewSale,
  moment: Timestamp,
): Either.Either<ReadonlyArray<PartnerCredit> | null, Refusal> => {
  const { uplines, replaced } = creation;
  const refusal = (credits: ReadonlyArray<PartnerCredit> | null): Refusal | null =>
    event.settled_elsewhere !== undefined &&
    waits(partsOf({ context }, credits), Attribution.occurredAtOf(event, moment))
      ? SettledElsewhere.WAITS
      : null;
  if (uplines.size === 0 && given.length === 1) {
    const refused = refusal(null);
    return refused === null ? Either.right(null) : Either.left(refused);
  }
  // A replacement without a date of its own counts for that of the replaced sale.
  const dated = replaced === null ? event : Replacement.replacing(event, replaced, null);
  const above = Upline.creditsAbove(uplines, given, Attribution.occurredAtOf(dated, moment));
  return Either.flatMap(Upline.checkCount(given.length + above.length), () => {
    const credits = Credit.creditsOf(given, above);
    const parts = credits?.map((credit, index) => ({
      credit,
      context: contextOfCredit(creation, { partnerId: credit.partnerId, schemaId }),
      isOrigin: index === 0,
    }));
    const refused = refusal(parts ?? null);
    if (refused !== null) return Either.left(refused);
    return Either.right(parts?.sort((a, b) => Credit.compareArrival(a.credit, b.credit)) ?? null);
  });
};
