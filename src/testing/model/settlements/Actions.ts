/** The model of actions on settlements, by the transition table. */

import type { Principal } from "../../../domain/Principal.ts";
import type { ConflictToken } from "../../../domain/Refusal.ts";
import type { Status } from "../../../domain/SettlementView.ts";
import type { Action, CommandOf } from "../Command.ts";
import { isReason, isText } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  conflict,
  type Decision,
  type Prediction,
  refuse,
  STATE_CONFLICT,
} from "../prediction/Prediction.ts";
import { canSee, permissionOf, personOf } from "../prediction/Rights.ts";
import { approvedAccount } from "../records/PayoutAccounts.ts";
import { isHeldByAnother, isStale, moveSettlement, total } from "../world/Lines.ts";
import { nextMoment } from "../world/Log.ts";
import type { Settlement } from "../world/Settlements.ts";
import { accepts, disputedIn, isOpen } from "../world/States.ts";
import { computeTax } from "../world/Taxes.ts";
import { DAY, MINUTE } from "../world/Time.ts";
import type { World } from "../world/World.ts";
import { areAttachments, named, namedBy, sideOf } from "./Attachments.ts";
import { lacksEInvoice } from "./EInvoices.ts";
import { choosePayoutAccount, failPayment, initiatePayment, NOT_PAID } from "./Payouts.ts";
import { hasChangedLimit, needsFourEyes, termsOf, withTax } from "./Policies.ts";
import { conversionOf } from "./TaxCurrencies.ts";

/** A draft with the billing data and tax of an approval; the tax is null when an amount would exceed the largest. */
const withBilling = (world: World, settlement: Settlement) => {
  const partner = world.partners.find(({ id }) => id === settlement.partnerId);
  const billing = {
    billingMode: partner?.billingMode ?? "partner_billing",
    selfBillingData: partner?.selfBillingData ?? null,
    payoutAccount: partner === undefined ? undefined : approvedAccount(partner, settlement.currency),
  } satisfies Partial<Settlement>;
  return { billing, fixed: computeTax(world, { ...settlement, ...billing }) };
};

/** True if the approval of a draft is refused because its document would have no e-invoice. */
export const isWithoutEInvoice = (world: World, settlement: Settlement): boolean => {
  const { billing, fixed } = withBilling(world, settlement);
  return fixed !== null && lacksEInvoice(world, { ...settlement, ...billing, ...fixed });
};

/** The rate by which a draft, approved now, states its tax in the national currency. */
export const conversionOfDraft = (world: World, settlement: Settlement): ReturnType<typeof conversionOf> => {
  const { billing, fixed } = withBilling(world, settlement);
  return fixed === null ? null : conversionOf(world, { ...settlement, ...billing, ...fixed });
};

/** The approval of a draft by a person. */
export const approve = (world: World, settlement: Settlement, person: string): Decision => {
  if (settlement.status.type !== "draft") return conflict("settlement_not_draft");
  const tokens: Array<ConflictToken> = [];
  const isAboveLimit = needsFourEyes(world, settlement);
  const isCreator = settlement.createdBy === person;
  if (isCreator && (isAboveLimit || world.policy.fourEyes)) tokens.push("four_eyes");
  if (isAboveLimit && hasChangedLimit(world, settlement, person)) tokens.push("four_eyes");
  if (world.policy.staleDrafts === "refuse" && isStale(world, settlement)) tokens.push("settlement_stale");
  const { billing, fixed } = withBilling(world, settlement);
  // Without the tax the model cannot tell which of the two rules the engine reports.
  if (fixed === null) tokens.push("amount_too_large", "e_invoice_invalid");
  if (isWithoutEInvoice(world, settlement)) tokens.push("e_invoice_invalid");
  const taxConversion = conversionOfDraft(world, settlement);
  if (taxConversion === "missing") return conflict(...tokens, "exchange_rate_missing");
  if (tokens.length > 0) return conflict(...tokens);
  const approvedAt = nextMoment(settlement.log, world.now);
  const change: Partial<Settlement> = {
    ...billing,
    ...fixed,
    taxConversion,
    approvedAt,
    invoiceTaxBps: termsOf(world, settlement.customerId, settlement.workspaceId, settlement.partnerId)
      .invoiceTaxBps,
  };
  return accept(() => moveSettlement(world, settlement, "approve_settlement", change));
};

type Review = Extract<Action, { type: "review" }>;

const STATUS_AFTER_REVIEW: Readonly<Record<string, Status>> = {
  issue_credit_note: { type: "awaiting_credit_note" },
  carry_forward: { type: "cancelled", cause: "carried_forward" },
  write_off: { type: "written_off" },
} satisfies Partial<Record<Review["decision"], Status>>;

/** The decision on the tax that the uploaded document states. */
const reviewTax = (
  world: World,
  settlement: Settlement,
  decision: Review["decision"],
  person: string,
): Decision => {
  const { status, taxReview, createdBy, linked } = settlement;
  const move = (change: Partial<Settlement>): Decision =>
    accept(() =>
      moveSettlement(world, settlement, "review_settlement", { taxReview: null, ...change }, { decision }),
    );
  if (status.type !== "awaiting_payment" || taxReview === null) return STATE_CONFLICT;
  if (decision === "refuse_tax") {
    const kind = total(settlement) < 0 ? "credit_note" : "invoice";
    return move({
      status: { type: `awaiting_${kind}` },
      linked: { ...linked, [kind]: null },
      ...{ taxAmount: null, payableAmount: null, dueDate: null },
    });
  }
  const isAboveLimit = needsFourEyes(world, settlement, withTax);
  const isInvolved = person === createdBy || person === taxReview.uploadedBy;
  return (isInvolved && (isAboveLimit || world.policy.fourEyes)) ||
    (isAboveLimit && hasChangedLimit(world, settlement, person))
    ? conflict("four_eyes")
    : move({});
};

/** The end of a review: of a negative settlement, or of a stated tax. */
const review = (world: World, settlement: Settlement, { decision }: Review, person: string): Decision => {
  const status = STATUS_AFTER_REVIEW[decision];
  if (status === undefined) return reviewTax(world, settlement, decision, person);
  return settlement.status.type === "negative_review"
    ? accept(() => moveSettlement(world, settlement, "review_settlement", { status }, { decision }))
    : STATE_CONFLICT;
};

/** True if a settlement's payment can be returned. */
export const isReturnable = (world: World, settlement: Settlement): boolean =>
  settlement.status.type === "paid" &&
  settlement.status.method === "webhook" &&
  !settlement.reconciled &&
  !isHeldByAnother(world, settlement);

/** True if a person can return the payment of a settlement that was marked as paid while the payment was under way. */
const isReturnableByPerson = (world: World, { status, ...settlement }: Settlement): boolean =>
  status.type === "paid" &&
  status.method === "manual" &&
  settlement.hasReference &&
  isReturnable(world, { ...settlement, status: { type: "paid", method: "webhook" } });

/** What a returned payment changes in addition to the state. */
export const RETURNED_PAYMENT: Partial<Settlement> = {
  ...NOT_PAID,
  paidAt: null,
  bankReference: null,
  fee: undefined,
  received: undefined,
};

const dispute = (
  world: World,
  settlement: Settlement,
  { reason, commissionIds = [], attachmentIds = [] }: Extract<Action, { type: "dispute" }>,
  principal: Principal,
): Decision => {
  const isLine = (id: string): boolean => settlement.lines.some(({ commissionId }) => commissionId === id);
  if (!commissionIds.every(isLine)) return refuse("Invalid");
  const files = namedBy(settlement, principal, attachmentIds);
  if (files === null) return refuse("Invalid");
  const raised_by = sideOf(principal);
  const resume = disputedIn(settlement);
  if (resume === null) return STATE_CONFLICT;
  if (files.some(({ isNamed }) => isNamed)) return conflict("attachment_used");
  const attached = named(settlement, files);
  const change: Partial<Settlement> = {
    ...attached.change,
    status: { type: "disputed", resume },
    disputeReason: reason,
    disputedAt: nextMoment(settlement.log, world.now),
    disputedBy: raised_by,
  };
  const fields = {
    reason,
    ...(commissionIds.length === 0 ? {} : { commission_ids: commissionIds }),
    raised_by,
    ...attached.fields,
  };
  return accept(() => moveSettlement(world, settlement, "dispute_settlement", change, fields));
};

const COMMENTS_MAX = 50;

/** The change by one more comment or withdrawal of a side; null when it may make no more. */
const oneMore = ({ comments = { partner: 0, customer: 0 } }: Settlement, side: "partner" | "customer") =>
  comments[side] >= COMMENTS_MAX ? null : { comments: { ...comments, [side]: comments[side] + 1 } };

const comment = (
  world: World,
  settlement: Settlement,
  { text, attachmentIds = [] }: Extract<Action, { type: "comment" }>,
  principal: Principal,
): Decision => {
  const side = sideOf(principal);
  const files = namedBy(settlement, principal, attachmentIds);
  if (files === null) return refuse("Invalid");
  const counted = oneMore(settlement, side);
  if (counted === null) return conflict("comment_limit");
  if (files.some(({ isNamed }) => isNamed)) return conflict("attachment_used");
  const attached = named(settlement, files);
  const fields = {
    ...{ text, side, ...(side === "partner" ? {} : { person: personOf(principal) }) },
    ...attached.fields,
  };
  const change = { ...counted, ...attached.change };
  return accept(() => moveSettlement(world, settlement, "comment_settlement", change, fields));
};

const resolveDispute = (
  world: World,
  settlement: Settlement,
  { resolution, attachmentIds = [] }: Extract<Action, { type: "resolve_dispute" }>,
  principal: Principal,
): Decision => {
  const { status } = settlement;
  const files = namedBy(settlement, principal, attachmentIds);
  if (files === null) return refuse("Invalid");
  if (status.type !== "disputed") return STATE_CONFLICT;
  if (files.some(({ isNamed }) => isNamed)) return conflict("attachment_used");
  const taxReview = resolution === "upheld" ? null : settlement.taxReview;
  const next: Status =
    resolution === "upheld" ? { type: "cancelled", cause: "dispute_upheld" } : { type: status.resume };
  const attached = named(settlement, files);
  const change = { status: next, taxReview, ...attached.change };
  const fields = { resolution, ...attached.fields };
  return accept(() => moveSettlement(world, settlement, "resolve_dispute", change, fields));
};

const withdrawDispute = (world: World, settlement: Settlement, principal: Principal): Decision => {
  const { status, disputedBy } = settlement;
  const side = sideOf(principal);
  if (status.type !== "disputed" || disputedBy !== side) return STATE_CONFLICT;
  const change = oneMore(settlement, side);
  if (change === null) return conflict("comment_limit");
  return accept(() =>
    moveSettlement(world, settlement, "withdraw_dispute", { ...change, status: { type: status.resume } }),
  );
};

const writeOff = (world: World, settlement: Settlement, reason: string | undefined): Decision => {
  if (settlement.status.type === "draft") return STATE_CONFLICT;
  const fields = reason === undefined ? {} : { reason };
  return isOpen(settlement)
    ? accept(() => moveSettlement(world, settlement, "write_off_settlement", { taxReview: null }, fields))
    : conflict("settlement_terminal");
};

const markAsPaid = (
  world: World,
  settlement: Settlement,
  { paidAt, bankReference, fee, received, note }: Extract<Action, { type: "mark_as_paid" }>,
): Decision => {
  const { approvedAt } = settlement;
  if (paidAt !== undefined && paidAt > world.now + 5 * MINUTE) return refuse("Invalid");
  if (paidAt !== undefined && approvedAt !== null && paidAt < approvedAt - DAY) return refuse("Invalid");
  if (!accepts(settlement, "mark_as_paid")) return STATE_CONFLICT;
  if (settlement.taxReview !== null) return conflict("tax_review");
  const change: Partial<Settlement> = {
    paidAt: paidAt ?? nextMoment(settlement.log, world.now),
    bankReference: bankReference ?? null,
    fee,
    received,
  };
  const fields = {
    ...(paidAt === undefined ? {} : { paid_at: new Date(paidAt).toISOString() }),
    ...(bankReference === undefined ? {} : { bank_reference: bankReference }),
    ...(fee === undefined ? {} : { fee }),
    ...(received === undefined ? {} : { received }),
    ...(note === undefined ? {} : { note }),
  };
  return accept(() => moveSettlement(world, settlement, "mark_as_paid", change, fields));
};

/** Decides an action on a settlement, by the transition table. */
const decideAction = (
  world: World,
  settlement: Settlement,
  action: Action,
  principal: Principal,
): Decision => {
  const person = personOf(principal);
  switch (action.type) {
    case "approve":
      return approve(world, settlement, person);
    case "cancel":
      return accepts(settlement, "cancel")
        ? accept(() => moveSettlement(world, settlement, "cancel_settlement", {}))
        : conflict("settlement_not_draft");
    case "write_off":
      return writeOff(world, settlement, action.reason);
    case "mark_as_paid":
      return markAsPaid(world, settlement, action);
    case "initiate_payment":
      return initiatePayment(world, settlement);
    case "review":
      return review(world, settlement, action, person);
    case "dispute":
      return dispute(world, settlement, action, principal);
    case "withdraw_dispute":
      return withdrawDispute(world, settlement, principal);
    case "comment":
      return comment(world, settlement, action, principal);
    case "return_payment":
      return isReturnable(world, settlement) || isReturnableByPerson(world, settlement)
        ? accept(() =>
            moveSettlement(world, settlement, "return_payment", RETURNED_PAYMENT, { reason: action.reason }),
          )
        : STATE_CONFLICT;
    case "resolve_dispute":
      return resolveDispute(world, settlement, action, principal);
    case "fail_payment":
      return failPayment(world, settlement, action.reason);
    case "choose_payout_account":
      return choosePayoutAccount(world, settlement, action, person);
    case "reconcile": {
      if (!accepts(settlement, "reconcile")) return STATE_CONFLICT;
      const { reconciled } = action;
      const type = reconciled ? "reconcile_settlement" : "unreconcile_settlement";
      return accept(
        settlement.reconciled === reconciled
          ? null
          : () => moveSettlement(world, settlement, type, { reconciled }),
      );
    }
  }
};

const isValidAction = (action: Action): boolean =>
  ("attachmentIds" in action ? areAttachments(action.attachmentIds) : true) && isValidInput(action);

const isValidInput = (action: Action): boolean =>
  action.type === "mark_as_paid"
    ? isText(action.bankReference ?? "any", 255) && [...(action.note ?? "")].length <= 1_000
    : action.type === "dispute" || action.type === "return_payment" || action.type === "fail_payment"
      ? isReason(action.reason)
      : action.type === "write_off"
        ? isReason(action.reason ?? "any")
        : action.type === "comment"
          ? isText(action.text, 1_000)
          : true;

/** The settlement of a command, if its principal can see it. */
export const findSettlement = (world: World, command: CommandOf<"act" | "upload">): Settlement | undefined =>
  world.settlements.find(
    (settlement) => settlement.id === command.id && canSee(command.principal, settlement),
  );

/** An action on a settlement. */
export const act = (world: World, command: CommandOf<"act">): Prediction =>
  applyRules(world, {
    principal: command.principal,
    permission: permissionOf(command),
    idempotency: command.idempotency,
    valid: isValidAction(command.action),
    decide: () => {
      const settlement = findSettlement(world, command);
      return settlement === undefined
        ? refuse("Missing")
        : decideAction(world, settlement, command.action, command.principal);
    },
  });
