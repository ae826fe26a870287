/** The model of commands on attributions: create, create a batch, cancel. */
import type { Create as AttributionRequest } from "../../../domain/Attribution.ts";
import type { PartnerId } from "../../../domain/Ids.ts";
import type { CommandOf } from "../Command.ts";
import { arePropertyValues, isReason, isText } from "../prediction/Bounds.ts";
import {
  accept,
  applyRules,
  baseRules,
  conflict,
  type Decision,
  type Generated,
  NOTHING_GENERATED,
  type Prediction,
  refuse,
} from "../prediction/Prediction.ts";
import { canSee } from "../prediction/Rights.ts";
import { areCredits, saleOf } from "../world/Credits.ts";
import { pendingCancellation, refreshCommissions } from "../world/Earnings.ts";
import { appendEntry } from "../world/Log.ts";
import type { Part } from "../world/Result.ts";
import { type Attribution, mapWhere, type World } from "../world/World.ts";
import { decideCreation } from "./Creation.ts";

const isRequest = (input: AttributionRequest): boolean => {
  const { partnerId, credits, properties, externalReference, occurredAt = 0 } = input;
  return (
    (credits === undefined || areCredits(partnerId, credits)) &&
    arePropertyValues(properties) &&
    (externalReference === undefined || isText(externalReference, 255)) &&
    occurredAt >= 0
  );
};

/** The partners that a request names. */
const partnersOf = ({ partnerId, credits }: AttributionRequest): ReadonlyArray<PartnerId> =>
  credits?.map((credit) => credit.partnerId) ?? [partnerId];

export const createAttribution = (world: World, command: CommandOf<"create_attribution">): Prediction => {
  const { principal, input } = command;
  return applyRules(world, {
    ...baseRules(command),
    valid: isRequest(input),
    workspaceIds: [input.workspaceId],
    partnerIds: partnersOf(input),
    decide: () => decideCreation(world, principal, input),
  });
};

const PARTS_MAX = 1_000;

/** Stands for the id of a part before the engine generates it. */
const placeholder = (part: number): string => `00000000-0000-4000-8000-${String(part).padStart(12, "0")}`;

/** The world after all parts in their order, and the result of each, with the ids that the engine generated. */
const createAll = (
  world: World,
  { principal, input }: CommandOf<"create_batch">,
  generated: Generated,
): { readonly world: World; readonly parts: ReadonlyArray<Part> } => {
  const names = input.attributions.map((_, index) => generated.ids[index] ?? placeholder(index));
  const parts: Array<Part> = [];
  let after = world;
  for (const [index, request] of input.attributions.entries()) {
    const decision = decideCreation(after, principal, request);
    if (decision.type === "refused") parts.push(decision);
    else if (decision.effect === null) {
      const id = decision.id ?? "";
      const part = names.slice(0, index).indexOf(id);
      parts.push(part === -1 ? { type: "existing", id } : { type: "repeated", part });
    } else {
      const id = names[index] ?? "";
      after = decision.effect(id, { ...generated, id });
      parts.push({ type: "created" });
    }
  }
  return { world: after, parts };
};

/** Create a batch: the parts in sequence; with mode `atomic` all of them or none. */
export const createBatch = (world: World, command: CommandOf<"create_batch">): Prediction => {
  const { mode, attributions } = command.input;
  return applyRules(world, {
    ...baseRules(command),
    valid: attributions.length >= 1 && attributions.length <= PARTS_MAX && attributions.every(isRequest),
    workspaceIds: attributions.map(({ workspaceId }) => workspaceId),
    partnerIds: attributions.flatMap(partnersOf),
    decide: () => {
      const { parts } = createAll(world, command, NOTHING_GENERATED);
      if (mode === "atomic" && parts.some(({ type }) => type === "refused")) return refuse("Invalid");
      const changes = parts.some(({ type }) => type === "created");
      return {
        ...accept(changes ? (_, generated) => createAll(world, command, generated).world : null),
        parts,
      };
    },
  });
};

/** The world after these attributions of a sale are cancelled. */
export const afterCancelling = (world: World, sale: ReadonlyArray<Attribution>, reason: string): World => {
  const attributions = mapWhere(
    world.attributions,
    (item) => sale.includes(item),
    (item) => ({
      ...item,
      cancelReason: reason,
      log: appendEntry(item.log, world.now, "cancel_attribution", { reason }),
    }),
  );
  const pending = sale
    .map((attribution) => pendingCancellation(world, attribution))
    .filter(({ formulas }) => formulas.length > 0);
  const pendingCancellations =
    pending.length === 0 ? world.pendingCancellations : [...world.pendingCancellations, ...pending];
  return refreshCommissions({ ...world, attributions, pendingCancellations }, ({ attributionId }) =>
    sale.some(({ id }) => id === attributionId),
  );
};

/** The world after every attribution of a sale is cancelled. */
export const afterCancellation = (world: World, origin: Attribution, reason: string): World =>
  afterCancelling(
    world,
    saleOf(world.attributions, origin.id).filter(({ cancelReason }) => cancelReason === null),
    reason,
  );

export const cancelAttribution = (world: World, command: CommandOf<"cancel_attribution">): Prediction => {
  const { principal, reason } = command;
  const decide = (): Decision => {
    const attribution = world.attributions.find(
      (candidate) => candidate.id === command.id && canSee(principal, candidate),
    );
    if (attribution === undefined) return refuse("Missing");
    if (attribution.cancelReason !== null) return accept(null);
    return attribution.originId === null
      ? accept(() => afterCancellation(world, attribution, reason))
      : conflict("credit_of_sale");
  };
  return applyRules(world, { ...baseRules(command), valid: isReason(reason), decide });
};
