/** The model of recredit runs: every sale of a span recredited, one after the other, by the rule for one sale. */
import type { FormulaId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { isReason } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  type Generated,
  NOTHING_GENERATED,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { isPermitted, personOf } from "../prediction/Rights.ts";
import { quantities } from "../world/Earnings.ts";
import type { RecreditResult, RecreditRun } from "../world/RecreditRun.ts";
import type { Attribution, World } from "../world/World.ts";
import { afterRecrediting, type Difference, differenceOf, partOf } from "./Recredits.ts";

type Span = Pick<RecreditRun, "customerId" | "workspaceId" | "partnerIds" | "from" | "to">;

/** The origins of the sales of a span, in the order in which a run visits them. */
const salesOf = (
  { attributions }: World,
  { customerId, workspaceId, partnerIds, from, to }: Span,
): ReadonlyArray<Attribution> =>
  attributions
    .filter(
      (origin) =>
        origin.originId === null &&
        origin.customerId === customerId &&
        origin.workspaceId === workspaceId &&
        origin.occurredAt >= from &&
        origin.occurredAt < to &&
        (partnerIds === null ||
          attributions.some(
            (one) => (one.originId ?? one.id) === origin.id && partnerIds.includes(one.partnerId),
          )),
    )
    .toSorted((a, b) => a.occurredAt - b.occurredAt || (a.id < b.id ? -1 : 1));

const creditsOf = ({ taken, missing }: Difference): RecreditResult["credits"] => {
  const changes = new Map<string, RecreditResult["credits"][number]>();
  for (const [parts, side] of [
    [taken.map(partOf), "shareBefore"],
    [missing, "shareAfter"],
  ] as const)
    for (const { partnerId, role, depth, share } of parts) {
      const key = `${partnerId} ${depth} ${role}`;
      const known = changes.get(key) ?? { partnerId, role, depth, shareBefore: null, shareAfter: null };
      changes.set(key, { ...known, [side]: share });
    }
  return [...changes.values()];
};

/** What the commissions of some attributions are in a world. */
const earnedOf = (world: World, attributions: ReadonlyArray<Attribution>) =>
  attributions.flatMap((attribution) =>
    world.commissions
      .filter(({ attributionId }) => attributionId === attribution.id)
      .map((commission) => ({
        ...{ ...partOf(attribution), formulaId: commission.formulaId },
        ...{ amount: commission.amount, due: quantities(world, commission).due },
      })),
  );

const currencyOf = ({ formulas }: World, formulaId: FormulaId): string =>
  formulas.find(({ id }) => id === formulaId)?.currency ?? "";

/** What the credits that are lost earned, and what the new ones earn. */
const commissionsOf = (before: World, after: World, { taken }: Difference): RecreditResult["commissions"] => {
  const known = new Set<string>(before.attributions.map(({ id }) => id));
  const lost = earnedOf(before, taken);
  const left = earnedOf(after, taken);
  const won = earnedOf(
    after,
    after.attributions.filter(({ id }) => !known.has(id)),
  );
  const textOf = (one: (typeof won)[number]): string =>
    `${one.partnerId} ${one.depth} ${one.role} ${one.formulaId}`;
  return [...new Map([...lost, ...won].map((one) => [textOf(one), one])).values()].map((one) => {
    const [was, rest, is] = [lost, left, won].map((all) =>
      all.find((other) => textOf(other) === textOf(one)),
    );
    const { partnerId, role, depth, formulaId } = one;
    return {
      ...{ partnerId, role, depth, formulaId, currency: currencyOf(before, formulaId) },
      ...{ amountBefore: was?.amount ?? null, amountAfter: is?.amount ?? null },
      ...{ dueBefore: was?.due ?? 0, dueAfter: (rest?.due ?? 0) + (is?.due ?? 0) },
    };
  });
};

type Visit = (
  world: World,
  sale: Attribution,
) => { readonly world: World; readonly result: RecreditResult | null };

/** What becomes of one sale. */
const visitSale =
  (reason: string, generated: Generated): Visit =>
  (world, { id }) => {
    const left = (outcome: RecreditResult["outcome"]) => ({
      world,
      result: { attributionId: id, outcome, credits: [], commissions: [] },
    });
    const sale = world.attributions.find((one) => one.id === id);
    if (sale === undefined || sale.cancelReason !== null) return left("attribution_cancelled");
    const difference = differenceOf(world, sale);
    if (difference === null) return left("too_many_credits");
    if (difference.taken.length + difference.missing.length === 0) return { world, result: null };
    const after = afterRecrediting(world, sale, reason, difference, generated);
    const commissions = commissionsOf(world, after, difference);
    return {
      world: after,
      result: { attributionId: id, outcome: "changed", credits: creditsOf(difference), commissions },
    };
  };

/** The world once everything that follows from a command is done, as {@link Model} says. */
type FollowUp = (before: World, after: World) => World;

const perform = (
  before: World,
  run: Omit<RecreditRun, "salesDone" | "after" | "results">,
  generated: Generated,
  followUp: FollowUp,
): World => {
  const sales = salesOf(before, run);
  const results: Array<RecreditResult> = [];
  const last = sales.at(-1);
  let world = before;
  for (const sale of sales) {
    const visited = run.dryRun
      ? visitSale(run.reason, NOTHING_GENERATED)(before, sale)
      : visitSale(run.reason, generated)(world, sale);
    if (visited.result !== null) results.push(visited.result);
    if (!run.dryRun) world = followUp(world, visited.world);
  }
  const after = last === undefined ? null : { occurredAt: last.occurredAt, id: last.id };
  return {
    ...world,
    recreditRuns: [...world.recreditRuns, { ...run, salesDone: sales.length, after, results }],
  };
};

const areDistinct = (ids: ReadonlyArray<string> | null): boolean =>
  ids === null || (ids.length > 0 && new Set(ids).size === ids.length);

/** Starts a recredit run, and performs it. A dry run needs the right to read what it returns as well. */
export const startRecreditRun = (
  world: World,
  command: CommandOf<"recredit_run">,
  followUp: FollowUp,
): Prediction => {
  const { principal, input } = command;
  const { workspaceId, partnerIds = null, from, to, reason, dryRun = false } = input;
  const mayStart = isPermitted(principal, "start recredit run");
  return applyRules(world, {
    ...baseRules(command),
    ...(dryRun && mayStart ? { permission: "read recredit runs" as const } : {}),
    valid: areDistinct(partnerIds) && isReason(reason) && from < to,
    workspaceIds: [workspaceId],
    decide: () => {
      const { customerId } = principal;
      const isHere = (id: string): boolean =>
        world.partners.some(
          (one) => one.id === id && one.customerId === customerId && one.workspaceId === workspaceId,
        );
      if (customerId === null || partnerIds?.some((id) => !isHere(id))) return refuse("Invalid");
      return accept((id, generated) => {
        const span = { customerId, workspaceId, partnerIds, from, to, reason, dryRun };
        const when = { createdAt: world.now, finishedAt: world.now };
        const run = { id, ...span, startedByPerson: personOf(principal), ...when };
        return perform(world, run, generated, followUp);
      });
    },
  });
};
