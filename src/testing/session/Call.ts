/** Translates a command of the model into a call of the engine's services, and its exit into an outcome. */
import { Cause, Effect, Either, Exit, Option } from "effect";
import type { Formula } from "../../domain/Formula.ts";
import { AttributionId, NIL, type PaymentReference } from "../../domain/Ids.ts";
import type { ConflictToken } from "../../domain/Refusal.ts";
import type { Unauthorized } from "../../ports/TokenVerifier.ts";
import type { BatchResult } from "../../services/Attributions.ts";
import type { Failure as Refusal } from "../../services/commands/Access.ts";
import type { Command } from "../model/Command.ts";
import { type Generated, NOTHING_GENERATED } from "../model/prediction/Prediction.ts";
import { PROVIDER } from "../model/settlements/PaymentFacts.ts";
import { expressionOf } from "../model/world/Plan.ts";
import type { Harness } from "./Harness.ts";
import { run } from "./Harness.ts";

/** The outcome of a command on the engine. */
export type Outcome =
  | {
      readonly type: "succeeded";
      readonly id: string | null;
      readonly replayed: boolean;
      readonly body: unknown;
      /** The results of a batch, in its order. */
      readonly results?: ReadonlyArray<BatchResult>;
      /** The token of a new key. */
      readonly token?: string;
    }
  | {
      readonly type: "refused";
      readonly tag: Failure["_tag"];
      readonly token: ConflictToken | null;
      readonly message: string;
    }
  /** The store failed, or the engine has a defect; never expected. */
  | { readonly type: "failed"; readonly detail: string };

interface CallResult {
  readonly id?: string;
  readonly replayed?: boolean;
  readonly body?: unknown;
  readonly results?: ReadonlyArray<BatchResult>;
  /** The text of a new key. */
  readonly key?: string;
}

type Failure = Refusal | Unauthorized;

type ServiceCall = Effect.Effect<CallResult, Failure>;

const callAction = (
  { services: { settlements } }: Harness,
  command: Extract<Command, { type: "act" }>,
): ServiceCall => {
  const { principal, id, action } = command;
  const options = optionsOf(command);
  const simple = {
    approve: settlements.approve,
    cancel: settlements.cancel,
    write_off: settlements.writeOff,
    initiate_payment: settlements.initiatePayment,
  };
  switch (action.type) {
    case "mark_as_paid": {
      const { type, ...input } = action;
      return settlements.markAsPaid(principal, id, input, options);
    }
    case "review":
      return settlements.review(principal, id, { decision: action.decision }, options);
    case "dispute":
      return settlements.dispute(principal, id, { reason: action.reason }, options);
    case "return_payment":
      return settlements.returnPayment(principal, id, { reason: action.reason }, options);
    case "resolve_dispute":
      return settlements.resolveDispute(principal, id, { resolution: action.resolution }, options);
    case "reconcile":
      return settlements.reconcile(principal, id, { reconciled: action.reconciled }, options);
    default:
      return simple[action.type](principal, id, options);
  }
};

const optionsOf = ({
  idempotency,
}: {
  readonly idempotency: { readonly key: string; readonly requestSha256: string } | null;
}) => (idempotency === null ? {} : { idempotency });

const pageOf = ({
  items,
  total,
}: {
  readonly items: ReadonlyArray<{ readonly id: string }>;
  readonly total: number;
}): CallResult => ({ body: { ids: items.map(({ id }) => id), total } });

const callList = ({ services }: Harness, command: Extract<Command, { type: "list" }>): ServiceCall => {
  const { principal, kind, where, page, perPage, order } = command;
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
  > = (service.list as (by: typeof principal, input: typeof request) => typeof found)(principal, request);
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

const callSimulate = (
  { services: { formulas } }: Harness,
  command: Extract<Command, { type: "simulate" }>,
): ServiceCall => {
  const { plan, ...input } = command.input;
  const request = { ...input, expression: expressionOf(plan) };
  return Effect.map(formulas.simulate(command.principal, request), (results) => ({
    body: results.map(({ result }) =>
      Either.match(result, {
        onLeft: ({ code }) => ({ failed: code }),
        onRight: (amount) => ({ amount }),
      }),
    ),
  }));
};

const callFormulas = (
  { services: { formulas } }: Harness,
  command: Extract<Command, { type: "create_formula" | "update_formula" | "cancel_formula" }>,
): ServiceCall => {
  const options = optionsOf(command);
  if (command.type === "cancel_formula") {
    return formulas.cancel(command.principal, command.id, { reason: command.reason }, options);
  }
  if (command.type === "create_formula") {
    const { plan, ...input } = command.input;
    return formulas.create(command.principal, { ...input, expression: expressionOf(plan) }, options);
  }
  const { plan, ...input } = command.input;
  const stated = plan === undefined ? {} : { expression: expressionOf(plan) };
  return formulas.update(command.principal, command.id, { ...input, ...stated }, options);
};

type Assign = Extract<Command, { type: "assign" }>;

const momentOf = (text: string | null | undefined): number | null => (text == null ? null : Date.parse(text));

/** Whether a formula was created with the bounds of an assignment, which a command at the same time may have moved since. */
const wasCreatedWith = (
  { storage }: Harness,
  formula: Formula,
  { startDatetime, endDatetime }: Assign["input"],
): Effect.Effect<boolean, Failure> =>
  Effect.map(storage.log(formula.customerId, "formula", formula.id), ([first]) => {
    const stated = first?.event.type === "create_commission_formula" ? first.event.assignment : undefined;
    return (
      stated !== undefined &&
      momentOf(stated.start_datetime) === (startDatetime ?? null) &&
      momentOf(stated.end_datetime) === (endDatetime ?? null)
    );
  });

/** The formulas that an assignment created or found, in the order of its partners. */
const assignedFormulas = (harness: Harness, { principal, id, input }: Assign): ServiceCall =>
  Effect.gen(function* () {
    const { customerId } = principal;
    if (customerId === null) return { results: [] };
    const formulas = yield* harness.storage.formulasBehindPlan(
      customerId,
      id,
      Number.MAX_SAFE_INTEGER,
      10_000,
    );
    const created = yield* Effect.filter(formulas, (one) => wasCreatedWith(harness, one, input));
    return {
      results: input.partnerIds.map((partnerId) => {
        const newest = created.findLast((one) => one.partnerId === partnerId);
        return { id: AttributionId.make(newest?.id ?? NIL) };
      }),
    };
  });

const callPlans = (
  harness: Harness,
  command: Extract<Command, { type: "create_plan" | "update_plan" | "cancel_plan" | "assign" | "unassign" }>,
): ServiceCall => {
  const { plans } = harness.services;
  const { principal } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "create_plan": {
      const { plan, ...input } = command.input;
      return plans.create(principal, { ...input, expression: expressionOf(plan) }, options);
    }
    case "update_plan": {
      const { plan, ...input } = command.input;
      const stated = plan === undefined ? {} : { expression: expressionOf(plan) };
      return plans.update(principal, command.id, { ...input, ...stated }, options);
    }
    case "cancel_plan":
      return plans.cancel(principal, command.id, { reason: command.reason }, options);
    case "assign":
      return Effect.flatMap(plans.assign(principal, command.id, command.input, options), (result) =>
        Effect.map(assignedFormulas(harness, command), (found) => ({ ...result, ...found })),
      );
    case "unassign":
      return plans.unassign(principal, command.id, command.partnerId, command.input, options);
  }
};

const callPayments = (
  { services: { payments } }: Harness,
  { fact, reference, eventId, bankReference }: Extract<Command, { type: "report_payment" }>,
): ServiceCall => {
  // The reference was read from a settlement, or is a UUID that no settlement has.
  const paymentReference = reference as PaymentReference;
  return payments.recordPaymentEvent({
    provider: PROVIDER,
    eventId,
    fact:
      fact === "confirmed"
        ? { type: fact, paymentReference, ...(bankReference === undefined ? {} : { bankReference }) }
        : { type: fact, paymentReference, reason: "reported" },
  });
};

type RunCommand = Extract<
  Command,
  { type: "write_policy" | "read_policy" | "start_run" | "settle_by_run" | "dry_run" }
>;

const callRuns = (
  { services: { policies, runs }, performRuns }: Harness,
  command: RunCommand,
): ServiceCall => {
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
      return Effect.tap(runs.start(principal, command.input, options), () => performRuns);
    case "dry_run":
      return Effect.map(runs.dryRun(principal, { ...command.input, dryRun: true }), (body) => ({ body }));
  }
};

export const call = (harness: Harness, command: Command): ServiceCall => {
  const { services } = harness;
  switch (command.type) {
    case "move_clock":
      return Effect.sync(() => {
        harness.clock.now += command.by;
        return {};
      });
    case "recompute":
    case "recompute_after":
    case "roll_out":
    case "read_due":
    case "store_draft":
    case "approve_draft":
      return Effect.succeed({});
    case "work":
      return Effect.as(services.worker.drain, {});
    case "create_partner":
      return services.partners.create(command.principal, command.input, optionsOf(command));
    case "update_partner":
      return services.partners.update(command.principal, command.id, command.input, optionsOf(command));
    case "create_schema":
      return services.schemas.create(command.principal, command.input, optionsOf(command));
    case "create_attribution":
      return services.attributions.create(command.principal, command.input, optionsOf(command));
    case "create_batch":
      return services.attributions.createBatch(command.principal, command.input, optionsOf(command));
    case "cancel_attribution": {
      const { principal, id, reason } = command;
      return services.attributions.cancel(principal, id, { reason }, optionsOf(command));
    }
    case "create_formula":
    case "update_formula":
    case "cancel_formula":
      return callFormulas(harness, command);
    case "create_plan":
    case "update_plan":
    case "cancel_plan":
    case "assign":
    case "unassign":
      return callPlans(harness, command);
    case "write_policy":
    case "read_policy":
    case "start_run":
    case "settle_by_run":
    case "dry_run":
      return callRuns(harness, command);
    case "start_due_runs":
      return Effect.as(services.worker.startDueRuns, {});
    case "create_settlement":
      return services.settlements.create(command.principal, command.input, optionsOf(command));
    case "preview_settlement":
      return Effect.map(services.settlements.preview(command.principal, command.input), (body) => ({ body }));
    case "act":
      return callAction(harness, command);
    case "upload": {
      const { principal, id, kind, byteLength, facts } = command;
      const file = { fileName: "document.pdf", bytes: new Uint8Array(byteLength), ...facts };
      return services.documents.upload(principal, id, kind, file, optionsOf(command));
    }
    case "report_payment":
      return callPayments(harness, command);
    case "list":
      return callList(harness, command);
    case "statistics":
      return callStatistics(harness, command);
    case "simulate":
      return callSimulate(harness, command);
    case "explain":
      return Effect.map(
        services.commissions.explain(command.principal, command.id),
        // The model states no wording; the sentences have tests of their own.
        ({ explanation, sentences: _sentences, ...body }) => ({
          body: { ...body, derived: explanation !== null },
        }),
      );
    case "read_profile":
      return Effect.map(services.profiles.read(command.principal), (profile) => {
        const { version, lastAt, ...body } = { version: 0, lastAt: 0, ...profile };
        return { body };
      });
    case "write_profile":
      return services.profiles.write(command.principal, command.input, optionsOf(command));
    case "create_key":
      return services.keys.create(command.principal, command.input, optionsOf(command));
    case "revoke_key":
      return services.keys.revoke(command.principal, command.id, optionsOf(command));
    case "list_keys":
      return Effect.map(
        services.keys.list(command.principal, { page: command.page, perPage: command.perPage }),
        pageOf,
      );
    case "verify":
      return Effect.map(services.verifier.verify(command.token), (body) => ({ body }));
  }
};

export const outcomeOf = (exit: Exit.Exit<CallResult, Failure>): Outcome => {
  if (Exit.isSuccess(exit)) {
    const { id = null, replayed = false, body, results, key } = exit.value;
    return {
      ...{ type: "succeeded", id, replayed, body },
      ...(results === undefined ? {} : { results }),
      ...(key === undefined ? {} : { token: key }),
    };
  }
  const failure = Option.getOrNull(Cause.failureOption(exit.cause));
  if (failure === null || failure._tag === "StorageError") {
    return { type: "failed", detail: Cause.pretty(exit.cause) };
  }
  const token = failure._tag === "Conflict" ? failure.token : null;
  return { type: "refused", tag: failure._tag, token, message: failure.message };
};

/** The settlement runs and their drafts that commits have stored. */
const runsOf = (commits: Harness["recorded"]["commits"]): Pick<Generated, "runs" | "drafts"> => {
  const saved = commits.flatMap(({ changeSet }) => changeSet.changes);
  return {
    runs: saved.flatMap((change) =>
      change.type === "save" && change.kind === "settlementRun" ? [change.row] : [],
    ),
    drafts: saved.flatMap((change) => {
      if (change.type !== "save" || change.kind !== "settlementRunResult") return [];
      const { runId, partnerId, currency, drafts } = change.row;
      return drafts.map(({ settlementId }) => ({ runId, partnerId, currency, settlementId }));
    }),
  };
};

/** What the engine generated: ids and tokens from an outcome, runs and drafts from the commits that were stored. */
export const generatedBy = (outcome: Outcome, commits: Harness["recorded"]["commits"]): Generated =>
  outcome.type === "succeeded"
    ? {
        id: outcome.id,
        ids: (outcome.results ?? []).map((result) => ("id" in result ? result.id : null)),
        token: outcome.token ?? null,
        ...runsOf(commits),
      }
    : NOTHING_GENERATED;

/** Performs a command without concurrency. */
export const perform = async (harness: Harness, command: Command): Promise<Outcome> =>
  outcomeOf(await run(harness, call(harness, command)));
