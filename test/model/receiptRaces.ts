/** Statements of what buyers have paid, concurrent with commands that change what their sales earn. */
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
  type Race,
  recruit,
  refund,
  replace,
  sell,
} from "./races.ts";

/** States that the buyer of the sale of 1,000 has paid so much of it. */
const state =
  (received: number): Create =>
  (session) => {
    const { id } = refund(1000)(session) as CommandOf<"cancel_attribution">;
    return { type: "state_received", ...caller(session), id, input: { received, of: 1000 } };
  };

const createWaiting: Create = (session) => ({
  type: "create_formula",
  ...caller(session),
  input: {
    ...placeOf(session),
    name: "Waiting",
    currency: first(session).formula.currency,
    startDatetime: session.world.now - DAY,
    endDatetime: null,
    plan: { type: "percent", rate: 20 },
    release: "on_receipt",
  },
});

const waiting = ({ world }: Parameters<Create>[0]) => {
  const found = world.formulas.find(({ release }) => release !== null);
  if (found === undefined) throw new Error("the formula was created");
  return found;
};

const updateWaiting: Create = (session) => ({
  type: "update_formula",
  ...caller(session),
  id: waiting(session).id,
  input: { plan: { type: "percent", rate: 30 }, effectiveDatetime: 0 },
});

const cancelWaiting: Create = (session) => ({
  type: "cancel_formula",
  ...caller(session),
  id: waiting(session).id,
  reason: "never agreed",
});

/** Settles what the sale of 1,000 has earned under the formula. */
const settle: Create = (session) => {
  const { customerId, partnerId, workspaceId } = waiting(session);
  const { id: saleId } = refund(1000)(session) as CommandOf<"cancel_attribution">;
  const commissionIds = session.world.commissions.flatMap(({ id, attributionId, formulaId }) =>
    id !== null && attributionId === saleId && formulaId === waiting(session).id ? [id] : [],
  );
  return {
    type: "create_settlement",
    ...caller(session),
    input: { customerId, workspaceId, partnerId, commissionIds },
  };
};

const settleByRun: Create = (session) => ({
  type: "settle_by_run",
  ...caller(session),
  input: { workspaceId: placeOf(session).workspaceId, partnerIds: [placeOf(session).partnerId] },
});

const createWaitingPlan: Create = (session) => {
  const created = createPlan(session) as CommandOf<"create_plan">;
  return { ...created, input: { ...created.input, release: "on_receipt" } };
};

/** A sale of 1,000 of which the other partner has a part. */
const sellTogether: Create = (session) => {
  const sold = sell(1000)(session) as CommandOf<"create_attribution">;
  const { partnerId } = placeOf(session);
  const credits = [
    { partnerId, share: "0.6" },
    { partnerId: otherPartner(session).id, share: "0.4" },
  ];
  return { ...sold, input: { ...sold.input, credits } };
};

/** A formula that waits, for the other partner. */
const createForOther: Create = (session) => {
  const created = createWaiting(session) as CommandOf<"create_formula">;
  return { ...created, input: { ...created.input, partnerId: otherPartner(session).id } };
};

const SOLD = [createWaiting, sell(1000)];

/** Every race of this file. */
export const RECEIPT_RACES: ReadonlyArray<Race> = [
  {
    name: "a statement and a formula that waits",
    before: [sell(1000)],
    commands: [state(500), createWaiting],
  },
  {
    name: "a statement and a plan that waits",
    before: [sell(1000), createWaitingPlan],
    commands: [state(500), assign()],
  },
  {
    name: "a statement and a formula of another credit",
    before: [recruit, sellTogether],
    commands: [state(500), createForOther],
  },
  {
    name: "a statement and the cancellation of the sale",
    before: SOLD,
    commands: [state(500), refund(1000)],
  },
  {
    name: "a statement and a replacement of the sale",
    before: SOLD,
    commands: [state(500), replace(1000, 900)],
  },
  { name: "a statement and a change of the formula", before: SOLD, commands: [state(500), updateWaiting] },
  {
    name: "a statement and the cancellation of the formula",
    before: SOLD,
    commands: [state(500), cancelWaiting],
  },
  {
    name: "a statement, a change of the formula and a settlement",
    before: [...SOLD, state(300)],
    commands: [state(500), updateWaiting, settle],
  },
  {
    name: "what the buyer takes back, the cancellation of the sale and a settlement",
    before: [...SOLD, state(1000)],
    commands: [state(0), refund(1000), settle],
  },
  { name: "a statement and a run", before: SOLD, commands: [state(500), settleByRun] },
];
