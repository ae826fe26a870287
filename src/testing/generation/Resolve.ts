/** Resolves an intent into a command. */

import type { Action, Command } from "../model/Command.ts";
import { DAY, HOUR } from "../model/world/Time.ts";
import { chooseAcceptTerms } from "./AcceptanceChoice.ts";
import {
  chooseCancelAttribution,
  chooseCreateAttribution,
  chooseReplaceAttribution,
} from "./AttributionChoice.ts";
import { chooseCreateBatch } from "./BatchChoice.ts";
import { chooseBooksCommand, concernsBooks } from "./BooksChoice.ts";
import { type ChoiceContext, choose, chooseIfAny } from "./ChoiceContext.ts";
import { chooseCancelFormula, chooseCreateFormula, chooseUpdateFormula } from "./FormulaChoice.ts";
import type { Intent } from "./Intent.ts";
import {
  chooseCreateKey,
  chooseListKeys,
  chooseReadOrWriteProfile,
  chooseRevokeKey,
  chooseVerify,
} from "./KeyChoice.ts";
import { chooseLink, chooseRecredit } from "./LinkChoice.ts";
import { chooseAdvance } from "./NextStepChoice.ts";
import { chooseCreatePartner, chooseCreateSchema, chooseUpdatePartner } from "./PartnerChoice.ts";
import { chooseReportPayment } from "./PaymentFactChoice.ts";
import { chooseFileCommand, concernsFiles } from "./PaymentFileChoice.ts";
import { chooseAccountCommand, concernsAccounts } from "./PayoutAccountChoice.ts";
import {
  chooseAssign,
  chooseCancelPlan,
  chooseCreatePlan,
  chooseUnassign,
  chooseUpdatePlan,
} from "./PlanChoice.ts";
import { chooseExplain, chooseList, chooseSimulate, chooseStatistics } from "./QueryChoice.ts";
import { chooseStateReceived, isReceiving } from "./ReceiptChoice.ts";
import { chooseReadPolicy, chooseRun, chooseStartDueRuns, chooseWritePolicy } from "./RunChoice.ts";
import { chooseAction, chooseMessage, chooseUpload } from "./SettlementActionChoice.ts";
import { chooseCreateSettlement } from "./SettlementRequestChoice.ts";
import { chooseSetValues } from "./ValueChoice.ts";
import { chooseWriteWorkspace } from "./WorkspaceChoice.ts";

/** An earlier command again; another request under its key when the intent is not eligible. */
const repeatCommand = ({ history, intent }: ChoiceContext): Command | null => {
  const before = chooseIfAny(history.keyed, intent.picks[0]);
  if (before === undefined || intent.eligible) return before ?? null;
  if (before.type === "report_payment")
    return { ...before, fact: before.fact === "failed" ? "confirmed" : "failed" };
  return "idempotency" in before && before.idempotency !== null
    ? { ...before, idempotency: { ...before.idempotency, requestSha256: "another request" } }
    : null;
};

const JUMPS = [1, 1_000, HOUR, DAY, 7 * DAY, 31 * DAY, -1, -HOUR, -3 * DAY] as const;

/** How the command of each class of intents is chosen; actions on a settlement have one function for all. */
const CHOICES: {
  readonly [Class in Exclude<Intent["class"], Action["type"]>]: (context: ChoiceContext) => Command | null;
} = {
  create_attribution: chooseCreateAttribution,
  create_batch: chooseCreateBatch,
  cancel_attribution: chooseCancelAttribution,
  replace_attribution: chooseReplaceAttribution,
  create_formula: chooseCreateFormula,
  update_formula: chooseUpdateFormula,
  cancel_formula: chooseCancelFormula,
  create_plan: chooseCreatePlan,
  update_plan: chooseUpdatePlan,
  cancel_plan: chooseCancelPlan,
  assign: chooseAssign,
  unassign: chooseUnassign,
  set_values: chooseSetValues,
  create_settlement: (context) => chooseCreateSettlement(context, "create_settlement"),
  preview_settlement: (context) => chooseCreateSettlement(context, "preview_settlement"),
  advance: chooseAdvance,
  upload: chooseUpload,
  write_policy: chooseWritePolicy,
  read_policy: chooseReadPolicy,
  start_run: (context) => chooseRun(context, "start_run"),
  settle_by_run: (context) => chooseRun(context, "settle_by_run"),
  dry_run: (context) => chooseRun(context, "dry_run"),
  start_due_runs: chooseStartDueRuns,
  work: () => ({ type: "work" }),
  report_payment: chooseReportPayment,
  create_partner: chooseCreatePartner,
  update_partner: chooseUpdatePartner,
  create_schema: chooseCreateSchema,
  list: chooseList,
  statistics: chooseStatistics,
  simulate: chooseSimulate,
  explain: chooseExplain,
  profile: chooseReadOrWriteProfile,
  write_workspace: chooseWriteWorkspace,
  accept_terms: chooseAcceptTerms,
  link: chooseLink,
  recredit: chooseRecredit,
  state_received: chooseStateReceived,
  create_key: chooseCreateKey,
  revoke_key: chooseRevokeKey,
  list_keys: chooseListKeys,
  verify: chooseVerify,
  repeat: repeatCommand,
  move_clock: ({ intent }) => ({ type: "move_clock", by: choose(JUMPS, intent.picks[0]) }),
};

const isAction = (name: Intent["class"]): name is Action["type"] => !Object.hasOwn(CHOICES, name);

const resolveClass = (context: ChoiceContext): Command | null => {
  if (concernsAccounts(context)) return chooseAccountCommand(context);
  if (concernsFiles(context)) return chooseFileCommand(context);
  if (concernsBooks(context)) return chooseBooksCommand(context);
  if (isReceiving(context)) return chooseStateReceived(context);
  const { class: name, picks } = context.intent;
  // In place of some reads, because messages change nothing that other commands depend on.
  if (name === "list" && picks[3] % 3 === 2) return chooseMessage(context);
  return isAction(name) ? chooseAction(context, name) : CHOICES[name](context);
};

/**
 * The command of an intent. When no record fits the intent, the next step of a settlement, a new settlement or a new
 * attribution instead; null when none of them is possible.
 */
export const resolve = (context: ChoiceContext): Command | null =>
  resolveClass(context) ??
  (context.intent.picks[3] % 2 === 0 ? chooseAdvance(context) : null) ??
  chooseCreateSettlement(context, "create_settlement") ??
  chooseCreateAttribution(context);
