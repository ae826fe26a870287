/** From an intent to the command that it means in a situation. */
import type { Command } from "../model/Command.ts";
import { createBatch } from "./BatchChoice.ts";
import {
  at,
  cancelAttribution,
  cancelFormula,
  createAttribution,
  createFormula,
  createPartner,
  createSchema,
  moveClock,
  type Situation,
  updateFormula,
  updatePartner,
} from "./Choice.ts";
import { createKey, listKeys, profile, revokeKey, verify } from "./KeyChoice.ts";
import { explain, list, simulate, statistics } from "./QueryChoice.ts";
import { act, advance, createSettlement, reportPayment, upload } from "./SettlementChoice.ts";

/** An earlier command again; another request under its key when the intent is not eligible. */
const repeat = ({ memory, intent }: Situation): Command | null => {
  const before = at(memory.keyed, intent.picks[0]);
  if (before === undefined || intent.eligible) return before ?? null;
  if (before.type === "report_payment")
    return { ...before, fact: before.fact === "failed" ? "confirmed" : "failed" };
  return "idempotency" in before && before.idempotency !== null
    ? { ...before, idempotency: { ...before.idempotency, requestSha256: "another request" } }
    : null;
};

/**
 * The command of an intent. When nothing is there yet that it could mean: the next step of a settlement, or a new one,
 * or what earns commissions to settle; null when not even that.
 */
export const resolve = (situation: Situation): Command | null =>
  meant(situation) ??
  (situation.intent.picks[3] % 2 === 0 ? advance(situation) : null) ??
  createSettlement(situation, "create_settlement") ??
  createAttribution(situation);

const meant = (situation: Situation): Command | null => {
  const { intent } = situation;
  switch (intent.class) {
    case "create_attribution":
      return createAttribution(situation);
    case "create_batch":
      return createBatch(situation);
    case "cancel_attribution":
      return cancelAttribution(situation);
    case "create_formula":
      return createFormula(situation);
    case "update_formula":
      return updateFormula(situation);
    case "cancel_formula":
      return cancelFormula(situation);
    case "create_settlement":
    case "preview_settlement":
      return createSettlement(situation, intent.class);
    case "advance":
      return advance(situation);
    case "upload":
      return upload(situation);
    case "work":
      return { type: "work" };
    case "report_payment":
      return reportPayment(situation);
    case "create_partner":
      return createPartner(situation);
    case "update_partner":
      return updatePartner(situation);
    case "create_schema":
      return createSchema(situation);
    case "list":
      return list(situation);
    case "statistics":
      return statistics(situation);
    case "simulate":
      return simulate(situation);
    case "explain":
      return explain(situation);
    case "profile":
      return profile(situation);
    case "create_key":
      return createKey(situation);
    case "revoke_key":
      return revokeKey(situation);
    case "list_keys":
      return listKeys(situation);
    case "verify":
      return verify(situation);
    case "repeat":
      return repeat(situation);
    case "move_clock":
      return moveClock(situation);
    default:
      return act(situation, intent.class);
  }
};
