/** What the team can do on a settlement in each state, with the consequences. */
import type { ResolveSettlementDispute, ReviewSettlement } from "quittance/client";
import { utcDay } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { Choices, Note, optional, Reason, text } from "../parts/Forms.tsx";
import { Later } from "../parts/Later.tsx";
import { isBeforeHandOver, taxReviewWords } from "../words/States.ts";
import { TEAM_STATES, type TeamAction } from "../words/TeamStates.ts";
import {
  type ActionsOf,
  isSelfBilled,
  lacksAccount,
  lacksCounterpart,
  offered,
  type PossibleAction,
  type Subject,
  writesDocuments,
  writesInvoice,
} from "./Action.ts";
import { claimWords, exampleIn, gross, isClaim, net, positive } from "./Amounts.ts";
import { chooseAccount } from "./ChooseAccount.tsx";
import { chosenWords, DISPUTE, isDisputedBy, WITHDRAW, worthWords } from "./Dispute.tsx";
import { paidAmounts } from "./PaidAmounts.ts";
import { upload } from "./Upload.tsx";

const nameOf = ({ partner }: Subject): string => partner?.name ?? "the partner";

/** The issued documents that need a counterpart when the settlement ends without payment. */
const counterparts = ({ settlement }: Subject): ReadonlyArray<string> => {
  const { invoiceReference, creditNoteReference, billingMode, invoiceNumber, creditNoteNumber } = settlement;
  if (invoiceReference === null && creditNoteReference === null) return [];
  if (billingMode === "self_billing")
    return [
      invoiceReference === null
        ? `An invoice for the whole of credit note ${creditNoteNumber ?? ""} is issued.`
        : `A credit note for the whole of invoice ${invoiceNumber ?? ""} is issued.`,
    ];
  return [
    invoiceReference === null
      ? "The partner's credit note stays on record; ask the partner for an invoice that takes it back."
      : "The partner's invoice stays on record; ask the partner for a credit note that takes it back.",
  ];
};

const approve: PossibleAction = {
  id: "approve",
  words: "Approve",
  scope: "settlements:approve",
  isMain: true,
  consequence: (subject) => [
    `${
      isClaim(subject)
        ? `${nameOf(subject)} owes ${positive(net(subject))} net.`
        : `${net(subject)} net becomes payable to ${nameOf(subject)}.`
    } The lines and the partner's billing data of this moment are fixed.`,
    isClaim(subject)
      ? "A report is created; then somebody decides whether the partner pays the amount back."
      : isSelfBilled(subject)
        ? "A report is created, then the invoice in the partner's name; tax is added according to the partner's data."
        : "A report is created, then the partner is asked for its invoice.",
    "This cannot be undone: afterwards only a dispute or a write-off stops it.",
    ...(subject.settlement.stale
      ? ["An amount has changed since the draft. The difference goes into the next settlement."]
      : []),
  ],
  run: (commands, { settlement }) => commands.settlements.approve(settlement.id),
};

const cancel: PossibleAction = {
  id: "cancel",
  words: "Cancel draft",
  scope: "settlements:write",
  danger: true,
  consequence: (subject) => [
    `The draft of ${net(subject)} ends. Its commissions are free for another settlement.`,
    "No document is made and no money moves. The draft stays in the list as cancelled.",
  ],
  run: (commands, { settlement }) => commands.settlements.cancel(settlement.id),
};

/** An action of an approver, who chooses how a review ends. */
const decision = ({
  options,
  ...action
}: Pick<PossibleAction, "id" | "words" | "send" | "consequence" | "isPossible" | "danger"> & {
  readonly options: (subject: Subject) => Parameters<typeof Choices>[0]["options"];
}): PossibleAction => ({
  ...action,
  scope: "settlements:approve",
  isMain: true,
  fields: (subject) => (
    <>
      <Choices name="decision" legend="Decision" options={options(subject)} />
      <Note />
    </>
  ),
  run: (commands, { settlement }, fields) =>
    commands.settlements.review(settlement.id, {
      decision: text(fields, "decision") as ReviewSettlement["decision"],
      ...optional(fields, "note"),
    }),
});

const review = decision({
  id: "review",
  words: "Decide",
  send: "Store the decision",
  danger: (fields) => text(fields, "decision") === "write_off",
  consequence: (subject) => [`${nameOf(subject)} owes ${claimWords(subject)}. Choose what happens with it.`],
  options: (subject) => [
    {
      value: "carry_forward",
      words: "Carry it forward.",
      meaning: `The settlement ends without a credit note; the next settlement of this partner is smaller by ${positive(net(subject))} net.`,
    },
    {
      value: "issue_credit_note",
      words: "Ask for the money.",
      meaning: `${isSelfBilled(subject) ? "A credit note is issued in the partner's name." : "The partner sends a credit note."} Then the partner pays back ${
        subject.settlement.payableAmount === null
          ? `${positive(net(subject))} plus tax`
          : positive(gross(subject))
      }.`,
    },
    {
      value: "write_off",
      words: "Danger: give it up.",
      meaning: `The partner is never asked for ${positive(gross(subject))} again, and the settlement is written off. This cannot be undone.`,
    },
  ],
});

const reviewTax = decision({
  id: "review-tax",
  words: "Decide on the tax",
  send: "Store the decision",
  isPossible: ({ settlement }) => settlement.taxReview !== null,
  consequence: ({ settlement }) => [taxReviewWords(settlement)],
  options: (subject) => [
    {
      value: "accept_tax",
      words: "Accept it.",
      meaning: `${positive(gross(subject))} with tax can be paid.`,
    },
    {
      value: "refuse_tax",
      words: "Refuse the document.",
      meaning: "The settlement waits for another document; the refused one stays in the log.",
    },
  ],
});

const paidAt = (fields: FormData): Readonly<Record<string, string>> => {
  const day = text(fields, "paidAt");
  // A day of the bank has no hour: today is when the server records it, another day counts from its noon.
  return day === "" || day === utcDay(Date.now()) ? {} : { paidAt: `${day}T12:00:00Z` };
};

/** What to consider before an initiated payment is confirmed by hand. */
const initiated = ({ settlement }: Subject): ReadonlyArray<string> => {
  if (settlement.status.type !== "payment_initiated") return [];
  return [
    isBeforeHandOver(settlement)
      ? "The payment waits for a bank file, so nothing has left the account yet. Confirm only what was paid in another way; a file that has this payment can then not be handed over."
      : "A payment was initiated. Confirm by hand only if you know that it was made, or the partner may be paid twice.",
  ];
};

const markPaid: PossibleAction = {
  id: "mark-as-paid",
  words: "Confirm payment",
  scope: "settlements:pay",
  // By hand only in place of a bank that has the file: before, and with a provider, it may be paid twice.
  isMain: ({ settlement: { status, paymentFileStatus } }) =>
    status.type !== "payment_initiated" || paymentFileStatus === "handed_over",
  isPossible: ({ settlement }) => settlement.taxReview === null,
  consequence: (subject) => [
    subject.settlement.total < 0
      ? `You confirm that ${nameOf(subject)} has paid back ${positive(gross(subject))}.`
      : `You confirm that ${gross(subject)} has been paid to ${nameOf(subject)}.`,
    "The settlement ends as paid, and its commissions are settled. This cannot be undone; later differences go into the next settlement.",
    ...initiated(subject),
  ],
  fields: ({ settlement: { currency } }) => (
    <>
      <Field label="Paid on (optional)" hint="Today, unless stated.">
        <input name="paidAt" type="date" />
      </Field>
      <Field label="Bank reference (optional)">
        <input name="bankReference" maxLength={255} />
      </Field>
      <Field label="Fee (optional)" hint={`With its currency, such as ${exampleIn(currency)}.`}>
        <input name="fee" autocomplete="off" />
      </Field>
      <Field
        label="Received (optional)"
        hint={`If another amount arrived, such as after a conversion: ${exampleIn(currency === "USD" ? "EUR" : "USD")}.`}
      >
        <input name="received" autocomplete="off" />
      </Field>
      <Note />
    </>
  ),
  run: (commands, { settlement }, fields) =>
    commands.settlements.markAsPaid(settlement.id, {
      ...paidAt(fields),
      ...optional(fields, "bankReference", "note"),
      ...paidAmounts(fields),
    }),
};

const initiate: PossibleAction = {
  id: "initiate-payment",
  words: "Pay through the bank",
  scope: "settlements:pay",
  isPossible: (subject) =>
    subject.settlement.taxReview === null && !isClaim(subject) && !lacksAccount(subject),
  consequence: (subject) => [
    `The payment of ${gross(subject)} to ${nameOf(subject)} goes into your next bank file, or to your payment provider now. It is not made twice.`,
    "The settlement can no longer be disputed until the payment has ended.",
    ...(subject.partner?.payoutProblem
      ? [`The partner's bank account has a problem: ${subject.partner.payoutProblem}`]
      : []),
  ],
  run: (commands, { settlement }) => commands.settlements.initiatePayment(settlement.id),
};

const dispute: PossibleAction = {
  ...DISPUTE,
  words: "Dispute",
  send: "Raise the dispute",
  consequence: (subject) => [
    `${
      isClaim(subject)
        ? `The claim of ${positive(worthWords(subject.settlement))}`
        : `The settlement of ${worthWords(subject.settlement)}`
    } stops until the dispute is resolved.`,
    "If it is upheld, the settlement ends and a new one takes the corrected amounts; if it is rejected, it continues where it stopped.",
    ...chosenWords(subject),
  ],
};

const withdraw: PossibleAction = {
  ...WITHDRAW,
  words: "Withdraw the dispute",
  isPossible: isDisputedBy("customer"),
  consequence: () => [
    "The settlement continues where it stopped. It can be disputed again until its payment begins.",
  ],
};

const resolve: PossibleAction = {
  id: "resolve-dispute",
  words: "Resolve the dispute",
  scope: "settlements:approve",
  isMain: true,
  consequence: (subject) => [`The objection: "${subject.settlement.disputeReason ?? ""}"`],
  fields: (subject, problemOf) => (
    <>
      <Choices
        name="resolution"
        legend="Resolution"
        options={[
          {
            value: "rejected",
            words: "Reject it.",
            meaning: "The settlement continues where it stopped; nothing else changes.",
          },
          {
            value: "upheld",
            words: "Uphold it.",
            meaning: `The settlement of ${worthWords(subject.settlement)} ends; its commissions are free for a new one. ${counterparts(subject).join(" ")} This cannot be undone.`,
          },
        ]}
      />
      <Note />
      <Later what="Reading the documents" load={() => import("../parts/Files.tsx")}>
        {({ Files }) => <Files problemOf={problemOf} />}
      </Later>
    </>
  ),
  run: async (commands, { settlement }, fields) =>
    commands.settlements.resolveDispute(settlement.id, {
      resolution: text(fields, "resolution") as ResolveSettlementDispute["resolution"],
      ...optional(fields, "note"),
      ...(await (await import("../parts/Files.tsx")).sendFiles(commands, settlement, fields)),
    }),
};

const writeOff: PossibleAction = {
  id: "write-off",
  words: "Write off",
  scope: "settlements:approve",
  danger: true,
  consequence: (subject) => [
    subject.settlement.total < 0
      ? `Danger: the claim of ${positive(gross(subject))} on ${nameOf(subject)} is given up for good.`
      : `Danger: ${gross(subject)} is never paid to ${nameOf(subject)}. These commissions are never due again.`,
    ...counterparts(subject),
    "This cannot be undone.",
  ],
  fields: () => <Reason hint="The partner reads it too." />,
  run: (commands, { settlement }, fields) =>
    commands.settlements.writeOff(settlement.id, { reason: text(fields, "reason") }),
};

/** True if money has moved for a settlement, and whether its payment is reconciled. */
const isPaidOut = (
  { status, reconciliationStatus }: Subject["settlement"],
  reconciliation: Subject["settlement"]["reconciliationStatus"],
): boolean =>
  status.type === "paid" && status.method !== "nothing_due" && reconciliationStatus === reconciliation;

const reconcile: PossibleAction = {
  id: "reconcile",
  words: "Mark as reconciled",
  scope: "settlements:pay",
  isPossible: ({ settlement }) => isPaidOut(settlement, "unreconciled"),
  consequence: (subject) => [
    `The payment of ${gross(subject)} was found in the bank account.`,
    subject.settlement.paymentReference === null
      ? "You can remove the mark."
      : "While it is marked, it cannot be recorded as returned. You can remove the mark.",
  ],
  run: (commands, { settlement }) => commands.settlements.reconcile(settlement.id, { reconciled: true }),
};

const unreconcile: PossibleAction = {
  ...reconcile,
  words: "Not reconciled after all",
  isPossible: ({ settlement }) => isPaidOut(settlement, "reconciled"),
  consequence: () => ["The mark is removed. No money moves."],
  run: (commands, { settlement }) => commands.settlements.reconcile(settlement.id, { reconciled: false }),
};

const returned: PossibleAction = {
  id: "return-payment",
  words: "Payment returned",
  scope: "settlements:pay",
  // The payment was under way before it counted as paid: a bank can have returned it.
  isPossible: ({ settlement }) =>
    isPaidOut(settlement, "unreconciled") && settlement.paymentReference !== null,
  danger: true,
  consequence: (subject) => [
    `The bank has returned ${gross(subject)}. The settlement is ready to pay again, and its lines are no longer settled.`,
  ],
  fields: () => <Reason />,
  run: (commands, { settlement }, fields) =>
    commands.settlements.returnPayment(settlement.id, { reason: text(fields, "reason") }),
};

const failed: PossibleAction = {
  id: "fail-payment",
  words: "Bank rejected the payment",
  scope: "settlements:pay",
  isPossible: ({ settlement }) => settlement.paymentFileStatus === "handed_over",
  danger: true,
  consequence: (subject) => [
    `The bank has told you that it does not pay ${gross(subject)} to ${nameOf(subject)}. The settlement is ready to pay again.`,
    "Danger: if the bank pays all the same, the partner is paid twice. If the bank reports the rejection in a file (pain.002), import that file on the page Payments instead.",
  ],
  fields: () => <Reason />,
  run: (commands, { settlement }, fields) =>
    commands.settlements.failPayment(settlement.id, { reason: text(fields, "reason") }),
};

const ACTIONS: Readonly<Record<TeamAction, PossibleAction>> = {
  ...{ approve, cancel, review, reviewTax, markPaid, initiate, chooseAccount, dispute, resolve, withdraw },
  ...{ writeOff, reconcile, unreconcile, returned, failed },
  uploadReport: upload("report", "Upload the report", "The report is stored, and the settlement continues."),
  uploadInvoice: upload(
    "invoice",
    "Upload the invoice",
    "The settlement becomes ready to pay. An approver accepts the tax first where it is not what the policy expects.",
    { isMain: true, isPossible: writesDocuments },
  ),
  replaceInvoice: upload(
    "invoice",
    "Replace the invoice",
    "The file replaces the one that was uploaded before; the log keeps both. Its tax is compared with the policy again.",
    { isPossible: writesInvoice },
  ),
  uploadCreditNote: upload(
    "credit_note",
    "Upload the credit note",
    "The credit note is stored, and the settlement continues.",
    {
      isMain: true,
      isPossible: writesDocuments,
    },
  ),
  uploadCounterpart: upload("credit_note", "Upload the credit note", "The credit note is stored.", {
    isPossible: lacksCounterpart,
  }),
};

/** Everything that the team can do, the main action first. */
export const teamActions: ActionsOf = (subject) => {
  const names: ReadonlyArray<TeamAction> = TEAM_STATES[subject.settlement.status.type].actions;
  return offered(
    names.map((name) => ACTIONS[name]),
    subject,
  );
};
