/** Resolves an intent into a command. */
import type { Command } from "../model/Command.ts";
import { cancelAttribution, createAttribution } from "./AttributionChoice.ts";
import { createBatch } from "./BatchChoice.ts";
import { type ChoiceContext, choose, chooseIfAny } from "./ChoiceContext.ts";
import { cancelFormula, createFormula, updateFormula } from "./FormulaChoice.ts";
import { createKey, listKeys, readOrWriteProfile, revokeKey, verify } from "./KeyChoice.ts";
import { advance } from "./NextStepChoice.ts";
import { createPartner, createSchema, updatePartner } from "./PartnerChoice.ts";
import { reportPayment } from "./PaymentFactChoice.ts";
import { explain, list, simulate, statistics } from "./QueryChoice.ts";
import { chooseAction, upload } from "./SettlementActionChoice.ts";
import { createSettlement } from "./SettlementRequestChoice.ts";

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

const DAY = 86_400_000;
const JUMPS = [1, 1_000, 3_600_000, DAY, 7 * DAY, 31 * DAY, -1, -3_600_000, -3 * DAY] as const;

/** Moves the clock forward or back. */
const moveClock = ({ intent }: ChoiceContext): Command => ({
  type: "move_clock",
  by: choose(JUMPS, intent.picks[0]),
});

/**
 * The command of an intent. When no record fits the intent, the next step of a settlement, a new settlement or a new
 * attribution instead; null when none of them is possible.
 */
export const resolve = (context: ChoiceContext): Command | null =>
  resolveClass(context) ??
  (context.intent.picks[3] % 2 === 0 ? advance(context) : null) ??
  createSettlement(context, "create_settlement") ??
  createAttribution(context);

const resolveClass = (context: ChoiceContext): Command | null => {
  const { intent } = context;
  switch (intent.class) {
    case "create_attribution":
      return createAttribution(context);
    case "create_batch":
      return createBatch(context);
    case "cancel_attribution":
      return cancelAttribution(context);
    case "create_formula":
      return createFormula(context);
    case "update_formula":
      return updateFormula(context);
    case "cancel_formula":
      return cancelFormula(context);
    case "create_settlement":
    case "preview_settlement":
      return createSettlement(context, intent.class);
    case "advance":
      return advance(context);
    case "upload":
      return upload(context);
    case "work":
      return { type: "work" };
    case "report_payment":
      return reportPayment(context);
    case "create_partner":
      return createPartner(context);
    case "update_partner":
      return updatePartner(context);
    case "create_schema":
      return createSchema(context);
    case "list":
      return list(context);
    case "statistics":
      return statistics(context);
    case "simulate":
      return simulate(context);
    case "explain":
      return explain(context);
    case "profile":
      return readOrWriteProfile(context);
    case "create_key":
      return createKey(context);
    case "revoke_key":
      return revokeKey(context);
    case "list_keys":
      return listKeys(context);
    case "verify":
      return verify(context);
    case "repeat":
      return repeatCommand(context);
    case "move_clock":
      return moveClock(context);
    default:
      return chooseAction(context, intent.class);
  }
};
