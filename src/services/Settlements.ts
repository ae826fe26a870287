/** Settlements: groups commissions of one partner, and bills, pays or writes off their sum. */
import { Effect, Schema } from "effect";
import type { Currency } from "../domain/Currency.ts";
import { means, Reason } from "../domain/Field.ts";
import { CommandId, SettlementId } from "../domain/Ids.ts";
import { amountsOf } from "../domain/PaidAmounts.ts";
import { withRejection } from "../domain/PaymentFile.ts";
import { authorize, type Operation, type Principal, withinGrants } from "../domain/Principal.ts";
import { forbiddenField } from "../domain/Refusal.ts";
import * as Settlement from "../domain/Settlement.ts";
import type { Policy, SettlementCommand } from "../domain/SettlementMachine.ts";
import { sideOf } from "../domain/Side.ts";
import { IdSource } from "../ports/IdSource.ts";
import { PaymentProvider } from "../ports/Payments.ts";
import {
  type Change,
  type Earnings,
  type Records,
  type Requirement,
  type Settling,
  Storage,
  type Versioned,
} from "../ports/Storage.ts";
import { Evaluator } from "./attributions/Evaluator.ts";
import { authorizeCustomer, customerOf, type Failure, requireVisible, validate } from "./commands/Access.ts";
import { type CommandOptions, type Execution, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import { Policies } from "./commands/Policies.ts";
import * as Save from "./commands/Save.ts";
import { RollOuts } from "./formulas/RollOuts.ts";
import { prepareApproval, prepareReview } from "./settlements/Approval.ts";
import { draftAfter } from "./settlements/Beforehand.ts";
import { draft } from "./settlements/Drafting.ts";
import * as Messages from "./settlements/Messages.ts";
import { ChoosePayoutAccount, prepareChoice, prepareInitiation } from "./settlements/Payout.ts";
import { createSettlement } from "./settlements/SettlementCreation.ts";
import { type ListSettlements, list, listInParts } from "./settlements/SettlementList.ts";
import * as Taxation from "./settlements/Taxation.ts";
import { transition } from "./settlements/Transition.ts";

export { ChoosePayoutAccount } from "./settlements/Payout.ts";
export type { ListedInParts, ListedSettlement, ListSettlements } from "./settlements/SettlementList.ts";

/** The input of a returned payment that a person reports. */
export const ReturnPayment = Schema.Struct({ reason: Reason });
export type ReturnPayment = typeof ReturnPayment.Type;

/** The input of a payment that the bank rejected without a report, which a person states. */
export const FailPayment = Schema.Struct({ reason: Reason });
export type FailPayment = typeof FailPayment.Type;

/** The input of reconciling. */
export const Reconcile = Schema.Struct({
  reconciled: Schema.Boolean.pipe(means("Whether the payment was found on a bank statement.")),
});
export type Reconcile = typeof Reconcile.Type;

/** What a settlement would hold if it were created now. */
export interface Preview {
  readonly currency: Currency;
  readonly total: number;
  readonly lines: ReadonlyArray<Settlement.Line>;
}

/** The settlement that a caller acts on. */
interface Request {
  readonly principal: Principal;
  readonly id: SettlementId;
  readonly options: CommandOptions;
}

/** A command's facts about one settlement: the command, and what it rests on in addition to the settlement itself. */
interface Preparation {
  readonly command: SettlementCommand;
  readonly requires?: ReadonlyArray<Requirement>;
  /** What is stored with it. */
  readonly changes?: ReadonlyArray<Change>;
  /** The policy that decides it; the engine's by default. */
  readonly policy?: Policy;
}

/** A preparation that rests on the settlement alone. */
const command = (decided: SettlementCommand): Effect.Effect<Preparation> =>
  Effect.succeed({ command: decided });

/** Who acts, in which execution, and the settlement as it was read. */
interface Acting {
  readonly principal: Principal;
  readonly execution: Execution;
  readonly settlement: Versioned<Settlement.Settlement>;
}

/** Lets the input of an action be left out, which has no required field. */
const withOptionalInput =
  <Input extends object, Result>(
    run: (principal: Principal, id: SettlementId, input: Input, options: CommandOptions) => Result,
  ) =>
  (principal: Principal, id: SettlementId, input = {} as Input, options: CommandOptions = {}): Result =>
    run(principal, id, input, options);

const make = Effect.gen(function* () {
  const storage: Records & Earnings & Settling = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const drafting = { storage, ids, pipeline, evaluator: yield* Evaluator, rollOuts: yield* RollOuts };
  const policy = yield* Policies;
  const provider = yield* PaymentProvider;
  const listing = { storage, policy };

  /** Scope first, then form, then the grants, the customer that the body names among them. */
  const authorizeDraft = (principal: Principal, operation: Operation, request: Settlement.Create) =>
    Effect.gen(function* () {
      yield* authorize(principal, operation);
      yield* validate(Settlement.Create)(request);
      yield* withinGrants(principal, {
        workspaceIds: [request.workspaceId],
        partnerIds: [request.partnerId],
      });
      const bound = principal.kind === "platform" ? request.customerId : yield* customerOf(principal);
      if (bound !== request.customerId) {
        return yield* forbiddenField("customer_id", "outside the credential's grant");
      }
      return request;
    });

  /** The draft of a settlement whose formulas have applied the events of their plans, and whose overrides rest on new amounts. */
  const draftUpToDate = (principal: Principal, execution: Execution, request: Settlement.Create) =>
    draftAfter(drafting, request.customerId, draft(drafting, principal, execution, request));

  const create = (
    principal: Principal,
    input: Settlement.Create,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: SettlementId } & Replayed, Failure> =>
    Effect.gen(function* () {
      const request = yield* authorizeDraft(principal, "create settlement", input);
      return yield* pipeline.run(request.customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const drafted = yield* draftUpToDate(principal, execution, request);
          const id = yield* ids.next(SettlementId);
          return {
            result: { id },
            requires: drafted.requires,
            ...createSettlement(execution, id, request, drafted),
          };
        }),
      );
    });

  const preview = (principal: Principal, input: Settlement.Create): Effect.Effect<Preview, Failure> =>
    Effect.gen(function* () {
      const request = yield* authorizeDraft(principal, "preview settlement", input);
      const execution = {
        id: yield* ids.next(CommandId),
        actor: principal.principalId,
        at: 0,
        attempt: 1,
        conflict: null,
      };
      const { currency, total, lines } = yield* draft(drafting, principal, execution, request);
      return { currency, total, lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })) };
    });

  /** Loads the settlement, decides by the state machine, and commits. */
  const act = (
    operation: Operation,
    { principal, id, options }: Request,
    prepare: (acting: Acting) => Effect.Effect<Preparation, Failure>,
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      const customerId = yield* authorizeCustomer(principal, operation);
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const settlement = yield* requireVisible(storage, principal, "settlement", id);
          const prepared = yield* prepare({ principal, execution, settlement });
          return yield* transition(execution, settlement, {
            policy,
            ...prepared,
            following: ({ lines }) => Taxation.returnTax(storage, execution, settlement, lines),
          });
        }),
      );
    });

  const actWithoutInput =
    (operation: Operation, prepare: (acting: Acting) => Effect.Effect<Preparation, Failure>) =>
    (principal: Principal, id: SettlementId, options: CommandOptions = {}) =>
      act(operation, { principal, id, options }, prepare);

  /** Scope first, then form. */
  const actWithInput =
    <A, I>(
      operation: Operation,
      schema: Schema.Schema<A, I>,
      prepare: (input: A, acting: Acting) => Effect.Effect<Preparation, Failure>,
    ) =>
    (principal: Principal, id: SettlementId, input: A, options: CommandOptions = {}) =>
      Effect.flatMap(Effect.zipRight(authorize(principal, operation), validate(schema)(input)), (checked) =>
        act(operation, { principal, id, options }, (acting) => prepare(checked, acting)),
      );

  const approve = actWithoutInput("approve settlement", ({ execution, settlement }) =>
    prepareApproval(storage, policy, execution, settlement),
  );

  const review = actWithInput("review settlement", Settlement.Review, (decision, { execution, settlement }) =>
    prepareReview({ storage, policy }, execution, settlement, decision),
  );

  const returnPayment = actWithInput(
    "return payment",
    ReturnPayment,
    ({ reason }, { settlement: { customerId, id } }) =>
      Effect.map(storage.heldByOtherSettlements(customerId, id), (heldByOthers) => ({
        command: { type: "return_payment", paymentReference: null, reason, heldByOthers },
      })),
  );

  const markAsPaid = actWithInput(
    "mark settlement as paid",
    Settlement.MarkAsPaid,
    ({ paidAt = null, bankReference = null, note = null, ...reported }, { execution }) =>
      command({
        ...{ type: "mark_as_paid", now: execution.at, paidAt, bankReference, note },
        amounts: amountsOf(reported),
      }),
  );

  const writeOff = actWithInput("write off settlement", Settlement.WriteOff, ({ reason = null }) =>
    command({ type: "write_off", reason }),
  );

  const actWithMessage = <A, I>(
    operation: Operation,
    schema: Schema.Schema<A, I>,
    messageCommand: Messages.MessageCommand<A>,
  ) =>
    actWithInput(operation, schema, (input, { principal, settlement }) =>
      Effect.map(messageCommand({ storage, principal, settlement, input }), (decided) => ({
        command: decided,
      })),
    );

  const initiatePayment = actWithoutInput("initiate payment", ({ execution, settlement }) =>
    prepareInitiation({ storage, ids, provider }, execution, settlement),
  );

  const choosePayoutAccount = actWithInput(
    "choose payout account",
    ChoosePayoutAccount,
    (request, { execution, settlement }) =>
      prepareChoice({ storage, ids, provider }, execution, settlement, request),
  );

  const failPayment = actWithInput(
    "fail payment",
    FailPayment,
    ({ reason }, { execution, settlement: { customerId, paymentReference } }) =>
      Effect.map(
        paymentReference === null
          ? Effect.succeed([])
          : storage.find(customerId, "bankPayment", [paymentReference]),
        (payments) => ({
          command: { type: "fail_payment", paymentReference: null, reason },
          changes: payments.map((payment) => Save.flat("bankPayment", execution, withRejection(payment))),
        }),
      ),
  );

  return {
    /** Makes a draft whose lines are what each commission is due now; its commissions are reserved. */
    create,
    /** What `create` would make, refused as it would be; nothing is stored. */
    preview,
    /** Approves a draft: the partner's billing is fixed as it is now, and a report is due. */
    approve,
    /** Cancels a draft and releases its commissions. */
    cancel: actWithoutInput("cancel settlement", () => command({ type: "cancel" })),
    /**
     * Ends the review of a settlement whose total is negative: credit note, carry forward or write-off. Or that of the tax
     * which an uploaded document states: accepted, or refused, so that the settlement waits for another document.
     */
    review,
    /** Gives up what an approved settlement has open; what was never paid is not claimed back later. */
    writeOff: withOptionalInput(writeOff),
    /**
     * Confirms that a settlement was paid outside, or in place of a provider's confirmation: when it is reported, or
     * from 24 hours before the approval to 5 minutes from now.
     */
    markAsPaid: withOptionalInput(markAsPaid),
    /** Halts an approved settlement, all of it or because of single lines, until the dispute is withdrawn or resolved. */
    dispute: actWithMessage("dispute settlement", Settlement.Dispute, Messages.dispute),
    /** Withdraws a dispute, by the side that raised it: the settlement resumes where it was. */
    withdrawDispute: actWithoutInput("withdraw dispute", ({ principal }) =>
      command({ type: "withdraw_dispute", side: sideOf(principal) }),
    ),
    /** Says something about a settlement to the other side, in any state; nothing else changes. */
    comment: actWithMessage("comment settlement", Settlement.Comment, Messages.comment),
    /** Ends a dispute: upheld cancels the settlement, rejected resumes it where it was. */
    resolveDispute: actWithMessage("resolve dispute", Settlement.ResolveDispute, Messages.resolveDispute),
    /** Initiates a payment by the payout provider, under a new payment reference. */
    initiatePayment,
    /**
     * Has an approved settlement paid to another confirmed account of its partner, also while its payment waits for a file. Who
     * proposed the account may not.
     */
    choosePayoutAccount: withOptionalInput(choosePayoutAccount),
    /**
     * States that the bank does not carry out a payment whose file was handed over, when it says so outside any report: the
     * settlement waits for payment again.
     */
    failPayment,
    /** Reports that the bank sent a confirmed payment back. */
    returnPayment,
    /** Records that the payment is reconciled with a bank statement, or no longer is. */
    reconcile: actWithInput("reconcile settlement", Reconcile, ({ reconciled }) =>
      command({ type: "reconcile", reconciled }),
    ),
    /** One page of the settlements the principal sees; naming an id outside an explicit grant is forbidden. */
    list: (principal: Principal, input: ListSettlements = {}) => list(listing, principal, input),
    /** The same page with at most 100 lines of each settlement in memory; those of a larger one are a stream. */
    listInParts: (principal: Principal, input: ListSettlements = {}) =>
      listInParts(listing, principal, input),
  };
});

export class Settlements extends Effect.Service<Settlements>()("quittance/services/Settlements", {
  effect: make,
}) {}
