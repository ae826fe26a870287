/** Chooses the command that takes a settlement one step towards its end. */
import type { DocumentKind } from "../../domain/Document.ts";
import type { Action, Command } from "../model/Command.ts";
import { owedDocument } from "../model/settlements/Documents.ts";
import { currentPayment } from "../model/world/BankPayments.ts";
import type { Settlement } from "../model/world/Settlements.ts";
import { isOpen, nextFor } from "../model/world/States.ts";
import { type ChoiceContext, callerFor, chooseIfAny } from "./ChoiceContext.ts";
import { chooseDocumentFacts, replaceableUpload } from "./DocumentChoice.ts";
import { paymentReport } from "./PaymentFactChoice.ts";
import { choosePaymentStep } from "./PaymentFileChoice.ts";
import {
  accepts,
  actionCommand,
  awaitedUpload,
  chooseMarkAsPaid,
  chooseReview,
} from "./SettlementActionChoice.ts";

/** An upload of a document with valid facts. */
const uploadOf = (context: ChoiceContext, settlement: Settlement, kind: DocumentKind): Command => {
  const eligible = { ...context, intent: { ...context.intent, eligible: true } };
  return {
    type: "upload",
    ...callerFor(context, settlement),
    id: settlement.id,
    kind,
    content: "%PDF-1.7",
    facts: chooseDocumentFacts(eligible, kind, settlement),
  };
};

/** The next command towards the end of a payment under way: in most cases by a file, where it is paid by files. */
const choosePaid = (context: ChoiceContext, settlement: Settlement): Command | null => {
  const turn = context.intent.picks[1] % 8;
  const payment = turn < 5 ? currentPayment(context.world, settlement) : undefined;
  const next = payment === undefined ? null : choosePaymentStep(context, payment);
  if (next !== null) return next;
  return turn === 5
    ? actionCommand(context, settlement, { type: "mark_as_paid" })
    : paymentReport(context, settlement, turn === 6 ? "failed" : "confirmed");
};

/** The next command towards the end of a settlement; null when it has ended. */
export const chooseNextStep = (context: ChoiceContext, settlement: Settlement): Command | null => {
  const { world, intent } = context;
  const kind = awaitedUpload(world, settlement);
  if (kind !== null) return uploadOf(context, settlement, kind);
  const commandFor = (action: Action) => actionCommand(context, settlement, action);
  switch (nextFor(settlement)) {
    case "approve":
      return commandFor({ type: "approve" });
    case "review":
      return commandFor(chooseReview(settlement, intent.picks[3]));
    case "pay": {
      if (settlement.taxReview !== null) return commandFor(chooseReview(settlement, intent.picks[3]));
      const payable = accepts("initiate_payment")(settlement) && world.policy.payouts;
      if (settlement.linked.invoice !== null && intent.picks[3] % 5 === 1) {
        return commandFor({ type: "dispute", reason: "wrong amount" });
      }
      const turn = intent.picks[1] % 8;
      return turn === 3 || (payable && turn % 2 === 0)
        ? commandFor({ type: "initiate_payment" })
        : commandFor(chooseMarkAsPaid({ ...context, intent: { ...intent, eligible: true } }, settlement));
    }
    case "report_payment":
      return choosePaid(context, settlement);
    case "resolve_dispute":
      return commandFor({
        type: "resolve_dispute",
        resolution: intent.picks[3] % 3 === 1 ? "upheld" : "rejected",
      });
    case "work":
      return isOpen(settlement) || owedDocument(settlement) !== null ? { type: "work" } : null;
    case null:
      return null;
  }
};

/** The next command of an open settlement, or of one that still needs a document. */
export const chooseAdvance = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const unfinished = world.settlements.filter(
    (candidate) => isOpen(candidate) || owedDocument(candidate) !== null,
  );
  const settlement = chooseIfAny(unfinished, intent.picks[0]);
  if (settlement === undefined) return null;
  // Few settlements stay where an upload can be replaced, so that the class "upload" seldom finds one.
  const again = intent.picks[2] % 8 === 0 ? replaceableUpload(world, settlement) : null;
  return again === null ? chooseNextStep(context, settlement) : uploadOf(context, settlement, again);
};
