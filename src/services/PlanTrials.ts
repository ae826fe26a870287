/** Trials of plans: what the confirmed sales of a span would have earned under a draft, compared with what is in force. */
import { Effect, Either, Stream } from "effect";
import type { AttributionSchema } from "../domain/AttributionSchema.ts";
import { dateOf } from "../domain/CalendarDate.ts";
import type { CommissionPlan } from "../domain/CommissionPlan.ts";
import { ofSample } from "../domain/Credit.ts";
import { checkEffectiveDate } from "../domain/EffectiveDate.ts";
import { type CustomerId, type PartnerId, PlanTrialId } from "../domain/Ids.ts";
import { TRIAL_BATCH, TRIAL_SALES_MAX, TRIALS_MAX } from "../domain/Limits.ts";
import { checkRoles } from "../domain/Override.ts";
import * as PlanTrial from "../domain/PlanTrial.ts";
import { authorize, type Principal } from "../domain/Principal.ts";
import { conform } from "../domain/Properties.ts";
import { conflict, type Invalid, invalid, missing, within } from "../domain/Refusal.ts";
import { declare, declareChange } from "../domain/TriedValues.ts";
import * as Workspace from "../domain/Workspace.ts";
import type { Language as SentenceLanguage } from "../explanation/index.ts";
import { IdSource } from "../ports/IdSource.ts";
import {
  type Earnings,
  type Listed,
  type Records,
  Storage,
  type StorageError,
  type Versioned,
} from "../ports/Storage.ts";
import { CommissionPlans } from "./CommissionPlans.ts";
import { authorizeRequest, type Failure, findVisible, requireVisible, validate } from "./commands/Access.ts";
import { countPartners, requirePartners } from "./commands/ChosenPartners.ts";
import { countOf, every, type ListInput, type Listing, listOf } from "./commands/Listing.ts";
import { type CommandOptions, Pipeline, type Replayed } from "./commands/Pipeline.ts";
import * as Save from "./commands/Save.ts";
import { checkStated, readStated, requireStated } from "./formulas/StatedExpression.ts";
import { ChangedSales, type ExplainedChange } from "./trials/ChangedSales.ts";

/** A trial and its progress. */
export interface Trial
  extends Omit<Versioned<PlanTrial.PlanTrial>, keyof PlanTrial.Sums | "add" | "changes" | "distribution">,
    PlanTrial.ShownSums {
  /** The sales that did not happen. */
  readonly addedCount: number;
  /** The partners with sales, by the change of their amount in percent; null has no bound, and 0 to 0 is unchanged. */
  readonly distribution: ReadonlyArray<{
    readonly fromPercent: number | null;
    readonly toPercent: number | null;
    readonly partnerCount: number;
  }>;
}

/** The result of a trial for one partner: its months and their sums. */
export interface TrialResult extends PlanTrial.ShownSums {
  readonly partnerId: PartnerId;
  /** Ascending; months without sales are left out. */
  readonly months: ReadonlyArray<PlanTrial.ShownSums & { readonly month: string }>;
}

/** A trial with the explanations of its largest changes, and one page of the results of its partners. */
export interface TrialWithResults extends Omit<Listing<unknown>, "items"> {
  readonly trial: Trial;
  /** The largest difference first. */
  readonly changes: ReadonlyArray<ExplainedChange>;
  readonly results: ReadonlyArray<TrialResult>;
}

/** A trial, and the results of all its partners. */
export interface TrialExport {
  readonly trial: Trial;
  readonly results: Stream.Stream<TrialResult, StorageError>;
}

const trialOf = ({ add, changes: _, distribution, ...row }: Listed["planTrial"]): Trial => ({
  ...row,
  ...PlanTrial.showSums(row),
  addedCount: add.length,
  distribution: PlanTrial.CHANGE_RANGES.map(({ from, to }, index) => ({
    fromPercent: from,
    toPercent: to,
    partnerCount: distribution[index] ?? 0,
  })),
});

const resultOf = ({ partnerId, months }: Listed["planTrialResult"]): TrialResult => ({
  partnerId,
  ...PlanTrial.showSums(PlanTrial.addSums(months)),
  months: months.map((month) => ({ month: month.month, ...PlanTrial.showSums(month) })),
});

/** What a request tries, once its references are found. */
interface Found extends PlanTrial.DraftTerms, Pick<PlanTrial.PlanTrial, "planId" | "add"> {}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const ids = yield* IdSource;
  const pipeline = yield* Pipeline;
  const plans = yield* CommissionPlans;
  const changedSales = yield* ChangedSales;

  /** The workspace, schema and currency of what is tried. */
  const findTerms = (
    principal: Principal,
    subject: PlanTrial.Subject,
  ): Effect.Effect<
    PlanTrial.DraftTerms & {
      readonly schema: AttributionSchema;
      /** The plan that is tried; null of a draft that is no plan yet. */
      readonly plan: CommissionPlan | null;
    },
    Failure
  > =>
    Effect.gen(function* () {
      if ("planId" in subject) {
        const plan = yield* findVisible(storage, principal, "plan", subject.planId);
        if (plan === null) return yield* invalid("plan_id", "must be the id of a plan");
        if (plan.status === "cancelled")
          return yield* conflict("plan_cancelled", "a cancelled plan cannot be tried");
        const { workspaceId, schemaId, currency } = plan;
        return {
          workspaceId,
          schemaId,
          currency,
          plan,
          schema: yield* requireVisible(storage, principal, "schema", schemaId),
        };
      }
      const schema = yield* findVisible(storage, principal, "schema", subject.schemaId);
      if (schema === null || schema.workspaceId !== subject.workspaceId)
        return yield* invalid("schema_id", "must be the id of a schema of the workspace");
      return { ...subject, schema, plan: null };
    });

  /** Added sales with properties that conform to the schema. */
  const conformed = (
    { add = [] }: PlanTrial.Start,
    schema: AttributionSchema,
    { timeZone }: Workspace.View,
  ): Either.Either<ReadonlyArray<PlanTrial.AddedSale>, Invalid> =>
    Either.all(
      add.map((sale, index) =>
        Either.mapBoth(conform(sale.properties, schema.properties), {
          onLeft: (refusal) => within(`add.${index}`, refusal),
          onRight: (properties) => {
            const { partnerId, occurredAt, sellersCommission } = sale;
            const day = sale.occurredOn ?? Workspace.dateIn(timeZone, occurredAt);
            const credit = ofSample(sale.credit);
            return {
              ...{ partnerId, occurredAt, properties, occurredOn: day === dateOf(occurredAt) ? null : day },
              ...(credit === null ? {} : { credit }),
              ...(sellersCommission === undefined ? {} : { sellersCommission }),
            };
          },
        }),
      ),
    );

  /** Refuses partners that the workspace does not have. Those of added sales are among the ids that are given. */
  const checkPartners = (
    customerId: CustomerId,
    { workspaceId }: PlanTrial.DraftTerms,
    { partnerIds = null, add = [] }: PlanTrial.Start,
  ): Effect.Effect<void, Failure> => {
    const owner = { customerId, workspaceId };
    if (partnerIds !== null) return requirePartners(storage, owner, partnerIds);
    const added = add.map(({ partnerId }) => partnerId);
    return requirePartners(storage, owner, added, { pathOf: (index) => `add.${index}.partner_id` });
  };

  /** Refuses a trial of more sales than the limit, and one more than may be kept. */
  const checkSize = (
    customerId: CustomerId,
    { workspaceId, schemaId }: PlanTrial.DraftTerms,
    { partnerIds = null, from, to }: PlanTrial.Start,
  ): Effect.Effect<void, Failure> =>
    Effect.gen(function* () {
      if ((yield* countOf(storage, customerId, "planTrial", {})) >= TRIALS_MAX)
        return yield* conflict(
          "plan_trial",
          `${TRIALS_MAX} trials are kept already; each is removed 30 days after its end`,
        );
      const sales = yield* countOf(storage, customerId, "attribution", {
        workspaceIds: [workspaceId],
        schemaIds: [schemaId],
        statuses: ["confirmed"],
        occurredFrom: from,
        occurredTo: to,
        ...(partnerIds === null ? {} : { partnerIds }),
      });
      if (sales > TRIAL_SALES_MAX)
        return yield* invalid(
          "to",
          `the span has ${sales} sales, and a trial may have ${TRIAL_SALES_MAX}; try a shorter span, or fewer partners`,
        );
    });

  const check = (input: PlanTrial.Start) =>
    Either.gen(function* () {
      const request = yield* validate(PlanTrial.Start)(input);
      const subject = yield* PlanTrial.subjectOf(request);
      // A plan has an expression to begin with.
      const stated = yield* "planId" in subject ? readStated(request) : requireStated(request);
      yield* PlanTrial.checkStart(request);
      return { ...request, subject, stated };
    });

  /** Refuses an expression that the plan, or a plan of the draft, would refuse, and added sales that it cannot pay. */
  const checkDraft = (
    request: Effect.Effect.Success<ReturnType<typeof check>>,
    schema: AttributionSchema,
    plan: CommissionPlan | null,
  ): Either.Either<void, Invalid> =>
    Either.gen(function* () {
      const { stated, parameters = {} } = request;
      const definitions = yield* plan === null
        ? declare(parameters, "parameters")
        : declareChange(plan.parameters, stated?.expression ?? null, parameters, "parameters");
      const roles = plan?.roles ?? request.roles ?? null;
      if (stated !== null) {
        yield* checkStated(stated, schema, definitions);
        yield* checkRoles(roles, stated.expression, request);
      }
      yield* PlanTrial.checkSellers(request, roles, [
        ...(stated === null ? [] : [stated.expression]),
        ...(plan?.versions ?? []).map(({ expression }) => expression),
      ]);
    });

  const start = (
    principal: Principal,
    input: PlanTrial.Start,
    options: CommandOptions = {},
  ): Effect.Effect<{ readonly id: PlanTrialId } & Replayed, Failure> =>
    Effect.gen(function* () {
      // A trial shows what partners earn.
      yield* authorize(principal, "list plan trials");
      const { customerId, request } = yield* authorizeRequest(
        principal,
        "start plan trial",
        check(input),
        ({ workspaceId }) => (workspaceId === undefined ? {} : { workspaceIds: [workspaceId] }),
      );
      const { subject, stated, from, to, partnerIds = null } = request;
      return yield* pipeline.run(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { schema, plan, ...terms } = yield* findTerms(principal, subject);
          yield* checkDraft(request, schema, plan);
          const workspace = Workspace.recordIdOf(customerId, terms.workspaceId);
          const [zone = Workspace.DEFAULT] = yield* storage.find(customerId, "workspace", [workspace]);
          const add = yield* conformed(request, schema, zone);
          yield* checkPartners(customerId, terms, request);
          yield* checkSize(customerId, terms, request);
          const found: Found = { ...terms, planId: "planId" in subject ? subject.planId : null, add };
          const id = yield* ids.next(PlanTrialId);
          const chosen = { customerId, workspaceId: terms.workspaceId, partnerIds };
          const save = Save.flat("planTrial", execution, {
            id,
            ...{ ...chosen, ...found, from, to, parameters: request.parameters ?? {} },
            expression: stated?.expression ?? null,
            ...(request.applyShare === undefined ? {} : { applyShare: request.applyShare }),
            startedBy: execution.actor,
            ...PlanTrial.NOTHING_COMPUTED,
            partnerCount: yield* countPartners(storage, chosen),
            batchSize: TRIAL_BATCH,
            createdAt: execution.at,
          });
          return {
            result: { id },
            requires: [],
            changes: [save],
            outbox: [{ topic: "plan_trial", recordId: id, reference: null }],
          };
        }),
      );
    });

  const list = (
    principal: Principal,
    input: ListInput<"planTrial"> = {},
  ): Effect.Effect<Listing<Trial>, Failure> =>
    Effect.map(listOf(storage, principal, "planTrial", input), (page) => ({
      ...page,
      items: page.items.map(trialOf),
    }));

  const requireTrial = (principal: Principal, id: PlanTrialId) =>
    Effect.flatMap(findVisible(storage, principal, "planTrial", id), (trial) =>
      trial === null ? Effect.fail(missing("trial")) : Effect.succeed(trial),
    );

  const read = (
    principal: Principal,
    id: PlanTrialId,
    input: ListInput<"planTrialResult"> & { readonly language?: SentenceLanguage } = {},
  ): Effect.Effect<TrialWithResults, Failure> =>
    Effect.gen(function* () {
      const { language = "en", ...query } = input;
      const { items, ...page } = yield* listOf(storage, principal, "planTrialResult", {
        ...query,
        trialIds: [id],
      });
      const trial = yield* requireTrial(principal, id);
      const changes = yield* changedSales.explain(principal, trial, language);
      return { trial: trialOf(trial), changes, results: items.map(resultOf), ...page };
    });

  const exportResults = (principal: Principal, id: PlanTrialId): Effect.Effect<TrialExport, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "list plan trials");
      const trial = yield* requireTrial(principal, id);
      const results = every(storage, trial.customerId, "planTrialResult", { where: { trialIds: [id] } });
      return { trial: trialOf(trial), results: Stream.map(results, resultOf) };
    });

  const adopt = (
    principal: Principal,
    id: PlanTrialId,
    input: PlanTrial.Adopt = {},
    options: CommandOptions = {},
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      yield* authorize(principal, "update plan");
      const request = yield* validate(PlanTrial.Adopt)(input);
      yield* checkEffectiveDate(request);
      const trial = yield* requireTrial(principal, id);
      const { planId, expression, applyShare } = trial;
      if (planId === null)
        return yield* conflict(
          "plan_trial",
          "the trial is of a draft that is no plan yet; create a plan with its expression",
        );
      if (expression === null)
        return yield* conflict(
          "plan_trial",
          "the trial has no expression of its own; there is nothing to adopt",
        );
      const share = applyShare === undefined ? {} : { applyShare };
      return yield* plans.update(principal, planId, { ...request, ...share, expression }, options);
    });

  return {
    /**
     * Starts a trial of up to 1,000,000 sales; workers compute it in the background. A trial of a plan compares with the
     * formulas of the plan, another one with every formula of the schema in its currency.
     */
    start,
    /** One page of the trials that the principal sees. */
    list,
    /** A trial with its progress and its largest changes, explained in a language, and one page of its results. */
    read,
    /** A trial, and the results of all its partners so far. */
    exportResults,
    /** Makes the draft of a trial the next version of its plan, as an update of the plan does. */
    adopt,
  };
});

/** The service of trials. */
export class PlanTrials extends Effect.Service<PlanTrials>()("quittance/services/PlanTrials", {
  effect: make,
}) {}
