/** Turns what the settlement machine decides into one commit. */
import { Effect } from "effect";
import type { SettlementId } from "../../domain/Ids.ts";
import type { Conflict, Invalid } from "../../domain/Refusal.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import {
  type Decided,
  decide,
  type LineEffect,
  type Policy,
  type SettlementCommand,
} from "../../domain/SettlementMachine.ts";
import type { Change, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import { type Decision, type Execution, noEffect } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";

const lineChange = (settlementId: SettlementId, effect: LineEffect): ReadonlyArray<Change> => {
  switch (effect.type) {
    case "settle":
      return [{ type: "settle", settlementId, as: effect.as }];
    case "release":
      return [{ type: "release", settlementId, cause: effect.cause }];
    case "reopen":
      return [{ type: "reopen", settlementId }];
    case "reserve":
    case "none":
      return [];
  }
};

const nothingMore = (): Effect.Effect<ReadonlyArray<Change>> => Effect.succeed([]);

/**
 * The whole effect of a command on a settlement, or what refuses it. `alongside` is saved with it, and so
 * are the changes that `following` returns for the decision.
 */
export const transition = (
  execution: Execution,
  settlement: Versioned<Settlement>,
  command: SettlementCommand,
  policy: Policy,
  requires: ReadonlyArray<Requirement> = [],
  alongside: ReadonlyArray<Change> = [],
  following: (decided: Decided) => Effect.Effect<ReadonlyArray<Change>, StorageError> = nothingMore,
): Effect.Effect<Decision<Record<never, never>>, Conflict | Invalid | StorageError> =>
  Effect.gen(function* () {
    const decided = yield* decide(settlement, command, policy);
    const { events, lines, tasks } = decided;
    if (events.length === 0) return noEffect({});
    const more = yield* following(decided);
    const save = Save.logged("settlement", execution, settlement, events);
    return {
      answer: {},
      requires,
      changes: [save, ...lineChange(settlement.id, lines), ...alongside, ...more],
      outbox: tasks.map((topic) => ({
        topic,
        recordId: settlement.id,
        reference: topic === "send_payment" ? save.row.paymentReference : null,
      })),
      stored: () => EngineMetrics.countTransition(settlement.status.type, save.row.status.type),
    };
  });
