/** Turns intents into batches of attributions, some with a repeated reference, some with a refused part. */
import type { Create as AttributionRequest } from "../../domain/Attribution.ts";
import type { Command } from "../model/Command.ts";
import { chooseCreateAttribution } from "./AttributionChoice.ts";
import { type ChoiceContext, chooseIfAny } from "./ChoiceContext.ts";

/** One part, varied by its index; eligible parts share a few references, so that batches conflict on them. */
const createPart = (context: ChoiceContext, index: number, eligible: boolean): AttributionRequest | null => {
  const { intent } = context;
  const [where, value, name, rest] = intent.picks;
  const picks = [where + (rest % 4 === 0 ? index : 0), value + 7 * index, name + index, rest] as const;
  const command = chooseCreateAttribution({ ...context, intent: { ...intent, eligible, picks } });
  if (command?.type !== "create_attribution") return null;
  const named = eligible && (name + index) % 2 === 0;
  return { ...command.input, ...(named ? { externalReference: `order-${(name + index) % 12}` } : {}) };
};

const PARTS_BEYOND_MAX = 1_001;

/** The parts of a batch: one to four, and perhaps a repetition of the first with the same or other properties. */
const createParts = (context: ChoiceContext): ReadonlyArray<AttributionRequest> => {
  const { eligible, picks } = context.intent;
  const [, value, name, mode] = picks;
  const wrong = eligible ? (mode % 8 === 3 ? 1 : -1) : value % 4;
  const parts = Array.from({ length: 1 + (name % 4) }, (_, index) =>
    createPart(context, index, index !== wrong),
  );
  const found = parts.flatMap((part) => (part === null ? [] : [part]));
  const [first] = found;
  if (first === undefined) return [];
  if (!eligible && value % 16 === 5) return [];
  if (!eligible && value % 16 === 6) return Array.from({ length: PARTS_BEYOND_MAX }, () => first);
  if (value % 3 === 0) found.push(first);
  if (value % 6 === 3 && mode % 2 === 1)
    found.push({ ...first, properties: { ...first.properties, quantity: 11 } });
  if (value % 6 === 0 && mode % 4 === 1) found.push({ ...first, occurredAt: context.world.now - 1 });
  return found;
};

export const chooseCreateBatch = (context: ChoiceContext): Command | null => {
  const { intent } = context;
  const creation = chooseCreateAttribution(context);
  if (creation?.type !== "create_attribution") return null;
  const { principal, idempotency } = creation;
  const mode = chooseIfAny(["atomic", "independent"] as const, intent.picks[3]) ?? "atomic";
  return {
    type: "create_batch",
    principal,
    idempotency,
    input: { mode, attributions: createParts(context) },
  };
};
