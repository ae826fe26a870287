/** Turns intents into commands on payout accounts, in the runs whose policy says what confirms them. */
import { Currency } from "../../domain/Currency.ts";
import { type PartnerId, PayoutAccountId } from "../../domain/Ids.ts";
import type { Partner } from "../../domain/Partner.ts";
import type { PayoutAccount, Propose } from "../../domain/PayoutAccount.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Command } from "../model/Command.ts";
import { personOf } from "../model/prediction/Rights.ts";
import { accountFor, accountsOf, isStillConfirmed } from "../model/records/PayoutAccounts.ts";
import { HOUR } from "../model/world/Time.ts";
import { owner } from "../session/Principals.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./ChoiceContext.ts";
import { accepts, actionCommand, capablePrincipals } from "./SettlementActionChoice.ts";

/** True if an intent concerns a payout account, whatever its class. */
export const concernsAccounts = ({ world, intent }: ChoiceContext): boolean =>
  world.policy.payoutAccounts !== null && intent.picks[1] % 5 === 4;

type Proposal = Pick<Propose, "type" | "details">;

const HOLDER = "Nordlys ApS";

const PROPOSALS: readonly [Proposal, ...ReadonlyArray<Proposal>] = [
  { type: "iban", details: { iban: "DK5000400440116243", holder: HOLDER } },
  { type: "iban", details: { iban: "NO9386011117947", bic: "DNBANOKK", holder: HOLDER } },
  {
    type: "us_ach",
    details: {
      ...{ routing_number: "021000021", account_number: "12345678", account_type: "checking" },
      holder: HOLDER,
    },
  },
  { type: "uk", details: { sort_code: "200000", account_number: "55779911", holder: HOLDER } },
  { type: "email", details: { address: "pay@nordlys.example", service: "Wallet" } },
  { type: "custom", details: { wallet_id: "W-1" } },
];

/** Accounts that break a rule of their type. */
const WRONG: typeof PROPOSALS = [
  { type: "iban", details: { iban: "DK5000400440116244", holder: HOLDER } },
  {
    type: "us_ach",
    details: {
      ...{ routing_number: "021000022", account_number: "1", account_type: "checking" },
      holder: HOLDER,
    },
  },
  { type: "uk", details: { sort_code: "200000", account_number: "55779911" } },
  { type: "custom", details: {} },
];

const CURRENCIES = [undefined, null, Currency.make("EUR"), Currency.make("DKK")] as const;

const byPartner = (context: ChoiceContext, partner: Partner) =>
  callerFor(context, { ...partner, partnerId: partner.id });

const propose = (context: ChoiceContext, partner: Partner): Command => {
  const { eligible, picks } = context.intent;
  const isWrong = !eligible && picks[3] % 2 === 0;
  const currency = choose(CURRENCIES, picks[3] >> 3);
  return {
    type: "propose_account",
    ...byPartner(context, partner),
    partnerId: partner.id,
    input: {
      ...choose(isWrong ? WRONG : PROPOSALS, picks[3]),
      ...(currency === undefined ? {} : { currency }),
    },
  };
};

/** True if a person makes way for another because of having proposed the account; some try nevertheless. */
const makesWay = ({ intent }: ChoiceContext, by: Principal, proposedBy: string | null | undefined): boolean =>
  intent.eligible && intent.picks[1] % 3 > 0 && proposedBy === personOf(by);

/** Somebody who may confirm the account, in most cases. */
const confirm = (context: ChoiceContext, partner: Partner, account: PayoutAccount): Command => {
  const { world, intent } = context;
  const from = account.proposedAt + account.rule.hours * HOUR;
  if (intent.eligible && account.status === "proposed" && world.now < from)
    return { type: "move_clock", by: from - world.now };
  const by = byPartner(context, partner);
  return {
    type: "confirm_account",
    ...by,
    ...(makesWay(context, by.principal, account.proposedBy)
      ? { principal: owner(partner.customerId, "third") }
      : {}),
    ...{ partnerId: partner.id, id: account.id },
  };
};

/** Who proposed an account that would be chosen tries to choose it for an approved settlement. */
const redirectByProposer = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const tries = world.settlements.filter(accepts("choose_payout_account")).flatMap((settlement) => {
    const partner = world.partners.find(({ id }) => id === settlement.partnerId);
    const account = partner && accountFor(accountsOf(partner), settlement.currency);
    const proposer = capablePrincipals(context, settlement).find(
      (principal) => personOf(principal) === account?.proposedBy,
    );
    return proposer === undefined ? [] : [{ settlement, proposer }];
  });
  const chosen = chooseIfAny(tries, intent.picks[0]);
  if (chosen === undefined) return null;
  const { settlement, proposer } = chosen;
  const command = actionCommand(context, settlement, { type: "choose_payout_account" });
  return "principal" in command ? { ...command, principal: proposer } : command;
};

/** An account for an approved settlement: where its own is retired first of all. */
const redirect = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const partnerOf = (partnerId: PartnerId) => world.partners.find(({ id }) => id === partnerId);
  const isApproved = accepts("choose_payout_account");
  const open = world.settlements.filter((one) => !intent.eligible || isApproved(one));
  const retired = open.filter((one) => {
    const partner = partnerOf(one.partnerId);
    return partner !== undefined && !isStillConfirmed(partner, one);
  });
  const settlement = chooseIfAny(retired.length > 0 && intent.eligible ? retired : open, intent.picks[0]);
  const partner = settlement && partnerOf(settlement.partnerId);
  if (settlement === undefined || partner === undefined) return null;
  const accounts = accountsOf(partner);
  const named = intent.eligible
    ? accountFor(accounts, settlement.currency)
    : (chooseIfAny(accounts, intent.picks[3]) ?? null);
  const unnamed = named === null || intent.picks[3] % 3 === 0;
  const payoutAccountId = unnamed ? {} : { payoutAccountId: named.id };
  const command = actionCommand(context, settlement, { type: "choose_payout_account", ...payoutAccountId });
  return "principal" in command && makesWay(context, command.principal, named?.proposedBy)
    ? { ...command, principal: owner(settlement.customerId, "third") }
    : command;
};

export const chooseAccountCommand = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const partner = chooseIfAny(world.partners, picks[0]);
  if (partner === undefined) return null;
  const turn = picks[2] % 8;
  if (turn < 3) return propose(context, partner);
  if (turn > 5) return (turn > 6 ? redirectByProposer(context) : null) ?? redirect(context);
  const accounts = accountsOf(partner);
  const wanted = turn < 5 ? "proposed" : "confirmed";
  const fitting = accounts.filter(({ status }) => !eligible || status === wanted);
  const account = chooseIfAny(fitting, picks[3]);
  if (account === undefined) return propose(context, partner);
  const id = !eligible && picks[3] % 5 === 0 ? PayoutAccountId.make(principals.unknown) : account.id;
  if (turn < 5) return confirm(context, partner, { ...account, id });
  return { type: "retire_account", ...byPartner(context, partner), partnerId: partner.id, id };
};
