/** The guards of the transition table: each is a condition with the words that the documentation prints for it. */
import { COMMENTS_MAX } from "./Limits.ts";
import { fromBigInt } from "./Money.ts";
import { type Conflict, conflict } from "./Refusal.ts";
import type {
  LinkCommand,
  Policy,
  SettlementCommand,
  SettlementCommandOf,
  SettlementCommandType,
} from "./SettlementCommand.ts";
import type { ReviewDecision } from "./SettlementFields.ts";
import {
  commentsOf,
  isNamed,
  isSelfBilled,
  missingCounterpart,
  payable,
  type View,
} from "./SettlementView.ts";
import { describe } from "./TaxReview.ts";

/**
 * A condition of a row. `check` returns true when it holds, false when the row does not apply and a later row may, and a
 * conflict when the row applies but refuses the command.
 */
export interface Guard<Type extends SettlementCommandType = SettlementCommandType> {
  readonly words: string;
  check(state: View, command: SettlementCommandOf<Type>, policy: Policy): boolean | Conflict;
}

/** A guard that chooses between the rows of one state and command. */
const when = <Type extends SettlementCommandType>(
  words: string,
  check: (state: View, command: SettlementCommandOf<Type>) => boolean,
): Guard<Type> => ({ words, check });

/** A guard that refuses the command with the conflict that `refusal` returns, and holds when it returns null. */
const require = <Type extends SettlementCommandType>(
  words: string,
  refusal: (state: View, command: SettlementCommandOf<Type>, policy: Policy) => Conflict | null,
): Guard<Type> => ({
  words,
  check: (state, command, policy) => refusal(state, command, policy) ?? true,
});

/**
 * Where the policy requires two persons, neither the creator of a draft approves it nor who has changed the limit since.
 */
export const FOUR_EYES = require<"approve">("policy four_eyes", (state, command, policy) => {
  if (policy.fourEyes && command.person === state.createdBy)
    return conflict("four_eyes", "the creator of a draft may not approve it");
  return command.hasChangedLimit
    ? conflict("four_eyes", "who has changed four_eyes_above since the draft may not approve it")
    : null;
});

/** Every line still equals what its commission is due, unless the policy allows stale drafts. */
export const FRESH_LINES = require<"approve">("policy stale_drafts", (_state, command, policy) =>
  policy.staleDrafts === "refuse" && command.stale
    ? conflict(
        "settlement_stale",
        "the amounts due have changed since the draft; cancel the draft and create another",
      )
    : null);

/** Every amount that the approval fixes is one that an amount can hold. */
export const TAX_IN_RANGE = require<"approve">("total and tax within the largest amount", (
  { total },
  { assessment: { groups, shares, tax } },
) => {
  const amounts = [
    tax,
    BigInt(total) + tax,
    ...[...groups, ...shares].flatMap((item) => [item.base, item.tax]),
  ];
  return amounts.some((amount) => fromBigInt(amount) === null)
    ? conflict(
        "amount_too_large",
        "total and tax exceed the largest amount; settle fewer commissions at once",
      )
    : null;
});

const hasBase = (state: View): boolean => state.approval?.taxGroups.some(({ base }) => base !== 0) ?? false;

/** There is an amount to invoice, or groups that cancel each other out and must be stated. */
export const TO_INVOICE = when<"link_report">(
  "payable > 0, or = 0 with groups that balance",
  (state) => payable(state) > 0 || (payable(state) === 0 && hasBase(state)),
);

/** The partner owes. */
export const OWED_BY_PARTNER = when<"link_report">("payable < 0", (state) => payable(state) < 0);

/** Nothing is to be paid or stated. */
export const NOTHING_TO_INVOICE = when<"link_report">(
  "payable = 0, no group with a base",
  (state) => payable(state) === 0 && !hasBase(state),
);

/** The worker supplies the document. */
export const BY_WORKER = when<LinkCommand["type"]>(
  "from the worker",
  (_state, { origin }) => origin === "worker",
);

/** A caller supplies the document. */
export const UPLOADED = when<LinkCommand["type"]>("uploaded", (_state, { origin }) => origin === "upload");

/** The invoice has an amount. */
export const TO_PAY = when<"link_invoice">("payable not 0", (state) => payable(state) !== 0);

/** The groups of the invoice cancel each other out. */
export const NOTHING_TO_PAY = when<"link_invoice">("payable = 0", (state) => payable(state) === 0);

const KIND_OF_LINK = {
  link_report: "report",
  link_invoice: "invoice",
  link_credit_note: "credit_note",
} as const satisfies Record<LinkCommand["type"], string>;

/** A caller uploads a document again, in place of an upload. What the service issued stays. */
export const REPLACES_UPLOAD = when<LinkCommand["type"]>(
  "uploaded again, in place of an upload",
  (state, { type, origin }) => origin === "upload" && state.uploads.includes(KIND_OF_LINK[type]),
);

/** The document has the right issuer: the service for self-billing, unless documents are manual; else the partner. */
export const FROM_ISSUER = require<"link_invoice" | "link_credit_note">("from its issuer", (
  state,
  { type, origin },
  { documents },
) => {
  const refused = origin === "worker" ? !isSelfBilled(state) : isSelfBilled(state) && documents === "auto";
  return refused
    ? conflict(
        "billing_mode",
        `the service issues this ${KIND_OF_LINK[type].replace("_", " ")}; uploads are not accepted`,
      )
    : null;
});

/** A self-billed document states the tax that the approval fixed, or none; a partner's own document states any. */
export const TAX_AS_APPROVED = require<"link_invoice" | "link_credit_note">("tax_amount as approved", (
  state,
  { facts },
) => {
  const fixed = Math.abs(state.taxAmount ?? 0);
  return isSelfBilled(state) && facts.taxAmount !== undefined && facts.taxAmount !== fixed
    ? conflict("billing_mode", `tax_amount: the tax of this self-billed settlement is ${fixed}`)
    : null;
});

/** The settlement ended with an invoice that no credit note cancels. */
export const LACKS_CREDIT_NOTE = when<"link_credit_note">(
  "with invoice, without credit note, no payment in flight or confirmed late",
  (state) => missingCounterpart(state) === "credit_note",
);

/** The settlement ended with a credit note that no invoice cancels. */
export const LACKS_INVOICE = when<"link_invoice">(
  "with credit note, without invoice, no payment in flight or confirmed late",
  (state) => missingCounterpart(state) === "invoice",
);

/** The review decides this. */
export const reviewDecides = (decision: ReviewDecision): Guard<"review"> =>
  when(decision, (_state, command) => command.decision === decision);

/** A person decides on the tax that the uploaded document states. */
export const reviewsTax = (decision: ReviewDecision): Guard<"review"> =>
  when(
    `${decision}; tax under review`,
    (state, command) => command.decision === decision && state.taxReview !== null,
  );

/** Where the policy requires two persons: who has drafted, uploaded or changed the limit since does not accept the tax. */
export const ACCEPTED_BY_ANOTHER = require<"review">("policy four_eyes", (state, command, policy) => {
  const { person, hasChangedLimit } = command;
  if (policy.fourEyes && (person === state.createdBy || person === state.taxReview?.uploadedBy))
    return conflict("four_eyes", "who created the draft or uploaded the document may not accept its tax");
  return hasChangedLimit
    ? conflict("four_eyes", "who has changed four_eyes_above since the draft may not accept its tax")
    : null;
});

/** The refused document was an invoice. */
export const OF_INVOICE = when<"review">("payable > 0", (state) => payable(state) > 0);

/** The refused document was a credit note. */
export const OF_CREDIT_NOTE = when<"review">("payable < 0", (state) => payable(state) < 0);

/** An approver has accepted the tax of the partner's document, or it needed none. */
export const TAX_ACCEPTED = require<"mark_as_paid" | "initiate_payment">("no tax under review", (state) =>
  state.taxReview === null
    ? null
    : conflict("tax_review", `${describe(state.taxReview, state)}; an approver has to accept the tax first`));

/** The partner is not suspended. */
export const PARTNER_ACTIVE = require<"initiate_payment">("partner active", (_state, { isSuspended }) =>
  isSuspended
    ? conflict("partner_suspended", "the partner is suspended; no payment to it is initiated")
    : null);

/** A payout provider is configured. */
export const PAYOUTS = require<"initiate_payment">("payout provider", (_state, _command, { payouts }) =>
  payouts
    ? null
    : conflict(
        "payout_unavailable",
        "no payout provider is configured; configure one, or mark the settlement as paid",
      ));

/** The partner is owed. */
export const OWED_TO_PARTNER = require<"initiate_payment">("payable > 0", (state) =>
  payable(state) <= 0 ? conflict("payout_unavailable", "there is no amount to pay to the partner") : null);

/** The account of the approval exists in form, and the provider can pay it. */
export const PAYABLE_ACCOUNT = require<"initiate_payment">("payable account", (_state, { problem }) =>
  problem === null ? null : conflict("payout_unavailable", problem));

/** Nobody has retired the account since the approval. */
export const CONFIRMED_ACCOUNT = require<"initiate_payment">("account still confirmed", (_state, command) =>
  command.isRetired === true
    ? conflict(
        "payout_account",
        "the payout account of the approval was retired; choose another one for the settlement, or mark it as paid",
      )
    : null);

/** Who proposes an account does not also have an approved settlement paid to it. */
export const NOT_PROPOSER = require<"choose_payout_account">("not the proposer", (_state, { isProposer }) =>
  isProposer
    ? conflict("four_eyes", "who proposed a payout account may not choose it for a settlement")
    : null);

/** The payment under way waits for a file: nobody can have carried it out. */
export const IN_NO_FILE = when<"choose_payout_account">(
  "payment in no file",
  (_state, { isWaiting }) => isWaiting,
);

/** The message is about the attempt that is in flight. */
export const SAME_REFERENCE = when<"confirm_payment" | "fail_payment" | "hand_over_payment">(
  "same payment reference",
  (state, { paymentReference }) => state.paymentReference === paymentReference,
);

/** A person knows that the bank, which has the file, does not carry the payment out. */
export const HANDED_OVER = when<"fail_payment">(
  "by a person; handed over",
  ({ handedOver }, { paymentReference }) => paymentReference === null && handedOver !== null,
);

/**
 * The bank had confirmed the payment; or a person had, and a person knows that it came back: a report cannot tell whether that
 * payment was meant, or one outside.
 */
export const CONFIRMED_BEFORE = when<"return_payment">(
  "paid by webhook, or marked as paid and returned by a person",
  ({ status }, { paymentReference }) =>
    status.type === "paid" &&
    (status.method === "webhook" || (status.method === "manual" && paymentReference === null)),
);

/** The payment is not reconciled with a bank statement. */
export const UNRECONCILED = when<SettlementCommand["type"]>(
  "unreconciled",
  ({ reconciliationStatus }) => reconciliationStatus === "unreconciled",
);

/** The return is of the settlement's own payment; a person who reports it names no reference. */
export const OWN_REFERENCE = when<"return_payment">(
  "its own payment reference",
  (state, { paymentReference }) =>
    state.paymentReference !== null &&
    (paymentReference === null || paymentReference === state.paymentReference),
);

/** The lines can be reserved again. */
export const HELD_BY_NO_OTHER = when<"return_payment">(
  "no commission in another open settlement",
  (_state, { heldByOthers }) => heldByOthers.length === 0,
);

/** The side that withdraws a dispute has raised it. Of disputes from before sides were stored, nobody knows who has. */
export const RAISED_BY_SIDE = require<"withdraw_dispute">("raised by the same side", (
  { disputedBy },
  { side },
) =>
  disputedBy === side
    ? null
    : conflict(
        "settlement_state",
        disputedBy === undefined
          ? "who raised the dispute is not recorded, so it can only be resolved"
          : `only the ${disputedBy} can withdraw this dispute`,
      ));

/**
 * The log of a settlement stays short enough to be loaded as a whole, and no side uses up what the other may say. Withdrawing
 * counts, because a side could otherwise dispute and withdraw without end.
 */
export const ROOM_FOR_COMMENT = require<
  "comment" | "withdraw_dispute"
>(`fewer than ${COMMENTS_MAX} comments and withdrawals of the side`, (state, { side }) =>
  commentsOf(state, side) < COMMENTS_MAX
    ? null
    : conflict(
        "comment_limit",
        `the ${side} has made ${COMMENTS_MAX} comments and withdrawals of disputes, and no more are allowed`,
      ));

/** A file belongs to one message: a message that is sent again by mistake is refused. */
export const ATTACHED_ONCE = require<
  "dispute" | "resolve_dispute" | "comment"
>("attachments that no message names", (state, { attached: { ids } }) => {
  const index = ids.findIndex((id) => isNamed(state, id));
  return index < 0
    ? null
    : conflict("attachment_used", `attachment_ids.${index}: another message has named this attachment`);
});

/** The objection is dropped. */
export const REJECTED = when<"resolve_dispute">(
  "rejected",
  (_state, { resolution }) => resolution === "rejected",
);

/** The objection is right. */
export const UPHELD = when<"resolve_dispute">("upheld", (_state, { resolution }) => resolution === "upheld");

/** The payment is found on the bank statement. */
export const TO_RECONCILED = when<"reconcile">("reconciled: true", (_state, { reconciled }) => reconciled);

/** The reconciliation is reverted. */
export const TO_UNRECONCILED = when<"reconcile">(
  "reconciled: false",
  (_state, { reconciled }) => !reconciled,
);

/** The payment is reconciled. */
export const RECONCILED = when<"reconcile">(
  "reconciled",
  ({ reconciliationStatus }) => reconciliationStatus === "reconciled",
);
