/** The reference model: predicts the outcome of any command and the world after it. Pure, naive, and independent of the engine. */
import { type CommissionId, FormulaId, type SettlementId } from "../../domain/Ids.ts";
import type { Command } from "./Command.ts";
import { NOTHING_GENERATED, type Prediction } from "./prediction/Prediction.ts";
import { explain, simulate } from "./queries/Explanations.ts";
import { list, statistics } from "./queries/Pages.ts";
import { acceptTerms } from "./records/Acceptances.ts";
import { cancelAttribution, createAttribution, createBatch } from "./records/Attributions.ts";
import { writePostingRules } from "./records/Books.ts";
import { createKey, listKeys, revokeKey, verify } from "./records/Keys.ts";
import { createLink, updateLink } from "./records/Links.ts";
import { confirmAccount, proposeAccount, retireAccount } from "./records/PayoutAccounts.ts";
import {
  assign,
  cancelPlan,
  createPlan,
  plansToApply,
  rollOut,
  unassign,
  updatePlan,
  withdrawPlanVersion,
} from "./records/Plans.ts";
import { stateReceived } from "./records/Receipts.ts";
import {
  cancelFormula,
  createFormula,
  createPartner,
  createSchema,
  readProfile,
  updateFormula,
  updatePartner,
  withdrawFormulaVersion,
  writeProfile,
} from "./records/Records.ts";
import { startRecreditRun } from "./records/RecreditRuns.ts";
import { recreditAttribution } from "./records/Recredits.ts";
import { replaceAttribution } from "./records/Replacements.ts";
import { setFormulaValues, setPlanValues } from "./records/StatedValues.ts";
import { writeWorkspace } from "./records/Workspaces.ts";
import { act } from "./settlements/Actions.ts";
import { attach } from "./settlements/Attachments.ts";
import { readStatement } from "./settlements/BankStatements.ts";
import { finishWork, upload } from "./settlements/Documents.ts";
import { createSettlement, previewSettlement } from "./settlements/Drafts.ts";
import { reportPayment } from "./settlements/PaymentFacts.ts";
import { createPaymentFile, discardPaymentFile, handOverPaymentFile } from "./settlements/PaymentFiles.ts";
import { readPolicy, writePolicy } from "./settlements/Policies.ts";
import { performRuns, performStep, stepsAfter } from "./settlements/RunSteps.ts";
import { dryRun, startDueRuns, startRun } from "./settlements/Runs.ts";
import { isSameCommission } from "./world/Range.ts";
import { recompute, recomputeAfter } from "./world/Recomputing.ts";
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
    ? succeedWith(true, (generated) => finishWork(performRuns(world, generated), generated))
    : succeedWith(finishWork(world) !== world, (generated) => finishWork(world, generated));

const predictDueRuns = (world: World): Prediction =>
  succeedWith(startDueRuns(world, NOTHING_GENERATED) !== world, (generated) =>
    startDueRuns(world, generated),
  );

const predictStep = (world: World, command: Parameters<typeof performStep>[1]): Prediction =>
  succeedWith(true, (generated) => performStep(world, command, generated));

type Predict<Kind extends Command> = (world: World, command: Kind) => Prediction;

/** The rule of each command; recomputations and roll-outs are commands of their own. */
const RULES: { readonly [Type in Command["type"]]: Predict<Extract<Command, { readonly type: Type }>> } = {
  move_clock: (world, { by }) => predictSilent(world, { ...world, now: world.now + by }),
  work: predictWork,
  start_due_runs: predictDueRuns,
  recompute: (world, { id }) => predictSilent(world, recompute(world, id)),
  recompute_after: (world, { id }) => predictSilent(world, recomputeAfter(world, id)),
  roll_out: (world, { id }) => predictSilent(world, rollOut(world, id)),
  create_partner: createPartner,
  update_partner: updatePartner,
  propose_account: proposeAccount,
  confirm_account: confirmAccount,
  retire_account: retireAccount,
  create_schema: createSchema,
  create_attribution: createAttribution,
  create_batch: createBatch,
  cancel_attribution: cancelAttribution,
  replace_attribution: replaceAttribution,
  recredit_attribution: recreditAttribution,
  recredit_run: (world, command) => startRecreditRun(world, command, followUp),
  state_received: stateReceived,
  create_formula: createFormula,
  update_formula: updateFormula,
  withdraw_formula_version: withdrawFormulaVersion,
  cancel_formula: cancelFormula,
  create_plan: createPlan,
  update_plan: updatePlan,
  withdraw_plan_version: withdrawPlanVersion,
  cancel_plan: cancelPlan,
  assign,
  unassign,
  set_formula_values: setFormulaValues,
  set_plan_values: setPlanValues,
  accept_terms: acceptTerms,
  create_link: createLink,
  update_link: updateLink,
  write_workspace: writeWorkspace,
  write_policy: writePolicy,
  read_policy: readPolicy,
  start_run: startRun,
  settle_by_run: startRun,
  dry_run: dryRun,
  read_due: predictStep,
  store_draft: predictStep,
  approve_draft: predictStep,
  create_settlement: createSettlement,
  preview_settlement: previewSettlement,
  act,
  attach,
  upload,
  report_payment: reportPayment,
  create_payment_file: createPaymentFile,
  hand_over_payment_file: handOverPaymentFile,
  discard_payment_file: discardPaymentFile,
  read_statement: readStatement,
  list,
  statistics,
  simulate,
  explain,
  read_profile: readProfile,
  write_profile: writeProfile,
  write_posting_rules: writePostingRules,
  create_key: createKey,
  revoke_key: revokeKey,
  list_keys: listKeys,
  verify,
};

/** Predicts the outcome of a command and the world after it. */
export const predict = (world: World, command: Command): Prediction =>
  (RULES[command.type] as Predict<Command>)(world, command);

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
            id: ids.find((id) => isSameCommission(id, commission))?.id ?? null,
          }),
        ),
      };

/** The world with the payment reference that the engine generated for a settlement. */
export const withReference = (world: World, id: SettlementId, reference: string): World => ({
  ...world,
  settlements: mapWhere(
    world.settlements,
    (settlement) => settlement.id === id && !settlement.references.includes(reference),
    (settlement) => ({ ...settlement, references: [...settlement.references, reference] }),
  ),
});
