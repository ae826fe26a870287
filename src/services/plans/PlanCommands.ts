/** Runs commands on commission plans, and then as much of the work that follows as belongs to them. */
import { Effect } from "effect";
import type { CustomerId, MessageId, PlanId } from "../../domain/Ids.ts";
import type { Principal } from "../../domain/Principal.ts";
import { Outbox } from "../../ports/Outbox.ts";
import { ArrivalQueue } from "../accumulation/ArrivalQueue.ts";
import { decideInTurn } from "../accumulation/OrderedFormulaChange.ts";
import type { Failure } from "../commands/Access.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  Pipeline,
  type Replayed,
} from "../commands/Pipeline.ts";
import { releaseOrComplete, runRecomputations, type Started } from "../formulas/FormulaChange.ts";
import { Recomputations } from "../formulas/Recomputations.ts";
import { RollOuts } from "../formulas/RollOuts.ts";

/** A command of a caller on a plan. */
export interface PlanRequest {
  readonly principal: Principal;
  readonly planId: PlanId;
  readonly options: CommandOptions;
}

/** What a command leaves to do after its commit. */
interface Follow {
  readonly recomputations?: ReadonlyArray<Started>;
  /** The message by which workers roll the plan out. */
  readonly rollOut?: MessageId;
}

/** Prepares the commands on plans. */
export const planCommands = Effect.gen(function* () {
  const pipeline = yield* Pipeline;
  const queue = yield* ArrivalQueue;
  const rollOuts = yield* RollOuts;
  const tools = { pipeline, outbox: yield* Outbox, recomputations: yield* Recomputations };

  /** Rolls a plan out to few formulas at once; to many, and where that fails, the workers do. */
  const rollOut = (customerId: CustomerId, planId: PlanId, messageId: MessageId): Effect.Effect<void> => {
    return rollOuts.runInline(customerId, planId).pipe(
      Effect.catchAll(() => Effect.succeed({ pending: true })),
      Effect.flatMap(({ pending }) =>
        Effect.zipRight(
          releaseOrComplete(tools, customerId, messageId, pending),
          pending ? pipeline.wake(["roll_out"]) : Effect.void,
        ),
      ),
    );
  };

  /** Runs a command on a plan, and then as much of the work that follows as belongs to it. */
  const runCommand = (
    { principal, planId, options }: PlanRequest,
    customerId: CustomerId,
    attempt: (
      execution: Execution,
    ) => Effect.Effect<Decision<Record<never, never>> & { readonly follow?: Follow }, Failure>,
  ): Effect.Effect<Replayed, Failure> =>
    Effect.gen(function* () {
      let follow: Follow = {};
      const result = yield* pipeline.run(customerId, principal, options, (execution) =>
        decideInTurn(
          queue,
          Effect.map(attempt(execution), ({ follow: left = {}, ...decision }) => {
            follow = left;
            return decision;
          }),
        ),
      );
      if (result.replayed) return result;
      yield* runRecomputations(tools, customerId, follow.recomputations ?? []);
      if (follow.rollOut !== undefined) yield* rollOut(customerId, planId, follow.rollOut);
      return result;
    });

  return { runCommand };
});

/** Runs a command on a plan. */
export type PlanCommands = Effect.Effect.Success<typeof planCommands>;
