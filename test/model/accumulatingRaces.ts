/** Concurrent commands on attributions that accumulating formulas and plans aggregate, and on values that they read. */

import type { ModelSession } from "quittance/testing";
import { first } from "./raceRegressions.ts";
import {
  assign,
  type CommandOf,
  type Create,
  caller,
  createPlan,
  DAY,
  otherPartner,
  placeOf,
  planOf,
  type Race,
  recruit,
  refund,
  replace,
  sell,
} from "./races.ts";

/** The sum of the order values of every earlier attribution. */
const SUM = { type: "accumulating", share: 100, of: "sum", window: "lifetime", grouped: false } as const;
/** The greatest order value of the earlier attributions of the month. */
const MOST = { type: "accumulating", share: 100, of: "max", window: "month", grouped: false } as const;

const createFormula: Create = (session) => ({
  type: "create_formula",
  ...caller(session),
  input: {
    ...placeOf(session),
    name: "Accumulating",
    currency: first(session).formula.currency,
    startDatetime: session.world.now - DAY,
    endDatetime: null,
    plan: SUM,
  },
});

const accumulating = ({ world }: ModelSession) => {
  const found = world.formulas.find(({ name }) => name === "Accumulating");
  if (found === undefined) throw new Error("the formula was created");
  return found;
};

const updateFormula: Create = (session) => ({
  type: "update_formula",
  ...caller(session),
  id: accumulating(session).id,
  input: { plan: MOST, effectiveDatetime: 0 },
});

/** After this command the formula's dates include no sale. */
const narrowFormula: Create = (session) => ({
  type: "update_formula",
  ...caller(session),
  id: accumulating(session).id,
  input: { startDatetime: session.world.now + DAY },
});

const cancelFormula: Create = (session) => ({
  type: "cancel_formula",
  ...caller(session),
  id: accumulating(session).id,
  reason: "never agreed",
});

/** Settles the sale's commission under the accumulating formula. */
const settle =
  (orderValue: number): Create =>
  (session) => {
    const { customerId } = first(session).formula;
    const { partnerId, workspaceId } = placeOf(session);
    const { world } = session;
    const sold = world.attributions.find(({ properties }) => properties.order_value === orderValue);
    const commissionIds = world.commissions.flatMap(({ id, attributionId, formulaId }) =>
      id !== null && attributionId === sold?.id && formulaId === accumulating(session).id ? [id] : [],
    );
    return {
      type: "create_settlement",
      ...caller(session),
      input: { customerId, workspaceId, partnerId, commissionIds },
    };
  };

const unassign: Create = (session) => ({
  type: "unassign",
  ...caller(session),
  id: planOf(session).id,
  partnerId: placeOf(session).partnerId,
  input: {},
});

const updatePlan =
  (rate: number): Create =>
  (session) => ({
    type: "update_plan",
    ...caller(session),
    id: planOf(session).id,
    input: { plan: { type: "percent", rate }, effectiveDatetime: session.world.now - DAY },
  });

/** A plan's next rate, stated half a day before it holds. */
const planAhead =
  (rate: number, versionsAhead: "keep" | "withdraw" | null = null): Create =>
  (session) => ({
    type: "update_plan",
    ...caller(session),
    id: planOf(session).id,
    input: { plan: { type: "percent", rate }, effectiveDatetime: session.world.now + DAY / 2, versionsAhead },
  });

const updateNow =
  (rate: number, versionsAhead: "keep" | "withdraw" | null): Create =>
  (session) => ({
    type: "update_plan",
    ...caller(session),
    id: planOf(session).id,
    input: { plan: { type: "percent", rate }, versionsAhead },
  });

const withdraw: Create = (session) => ({
  type: "withdraw_plan_version",
  ...caller(session),
  id: planOf(session).id,
  number: 2,
});

const nextDay: Create = () => ({ type: "move_clock", by: DAY });

/** A plan that pays the partner's rate of a sale, or of everything sold before. */
const createRatedPlan =
  (isAccumulating: boolean): Create =>
  (session) => {
    const created = createPlan(session) as CommandOf<"create_plan">;
    return {
      ...created,
      input: {
        ...created.input,
        plan: isAccumulating ? { ...SUM, rated: true } : { type: "by_values", reads: ["rate"] },
        parameters: [{ name: "rate", type: "number" }],
      },
    };
  };

const withRate = (rate: number) => ({ parameters: { rate } });

const setRate =
  (rate: number | null, date: (now: number) => number | undefined): Create =>
  (session) => {
    const effectiveDatetime = date(session.world.now);
    return {
      type: "set_plan_values",
      ...caller(session),
      id: planOf(session).id,
      single: true,
      partners: [
        {
          partnerId: placeOf(session).partnerId,
          values: { rate },
          ...(effectiveDatetime === undefined ? {} : { effectiveDatetime }),
        },
      ],
    };
  };

const yesterday = (now: number) => now - DAY;
const undated = () => undefined;

/** The plan gets another parameter and reads it; the partner has the default. */
const addParameter: Create = (session) => ({
  type: "update_plan",
  ...caller(session),
  id: planOf(session).id,
  input: {
    plan: { type: "by_values", reads: ["rate", "bonus"] },
    effectiveDatetime: session.world.now - DAY,
    parameters: [
      { name: "rate", type: "number" },
      { name: "bonus", type: "number", default: 7 },
    ],
  },
});

/** A plan that declares a parameter which nothing reads. */
const createUnread: Create = (session) => {
  const created = createPlan(session) as CommandOf<"create_plan">;
  return { ...created, input: { ...created.input, parameters: [{ name: "rate", type: "number" }] } };
};

const removeParameter: Create = (session) => ({
  type: "update_plan",
  ...caller(session),
  id: planOf(session).id,
  input: { parameters: [] },
});

const requireAcceptance: Create = (session) => ({
  type: "write_policy",
  ...caller(session),
  workspaceId: placeOf(session).workspaceId,
  partnerId: null,
  terms: { requireAcceptance: true },
});

const acceptTerms: Create = (session) => ({
  type: "accept_terms",
  ...caller(session),
  id: planOf(session).id,
  customerId: first(session).formula.customerId,
  partnerId: placeOf(session).partnerId,
  name: "Anna Lind",
  reference: "contract 7",
  stale: false,
});

const settleByRun: Create = (session) => ({
  type: "settle_by_run",
  ...caller(session),
  input: { workspaceId: placeOf(session).workspaceId, partnerIds: [placeOf(session).partnerId] },
});

const writeZone: Create = (session) => ({
  type: "write_workspace",
  ...caller(session),
  workspaceId: placeOf(session).workspaceId,
  input: { timeZone: "Asia/Kolkata" },
});

const settlePlan: Create = (session) => {
  const formula = session.world.formulas.find(({ assignment }) => assignment !== null);
  const { customerId, workspaceId } = first(session).formula;
  const commissionIds = session.world.commissions.flatMap(({ id, formulaId }) =>
    id !== null && formulaId === formula?.id ? [id] : [],
  );
  const { partnerId } = placeOf(session);
  return {
    type: "create_settlement",
    ...caller(session),
    input: { customerId, workspaceId, partnerId, commissionIds },
  };
};

/** The partner of the races below or above the one that {@link recruit} created. */
const link =
  (direction: "up" | "down"): Create =>
  (session) => {
    const { partnerId } = placeOf(session);
    const { id } = otherPartner(session);
    const [below, above] = direction === "up" ? [partnerId, id] : [id, partnerId];
    return {
      type: "create_link",
      ...caller(session),
      input: { partnerId: below, uplinePartnerId: above, role: "manager", startDatetime: 0 },
    };
  };

const withdrawLink: Create = (session) => {
  const [own] = session.world.links;
  if (own === undefined) throw new Error("there is no link");
  return { type: "update_link", ...caller(session), id: own.id, input: { endDatetime: own.startDatetime } };
};

/** The values of the two cancelled sales sum to 0: the last amount is the same before and after both cancellations. */
const SOLD = [createFormula, sell(5), sell(-5), sell(1)];
const ASSIGNED = [createPlan, assign(), sell(5)];

const RATED = [createRatedPlan(false), assign(withRate(0.1)), sell(1005)];
const RATED_TOTAL = [createRatedPlan(true), assign(withRate(0.1)), sell(1005), sell(5), sell(100)];

/** Every race of this file. */
export const RACES: ReadonlyArray<Race> = [
  {
    name: "a parameter that is removed and a further assignment",
    before: [createUnread, assign({ ...withRate(0.1), endDatetime: 1 })],
    commands: [removeParameter, assign({ startDatetime: 1 })],
  },
  { name: "two cancellations", before: SOLD, commands: [refund(5), refund(-5)] },
  { name: "a cancellation and a change of the formula", before: SOLD, commands: [refund(5), updateFormula] },
  { name: "a cancellation and a sale", before: SOLD, commands: [refund(5), sell(100)] },
  { name: "a new formula and a sale", before: [sell(5)], commands: [createFormula, sell(1)] },
  {
    name: "a new formula and a cancellation",
    before: [sell(5), sell(1)],
    commands: [createFormula, refund(5)],
  },
  { name: "a cancellation and a settlement", before: SOLD, commands: [refund(5), settle(1)] },
  { name: "a replacement and a sale", before: SOLD, commands: [replace(5, 9), sell(100)] },
  { name: "two replacements of one sale", before: SOLD, commands: [replace(5, 9), replace(5, 10)] },
  { name: "replacements of two sales", before: SOLD, commands: [replace(5, 9), replace(-5, 10)] },
  {
    name: "a replacement and the cancellation of the sale",
    before: SOLD,
    commands: [replace(5, 9), refund(5)],
  },
  {
    name: "a replacement and a change of the formula",
    before: SOLD,
    commands: [replace(5, 9), updateFormula],
  },
  {
    name: "a new formula and a replacement",
    before: [sell(5), sell(1)],
    commands: [createFormula, replace(5, 9)],
  },
  { name: "a replacement and a settlement", before: SOLD, commands: [replace(5, 9), settle(5)] },
  {
    name: "a replacement, a change of the formula and a settlement",
    before: SOLD,
    commands: [replace(5, 9), updateFormula, settle(1)],
  },
  {
    name: "a cancellation, a change of the formula and a settlement",
    before: SOLD,
    commands: [refund(5), updateFormula, settle(1)],
  },
  {
    name: "a change of the formula's dates and its cancellation",
    before: SOLD,
    commands: [narrowFormula, cancelFormula],
  },
  {
    name: "two changes of the formula and its cancellation",
    before: SOLD,
    commands: [narrowFormula, updateFormula, cancelFormula],
  },
  { name: "a change of a plan and a sale", before: ASSIGNED, commands: [updatePlan(30), sell(1)] },
  { name: "two changes of a plan", before: ASSIGNED, commands: [updatePlan(30), updatePlan(40)] },
  {
    name: "a change of a plan and an assignment",
    before: [createPlan, sell(5)],
    commands: [updatePlan(30), assign()],
  },
  {
    name: "a change of a plan and the end of an assignment",
    before: ASSIGNED,
    commands: [updatePlan(30), unassign],
  },
  {
    name: "a version ahead that is kept, and withdrawn",
    before: [...ASSIGNED, planAhead(30)],
    commands: [updateNow(10, "keep"), withdraw, sell(1)],
  },
  {
    name: "two changes of a plan with a version ahead",
    before: [...ASSIGNED, planAhead(30)],
    commands: [updateNow(10, null), updateNow(40, "withdraw"), sell(1)],
  },
  {
    name: "the withdrawal of a version ahead and an assignment",
    before: [createPlan, sell(5), planAhead(30)],
    commands: [withdraw, assign()],
  },
  {
    name: "a version ahead that was reached, and a change",
    before: [...ASSIGNED, planAhead(30), nextDay],
    commands: [updateNow(10, null), withdraw, sell(1)],
  },
  { name: "two assignments", before: [createPlan, sell(5)], commands: [assign(), assign()] },
  { name: "a value and a sale", before: RATED, commands: [setRate(0.2, yesterday), sell(100)] },
  { name: "a value of now and a sale", before: RATED, commands: [setRate(0.2, undated), sell(100)] },
  {
    name: "two values of one date and a cancellation",
    before: RATED,
    commands: [setRate(0.2, yesterday), setRate(0.3, yesterday), refund(1005)],
  },
  {
    name: "a value, its withdrawal and a settlement",
    before: [...RATED, setRate(0.2, yesterday)],
    commands: [setRate(0.3, yesterday), setRate(null, yesterday), settlePlan],
  },
  {
    name: "a value and a new parameter of its plan",
    before: RATED,
    commands: [setRate(0.2, yesterday), addParameter, sell(100)],
  },
  {
    name: "a value and a further assignment",
    before: [createRatedPlan(false), assign({ ...withRate(0.1), endDatetime: 1 }), sell(1005)],
    commands: [setRate(0.2, yesterday), assign({ startDatetime: 1 })],
  },
  {
    name: "a run and an acceptance",
    before: [...RATED, requireAcceptance],
    commands: [settleByRun, acceptTerms],
  },
  {
    name: "a run and a value that is not accepted",
    before: [...RATED, requireAcceptance, acceptTerms],
    commands: [settleByRun, setRate(0.2, yesterday)],
  },
  {
    name: "an acceptance and a value",
    before: [...RATED, requireAcceptance],
    commands: [acceptTerms, setRate(0.2, yesterday)],
  },
  { name: "two links that close a loop", before: [recruit], commands: [link("up"), link("down")] },
  {
    name: "a link and the withdrawal of the one in its way",
    before: [recruit, link("up")],
    commands: [link("down"), withdrawLink],
  },
  {
    name: "another zone, a sale and a cancellation",
    before: SOLD,
    commands: [writeZone, sell(100), refund(5)],
  },
  {
    name: "a value that multiplies totals, and a sale",
    before: RATED_TOTAL,
    commands: [setRate(0.2, yesterday), sell(1)],
  },
  {
    name: "a value that multiplies totals, and a cancellation",
    before: RATED_TOTAL,
    commands: [setRate(0.2, yesterday), refund(1005)],
  },
];
