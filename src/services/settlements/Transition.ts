/** Turns what the settlement machine decides into one commit. */
import { Effect, Either } from "effect";
import type { SettlementId } from "../../domain/Ids.ts";
import type { Conflict, Invalid } from "../../domain/Refusal.ts";
import { evolve, type Settlement, type SettlementEvent, type View } from "../../domain/Settlement.ts";
import {
  type Decided,
  decide,
  type LineEffect,
  type Policy,
  type SettlementCommand,
} from "../../domain/SettlementMachine.ts";
import type { Change, Requirement, StorageError, Versioned } from "../../ports/Storage.ts";
import { type Decision, type Execution, noEffect, type Work } from "../commands/Pipeline.ts";
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

/** The effect of several commands on a settlement, each decided in the state that the one before leads to. */
export const transitionAll = (
  execution: Execution,
  settlement: Versioned<Settlement>,
  commands: ReadonlyArray<SettlementCommand>,
  policy: Policy,
): Either.Either<
  {
    readonly changes: ReadonlyArray<Change>;
    readonly outbox: ReadonlyArray<Work>;
    readonly onStored: () => void;
  },
  Conflict | Invalid
> =>
  Either.gen(function* () {
    const events: Array<SettlementEvent> = [];
    const lines: Array<Change> = [];
    const outbox: Array<Work> = [];
    let state: View = settlement;
    for (const command of commands) {
      const decided = yield* decide(state, command, policy);
      for (const event of decided.events) state = evolve(state, { at: 0, actor: "", event });
      events.push(...decided.events);
      lines.push(...lineChange(settlement.id, decided.lines));
      outbox.push(...decided.tasks.map((topic) => ({ topic, recordId: settlement.id, reference: null })));
    }
    if (events.length === 0) return { changes: [], outbox: [], onStored: () => {} };
    const save = Save.appendEvents("settlement", execution, settlement, events);
    return {
      changes: [save, ...lines],
      outbox,
      onStored: () => EngineMetrics.countTransition(settlement.status.type, save.row.status.type),
    };
  });

const noFurtherChanges = (): Effect.Effect<ReadonlyArray<Change>> => Effect.succeed([]);

/** A command on a settlement, and what is stored with its effect. */
interface Input {
  readonly command: SettlementCommand;
  readonly policy: Policy;
  readonly requires?: ReadonlyArray<Requirement>;
  readonly changes?: ReadonlyArray<Change>;
  /** The further changes that follow from the decision. */
  readonly following?: (decided: Decided) => Effect.Effect<ReadonlyArray<Change>, StorageError>;
}

/** The whole effect of a command on a settlement, or what refuses it. */
export const transition = (
  execution: Execution,
  settlement: Versioned<Settlement>,
  { command, policy, requires = [], changes = [], following = noFurtherChanges }: Input,
): Effect.Effect<Decision<Record<never, never>>, Conflict | Invalid | StorageError> =>
  Effect.gen(function* () {
    const decided = yield* decide(settlement, command, policy);
    const { events, lines, tasks } = decided;
    if (events.length === 0) return noEffect({});
    const more = yield* following(decided);
    const save = Save.appendEvents("settlement", execution, settlement, events);
    return {
      result: {},
      requires,
      changes: [save, ...lineChange(settlement.id, lines), ...changes, ...more],
      outbox: tasks.map((topic) => ({
        topic,
        recordId: settlement.id,
        reference: topic === "send_payment" ? save.row.paymentReference : null,
      })),
      onStored: () => EngineMetrics.countTransition(settlement.status.type, save.row.status.type),
    };
  });
