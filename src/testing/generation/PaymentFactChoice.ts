/** Turns intents to report a payment fact into commands. */
import type { Command } from "../model/Command.ts";
import type { Settlement } from "../model/world/Settlements.ts";
import { type ChoiceContext, choose, chooseIfAny } from "./ChoiceContext.ts";
import { choosePaidAmounts, isPaidByWebhook } from "./SettlementActionChoice.ts";

type Fact = Extract<Command, { type: "report_payment" }>["fact"];

export const paymentReport = (
  { history, intent }: ChoiceContext,
  { references }: Settlement,
  fact: Fact,
): Command | null => {
  const reference = references[references.length - 1];
  const older = chooseIfAny(references, intent.picks[2]);
  return reference === undefined || older === undefined
    ? null
    : {
        type: "report_payment",
        fact,
        reference: intent.eligible ? reference : older,
        eventId: `event-${history.count}`,
        ...(fact === "confirmed" && intent.picks[3] % 2 === 0
          ? { bankReference: `bank ${history.count}` }
          : {}),
        ...(fact === "confirmed" ? choosePaidAmounts(intent.picks[2]) : {}),
      };
};

/** Chooses a payment fact about a settlement that is being paid, or was paid, through a provider. */
export const chooseReportPayment = (context: ChoiceContext): Command | null => {
  const { principals, world, intent, history } = context;
  const { eligible, picks } = intent;
  const awaitsPayment = (item: Settlement) =>
    item.status.type === "payment_initiated" || isPaidByWebhook(item);
  const known = world.settlements.filter(
    (candidate) => candidate.references.length > 0 && (!eligible || awaitsPayment(candidate)),
  );
  const settlement = chooseIfAny(known, picks[0]);
  const any = choose<Fact>(["confirmed", "failed", "returned", "confirmed"], picks[1]);
  if (settlement === undefined) {
    return eligible
      ? null
      : {
          type: "report_payment",
          fact: any,
          reference: principals.unknown,
          eventId: `event-${history.count}`,
        };
  }
  const fitting: Fact =
    settlement.status.type === "payment_initiated"
      ? picks[1] % 3 === 0
        ? "failed"
        : "confirmed"
      : "returned";
  return paymentReport(context, settlement, eligible ? fitting : any);
};
