/** Translates a command of the model into a call of the engine's services. */
import { Effect } from "effect";
import type { Action, Command } from "../model/Command.ts";
import { callAcceptance, callFormulas, callPlans, callSimulate } from "./FormulaCall.ts";
import { type Harness, run } from "./Harness.ts";
import { type Outcome, outcomeOf } from "./Outcome.ts";
import { callPayments, isPaymentCommand } from "./PaymentCall.ts";
import { type CallResult, type Failure, optionsOf, type ServiceCall } from "./ServiceCall.ts";

const attachmentsOf = ({ attachmentIds }: Pick<Extract<Action, { type: "comment" }>, "attachmentIds">) =>
  attachmentIds === undefined ? {} : { attachmentIds };

const callAction = (
  { services: { settlements } }: Harness,
  command: Extract<Command, { type: "act" }>,
): ServiceCall => {
  const { principal, id, action } = command;
  const options = optionsOf(command);
  const simple = {
    approve: settlements.approve,
    cancel: settlements.cancel,
    initiate_payment: settlements.initiatePayment,
    withdraw_dispute: settlements.withdrawDispute,
  };
  switch (action.type) {
    case "mark_as_paid": {
      const { type, ...input } = action;
      return settlements.markAsPaid(principal, id, input, options);
    }
    case "write_off": {
      const { type, ...input } = action;
      return settlements.writeOff(principal, id, input, options);
    }
    case "review":
      return settlements.review(principal, id, { decision: action.decision }, options);
    case "dispute":
      return settlements.dispute(
        principal,
        id,
        {
          reason: action.reason,
          ...(action.commissionIds === undefined ? {} : { commissionIds: action.commissionIds }),
          ...attachmentsOf(action),
        },
        options,
      );
    case "comment":
      return settlements.comment(principal, id, { text: action.text, ...attachmentsOf(action) }, options);
    case "return_payment":
      return settlements.returnPayment(principal, id, { reason: action.reason }, options);
    case "fail_payment":
      return settlements.failPayment(principal, id, { reason: action.reason }, options);
    case "choose_payout_account": {
      const { type, ...input } = action;
      return settlements.choosePayoutAccount(principal, id, input, options);
    }
    case "resolve_dispute":
      return settlements.resolveDispute(
        principal,
        id,
        { resolution: action.resolution, ...attachmentsOf(action) },
        options,
      );
    case "reconcile":
      return settlements.reconcile(principal, id, { reconciled: action.reconciled }, options);
    default:
      return simple[action.type](principal, id, options);
  }
};

const pageOf = ({
  items,
  total,
}: {
  readonly items: ReadonlyArray<{ readonly id: string }>;
  readonly total: number;
}): CallResult => ({ body: { ids: items.map(({ id }) => id), total } });

const callList = ({ services }: Harness, command: Extract<Command, { type: "list" }>): ServiceCall => {
  const { principal, kind, where, page, perPage, order } = command;
  // The filters are those of the kind.
  const request = { ...where, page, perPage, order };
  const service = {
    partner: services.partners,
    schema: services.schemas,
    attribution: services.attributions,
    formula: services.formulas,
    commission: services.commissions,
    settlement: services.settlements,
  }[kind];
  const found: Effect.Effect<
    { readonly items: ReadonlyArray<{ readonly id: string }>; readonly total: number },
    Failure
  > = (service.list as (by: typeof principal, input: never) => typeof found)(principal, request as never);
  return Effect.map(found, pageOf);
};

const callStatistics = (
  { services }: Harness,
  command: Extract<Command, { type: "statistics" }>,
): ServiceCall => {
  const { principal, of, from, to, granularity, partnerIds, workspaceIds } = command;
  const request = { from, to, granularity, partnerIds, workspaceIds };
  return of === "attribution"
    ? Effect.map(services.attributions.statistics(principal, request), (body) => ({ body }))
    : Effect.map(services.commissions.statistics(principal, request), (body) => ({ body }));
};

type RunCommand = Extract<
  Command,
  { type: "write_policy" | "read_policy" | "start_run" | "settle_by_run" | "dry_run" }
>;

const callRuns = ({ services: { policies, runs }, perform }: Harness, command: RunCommand): ServiceCall => {
  const { principal } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "write_policy": {
      const { workspaceId, partnerId, terms } = command;
      if (partnerId !== null)
        return policies.writeOverride(principal, workspaceId, partnerId, terms, options);
      // The terms of a workspace are written without null.
      return policies.write(principal, workspaceId, terms as Parameters<typeof policies.write>[2], options);
    }
    case "read_policy": {
      const { workspaceId, partnerId } = command;
      return partnerId === null
        ? Effect.map(policies.read(principal, workspaceId), (body) => ({ body }))
        : Effect.map(policies.readOverride(principal, workspaceId, partnerId), (body) => ({ body }));
    }
    case "start_run":
      return runs.start(principal, command.input, options);
    case "settle_by_run":
      return Effect.tap(runs.start(principal, command.input, options), () => perform("settlement_run"));
    case "dry_run":
      return Effect.map(runs.dryRun(principal, { ...command.input, dryRun: true }), (body) => ({ body }));
  }
};

type RecordCommand = Extract<
  Command,
  {
    type:
      | "create_partner"
      | "update_partner"
      | "create_link"
      | "update_link"
      | "create_schema"
      | "create_attribution"
      | "create_batch"
      | "cancel_attribution"
      | "replace_attribution"
      | "recredit_attribution"
      | "recredit_run"
      | "state_received";
  }
>;

const callRecords = ({ services, perform }: Harness, command: RecordCommand): ServiceCall => {
  const { partners, links, schemas, attributions, recredits, recreditRuns, receipts } = services;
  const { principal } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "create_partner":
      return partners.create(principal, command.input, options);
    case "update_partner":
      return partners.update(principal, command.id, command.input, options);
    case "create_link":
      return links.create(principal, command.input, options);
    case "update_link":
      return links.update(principal, command.id, command.input, options);
    case "create_schema":
      return schemas.create(principal, command.input, options);
    case "create_attribution":
      return attributions.create(principal, command.input, options);
    case "create_batch":
      return attributions.createBatch(principal, command.input, options);
    case "cancel_attribution":
      return attributions.cancel(principal, command.id, { reason: command.reason }, options);
    case "replace_attribution":
      return attributions.replace(principal, command.id, command.input, options);
    case "recredit_attribution":
      return recredits.recredit(principal, command.id, { reason: command.reason }, options);
    case "recredit_run":
      return Effect.tap(recreditRuns.start(principal, command.input, options), () => perform("recredit_run"));
    case "state_received":
      return receipts.stateReceived(principal, command.id, command.input, options);
  }
};

type SettlementCommand = Extract<
  Command,
  { type: "create_settlement" | "preview_settlement" | "act" | "attach" | "upload" }
>;

const bytesOf = (content: string): Uint8Array => Uint8Array.from(content, (item) => item.charCodeAt(0));

const callSettlements = (harness: Harness, command: SettlementCommand): ServiceCall => {
  const { settlements, documents } = harness.services;
  const { principal } = command;
  switch (command.type) {
    case "create_settlement":
      return settlements.create(principal, command.input, optionsOf(command));
    case "preview_settlement":
      return Effect.map(settlements.preview(principal, command.input), (body) => ({ body }));
    case "act":
      return callAction(harness, command);
    case "attach": {
      const bytes = bytesOf(command.content);
      return documents.attach(principal, command.id, { fileName: "document.pdf", bytes }, optionsOf(command));
    }
    case "upload": {
      const { id, kind, content, facts } = command;
      const bytes = bytesOf(content);
      const file = { fileName: "document.pdf", bytes, ...facts };
      return documents.upload(principal, id, kind, file, optionsOf(command));
    }
  }
};

type PayoutAccountCommand = Extract<
  Command,
  { type: "propose_account" | "confirm_account" | "retire_account" }
>;

const callPayoutAccounts = (
  { services: { payoutAccounts } }: Harness,
  command: PayoutAccountCommand,
): ServiceCall => {
  const { principal, partnerId } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "propose_account":
      return payoutAccounts.propose(principal, partnerId, command.input, options);
    case "confirm_account":
      return payoutAccounts.confirm(principal, partnerId, command.id, options);
    case "retire_account":
      return payoutAccounts.retire(principal, partnerId, command.id, options);
  }
};

type AccountCommand =
  | PayoutAccountCommand
  | Extract<
      Command,
      {
        type:
          | "write_workspace"
          | "read_profile"
          | "write_profile"
          | "write_posting_rules"
          | "create_key"
          | "revoke_key"
          | "list_keys"
          | "verify";
      }
    >;

/** Calls for what the customer itself has: its billing profile and its API keys. */
const callAccount = (harness: Harness, command: AccountCommand): ServiceCall => {
  const { profiles, postingRules, workspaces, keys, verifier } = harness.services;
  switch (command.type) {
    case "propose_account":
    case "confirm_account":
    case "retire_account":
      return callPayoutAccounts(harness, command);
    case "read_profile":
      return Effect.map(profiles.read(command.principal), (profile) => {
        const { version, lastAt, ...body } = { version: 0, lastAt: 0, ...profile };
        return { body };
      });
    case "write_workspace":
      return workspaces.write(command.principal, command.workspaceId, command.input, optionsOf(command));
    case "write_profile":
      return profiles.write(command.principal, command.input, optionsOf(command));
    case "write_posting_rules":
      return postingRules.write(command.principal, command.input, optionsOf(command));
    case "create_key":
      return keys.create(command.principal, command.input, optionsOf(command));
    case "revoke_key":
      return keys.revoke(command.principal, command.id, optionsOf(command));
    case "list_keys":
      return Effect.map(
        keys.list(command.principal, { page: command.page, perPage: command.perPage }),
        pageOf,
      );
    case "verify":
      return Effect.map(verifier.verify(command.token), (body) => ({ body }));
  }
};

const callExplain = (
  { services: { commissions } }: Harness,
  { principal, id }: Extract<Command, { type: "explain" }>,
): ServiceCall =>
  Effect.map(
    commissions.explain(principal, id),
    // The model states no wording; the sentences have tests of their own.
    ({ explanation, sentences: _sentences, ...body }) => ({
      body: { ...body, derived: explanation !== null },
    }),
  );

const callWorker = (
  { services: { worker }, clock }: Harness,
  command: Extract<Command, { type: "move_clock" | "work" | "start_due_runs" }>,
): ServiceCall => {
  switch (command.type) {
    case "move_clock":
      return Effect.sync(() => {
        clock.now += command.by;
        return {};
      });
    case "work":
      return Effect.as(worker.drain, {});
    case "start_due_runs":
      return Effect.as(worker.startDueRuns, {});
  }
};

/** Calls the service that a command of the model names; the steps of a worker that only the model predicts call nothing. */
export const call = (harness: Harness, command: Command): ServiceCall => {
  if (isPaymentCommand(command)) return callPayments(harness, command);
  switch (command.type) {
    case "recompute":
    case "recompute_after":
    case "roll_out":
    case "read_due":
    case "store_draft":
    case "approve_draft":
      return Effect.succeed({});
    case "move_clock":
    case "work":
    case "start_due_runs":
      return callWorker(harness, command);
    case "create_partner":
    case "update_partner":
    case "create_link":
    case "update_link":
    case "create_schema":
    case "create_attribution":
    case "create_batch":
    case "cancel_attribution":
    case "replace_attribution":
    case "recredit_attribution":
    case "recredit_run":
    case "state_received":
      return callRecords(harness, command);
    case "create_formula":
    case "update_formula":
    case "withdraw_formula_version":
    case "cancel_formula":
    case "set_formula_values":
      return callFormulas(harness, command);
    case "create_plan":
    case "update_plan":
    case "withdraw_plan_version":
    case "cancel_plan":
    case "assign":
    case "unassign":
    case "set_plan_values":
      return callPlans(harness, command);
    case "accept_terms":
      return callAcceptance(harness, command);
    case "write_policy":
    case "read_policy":
    case "start_run":
    case "settle_by_run":
    case "dry_run":
      return callRuns(harness, command);
    case "create_settlement":
    case "preview_settlement":
    case "act":
    case "attach":
    case "upload":
      return callSettlements(harness, command);
    case "list":
      return callList(harness, command);
    case "statistics":
      return callStatistics(harness, command);
    case "simulate":
      return callSimulate(harness, command);
    case "explain":
      return callExplain(harness, command);
    default:
      return callAccount(harness, command);
  }
};

/** Performs a command without concurrency. */
export const perform = async (harness: Harness, command: Command): Promise<Outcome> =>
  outcomeOf(await run(harness, call(harness, command)));
