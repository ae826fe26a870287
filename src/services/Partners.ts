/** Partners: who earns, and how they are billed. */
import { Effect } from "effect";
import { type Entry, withoutStored } from "../domain/Event.ts";
import { PartnerId, PayoutAccountId } from "../domain/Ids.ts";
import * as Partner from "../domain/Partner.ts";
import { accountsOf, statesOther, withStated } from "../domain/PartnerAccounts.ts";
import { type Doubt, doubtsOf } from "../domain/PartnerDoubts.ts";
import { ruleOf, waitingProblem } from "../domain/PayoutAccount.ts";
import { payeeOf } from "../domain/PayoutDetails.ts";
import { authorize, canSee, type Principal } from "../domain/Principal.ts";
import { invalid } from "../domain/Refusal.ts";
import { IdSource } from "../ports/IdSource.ts";
import { PaymentProvider, payoutProblem } from "../ports/Payments.ts";
import { type Listed, type Records, Storage, type Versioned } from "../ports/Storage.ts";
import {
  authorizeCustomer,
  authorizeRequest,
  type Failure,
  requireVisible,
  validate,
} from "./commands/Access.ts";
import { type ListInput, type Listing, listingOf, listOf, type Paging } from "./commands/Listing.ts";
import {
  type CommandOptions,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
  unstored,
} from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { isFirstAccount } from "./notices/FirstAccount.ts";
import { Notices } from "./notices/Notices.ts";

/** A partner in a list. */
export type PartnerItem = Listed["partner"] & {
  /** Why payments to the bank account would fail; null when no reason is known or there is no account. */
  readonly payoutProblem: string | null;
};

/** What creating a partner would do. */
export interface PartnerDryRun {
  /** The partner that has the reference and the same content, which a creation returns; null where it creates one. */
  readonly existingId: PartnerId | null;
  /** What would keep the partner from being paid, or from an e-invoice. */
  readonly doubts: ReadonlyArray<Doubt>;
}

/** An entry of a partner's log, as it is shown. */
export type PartnerEntry = Entry<Partner.ShownEvent>;

const make = Effect.gen(function* () {
  const storage: Records = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const provider = yield* PaymentProvider;
  const notices = yield* Notices;

  const { payoutAccounts: confirmation } = yield* Policies;

  const toItem = (partner: Listed["partner"]): PartnerItem => {
    const accounts = accountsOf(partner);
    const waiting = partner.payoutAccounts === null ? null : waitingProblem(accounts);
    const problems = accounts
      .filter(({ status }) => status === "confirmed")
      .flatMap((account) => payoutProblem(provider, account) ?? []);
    return { ...partner, payoutProblem: waiting ?? problems[0] ?? null };
  };

  /** An update that states another bank account proposes it, where accounts need a confirmation or the partner has several. */
  const withBankAccount = (
    execution: Execution,
    partner: Versioned<Partner.Partner>,
    change: Partner.Change,
  ) =>
    Effect.gen(function* () {
      if (!statesOther(partner, change)) return change;
      const isManaged = partner.payoutAccounts !== null;
      if (!isManaged && confirmation === "at_once") return change;
      const isFirst = yield* isFirstAccount(storage, partner);
      if (!isManaged && isFirst) return change;
      const id = yield* ids.next(PayoutAccountId);
      return withStated(partner, change, { id, isFirst }, { ...execution, rule: ruleOf(confirmation) });
    });

  /** Requests the mail about another bank account, or to an address that goes: else whoever replaces that first would get the mail. */
  const requestNotice = (
    partner: Versioned<Partner.Partner>,
    change: Partner.Change,
    execution: Execution,
  ) => {
    const stated = statesOther(partner, change) ? change.data.selfBillingData?.bankAccount : undefined;
    if (stated !== undefined) return notices.ofChange(partner, payeeOf(stated), execution);
    return change.data.email === partner.email
      ? Effect.succeed([])
      : notices.ofChange(partner, null, execution);
  };

  /** The partner of a workspace with an external reference. Two commits that give it to different partners conflict. */
  const findHolder = (
    { customerId, workspaceId }: Pick<Partner.Partner, "customerId" | "workspaceId">,
    externalReference: string | null,
  ) =>
    externalReference === null
      ? Effect.succeed(undefined)
      : Effect.map(
          storage.list(customerId, "partner", {
            where: { workspaceIds: [workspaceId], externalReferences: [externalReference] },
            ...{ page: 1, perPage: 1, order: "asc" },
          }),
          ({ items: [holder] }) => holder,
        );

  const authorizeCreation = (principal: Principal, input: Partner.Create) =>
    authorizeRequest(principal, "create partner", validate(Partner.Create)(input), ({ workspaceId }) => ({
      workspaceIds: [workspaceId],
    }));

  /** The partner that a creation repeats; null where it creates one. */
  const findRepeated = (
    principal: Principal,
    owner: Pick<Partner.Partner, "customerId" | "workspaceId">,
    data: Partner.Data,
  ) =>
    Effect.gen(function* () {
      const holder = yield* findHolder(owner, data.externalReference);
      if (holder === undefined) return null;
      const isSeen = canSee(principal, { ...holder, partnerId: holder.id });
      yield* Partner.checkRepetition(isSeen ? holder : null, data);
      return holder.id;
    });

  const create = (
    principal: Principal,
    input: Partner.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PartnerId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeCreation(principal, input);
      if (request.dryRun === true)
        return yield* invalid("dry_run", "a dry run has no id; ask for its result");
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { workspaceId } = request;
          const { data, events } = Partner.create(request, execution);
          const repeated = yield* findRepeated(principal, { customerId, workspaceId }, data);
          if (repeated !== null) return noEffect({ id: repeated });
          const id = yield* ids.next(PartnerId);
          const identity = { ...data, id, customerId, workspaceId };
          const saved = Save.appendEvents("partner", execution, identity, events);
          return { result: { id }, requires: [], changes: [saved] };
        }),
      );
    });

  const dryRun = (principal: Principal, input: Partner.Create): Effect.Effect<PartnerDryRun, Failure> =>
    Effect.gen(function* () {
      const { customerId, request } = yield* authorizeCreation(principal, input);
      const { data } = Partner.create(request, yield* unstored(ids, principal));
      const { workspaceId } = request;
      return {
        existingId: yield* findRepeated(principal, { customerId, workspaceId }, data),
        doubts: doubtsOf(data.selfBillingData),
      };
    });

  const update = (
    principal: Principal,
    id: PartnerId,
    input: Partner.Update,
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, "update partner");
      const request = yield* validate(Partner.Update)(input);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const partner = yield* requireVisible(storage, principal, "partner", id);
          const updated = yield* Partner.update(partner, request, execution);
          const { data, events } = yield* withBankAccount(execution, partner, updated);
          if (events.length === 0) return noEffect({});
          if (data.externalReference !== partner.externalReference)
            yield* Partner.checkReference(partner, yield* findHolder(partner, data.externalReference));
          const saved = Save.appendEvents("partner", execution, { ...partner, ...data }, events);
          const outbox = yield* requestNotice(partner, { data, events }, execution);
          return { result: {}, requires: [], changes: [saved], outbox };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: ListInput<"partner"> = {},
  ): Effect.Effect<Listing<PartnerItem>, Failure> =>
    Effect.map(listOf(storage, principal, "partner", input), ({ items, ...page }) => ({
      ...page,
      // Notes are for the team.
      items: items.map((partner) =>
        toItem(principal.kind === "partner" ? { ...partner, notes: null } : partner),
      ),
    }));

  const events = (
    principal: Principal,
    id: PartnerId,
    input: Paging = {},
  ): Effect.Effect<Listing<PartnerEntry>, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "read partner events");
      yield* listingOf([], input);
      const { customerId } = yield* requireVisible(storage, principal, "partner", id);
      const log = yield* storage.log(customerId, "partner", id);
      const shown = log.map(
        ({ event, ...entry }): PartnerEntry => ({
          ...entry,
          event: "stored" in event ? withoutStored(event) : event,
        }),
      );
      return yield* listingOf(shown, input);
    });

  return {
    /** Creates a partner in a workspace. A repeated external reference with the same content returns the partner that has it. */
    create,
    /** Returns what is doubtful in a partner that could be created, and stores nothing. */
    dryRun,
    /** Changes what it names; settlements approved before keep the partner as it was. */
    update,
    /** One page of the partners the principal sees; `name` is looked for anywhere in the name, in any letter case. */
    list,
    /** One page of the partner's log: who has changed what, when. A partner's own credentials do not see it. */
    events,
  };
});

export class Partners extends Effect.Service<Partners>()("quittance/services/Partners", { effect: make }) {}
