/**
 * Performs trials in small steps: the results of a few partners and the progress are one commit, so that a trial continues after a
 * crash where it stopped, and no result is stored twice.
 */
import { Effect } from "effect";
import type { CustomerId, PartnerId, PlanTrialId } from "../../domain/Ids.ts";
import { TRIAL_STEP_SALES } from "../../domain/Limits.ts";
import * as PlanTrial from "../../domain/PlanTrial.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import {
  type Earnings,
  type Records,
  Storage,
  type StorageError,
  type Versioned,
} from "../../ports/Storage.ts";
import { Evaluator } from "../attributions/Evaluator.ts";
import { readPartners } from "../commands/ChosenPartners.ts";
import { noEffect, Pipeline } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { RollOuts } from "../formulas/RollOuts.ts";
import { type Replayed, replayPartner } from "./Replay.ts";

/** The actor of the progress of a trial. */
const WORKER = { principalId: "system:plan-trial" };

type Trial = Versioned<PlanTrial.PlanTrial>;

/** What was replayed of one partner. */
interface Computed extends Replayed {
  readonly partnerId: PartnerId;
}

const make = Effect.gen(function* () {
  const storage: Records & Earnings = yield* Storage;
  const pipeline = yield* Pipeline;
  const rollOuts = yield* RollOuts;
  const tools = { storage, evaluator: yield* Evaluator };

  /** The formulas of the partners as they are once their plans have reached them. */
  const formulasOf = (trial: Trial, partnerIds: ReadonlyArray<PartnerId>) =>
    Effect.gen(function* () {
      const { customerId, schemaId } = trial;
      const sets = yield* storage.formulaSets(customerId, schemaId, partnerIds);
      const stored = sets.flatMap(({ formulas }) => formulas);
      return (yield* rollOuts.withAppliedPlans(customerId, stored)).formulas;
    });

  /** Replays partners one after the other, until the step has read enough. */
  const compute = (trial: Trial, partnerIds: ReadonlyArray<PartnerId>) =>
    Effect.gen(function* () {
      const computed: Array<Computed> = [];
      if (partnerIds.length === 0) return computed;
      const [schema] = yield* storage.find(trial.customerId, "schema", [trial.schemaId]);
      if (schema === undefined) return yield* Effect.dieMessage("the schema of a trial is missing");
      const formulas = yield* formulasOf(trial, partnerIds);
      let read = 0;
      for (const partnerId of partnerIds) {
        const own = formulas.filter((formula) => formula.partnerId === partnerId);
        const { visited, ...replayed } = yield* replayPartner(tools, { trial, schema }, partnerId, own);
        computed.push({ partnerId, ...replayed });
        read += visited;
        if (read >= TRIAL_STEP_SALES) break;
      }
      return computed;
    });

  /** Stores what a step has computed, unless another worker has. */
  const advance = (read: Trial, computed: ReadonlyArray<Computed>, isLast: boolean) =>
    pipeline.run(read.customerId, WORKER, {}, (execution) =>
      Effect.gen(function* () {
        const [trial] = yield* storage.find(read.customerId, "planTrial", [read.id]);
        if (trial === undefined || trial.version !== read.version) return noEffect({ pending: true });
        const { id: trialId, customerId, workspaceId } = trial;
        const withSales = computed.filter(({ months }) => months.length > 0);
        const sums = withSales.map(({ months }) => PlanTrial.addSums(months));
        const results = withSales.map(({ partnerId, months }) =>
          Save.flat("planTrialResult", execution, {
            id: PlanTrial.resultId(trialId, partnerId),
            ...{ customerId, workspaceId, trialId, partnerId, months },
            createdAt: execution.at,
          }),
        );
        const save = Save.flat("planTrial", execution, {
          ...trial,
          ...PlanTrial.addSums([trial, ...sums]),
          distribution: PlanTrial.distribute(trial.distribution, sums),
          changes: PlanTrial.largestChanges([
            ...trial.changes,
            ...withSales.flatMap(({ changes }) => changes),
          ]),
          partnersDone: trial.partnersDone + computed.length,
          state: isLast ? "done" : "running",
          // The clock may have been set back since the start.
          finishedAt: isLast ? Math.max(execution.at, trial.createdAt) : null,
        });
        return { result: { pending: !isLast }, requires: [], changes: [...results, save] };
      }),
    );

  const run = (
    customerId: CustomerId,
    id: PlanTrialId,
  ): Effect.Effect<{ readonly pending: boolean }, Refusal | StorageError> =>
    Effect.gen(function* () {
      const [trial] = yield* storage.find(customerId, "planTrial", [id]);
      // A trial is removed some time after its end.
      if (trial === undefined || trial.state === "done") return { pending: false };
      const { partnersDone, batchSize } = trial;
      const page = yield* readPartners(storage, trial, Math.floor(partnersDone / batchSize), batchSize);
      const left = page.ids.slice(partnersDone % batchSize);
      const computed = yield* compute(trial, left);
      return yield* advance(trial, computed, page.isLast && computed.length === left.length);
    });

  return {
    /** Performs one step of a trial: replays its next partners; returns whether some are left. */
    run,
  };
});

/** The steps of trials, which the worker performs. */
export class TrialSteps extends Effect.Service<TrialSteps>()("quittance/services/TrialSteps", {
  effect: make,
}) {}
