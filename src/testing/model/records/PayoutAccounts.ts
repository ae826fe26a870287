/** The model of payout accounts: who proposed and confirmed each, and to which one the money of a settlement goes. */
import type { Currency } from "../../../domain/Currency.ts";
import { type PartnerId, PayoutAccountId } from "../../../domain/Ids.ts";
import { sameJson } from "../../../domain/Json.ts";
import type { BankAccount, Partner } from "../../../domain/Partner.ts";
import { statedId } from "../../../domain/PartnerAccounts.ts";
import type { PayoutAccount, Rule } from "../../../domain/PayoutAccount.ts";
import { type Payee, payeeOf as payeeOfBank, problemOf } from "../../../domain/PayoutDetails.ts";
import type { Principal } from "../../../domain/Principal.ts";
import type { Command, CommandOf } from "../Command.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Generated,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee, personOf } from "../prediction/Rights.ts";
import type { Settlement } from "../world/Settlements.ts";
import { HOUR } from "../world/Time.ts";
import { mapWhere, type World } from "../world/World.ts";
import { actorOf, logControl } from "./ControlLogs.ts";

/** The types of accounts that the payment provider of the runs pays to. */
export const PAID_TYPES = ["iban", "us_ach", "uk", "email"] as const;

/** Every account of a partner; the bank account of its billing data where it has had no others. */
export const accountsOf = ({
  id,
  createdAt,
  selfBillingData,
  payoutAccounts,
}: Partner): ReadonlyArray<PayoutAccount> =>
  payoutAccounts ??
  (selfBillingData === null
    ? []
    : [
        {
          ...payeeOfBank(selfBillingData.bankAccount),
          id: statedId(id, selfBillingData.bankAccount),
          ...{ currency: null, status: "confirmed", rule: { isSecondPerson: false, hours: 0 } },
          ...{ proposedAt: createdAt, proposedBy: null, confirmedAt: createdAt, confirmedBy: null },
          ...{ retiredAt: null, isBankAccount: true },
        },
      ]);

/** The confirmed account for a currency, else the one for every currency. */
export const accountFor = (
  accounts: ReadonlyArray<PayoutAccount>,
  currency: Currency,
): PayoutAccount | null => {
  const of = (wanted: Currency | null) =>
    accounts.find((account) => account.status === "confirmed" && account.currency === wanted);
  return of(currency) ?? of(null) ?? null;
};

/** The account that an approval fixes; undefined for a partner whose billing data alone states it. */
export const approvedAccount = (partner: Partner, currency: Currency): Settlement["payoutAccount"] => {
  if (partner.payoutAccounts === null) return undefined;
  const account = accountFor(partner.payoutAccounts, currency);
  return account && { id: account.id, type: account.type, details: account.details };
};

/** Where the money of an approved settlement goes; null where no account was confirmed. */
export const payeeOf = ({ payoutAccount, selfBillingData }: Settlement): Payee | null => {
  if (payoutAccount !== undefined)
    return payoutAccount && { type: payoutAccount.type, details: payoutAccount.details };
  return selfBillingData && payeeOfBank(selfBillingData.bankAccount);
};

/** True if the account of an approval may still be paid. */
export const isStillConfirmed = (
  partner: Partner,
  { payoutAccount, selfBillingData }: Settlement,
): boolean => {
  if (partner.payoutAccounts === null) return true;
  const bank: BankAccount | undefined = selfBillingData?.bankAccount;
  const own =
    payoutAccount === undefined && bank !== undefined ? statedId(partner.id, bank) : payoutAccount?.id;
  return partner.payoutAccounts.some(({ id, status }) => id === own && status === "confirmed");
};

/** The world in which a partner counts as one that has had an account, if it has billing data. */
export const withHolder = (world: World, { id, selfBillingData }: Partner): World =>
  selfBillingData === null || world.accountHolders.includes(id)
    ? world
    : { ...world, accountHolders: [...world.accountHolders, id] };

/** What confirms an account by the policy. */
const ruleOf = ({ policy: { payoutAccounts: setting } }: World): Rule => ({
  isSecondPerson: setting === "second_person",
  hours: setting !== null && typeof setting === "object" ? setting.afterHours : 0,
});

/** Who acts on the accounts of a partner, and what they become: each step is in the log of the partner. */
class Acting {
  world: World;
  readonly #partnerId: PartnerId;
  readonly #principal: Principal;

  constructor(world: World, partnerId: PartnerId, principal: Principal) {
    [this.world, this.#partnerId, this.#principal] = [world, partnerId, principal];
  }

  #step(
    type: "propose" | "confirm" | "retire",
    account: PayoutAccount,
    accounts: ReadonlyArray<PayoutAccount>,
  ) {
    const isNew = !accounts.some(({ id }) => id === account.id);
    const after = isNew
      ? [...accounts, account]
      : accounts.map((one) => (one.id === account.id ? account : one));
    const { world } = this;
    const partners = mapWhere(
      world.partners,
      ({ id }) => id === this.#partnerId,
      (partner) => ({ ...partner, payoutAccounts: after }),
    );
    const shown = { account_type: account.type, currency: account.currency };
    this.world = logControl(
      { ...world, partners },
      this.#principal.customerId ?? ("" as never),
      `partner ${this.#partnerId}`,
      `${type}_payout_account`,
      { ...actorOf(this.#principal), account_id: account.id, ...(type === "propose" ? shown : {}) },
    );
    return after;
  }

  retire(account: PayoutAccount, accounts: ReadonlyArray<PayoutAccount>) {
    return this.#step(
      "retire",
      { ...account, status: "retired", retiredAt: this.world.now as never },
      accounts,
    );
  }

  /** Confirms an account; the one before for its currency is retired. */
  confirm(account: PayoutAccount, accounts: ReadonlyArray<PayoutAccount>) {
    let after = accounts;
    for (const before of accounts)
      if (before.status === "confirmed" && before.currency === account.currency)
        after = this.retire(before, after);
    const by = { confirmedAt: this.world.now as never, confirmedBy: personOf(this.#principal) };
    return this.#step("confirm", { ...account, status: "confirmed", ...by }, after);
  }

  propose(
    proposal: Pick<PayoutAccount, "id" | "type" | "details" | "currency" | "isBankAccount">,
    isFirst: boolean,
    accounts: ReadonlyArray<PayoutAccount>,
  ) {
    const rule = ruleOf(this.world);
    const isByPartner = this.#principal.kind === "partner";
    const account: PayoutAccount = {
      ...proposal,
      ...(isByPartner ? { byPartner: { admittedBy: personOf(this.#principal) } } : {}),
      ...{
        status: "proposed",
        rule,
        proposedAt: this.world.now as never,
        proposedBy: isByPartner ? `partner:${this.#partnerId}` : personOf(this.#principal),
      },
      ...{ confirmedAt: null, confirmedBy: null, retiredAt: null },
    };
    let before = accounts;
    for (const other of accounts)
      if (isByPartner && other.byPartner !== undefined && other.status === "proposed")
        before = this.retire(other, before);
    const proposed = this.#step("propose", account, before);
    const isAtOnce = !rule.isSecondPerson && rule.hours === 0;
    if (!isByPartner && (isFirst || isAtOnce)) this.confirm(account, proposed);
  }
}

/** Commands on an account that a partner has. */
type OnAccount = Extract<Command, { readonly type: "confirm_account" | "retire_account" }>;

/** The partner of a command, if its principal can see it. */
const findPartner = (
  world: World,
  { principal, partnerId }: CommandOf<"propose_account"> | OnAccount,
): Partner | undefined =>
  world.partners.find(({ id, ...of }) => id === partnerId && canSee(principal, { ...of, partnerId: id }));

export const proposeAccount = (world: World, command: CommandOf<"propose_account">): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: problemOf(command.input) === null,
    decide: () => {
      const partner = findPartner(world, command);
      if (partner === undefined) return refuse("Missing");
      const accounts = accountsOf(partner);
      const isFirst = accounts.length === 0 && !world.accountHolders.includes(partner.id);
      const { type, details, currency = null } = command.input;
      return accept((id) => {
        const holders = { ...world, accountHolders: [...world.accountHolders, partner.id] };
        const acting = new Acting(holders, partner.id, command.principal);
        const proposal = { id: PayoutAccountId.make(id), type, details, currency, isBankAccount: false };
        acting.propose(proposal, isFirst, accounts);
        return acting.world;
      });
    },
  });

/** Why a person may not confirm an account now, or null. */
const confirmationProblem = (world: World, account: PayoutAccount, person: string): Decision | null => {
  const present = ruleOf(world);
  const isSecondPerson =
    present.isSecondPerson || account.rule.isSecondPerson || account.byPartner !== undefined;
  const hours = Math.max(present.hours, account.rule.hours);
  if (account.status !== "proposed") return conflict("payout_account");
  if (isSecondPerson && account.proposedBy === person) return conflict("four_eyes");
  const isRuled = present.isSecondPerson || account.rule.isSecondPerson;
  if (isRuled && account.byPartner?.admittedBy === person) return conflict("four_eyes");
  return world.now < account.proposedAt + hours * HOUR ? conflict("payout_account") : null;
};

/** A command on an account that a partner has. */
const onAccount = (
  world: World,
  command: OnAccount,
  decide: (account: PayoutAccount, accounts: ReadonlyArray<PayoutAccount>, acting: Acting) => Decision,
): Prediction =>
  applyRules(world, {
    ...baseRules(command),
    valid: true,
    decide: () => {
      const partner = findPartner(world, command);
      const accounts = partner === undefined ? [] : accountsOf(partner);
      const account = accounts.find(({ id }) => id === command.id);
      return account === undefined
        ? refuse("Missing")
        : decide(account, accounts, new Acting(world, command.partnerId, command.principal));
    },
  });

export const confirmAccount = (world: World, command: OnAccount): Prediction =>
  onAccount(
    world,
    command,
    (account, accounts, acting) =>
      confirmationProblem(world, account, personOf(command.principal)) ??
      accept(() => {
        acting.confirm(account, accounts);
        return acting.world;
      }),
  );

export const retireAccount = (world: World, command: OnAccount): Prediction =>
  onAccount(world, command, (account, accounts, acting) =>
    accept(
      account.status === "retired"
        ? null
        : () => {
            acting.retire(account, accounts);
            return acting.world;
          },
    ),
  );

/** An update of a partner: another bank account of its billing data is a proposal, where accounts need a confirmation or exist. */
export const stateBankAccount = (
  before: World,
  world: World,
  update: {
    readonly before: Partner;
    readonly updated: Partner;
    readonly bankAccounts: Generated["bankAccounts"];
  },
  principal: Principal,
): World => {
  const { before: partner, updated, bankAccounts } = update;
  const stated = updated.selfBillingData?.bankAccount;
  if (stated === undefined || sameJson(stated, partner.selfBillingData?.bankAccount)) return world;
  const accounts = accountsOf(partner);
  const isFirst = accounts.length === 0 && !before.accountHolders.includes(partner.id);
  const needsNone = before.policy.payoutAccounts === null || before.policy.payoutAccounts === "at_once";
  if (partner.payoutAccounts === null && (needsNone || isFirst)) return world;
  const acting = new Acting(world, partner.id, principal);
  let after = accounts;
  for (const account of accounts)
    if (account.isBankAccount && account.status === "proposed") after = acting.retire(account, after);
  const { type, details } = payeeOfBank(stated);
  const isConfirmed = accounts.some(
    (account) =>
      account.status === "confirmed" &&
      account.currency === null &&
      account.type === "iban" &&
      sameJson(account.details, details),
  );
  if (isConfirmed) return acting.world;
  const known = new Set<string>(accounts.map(({ id }) => id));
  const made = bankAccounts.find((account) => !known.has(account.id) && sameJson(account.details, details));
  const proposal = { id: made?.id ?? PayoutAccountId.make(partner.id), type, details, currency: null };
  acting.propose({ ...proposal, isBankAccount: true }, isFirst, after);
  return acting.world;
};
