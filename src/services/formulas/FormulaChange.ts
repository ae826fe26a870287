/** What every change of a formula does in addition to its own save: its formula set's version rises, and amounts are recomputed. */
import { Effect } from "effect";
import { affectedSpan, type Span } from "../../domain/AffectedSpan.ts";
import type * as Formula from "../../domain/Formula.ts";
import { type CustomerId, MessageId, RecomputationId } from "../../domain/Ids.ts";
import { RECOMPUTATION_BATCH, RECOMPUTE_INLINE_MAX } from "../../domain/Limits.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { OutboxService } from "../../ports/Outbox.ts";
import type { Change, Records, SaveLogged, StorageError, Versioned } from "../../ports/Storage.ts";
import { buildingWalk, orderChanges, type Recomputed } from "../accumulation/OrderedFormulaChange.ts";
import { accumulates } from "../attributions/AccumulatingFormulas.ts";
import type { Execution, PipelineService, Work } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import type { Recomputations } from "./Recomputations.ts";

/**
 * How long workers leave a recomputation to the command that started it. The command releases what it has not finished, so
 * workers wait this long only where its process has ended.
 */
export const HEAD_START_MILLISECONDS = 20_000;

/** A recomputation that a command has recorded, and the message by which workers run it. */
export interface Started {
  readonly id: RecomputationId;
  readonly messageId: MessageId;
}

/** The whole effect of changed formulas, and the recomputations that it records. */
export interface FormulaEffect {
  readonly changes: ReadonlyArray<Change>;
  readonly outbox: ReadonlyArray<Work>;
  readonly recomputations: ReadonlyArray<Started>;
}

/**
 * The dates whose commissions a change of a formula moves; null when there are none. A new expression that accumulates needs
 * its totals even where no commission rests on it yet.
 */
const spanOf = (before: Formula.Formula | null, after: Formula.Formula): Span | null => {
  const affected = affectedSpan(before, after);
  const hasNewVersion = after.versions.length > (before?.versions.length ?? 0);
  return (
    affected ??
    (hasNewVersion && accumulates(after) ? { from: after.startDatetime, to: after.startDatetime } : null)
  );
};

/** A change of a formula: as it was read, or null for a new one, and as it is saved. */
export interface FormulaChange {
  readonly before: Versioned<Formula.Formula> | null;
  readonly save: SaveLogged<"formula">;
}

/**
 * Saves formulas of one customer, raises the versions of their formula sets, and records the recomputations that the changes
 * call for, which workers leave to the command for so long.
 */
export const effectOf = (
  { storage, ids }: { readonly storage: Records; readonly ids: IdSourceService },
  execution: Execution,
  changed: ReadonlyArray<FormulaChange>,
  delayMilliseconds = HEAD_START_MILLISECONDS,
): Effect.Effect<FormulaEffect, StorageError> =>
  Effect.gen(function* () {
    const changes: Array<Change> = [];
    const outbox: Array<Work> = [];
    const recomputations: Array<Started> = [];
    const recomputed: Array<Recomputed> = [];
    for (const { before, save } of changed) {
      const { row: after } = save;
      const { customerId, partnerId, schemaId } = after;
      changes.push(save, { type: "bump_formula_set", partnerId, schemaId });
      const span = spanOf(before, after);
      if (span === null) continue;
      const id = yield* ids.next(RecomputationId);
      const messageId = yield* ids.next(MessageId);
      const walk = buildingWalk(after);
      const recomputation = {
        id,
        customerId,
        formulaId: after.id,
        ...span,
        after: null,
        ...walk,
        pending: true,
      };
      changes.push(Save.flat("recomputation", execution, recomputation));
      outbox.push({ id: messageId, topic: "recompute", recordId: id, reference: null, delayMilliseconds });
      recomputations.push({ id, messageId });
      recomputed.push({ formula: after, recomputationId: id });
    }
    changes.push(...(yield* orderChanges(storage, execution, recomputed)));
    return { changes, outbox, recomputations };
  });

/** What {@link runRecomputations} works with. */
interface Tools {
  readonly recomputations: Recomputations;
  readonly outbox: OutboxService;
  readonly pipeline: PipelineService;
}

/** Releases a message when some of its work is left, so that workers continue it, else completes it; if that fails, the lease expires. */
export const releaseOrComplete = (
  { outbox }: Pick<Tools, "outbox">,
  customerId: CustomerId,
  messageId: MessageId,
  pending: boolean,
): Effect.Effect<void> => {
  const unclaimed = { customerId, id: messageId, claim: 0 };
  return Effect.ignore(pending ? outbox.release(unclaimed) : outbox.complete(unclaimed));
};

/**
 * Runs recomputations in their order until they have read `attributions`. The workers continue with the rest at once, and
 * with a recomputation of which a batch failed, because the command itself is stored.
 */
export const runRecomputations = (
  tools: Tools,
  customerId: CustomerId,
  started: ReadonlyArray<Started>,
  attributions = RECOMPUTE_INLINE_MAX,
): Effect.Effect<void> =>
  Effect.suspend(() => {
    let left = attributions;
    let isLeft = false;
    const runOne = ({ id, messageId }: Started) =>
      Effect.suspend(() =>
        left > 0
          ? tools.recomputations.run(customerId, id, Math.ceil(left / RECOMPUTATION_BATCH))
          : Effect.succeed({ pending: true, visited: 0 }),
      ).pipe(
        Effect.catchAll(() => Effect.succeed({ pending: true, visited: 0 })),
        Effect.flatMap(({ pending, visited }) => {
          left -= visited;
          isLeft ||= pending;
          return releaseOrComplete(tools, customerId, messageId, pending);
        }),
      );
    return Effect.zipRight(
      Effect.forEach(started, runOne, { discard: true }),
      Effect.suspend(() => (isLeft ? tools.pipeline.wake(["recompute"]) : Effect.void)),
    );
  });
