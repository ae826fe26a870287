/** What a partner can do on its settlements: send its documents, and object. */

import { money } from "../format/Money.ts";
import { t } from "../words/Language.ts";
import { type Action, type ActionsOf, isSelfBilled } from "./Action.ts";
import { chosenWords, DISPUTE, lastDispute, WITHDRAW } from "./Dispute.tsx";
import { upload } from "./Upload.tsx";

const object: Action = {
  ...DISPUTE,
  words: "Object",
  consequence: (subject) => [
    t("This settlement of {amount} net stops until we have answered your objection.", {
      amount: money(subject.settlement.total, subject.settlement.currency),
    }),
    t("If you are right, it ends and a corrected settlement follows; otherwise it goes on where it stopped."),
    ...chosenWords(subject),
  ],
};

const takeBack: Action = {
  ...WITHDRAW,
  words: "Take the objection back",
  consequence: () => [
    t("The settlement goes on where it stopped. You can object again until its payment begins."),
  ],
};

const SEND_INVOICE = upload("invoice", "Upload your invoice", "We receive your invoice and pay it.", true);
const REPLACE_INVOICE = upload(
  "invoice",
  "Replace your invoice",
  "The file replaces the one that you sent before; both are kept.",
);
const SEND_CREDIT_NOTE = upload(
  "credit_note",
  "Upload your credit note",
  "We receive your credit note.",
  true,
);

/** Everything that the partner can do, the main action first. */
export const payeeActions: ActionsOf = (subject) => {
  const { settlement } = subject;
  const writesDocuments = !isSelfBilled(subject);
  switch (settlement.status.type) {
    case "awaiting_report":
    case "negative_review":
      return [object];
    case "awaiting_invoice":
      return [...(writesDocuments ? [SEND_INVOICE] : []), object];
    case "awaiting_credit_note":
      return [...(writesDocuments ? [SEND_CREDIT_NOTE] : []), object];
    case "awaiting_payment":
      return [...(writesDocuments && settlement.invoiceReference !== null ? [REPLACE_INVOICE] : []), object];
    case "written_off":
    case "cancelled":
      return writesDocuments &&
        settlement.invoiceReference !== null &&
        settlement.creditNoteReference === null
        ? [{ ...SEND_CREDIT_NOTE, isMain: false }]
        : [];
    case "disputed":
      return lastDispute(settlement)?.raised_by === "partner" ? [takeBack] : [];
    case "draft":
    case "payment_initiated":
    case "paid":
      return [];
  }
};
