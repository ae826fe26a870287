/** Turns intents about an existing settlement into commands: actions on it and uploads to it. */

import { Currency } from "../../domain/Currency.ts";
import type { DocumentKind } from "../../domain/Document.ts";
import { type CommissionId, DocumentId, SettlementId } from "../../domain/Ids.ts";
import type { PaidAmounts } from "../../domain/PaidAmounts.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Action, Command } from "../model/Command.ts";
import { personOf } from "../model/prediction/Rights.ts";
import { sideOf } from "../model/settlements/Attachments.ts";
import { owedDocument } from "../model/settlements/Documents.ts";
import { hasChangedLimit, needsFourEyes, withTax } from "../model/settlements/Policies.ts";
import type { Settlement } from "../model/world/Settlements.ts";
import * as States from "../model/world/States.ts";
import { decidingAmount } from "../model/world/Taxes.ts";
import { DAY } from "../model/world/Time.ts";
import type { World } from "../model/world/World.ts";
import { owner } from "../session/Principals.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { chooseDocumentFacts, replaceableUpload } from "./DocumentChoice.ts";

export const chooseSettlement = (
  context: ChoiceContext,
  accepts: (settlement: Settlement) => boolean,
  nearly: (settlement: Settlement) => boolean = States.isOpen,
): Settlement | undefined => {
  const { world, intent } = context;
  const near = world.settlements.filter(intent.eligible ? accepts : nearly);
  return chooseIfAny(near.length > 0 || intent.eligible ? near : world.settlements, intent.picks[0]);
};

/** Those who may do everything with a settlement. */
export const capablePrincipals = (context: ChoiceContext, settlement: Settlement): ReadonlyArray<Principal> =>
  [0, 3, 5].map((who) => callerFor({ ...context, intent: { ...context.intent, who } }, settlement).principal);

/** Somebody who may approve a draft, or accept a tax, that needs a second person. */
const secondPerson = (context: ChoiceContext, settlement: Settlement): Principal => {
  const { world } = context;
  const { createdBy, taxReview } = settlement;
  const isInvolved = (person: string): boolean =>
    person === createdBy || person === taxReview?.uploadedBy || hasChangedLimit(world, settlement, person);
  return (
    capablePrincipals(context, settlement).find((candidate) => !isInvolved(personOf(candidate))) ??
    owner(settlement.customerId, "third")
  );
};

export const actionCommand = (context: ChoiceContext, settlement: Settlement, action: Action): Command => {
  const { principals, world, intent } = context;
  const id =
    !intent.eligible && intent.picks[3] % 6 === 0 ? SettlementId.make(principals.unknown) : settlement.id;
  const by = callerFor(context, settlement);
  const isApproval =
    action.type === "approve" || (action.type === "review" && action.decision === "accept_tax");
  const fourEyes =
    intent.eligible && isApproval && (world.policy.fourEyes || needsFourEyes(world, settlement, withTax));
  const principal = fourEyes ? secondPerson(context, settlement) : by.principal;
  return { type: "act", ...by, principal, id, action };
};

const isInState =
  (...types: ReadonlyArray<Settlement["status"]["type"]>) =>
  ({ status }: Settlement): boolean =>
    types.includes(status.type);

export const isPaidByWebhook = ({ status }: Settlement): boolean =>
  status.type === "paid" && status.method === "webhook";

/** The settlements that accept an action. */
export const accepts =
  (type: Action["type"]) =>
  (settlement: Settlement): boolean => {
    if (!States.accepts(settlement, type)) return false;
    switch (type) {
      case "review":
        return settlement.status.type === "negative_review" || settlement.taxReview !== null;
      case "initiate_payment":
        return settlement.billingMode === "self_billing" && decidingAmount(settlement) > 0;
      case "return_payment":
        return isPaidByWebhook(settlement) || settlement.hasReference;
      case "fail_payment":
        return settlement.handedOver !== undefined;
      default:
        return true;
    }
  };

/** The settlements that refuse an action but are close to accepting it. */
const nearlyAccepts = (type: Action["type"], pick: number): ((settlement: Settlement) => boolean) => {
  if (pick % 3 === 0) return () => true;
  switch (type) {
    case "dispute":
      return isInState("payment_initiated");
    case "initiate_payment":
      return (settlement) => settlement.status.type === "awaiting_payment" && decidingAmount(settlement) <= 0;
    case "write_off":
      return isInState("draft", "written_off", "paid");
    case "return_payment":
      return isInState("paid");
    default:
      return States.isOpen;
  }
};

/** Chooses a review: of a negative settlement every other one is `issue_credit_note`, of a tax most accept it. */
export const chooseReview = ({ taxReview }: Settlement, pick: number): Action => ({
  type: "review",
  decision:
    taxReview === null
      ? choose(["issue_credit_note", "carry_forward", "issue_credit_note", "write_off"], pick)
      : choose(["accept_tax", "accept_tax", "refuse_tax", "accept_tax"], pick),
});

/** Chooses what a payment reports, mostly nothing. */
export const choosePaidAmounts = (pick: number): PaidAmounts => ({
  ...(pick % 4 === 1 ? { fee: { amount: pick % 90, currency: Currency.make("EUR") } } : {}),
  ...(pick % 3 === 1 ? { received: { amount: 1_000 + pick, currency: Currency.make("USD") } } : {}),
});

/** Chooses a manual payment, mostly with moment and bank reference, out of bounds when the intent is not eligible. */
export const chooseMarkAsPaid = (
  { world: { now }, intent: { eligible, picks } }: ChoiceContext,
  { approvedAt }: Settlement,
): Action => {
  const type = "mark_as_paid";
  const pick = picks[2] % 6;
  if (pick === 0) return { type };
  const earliest = (approvedAt ?? now) - DAY;
  const latest = now + 5 * 60_000;
  const sound = choose([earliest, latest, Math.min(now, Math.max(earliest, now - 1_000)), latest], picks[3]);
  const paidAt =
    eligible || pick > 2 ? Math.min(latest, sound) : choose([earliest - 1, latest + 1], picks[3]);
  const bankReference = eligible || pick > 3 ? `bank ${picks[3] % 9}` : " ";
  return {
    type,
    ...(pick === 1 ? {} : { paidAt }),
    ...(pick === 2 ? {} : { bankReference }),
    ...choosePaidAmounts(picks[0]),
    ...(pick === 3 ? { note: "from the bank statement" } : {}),
  };
};

/** Chooses lines to dispute: one or two, or a commission of another settlement where the intent is not eligible. */
const chooseLines = (
  { world, intent: { eligible, picks } }: ChoiceContext,
  { lines }: Settlement,
): ReadonlyArray<CommissionId> => {
  const others = world.commissions.filter(({ id }) => !lines.some(({ commissionId }) => commissionId === id));
  const other = eligible ? null : (others[picks[2] % Math.max(others.length, 1)]?.id ?? null);
  const named = lines.slice(0, 1 + (picks[2] % 2)).map(({ commissionId }) => commissionId);
  return other === null ? named : [...named, other];
};

/** Chooses attachments to name: those of the caller's side that are free, or any where one of them need not be right. */
const chooseAttachments = (
  context: ChoiceContext,
  settlement: Settlement,
  isRight: boolean,
): { readonly attachmentIds?: ReadonlyArray<DocumentId> } => {
  const { picks } = context.intent;
  const side = sideOf(callerFor(context, settlement).principal);
  const chosen = (settlement.attachments ?? []).filter(
    (attachment) => !isRight || (attachment.side === side && !attachment.isNamed),
  );
  const first = chosen.length === 0 ? 0 : picks[2] % chosen.length;
  const ids = chosen.slice(first, first + 1 + (picks[1] % 2)).map(({ id }) => DocumentId.make(id));
  return ids.length === 0 ? {} : { attachmentIds: ids };
};

const chooseComment = (context: ChoiceContext, settlement: Settlement): Action => {
  const { eligible, picks } = context.intent;
  return {
    type: "comment",
    text: eligible || picks[1] % 3 > 0 ? `comment ${picks[1] % 4}` : " ",
    ...chooseAttachments(context, settlement, eligible && picks[3] % 3 > 0),
  };
};

const chooseActionInput = (context: ChoiceContext, type: Action["type"], settlement: Settlement): Action => {
  const { eligible, picks } = context.intent;
  const pick = picks[1];
  switch (type) {
    case "mark_as_paid":
      return chooseMarkAsPaid(context, settlement);
    case "review":
      return chooseReview(settlement, pick);
    case "comment":
      return chooseComment(context, settlement);
    case "dispute":
      if (picks[3] % 4 === 3) return chooseComment(context, settlement);
      return {
        ...{ type, reason: eligible || pick % 3 > 0 ? `reason ${pick % 4}` : " " },
        ...(pick % 2 === 0 ? {} : { commissionIds: chooseLines(context, settlement) }),
        ...chooseAttachments(context, settlement, true),
      };
    case "return_payment":
    case "fail_payment":
      return { type, reason: eligible || pick % 3 > 0 ? `reason ${pick % 4}` : " " };
    case "write_off":
      return pick % 3 === 0
        ? { type }
        : { type, reason: eligible || pick % 3 > 1 ? `reason ${pick % 4}` : " " };
    case "resolve_dispute":
      if (picks[3] % 4 === 3) return { type: "withdraw_dispute" };
      return {
        type,
        resolution: choose(
          ["upheld", settlement.linked.invoice === null ? "rejected" : "upheld", "rejected"],
          pick,
        ),
        ...chooseAttachments(context, settlement, true),
      };
    case "reconcile":
      return { type, reconciled: pick % 4 > 0 ? !settlement.reconciled : settlement.reconciled };
    default:
      return { type };
  }
};

/** Chooses an action, on a settlement that accepts it when the intent is eligible. */
export const chooseAction = (context: ChoiceContext, type: Action["type"]): Command | null => {
  const { picks } = context.intent;
  const settlement = chooseSettlement(context, accepts(type), nearlyAccepts(type, picks[2]));
  if (settlement === undefined) return null;
  return actionCommand(context, settlement, chooseActionInput(context, type, settlement));
};

const hasAttachments = ({ attachments = [] }: Settlement): boolean => attachments.length > 0;

/**
 * Chooses the file for a message, or a comment, mostly on a settlement that has files. It has no idempotency key, as what it stands
 * for.
 */
export const chooseMessage = (context: ChoiceContext): Command | null => {
  const { picks } = context.intent;
  const isFile = picks[2] % 2 === 0;
  const isFirst = isFile && picks[1] % 2 === 0;
  const settlement = chooseSettlement(context, isFirst ? accepts("dispute") : hasAttachments, hasAttachments);
  if (settlement === undefined) return null;
  const { principal } = callerFor(context, settlement);
  return isFile
    ? { type: "attach", principal, idempotency: null, id: settlement.id, content: chooseFile(context) }
    : {
        ...{ type: "act", principal, idempotency: null, id: settlement.id },
        action: chooseComment(context, settlement),
      };
};

/** The kind of document that a caller may upload to the settlement; null when there is none. */
export const awaitedUpload = (world: World, settlement: Settlement): DocumentKind | null => {
  const { status, billingMode } = settlement;
  if (status.type === "awaiting_report") return "report";
  if (billingMode === "self_billing" && world.policy.documents === "auto") return null;
  if (status.type === "awaiting_invoice") return "invoice";
  return status.type === "awaiting_credit_note" ? "credit_note" : owedDocument(settlement);
};

/** The files that are allowed, and some that are not. */
const RIGHT: readonly [string, ...ReadonlyArray<string>] = [
  ...(["%PDF-1.7", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff\xe0", "<?xml version='1.0'?>"] as const),
];
const WRONG: typeof RIGHT = ["", "PK\x03\x04", "PDF"];

const chooseFile = ({ intent: { eligible, picks } }: ChoiceContext): string =>
  choose(!eligible && picks[2] % 5 === 0 ? WRONG : RIGHT, picks[1]);

export const chooseUpload = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const again = intent.picks[3] % 3 === 0;
  const wantedUpload = (item: Settlement) =>
    (again ? replaceableUpload(world, item) : null) ?? awaitedUpload(world, item);
  const settlement = chooseSettlement(
    context,
    (item) => wantedUpload(item) !== null && (!again || replaceableUpload(world, item) !== null),
    isInState("awaiting_invoice", "awaiting_credit_note", "awaiting_payment"),
  );
  if (settlement === undefined) return null;
  const kind =
    (intent.eligible ? wantedUpload(settlement) : null) ??
    (settlement.status.type === "awaiting_credit_note"
      ? "credit_note"
      : choose<DocumentKind>(["invoice", "credit_note", "report", "invoice"], intent.picks[1]));
  const content = chooseFile(context);
  const facts = chooseDocumentFacts(context, kind, settlement);
  return { type: "upload", ...callerFor(context, settlement), id: settlement.id, kind, content, facts };
};
