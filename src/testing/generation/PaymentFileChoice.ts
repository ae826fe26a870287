/** Turns intents into commands on payment files, and into statements of the bank, in the runs that pay by files. */
import { CalendarDate } from "../../domain/CalendarDate.ts";
import { type CustomerId, PaymentFileId } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import { accountFor, accountsOf } from "../model/records/PayoutAccounts.ts";
import { isInFlight, settlementOf } from "../model/world/BankPayments.ts";
import type { BankPayment, PaymentFile } from "../model/world/PaymentFiles.ts";
import { dateOf } from "../model/world/Time.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { actionCommand, chooseAction } from "./SettlementActionChoice.ts";
import { chooseStatement, chooseStatementOf } from "./StatementChoice.ts";

/** True if an intent concerns payment files, whatever its class; and most of those about what a provider reports. */
export const concernsFiles = ({ world, intent }: ChoiceContext): boolean =>
  world.policy.files &&
  (intent.picks[1] % 2 === 1 || (intent.class === "report_payment" && intent.picks[2] % 4 > 0));

const byCustomer = (context: ChoiceContext, customerId: CustomerId) =>
  callerFor(context, { customerId, workspaceId: context.principals.workspaces[0], partnerId: null });

const DAYS = [1, 2, 3, 4, 7, 31, 365] as const;
const WRONG_DAYS = [-2, 366, 6, 0, -1, 5] as const;

/** A file of a customer that has payments which wait, in most cases. */
const create = (context: ChoiceContext, waiting: ReadonlyArray<BankPayment>): Command => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const customerId =
    (eligible ? chooseIfAny(waiting, picks[0])?.customerId : undefined) ??
    choose(principals.customers, picks[0]);
  const days = eligible ? choose(DAYS, picks[3]) : choose(WRONG_DAYS, picks[3]);
  const isStated = picks[3] % 5 === 4 || !eligible;
  const executionDate = CalendarDate.make(dateOf(world.now, days));
  return {
    type: "create_payment_file",
    ...byCustomer(context, customerId),
    input: isStated ? { executionDate } : {},
  };
};

/** A file that can be handed over or discarded, in most cases. */
const onFile = (
  context: ChoiceContext,
  type: "hand_over_payment_file" | "discard_payment_file",
  files: ReadonlyArray<PaymentFile>,
): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const file = chooseIfAny(eligible && files.length > 0 ? files : world.paymentFiles, picks[0]);
  if (file === undefined) return null;
  const id = PaymentFileId.make(!eligible && picks[3] % 5 === 0 ? principals.unknown : file.id);
  const by = byCustomer(context, file.customerId);
  return type === "hand_over_payment_file"
    ? { type, ...by, id }
    : { type, ...by, id, reason: eligible || picks[3] % 3 > 0 ? `reason ${picks[3] % 4}` : " " };
};

/** Another account for a payment that waits; of any of its partner's accounts when the intent is not eligible. */
const redirect = (context: ChoiceContext, waiting: ReadonlyArray<BankPayment>): Command | null => {
  const { world, intent } = context;
  const payment = chooseIfAny(
    intent.eligible ? waiting : world.bankPayments.filter((one) => isInFlight(world, one)),
    intent.picks[0],
  );
  const settlement = payment && settlementOf(world, payment);
  const partner = world.partners.find(({ id }) => id === settlement?.partnerId);
  if (settlement === undefined || partner === undefined) return null;
  const accounts = accountsOf(partner);
  const named = intent.eligible
    ? accountFor(accounts, settlement.currency)
    : (chooseIfAny(accounts, intent.picks[3]) ?? null);
  const payoutAccountId = named === null || intent.picks[3] % 2 === 0 ? {} : { payoutAccountId: named.id };
  return actionCommand(context, settlement, { type: "choose_payout_account", ...payoutAccountId });
};

/** Retires the account of a payment that waits, where accounts are retired at all. */
const retire = (context: ChoiceContext, waiting: ReadonlyArray<BankPayment>): Command | null => {
  const { world, intent } = context;
  const payment = chooseIfAny(waiting, intent.picks[0]);
  const settlement = payment && settlementOf(world, payment);
  const partner = world.partners.find(({ id }) => id === settlement?.partnerId);
  const accounts = partner === undefined ? [] : accountsOf(partner);
  const account = accounts.find(({ id }) => id === settlement?.payoutAccount?.id);
  return world.policy.payoutAccounts === null || settlement === undefined || account === undefined
    ? null
    : {
        type: "retire_account",
        ...callerFor(context, settlement),
        ...{ partnerId: settlement.partnerId, id: account.id },
      };
};

/** The next command about a payment under way: a file, its hand-over, or a statement. */
export const choosePaymentStep = (context: ChoiceContext, payment: BankPayment): Command | null => {
  const { world } = context;
  const file = world.paymentFiles.find(({ id }) => id === payment.fileId);
  if (file === undefined) return payment.isWaiting ? create(context, [payment]) : null;
  if (file.discardedAt !== null) return null;
  return file.handedOverAt === null
    ? onFile(context, "hand_over_payment_file", [file])
    : chooseStatementOf(context, payment);
};

/** The command by which files go on: payments are initiated and filed, files handed over, and statements read. */
export const chooseFileCommand = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const waiting = world.bankPayments.filter((one) => one.isWaiting && isInFlight(world, one));
  const isFresh = (id: string) =>
    world.bankPayments.every((one) => one.fileId !== id || isInFlight(world, one));
  const open = world.paymentFiles.filter(
    ({ id, handedOverAt, discardedAt }) => handedOverAt === null && discardedAt === null && isFresh(id),
  );
  const initiate = () => chooseAction(context, "initiate_payment");
  const file = () => (waiting.length === 0 && intent.eligible ? initiate() : create(context, waiting));
  const on = (type: "hand_over_payment_file" | "discard_payment_file") =>
    open.length === 0 && intent.eligible ? file() : onFile(context, type, open);
  switch (intent.picks[2] % 16) {
    case 0:
    case 1:
      return initiate();
    case 2:
      return redirect(context, waiting) ?? initiate();
    case 3:
    case 4:
      return file();
    case 5:
    case 6:
    case 7:
      return on("hand_over_payment_file");
    case 8:
      return (intent.eligible ? retire(context, waiting) : null) ?? on("discard_payment_file");
    case 9:
    case 10:
      return chooseAction(context, "fail_payment") ?? on("hand_over_payment_file");
    default:
      return chooseStatement(context) ?? file();
  }
};
