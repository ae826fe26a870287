/** The reference model: predicts the outcome of any command and the world after it. Pure, naive, and independent of the engine. */
import { type CommissionId, FormulaId, type SettlementId } from "../../domain/Ids.ts";
import type { Command } from "./Command.ts";
import { NOTHING_GENERATED, type Prediction } from "./prediction/Prediction.ts";
import { explain, simulate } from "./queries/Explanations.ts";
import { list, statistics } from "./queries/Pages.ts";
import { cancelAttribution, createAttribution, createBatch } from "./records/Attributions.ts";
import { createKey, listKeys, revokeKey, verify } from "./records/Keys.ts";
import {
  assign,
  cancelPlan,
  createPlan,
  plansToApply,
  rollOut,
  unassign,
  updatePlan,
} from "./records/Plans.ts";
import {
  cancelFormula,
  createFormula,
  createPartner,
  createSchema,
  readProfile,
  recompute,
  updateFormula,
  updatePartner,
  writeProfile,
} from "./records/Records.ts";
import { act } from "./settlements/Actions.ts";
import { finishWork, upload } from "./settlements/Documents.ts";
import { createSettlement, previewSettlement } from "./settlements/Drafts.ts";
import { reportPayment } from "./settlements/PaymentFacts.ts";
import { readPolicy, writePolicy } from "./settlements/Policies.ts";
import { performRuns, performStep, stepsAfter } from "./settlements/RunSteps.ts";
import { dryRun, startDueRuns, startRun } from "./settlements/Runs.ts";
import { isSameCommission, recomputeAfter } from "./world/Earnings.ts";
import { type Commission, mapWhere, type World } from "./world/World.ts";

const succeedWith = (stores: boolean, next: Prediction["next"]): Prediction => ({
  expected: { type: "succeeded", id: null, replayed: false },
  stores,
  next,
});

const predictSilent = (world: World, after: World): Prediction => succeedWith(after !== world, () => after);

/** A worker performs the settlement runs before everything else that waits. */
const predictWork = (world: World): Prediction =>
  world.settlementRuns.some(({ done }) => done === null)
    ? succeedWith(true, (generated) => finishWork(performRuns(world, generated)))
    : predictSilent(world, finishWork(world));

const predictDueRuns = (world: World): Prediction =>
  succeedWith(startDueRuns(world, NOTHING_GENERATED) !== world, (generated) =>
    startDueRuns(world, generated),
  );

/** Predicts the outcome of a command and the world after it; recomputations and roll-outs are commands of their own. */
export const predict = (world: World, command: Command): Prediction => {
  switch (command.type) {
    case "move_clock":
      return predictSilent(world, { ...world, now: world.now + command.by });
    case "work":
      return predictWork(world);
    case "start_due_runs":
      return predictDueRuns(world);
    case "recompute":
      return predictSilent(world, recompute(world, command.id));
    case "recompute_after":
      return predictSilent(world, recomputeAfter(world, command.id));
    case "roll_out":
      return predictSilent(world, rollOut(world, command.id));
    case "create_partner":
      return createPartner(world, command);
    case "update_partner":
      return updatePartner(world, command);
    case "create_schema":
      return createSchema(world, command);
    case "create_attribution":
      return createAttribution(world, command);
    case "create_batch":
      return createBatch(world, command);
    case "cancel_attribution":
      return cancelAttribution(world, command);
    case "create_formula":
      return createFormula(world, command);
    case "update_formula":
      return updateFormula(world, command);
    case "cancel_formula":
      return cancelFormula(world, command);
    case "create_plan":
      return createPlan(world, command);
    case "update_plan":
      return updatePlan(world, command);
    case "cancel_plan":
      return cancelPlan(world, command);
    case "assign":
      return assign(world, command);
    case "unassign":
      return unassign(world, command);
    case "write_policy":
      return writePolicy(world, command);
    case "read_policy":
      return readPolicy(world, command);
    case "start_run":
    case "settle_by_run":
      return startRun(world, command);
    case "dry_run":
      return dryRun(world, command);
    case "read_due":
    case "store_draft":
    case "approve_draft":
      return succeedWith(true, (generated) => performStep(world, command, generated));
    case "create_settlement":
      return createSettlement(world, command);
    case "preview_settlement":
      return previewSettlement(world, command);
    case "act":
      return act(world, command);
    case "upload":
      return upload(world, command);
    case "report_payment":
      return reportPayment(world, command);
    case "list":
      return list(world, command);
    case "statistics":
      return statistics(world, command);
    case "simulate":
      return simulate(world, command);
    case "explain":
      return explain(world, command);
    case "read_profile":
      return readProfile(world, command);
    case "write_profile":
      return writeProfile(world, command);
    case "create_key":
      return createKey(world, command);
    case "revoke_key":
      return revokeKey(world, command);
    case "list_keys":
      return listKeys(world, command);
    case "verify":
      return verify(world, command);
  }
};

/** A part of a command that the engine performs in a commit of its own. */
export type FollowUp = Extract<
  Command,
  {
    readonly type:
      | "recompute"
      | "recompute_after"
      | "roll_out"
      | "read_due"
      | "store_draft"
      | "approve_draft";
  }
>;

/** What is left to do after a command, given the worlds before and after it, in the order in which the engine does it. */
export const followUpsOf = (before: World, after: World): ReadonlyArray<FollowUp> => [
  ...after.pendingCancellations
    .slice(before.pendingCancellations.length)
    .map(({ attributionId: id }): FollowUp => ({ type: "recompute_after", id })),
  ...after.pendingFormulas
    .slice(before.pendingFormulas.length)
    .map((id): FollowUp => ({ type: "recompute", id: FormulaId.make(id) })),
  ...plansToApply(after)
    .filter((id) => !plansToApply(before).includes(id))
    .map((id): FollowUp => ({ type: "roll_out", id })),
  ...stepsAfter(before, after),
];

/** The world once everything that follows from a command is done. */
const followUp = (before: World, after: World): World =>
  followUpsOf(before, after).reduce(
    (next, command) => followUp(next, predict(next, command).next(NOTHING_GENERATED)),
    after,
  );

/** Predicts a command together with its roll-out and recomputation, as sequential commands perform it. */
export const predictWithFollowUps = (world: World, command: Command): Prediction => {
  const prediction = predict(world, command);
  return { ...prediction, next: (generated) => followUp(world, prediction.next(generated)) };
};

/** The world with the ids that the engine generated for commissions. */
export const withCommissionIds = (
  world: World,
  ids: ReadonlyArray<Pick<Commission, "attributionId" | "formulaId"> & { readonly id: CommissionId }>,
): World =>
  ids.length === 0
    ? world
    : {
        ...world,
        commissions: mapWhere(
          world.commissions,
          ({ id }) => id === null,
          (commission) => ({
            ...commission,
            id: ids.find((one) => isSameCommission(one, commission))?.id ?? null,
          }),
        ),
      };

/** The world with the payment reference that the engine generated for a settlement. */
export const withReference = (world: World, id: SettlementId, reference: string): World => ({
  ...world,
  settlements: mapWhere(
    world.settlements,
    (one) => one.id === id && !one.references.includes(reference),
    (one) => ({ ...one, references: [...one.references, reference] }),
  ),
});
