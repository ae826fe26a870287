/** Payout accounts of partners: proposed, confirmed by whom the policy demands, retired. */
import { Effect, Either } from "effect";
import { personOfPartner } from "../domain/ApiKey.ts";
import { type CustomerId, type PartnerId, PayoutAccountId } from "../domain/Ids.ts";
import type * as Partner from "../domain/Partner.ts";
import { accountsOf, withMoved } from "../domain/PartnerAccounts.ts";
import * as PayoutAccount from "../domain/PayoutAccount.ts";
import { mask } from "../domain/PayoutDetails.ts";
import { authorize, type Operation, type Principal, personOf } from "../domain/Principal.ts";
import { missing, type Refusal } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { type Records, Storage, type Versioned } from "../ports/Storage.ts";
import { authorizeCustomer, type Failure, requireVisible, validate } from "./commands/Access.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
  type Work,
} from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { isFirstAccount } from "./notices/FirstAccount.ts";
import { Notices } from "./notices/Notices.ts";

/** An account as it is read: with what its confirmation takes, null unless it is proposed. */
export interface ShownAccount extends PayoutAccount.PayoutAccount {
  readonly confirmable: PayoutAccount.Confirmable | null;
}

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const policy = yield* Policies;
  const notices = yield* Notices;
  const rule = PayoutAccount.ruleOf(policy.payoutAccounts);

  /** Reads the partner, decides on its accounts, and saves them with the events. */
  const act = <Result extends object>(
    operation: Operation,
    {
      principal,
      id,
      options,
    }: { readonly principal: Principal; readonly id: PartnerId; readonly options: CommandOptions },
    decide: (
      partner: Versioned<Partner.Partner>,
      acting: PayoutAccount.Acting,
    ) => Effect.Effect<{ readonly result: Result; readonly moved: PayoutAccount.Moved }, Failure>,
  ): Effect.Effect<Result & Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, operation);
      return yield* pipeline.run(customerId, principal, options, (execution: Execution) =>
        Effect.gen(function* () {
          const partner = yield* requireVisible(storage, principal, "partner", id);
          const { result, moved } = yield* decide(partner, { ...execution, rule });
          const { data, events } = withMoved({ data: partner, events: [] }, moved, execution);
          if (events.length === 0) return noEffect(result);
          const saved = Save.appendEvents("partner", execution, { ...partner, ...data }, events);
          const proposed = moved.steps.find(({ type }) => type === "propose");
          const outbox: Array<Work> = [];
          if (proposed !== undefined) {
            outbox.push(...(yield* notices.ofChange(partner, proposed.account, execution)));
            if (principal.kind === "partner")
              outbox.push(...(yield* notices.ofProposal(partner, proposed.account, execution)));
          }
          return { result, requires: [], changes: [saved], outbox };
        }),
      );
    });

  const creatorOf = (customerId: CustomerId, keyId: string) =>
    Effect.map(storage.log(customerId, "apiKey", keyId), ([created]) =>
      created?.event.type === "create_api_key" ? created.event.actor : null,
    );

  /** The person that created the invitation of a partner's session; of a key, the person that it belongs to. */
  const admittedBy = (customerId: CustomerId, principal: Principal) =>
    Effect.gen(function* () {
      const opened = principal.session === true ? yield* creatorOf(customerId, principal.principalId) : null;
      const invited = opened === null ? null : yield* creatorOf(customerId, opened.principal_id);
      return invited?.person ?? personOf(principal);
    });

  const propose = (
    principal: Principal,
    id: PartnerId,
    input: PayoutAccount.Propose,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PayoutAccountId } & Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "propose payout account");
      const { type, currency = null, details } = yield* validate(PayoutAccount.Propose)(input);
      return yield* act("propose payout account", { principal, id, options }, (partner, acting) =>
        Effect.gen(function* () {
          const accountId = yield* ids.next(PayoutAccountId);
          const isFirst = yield* isFirstAccount(storage, partner);
          const isPartner = principal.kind === "partner";
          const byPartner = isPartner && {
            byPartner: { admittedBy: yield* admittedBy(partner.customerId, principal) },
          };
          const by = isPartner ? { ...acting, person: personOfPartner(partner.id) } : acting;
          const proposal = {
            ...{ id: accountId, type, currency, details, isFirst, isBankAccount: false },
            ...byPartner,
          };
          const moved = yield* PayoutAccount.proposeAccount(accountsOf(partner), proposal, by);
          return { result: { id: accountId }, moved };
        }),
      );
    });

  /** A command on one account of a partner. */
  const actOn =
    (
      operation: Operation,
      decide: (
        accounts: ReadonlyArray<PayoutAccount.PayoutAccount>,
        account: PayoutAccount.PayoutAccount,
        acting: PayoutAccount.Acting,
      ) => Either.Either<PayoutAccount.Moved, Refusal>,
    ) =>
    (
      principal: Principal,
      id: PartnerId,
      accountId: PayoutAccountId,
      options: CommandOptions = {},
    ): Effect.Effect<Replayed, Failure> =>
      act(operation, { principal, id, options }, (partner, acting) => {
        const accounts = accountsOf(partner);
        const account = accounts.find((one) => one.id === accountId);
        return account === undefined
          ? Effect.fail(missing("payout account"))
          : Effect.map(decide(accounts, account, acting), (moved) => ({ result: {}, moved }));
      });

  const read = (
    principal: Principal,
    id: PartnerId,
  ): Effect.Effect<{ readonly payoutAccounts: ReadonlyArray<ShownAccount> }, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "list payout accounts");
      const accounts = accountsOf(yield* requireVisible(storage, principal, "partner", id));
      const isShown = principal.scopes.includes("payouts:read");
      // The persons are staff of the customer, whom a partner's log does not show it either.
      const persons = principal.kind === "partner" ? { proposedBy: null, confirmedBy: null } : {};
      return {
        payoutAccounts: accounts.map((account) => ({
          ...account,
          ...persons,
          details: isShown ? account.details : mask(account),
          confirmable: PayoutAccount.confirmable(account, rule),
        })),
      };
    });

  return {
    /** Every account of a partner, the oldest first; masked for a principal without the scope `payouts:read`, and without persons for a partner. */
    read,
    /**
     * Proposes an account. The first one of a partner is confirmed with it, and each one where the policy demands nothing more. One
     * that a partner proposes for itself always waits for a person of the customer.
     */
    propose,
    /** Confirms a proposed account, by a person that the policy allows; the one before for its currency is retired. */
    confirm: actOn("confirm payout account", PayoutAccount.confirmAccount),
    /** Retires an account: nothing more is paid to it. */
    retire: actOn("retire payout account", (accounts, account, acting) =>
      Either.right(PayoutAccount.retireAccount(accounts, account, acting)),
    ),
  };
});

export class PayoutAccounts extends Effect.Service<PayoutAccounts>()("quittance/services/PayoutAccounts", {
  effect: make,
}) {}
