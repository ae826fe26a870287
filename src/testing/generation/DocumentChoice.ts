/** Chooses which uploads are replaced, and the facts of an uploaded document. */
import type { DocumentKind, Facts } from "../../domain/Document.ts";
import { isReplaceable } from "../model/settlements/Documents.ts";
import { total } from "../model/world/Lines.ts";
import type { Settlement } from "../model/world/Settlements.ts";
import { dateOf } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { type ChoiceContext, choose } from "./ChoiceContext.ts";

const KINDS: readonly [DocumentKind, ...ReadonlyArray<DocumentKind>] = ["credit_note", "invoice", "report"];

/** The kind of uploaded document that may be replaced; null when there is none. */
export const replaceableUpload = (world: World, settlement: Settlement): DocumentKind | null =>
  KINDS.find(
    (kind) =>
      isReplaceable(settlement, kind) &&
      (kind === "report" || settlement.billingMode !== "self_billing" || world.policy.documents === "manual"),
  ) ?? null;

/** A tax: any, or where the rate is known one that is as expected, or nearly so. */
const chooseTax = (settlement: Settlement, pick: number, other: number): number => {
  const { invoiceTaxBps } = settlement;
  if (invoiceTaxBps === "unknown" || pick % 4 === 0) return pick % 3 === 0 ? 0 : pick % 500;
  const exact = Math.round((Math.abs(total(settlement)) * invoiceTaxBps) / 10_000);
  return Math.max(0, exact + choose([0, 1, 2, -1, -2], other));
};

/** The facts of an uploaded document; valid for the kind when the intent is eligible. */
export const chooseDocumentFacts = (
  { world: { now }, intent: { eligible, picks } }: ChoiceContext,
  kind: DocumentKind,
  settlement: Settlement,
): Facts => {
  const { billingMode } = settlement;
  const pick = picks[3] % 7;
  const number = { number: eligible || pick > 0 ? `No ${picks[1] % 99}` : " " };
  if (pick === 6) return {};
  if (kind === "report" && (eligible || pick > 1)) return number;
  const date =
    eligible || pick > 1 ? dateOf(now, -(picks[1] % 9)) : choose(["2026-02-30", "tomorrow"], picks[1]);
  const dueDate = dateOf(now, eligible || pick > 2 ? picks[2] % 40 : -40);
  const computed = billingMode === "self_billing" && (eligible || picks[2] % 2 === 0);
  const taxAmount =
    eligible || pick !== 3
      ? chooseTax(settlement, picks[1], picks[2])
      : choose([-1, 0.5, Number.MAX_SAFE_INTEGER], picks[2]);
  return {
    ...number,
    ...(pick === 4 ? {} : { date }),
    ...(pick === 5 ? {} : { dueDate }),
    ...(computed ? {} : { taxAmount }),
  };
};
