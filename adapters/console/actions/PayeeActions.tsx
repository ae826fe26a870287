/** What a partner can do on its settlements: send its documents, and object. */

import { t } from "../words/Language.ts";
import { PAYEE_STATES, type PayeeAction } from "../words/PayeeStates.ts";
import {
  type ActionsOf,
  lacksCounterpart,
  offered,
  type PossibleAction,
  writesDocuments,
  writesInvoice,
} from "./Action.ts";
import { chosenWords, DISPUTE, isDisputedBy, WITHDRAW, worthWords } from "./Dispute.tsx";
import { upload } from "./Upload.tsx";

const object: PossibleAction = {
  ...DISPUTE,
  words: "Object",
  send: "Send the objection",
  consequence: (subject) => [
    t("This settlement of {amount} stops until we have answered your objection.", {
      amount: worthWords(subject.settlement),
    }),
    t("If you are right, it ends and a corrected settlement follows; otherwise it goes on where it stopped."),
    ...chosenWords(subject),
  ],
};

const takeBack: PossibleAction = {
  ...WITHDRAW,
  words: "Take the objection back",
  isPossible: isDisputedBy("partner"),
  consequence: () => [
    t("The settlement goes on where it stopped. You can object again until its payment begins."),
  ],
};

const ACTIONS: Readonly<Record<PayeeAction, PossibleAction>> = {
  object,
  takeBack,
  sendInvoice: upload("invoice", "Upload your invoice", "We receive your invoice and pay it.", {
    isMain: true,
    isPossible: writesDocuments,
  }),
  replaceInvoice: upload(
    "invoice",
    "Replace your invoice",
    "The file replaces the one that you sent before; both are kept.",
    { isPossible: writesInvoice },
  ),
  sendCreditNote: upload("credit_note", "Upload your credit note", "We receive your credit note.", {
    isMain: true,
    isPossible: writesDocuments,
  }),
  sendCounterpart: upload("credit_note", "Upload your credit note", "We receive your credit note.", {
    isPossible: lacksCounterpart,
  }),
};

/** Everything that the partner can do, the main action first. */
export const payeeActions: ActionsOf = (subject) => {
  const names: ReadonlyArray<PayeeAction> = PAYEE_STATES[subject.settlement.status.type].actions;
  return offered(
    names.map((name) => ACTIONS[name]),
    subject,
  );
};
