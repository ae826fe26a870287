/** The model of writing posting rules. */
import type { Rule } from "../../../domain/Books.ts";
import type { ReverseChargeRate } from "../../../domain/Journal.ts";
import { sameJson } from "../../../domain/Json.ts";
import type { CommandOf } from "../Command.ts";
import { isText } from "../prediction/Bounds.ts";
import { accept, applyRules, baseRules, type Prediction, refuse } from "../prediction/Prediction.ts";
import { dateOf } from "../world/Time.ts";
import type { World } from "../world/World.ts";
import { actorOf, logControl } from "./ControlLogs.ts";

/** The accounts whose rules may depend on more than the partner and its workspace. */
const OF_KINDS: ReadonlyArray<string> = ["commission_expense"];
const OF_PLANS: ReadonlyArray<string> = [
  "commission_expense",
  "commissions_awaiting_receipt",
  "settled_elsewhere",
];
const OF_TREATMENTS: ReadonlyArray<string> = ["input_tax", "partner_payables", "payments"];

const isRule = ({ account, kind, planId, taxTreatment, number, costCentre = "any", text = "any" }: Rule) =>
  isText(number, 50) &&
  isText(costCentre, 50) &&
  isText(text, 200) &&
  (kind === undefined || OF_KINDS.includes(account)) &&
  (planId === undefined || OF_PLANS.includes(account)) &&
  (taxTreatment === undefined || OF_TREATMENTS.includes(account)) &&
  (text.match(/\{[^{}]*\}/g) ?? []).every((part) =>
    ["{text}", "{partner}", "{document}", "{reference}"].includes(part),
  );

const isInOrder = (rates: ReadonlyArray<ReverseChargeRate>): boolean =>
  rates.every((rate, index) => index === 0 || rate.from > (rates[index - 1]?.from ?? ""));

/** How many days ahead a rate begins at the earliest. */
const AHEAD = 2;

/** True if rates differ in one that has begun, or begins too soon. */
const changesTooSoon = (
  before: ReadonlyArray<ReverseChargeRate>,
  after: ReadonlyArray<ReverseChargeRate>,
  now: number,
): boolean => {
  const early = (rates: ReadonlyArray<ReverseChargeRate>) =>
    rates.filter(({ from }) => from < dateOf(now, AHEAD)).map(({ from, rateBps }) => `${from} ${rateBps}`);
  return early(before).join() !== early(after).join();
};

/** A rule as events state it: what it has, in the names of the interface. */
const statedRule = ({ planId, partnerId, workspaceId, taxTreatment, costCentre, ...rule }: Rule) =>
  Object.fromEntries(
    Object.entries({
      ...rule,
      plan_id: planId,
      partner_id: partnerId,
      workspace_id: workspaceId,
      tax_treatment: taxTreatment,
      cost_centre: costCentre,
    }).filter(([, value]) => value !== undefined),
  );

/** Write posting rules: replaces all of them. */
export const writePostingRules = (world: World, command: CommandOf<"write_posting_rules">): Prediction => {
  const { principal, input } = command;
  const { rules, reverseCharge = null } = input;
  return applyRules(world, {
    ...baseRules(command),
    valid: rules.every(isRule) && isInOrder(reverseCharge ?? []),
    decide: () => {
      const { customerId } = principal;
      if (customerId === null) return refuse("Forbidden");
      const before = world.books.find((books) => books.customerId === customerId);
      if (changesTooSoon(before?.reverseCharge ?? [], reverseCharge ?? [], world.now))
        return refuse("Invalid");
      const written = { customerId, rules, reverseCharge };
      if (sameJson(before ?? { customerId, rules: [], reverseCharge: null }, written)) return accept(null);
      const others = world.books.filter((books) => books !== before);
      const fields = {
        ...actorOf(principal),
        rules: rules.map(statedRule),
        ...(reverseCharge === null
          ? {}
          : { reverse_charge: reverseCharge.map(({ from, rateBps }) => ({ from, rate_bps: rateBps })) }),
      };
      const after = { ...world, books: [...others, written] };
      return accept(() =>
        logControl(after, customerId, `books ${customerId}`, "write_posting_rules", fields),
      );
    },
  });
};
