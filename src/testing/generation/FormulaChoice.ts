/** Turns intents about formulas into commands. */

import { Currency } from "../../domain/Currency.ts";
import { FormulaId, PartnerId, SchemaId } from "../../domain/Ids.ts";
import type { Command, FormulaChange } from "../model/Command.ts";
import { isAhead } from "../model/records/Terms.ts";
import type { Plan, PlanWindow } from "../model/world/Plan.ts";
import { DAY, HOUR } from "../model/world/Time.ts";
import type { Formula, World } from "../model/world/World.ts";
import {
  type ChoiceContext,
  callerFor,
  choose,
  chooseIfAny,
  choosePartnerAndSchema,
  NAMES,
} from "./ChoiceContext.ts";
import type { Intent } from "./Intent.ts";
import { chooseRelease } from "./ReceiptChoice.ts";
import { chooseDeclarations, chooseParametrized } from "./ValueChoice.ts";

/** Moments at which rules change: now, earlier days, and the dates of attributions and one millisecond later. */
export const chooseMoments = ({ now, attributions }: World): readonly [number, ...ReadonlyArray<number>] => [
  now,
  now - 400 * DAY,
  now - DAY,
  ...attributions.flatMap(({ occurredAt }) => [occurredAt, occurredAt + 1]),
];

const chooseAccumulating = (pick: number): Extract<Plan, { readonly type: "accumulating" }> => ({
  type: "accumulating",
  share: choose([10, 100, 0.5, -10], pick),
  of: choose(["sum", "sum", "count", "max"], pick >> 2),
  window: choose<PlanWindow>(["month", "lifetime", { days: 3 }, { yearFrom: 11 }], pick >> 4),
  grouped: (pick >> 6) % 3 === 0,
  ...(pick % 5 === 0 ? { role: choose(["seller", "manager"], pick >> 3) } : {}),
  ...(pick % 8 < 2 && pick % 3 === 0 ? { shared: true } : {}),
});

/** Chooses an expression, valid when `eligible`. */
export const choosePlan = (eligible: boolean, pick: number): Plan =>
  eligible
    ? choose<Plan>(
        [
          { type: "percent", rate: choose([10, 7.5, 12.5, 0.5, 100, -10, 33.33, 50], pick >> 3) },
          {
            type: "percent",
            rate: choose([10, 20, 1, 150], pick >> 3),
            ...(pick % 5 < 2 ? { applyShare: false } : {}),
          },
          { type: "flat", amount: choose([0, 1, 250, -250, 0.5, -2.5, 1.5, 100_000], pick >> 3) },
          { type: "per_unit", amount: choose([100, 33.5, -1, 0.5], pick >> 3) },
          chooseAccumulating(pick >> 3),
          { type: "percent", rate: 10 },
          choose<Plan>(
            [
              { type: "own_share", rate: 10, ...(pick % 5 < 2 ? { applyShare: true } : {}) },
              { type: "huge" },
              { type: "rounded", rate: choose([10, 33.3], pick >> 5) },
            ],
            pick >> 3,
          ),
        ],
        pick,
      )
    : choose<Plan>([{ type: "ill_typed" }, { type: "unknown_property" }, { type: "malformed" }], pick);

/** An expression over what the sellers below earn, alone or with what the sale or earlier ones bring. */
const chooseOverride = (pick: number): Plan =>
  choose<Plan>(
    [
      { type: "override", rate: choose([20, 12.5, -10, 100], pick >> 3) },
      { type: "override", rate: choose([10, 33.3], pick >> 3), byDepth: true },
      { type: "override", rate: 20, ofShare: choose([5, 0.5], pick >> 3) },
      { type: "override", rate: 150, ...(pick % 3 === 0 ? { applyShare: true } : {}) },
      { ...chooseAccumulating(pick >> 3), ofSellers: 10 },
    ],
    pick,
  );

/** Chooses an expression for formulas that pay some roles, valid when `eligible`: only without sellers it may be an override. */
export const choosePlanFor = (
  roles: ReadonlyArray<string> | null | undefined,
  eligible: boolean,
  pick: number,
): Plan => {
  const paysSellers = (roles ?? ["seller"]).includes("seller");
  const overrides = paysSellers ? !eligible && pick % 5 === 0 : eligible && pick % 4 > 0;
  return overrides ? chooseOverride(pick >> 2) : choosePlan(eligible, pick);
};

/** The currency of nearly every formula. */
export const EUR = Currency.make("EUR");
/** The currency of the others. */
export const USD = Currency.make("USD");

/** The roles in which a partner earns, or is about to, from the sales of others. */
const rolesAbove = ({ links, attributions }: World, partnerId: PartnerId): ReadonlyArray<string> => [
  ...links.flatMap(({ uplinePartnerId, role }) => (uplinePartnerId === partnerId ? [role] : [])),
  ...attributions.flatMap((attribution) =>
    attribution.partnerId !== partnerId || attribution.credit === null || attribution.credit.role === "seller"
      ? []
      : [attribution.credit.role],
  ),
];

/** The roles of a new formula or plan: the seller alone for most, and for some those that its partner has above sellers. */
export const chooseRoles = (
  pick: number,
  eligible: boolean,
  above: ReadonlyArray<string> = [],
): { readonly roles?: ReadonlyArray<string> } => {
  const role = chooseIfAny(above, pick >> 1);
  if (eligible && role !== undefined && pick % 2 === 0) return { roles: [role] };
  if (!eligible && pick % 7 === 0) return { roles: choose([[], ["manager", "manager"], [" "]], pick) };
  return choose(
    [{}, {}, {}, { roles: ["manager"] }, { roles: ["seller", "manager"] }, { roles: ["seller"] }, {}],
    pick,
  );
};

export const chooseCreateFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const { eligible, picks } = intent;
  const found = choosePartnerAndSchema(context, picks[0]);
  if (found === null) return null;
  const { partner, schema } = found;
  const start = choose(chooseMoments(world), picks[2]);
  const later = chooseMoments(world).filter((moment) => moment > start || (!eligible && picks[2] % 2 === 0));
  const end = picks[3] % 3 === 0 ? (chooseIfAny(later, picks[3]) ?? null) : null;
  const stated = chooseRoles(picks[0] + picks[3], eligible, rolesAbove(world, partner.id));
  return {
    type: "create_formula",
    ...callerFor(context, { ...partner, partnerId: partner.id }),
    input: {
      partnerId: !eligible && picks[3] % 5 === 0 ? PartnerId.make(principals.unknown) : partner.id,
      schemaId: !eligible && picks[3] % 7 === 0 ? SchemaId.make(principals.unknown) : schema.id,
      workspaceId: partner.workspaceId,
      name: choose(NAMES, picks[1]),
      ...(picks[1] % 4 === 0 ? { description: "As agreed" } : {}),
      currency: picks[3] % 7 === 6 ? USD : EUR,
      startDatetime: picks[2] % 3 === 0 ? world.now - 400 * DAY : start,
      endDatetime: end,
      ...stated,
      ...chooseRelease(context, picks[1] + picks[2]),
      ...(picks[2] % 4 === 1
        ? chooseParametrized(eligible || picks[1] % 2 === 0, picks[1], picks[3])
        : { plan: choosePlanFor(stated.roles, eligible || picks[1] % 2 === 0, picks[1]) }),
    },
  };
};

type Changed = Pick<Formula, "name" | "start" | "end" | "versions" | "parameters" | "roles">;

const chooseDateChange = (world: World, formula: Changed, pick: number, eligible: boolean): FormulaChange => {
  const all = chooseMoments(world);
  if (pick % 3 === 0) return { endDatetime: null };
  if (pick % 3 === 1) {
    const ends = all.filter((moment) => !eligible || moment > formula.start);
    return { endDatetime: chooseIfAny(ends, pick >> 2) ?? null };
  }
  const starts = all.filter((moment) => !eligible || formula.end === null || moment < formula.end);
  return { startDatetime: chooseIfAny(starts, pick >> 2) ?? formula.start };
};

/** The numbers of the versions that are ahead. */
const numbersAhead = ({ now }: World, { versions }: Changed): ReadonlyArray<number> =>
  versions.flatMap((version, index) => (isAhead(version, now) ? [index + 1] : []));

/** Chooses a formula or plan to change; most of the time one with versions ahead, where there is any. */
export const chooseChanged = <Of extends Changed>(
  world: World,
  among: ReadonlyArray<Of>,
  { picks }: Intent,
): Of | undefined => {
  const waiting =
    picks[3] % 4 === 0 ? [] : among.filter((candidate) => numbersAhead(world, candidate).length > 0);
  return chooseIfAny(waiting.length > 0 ? waiting : among, picks[0]);
};

/** Chooses a version to withdraw: one that is ahead, or any number. Null where nothing is to be withdrawn. */
export const chooseWithdrawn = (
  world: World,
  formula: Changed,
  { eligible, picks }: Intent,
): number | null => {
  const [, what, value] = picks;
  const ahead = numbersAhead(world, formula);
  if (ahead.length === 0 || what % 3 > 0) return null;
  return eligible ? choose([ahead[0] ?? 1, ...ahead], value) : value % (formula.versions.length + 2);
};

/** Chooses what an update of a formula or a plan changes, and what becomes of versions ahead where there are any. */
export const chooseFormulaChange = (world: World, formula: Changed, intent: Intent): FormulaChange => {
  const change = chooseChange(world, formula, intent);
  return change.plan === undefined || numbersAhead(world, formula).length === 0
    ? change
    : {
        ...change,
        ...choose<Pick<FormulaChange, "versionsAhead">>(
          [{ versionsAhead: "keep" }, { versionsAhead: "withdraw" }, {}],
          intent.picks[2],
        ),
      };
};

const chooseChange = (world: World, formula: Changed, { eligible, picks }: Intent): FormulaChange => {
  const [, what, value, date] = picks;
  const past = choose(chooseMoments(world), date);
  const later = world.now + choose([HOUR, 7 * DAY, 90 * DAY, 400 * DAY], date >> 2);
  const last = formula.versions[formula.versions.length - 1]?.plan ?? choosePlan(true, value);
  const plan = choosePlanFor(formula.roles, true, value);
  if (!eligible) {
    return choose<FormulaChange>(
      [
        { plan, effectiveDatetime: world.now + DAY },
        { effectiveDatetime: world.now },
        { plan: choosePlanFor(formula.roles, false, value) },
        { name: "" },
        { startDatetime: world.now, endDatetime: world.now },
        chooseDateChange(world, formula, date, false),
        { plan },
        chooseDeclarations(formula, false, [value, date]),
      ],
      what,
    );
  }
  return choose<FormulaChange>(
    [
      { plan, effectiveDatetime: date % 2 === 1 ? later : past },
      { plan },
      chooseDateChange(world, formula, date, true),
      {
        plan,
        effectiveDatetime: date % 4 === 0 ? world.now - 400 * DAY : later,
      },
      chooseDateChange(world, formula, date, true),
      { plan: last, effectiveDatetime: past },
      { plan, ...chooseDateChange(world, formula, date, true) },
      { name: choose(NAMES, value), description: date % 2 === 0 ? null : "As agreed" },
      { name: formula.name, startDatetime: formula.start, endDatetime: formula.end },
      chooseDeclarations(formula, true, [value, date]),
      { effectiveDatetime: past, ...chooseDeclarations(formula, true, [0, date]) },
    ],
    what,
  );
};

export const chooseUpdateFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const among = world.formulas.filter(({ cancelReason }) => !intent.eligible || cancelReason === null);
  const formula = chooseChanged(world, among, intent);
  if (formula === undefined) return null;
  const id = !intent.eligible && intent.picks[3] % 5 === 0 ? FormulaId.make(principals.unknown) : formula.id;
  const caller = callerFor(context, formula);
  const number = chooseWithdrawn(world, formula, intent);
  if (number !== null) return { type: "withdraw_formula_version", ...caller, id, number };
  const input = chooseFormulaChange(world, formula, intent);
  return { type: "update_formula", ...caller, id, input };
};

export const chooseCancelFormula = (context: ChoiceContext): Command | null => {
  const { principals, world, intent } = context;
  const formula = chooseIfAny(world.formulas, intent.picks[0]);
  if (formula === undefined) return null;
  const id = !intent.eligible && intent.picks[1] % 2 === 0 ? FormulaId.make(principals.unknown) : formula.id;
  return { type: "cancel_formula", ...callerFor(context, formula), id, reason: "never agreed" };
};
