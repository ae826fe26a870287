/**
 * M8: from any state, settling everything that is due once, paid or written off in any mixture, ends with nothing due,
 * and a second round is all zeros.
 */
import type { CommissionId } from "../../domain/Ids.ts";
import { isOpen, quantities } from "../model/Earnings.ts";
import { isStale } from "../model/Lines.ts";
import { predict } from "../model/Model.ts";
import { billed, owesCreditNote } from "../model/Papers.ts";
import type { Settlement } from "../model/World.ts";
import { owner } from "./Cast.ts";
import type { Situation } from "./Choice.ts";
import { Broken, compare, type Play, step } from "./Play.ts";
import { nextStep } from "./SettlementChoice.ts";

const STEPS_MAX = 12;

/** What is open may end in any way; what is settled then ends paid or written off. */
type Round = "any" | "settling";

/** A refund is asked for, or written off. */
const REVIEWS = [0, 3];

/** One in so many settlements is written off before it is paid. */
const WRITTEN_OFF_OF = 4;

const situation = ({ cast, world, memory }: Play, round: Round): Situation => ({
  cast,
  world,
  memory,
  intent: {
    class: "advance",
    eligible: true,
    who: 0,
    keyed: false,
    picks: [0, memory.count, 0, round === "any" ? memory.count : (REVIEWS[memory.count % 2] ?? 0)],
  },
});

const finish = async (play: Play, id: string, round: Round): Promise<void> => {
  const paid = round === "any" || play.memory.count % WRITTEN_OFF_OF > 0;
  for (let steps = 0; steps < STEPS_MAX; steps++) {
    const settlement = play.world.settlements.find((one) => one.id === id);
    if (settlement === undefined || !isOpen(settlement)) return;
    await step(play, nextOf(play, settlement, round, paid));
  }
  throw new Broken([{ name: "M8", detail: `settlement ${id} does not come to an end` }]);
};

/**
 * Towards the end; a draft that may not be approved is cancelled, and its commissions settled anew. What no document
 * can bill, because tax takes it beyond the largest amount, is written off.
 */
const nextOf = (play: Play, settlement: Settlement, round: Round, paid: boolean) => {
  const act = (type: "cancel" | "write_off") => ({
    type: "act" as const,
    principal: owner(settlement.customerId),
    idempotency: null,
    id: settlement.id,
    action: { type },
  });
  const refused = play.world.policy.staleDrafts === "refuse" && isStale(play.world, settlement);
  const approved = settlement.status.type !== "draft";
  const writtenOff = approved && (!paid || billed(settlement) === null);
  return (
    (refused || writtenOff ? null : nextStep(situation(play, round), settlement)) ??
    act(refused ? "cancel" : "write_off")
  );
};

interface Group {
  readonly request: Pick<Settlement, "customerId" | "workspaceId" | "partnerId">;
  readonly commissionIds: Array<CommissionId>;
}

/** Everything computable, by customer, workspace, partner and currency. */
const groups = ({ world }: Play): ReadonlyArray<Group> => {
  const found = new Map<string, Group>();
  for (const commission of world.commissions) {
    const attribution = world.attributions.find(({ id }) => id === commission.attributionId);
    const formula = world.formulas.find(({ id }) => id === commission.formulaId);
    if (
      attribution === undefined ||
      commission.id === null ||
      commission.amount === null ||
      commission.failing !== null
    )
      continue;
    const { customerId, workspaceId, partnerId } = attribution;
    const key = `${partnerId} ${formula?.currency}`;
    const group = found.get(key) ?? { request: { customerId, workspaceId, partnerId }, commissionIds: [] };
    group.commissionIds.push(commission.id);
    found.set(key, group);
  }
  return [...found.values()];
};

const ask = (type: "create_settlement" | "preview_settlement", { request, commissionIds }: Group) => ({
  type,
  principal: owner(request.customerId),
  idempotency: null,
  input: { ...request, commissionIds },
});

/** A group as it can be settled at once, or one by one where the sum would be too large, and is refused. */
const parts = async (play: Play, group: Group): Promise<ReadonlyArray<Group>> => {
  const request = ask("create_settlement", group);
  if (predict(play.world, request).expected.type === "answered") return [group];
  await step(play, request);
  return group.commissionIds.map((id) => ({ ...group, commissionIds: [id] }));
};

/** Settles everything, twice; fails with {@link Broken} when something is still due. */
export const converge = async (play: Play): Promise<void> => {
  for (const { id } of play.world.settlements.filter(isOpen)) await finish(play, id, "any");
  for (const owing of play.world.settlements.filter(owesCreditNote)) {
    const next = nextStep(situation(play, "settling"), owing);
    if (next !== null) await step(play, next);
  }
  for (const group of groups(play)) {
    for (const part of await parts(play, group)) {
      const answer = await step(play, ask("create_settlement", part));
      if (answer.type === "answered" && answer.id !== null) await finish(play, answer.id, "settling");
    }
  }
  const due = play.world.commissions.filter(
    (one) => one.amount !== null && one.failing === null && quantities(play.world, one).due !== 0,
  );
  // A commission that the store does not have would be due for ever: that is told first.
  if (due.length > 0) await compare(play);
  if (due.length > 0) throw new Broken([{ name: "M8", detail: `${due.length} commissions are still due` }]);
  for (const group of groups(play)) {
    const answer = await step(play, ask("preview_settlement", group));
    const lines = answer.type === "answered" ? linesOf(answer.body) : [];
    if (lines.length === 0 || lines.some(({ amount }) => amount !== 0)) {
      throw new Broken([{ name: "M8", detail: "a second round is not all zeros" }]);
    }
  }
};

const linesOf = (body: unknown): ReadonlyArray<{ readonly amount: number }> =>
  typeof body === "object" && body !== null && "lines" in body && Array.isArray(body.lines) ? body.lines : [];
