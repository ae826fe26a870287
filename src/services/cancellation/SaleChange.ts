/** Commands that change a recorded sale: decided in the turn of its orders of arrival, and followed by what was earned after it. */
import { Effect } from "effect";
import type { CustomerId } from "../../domain/Ids.ts";
import { RECOMPUTATION_BATCH } from "../../domain/Limits.ts";
import type { Principal } from "../../domain/Principal.ts";
import type { Refusal } from "../../domain/Refusal.ts";
import { Outbox } from "../../ports/Outbox.ts";
import type { StorageError } from "../../ports/Storage.ts";
import { ArrivalQueue } from "../accumulation/ArrivalQueue.ts";
import type { OrderKey } from "../accumulation/ArrivalState.ts";
import type { Failure } from "../commands/Access.ts";
import {
  type CommandOptions,
  type Decision,
  type Execution,
  noEffect,
  Pipeline,
  type Replayed,
} from "../commands/Pipeline.ts";
import { runRecomputations, type Started } from "../formulas/FormulaChange.ts";
import { Recomputations } from "../formulas/Recomputations.ts";

/** The whole effect, and the recomputations of what was earned after the sale. */
export interface Decided<Result> {
  readonly decision: Decision<Result>;
  readonly started: ReadonlyArray<Started>;
}

/** A change of a sale. */
export interface SaleChange<Result, Refused = Refusal> {
  /** The orders of arrival whose totals it changes. */
  readonly orders: ReadonlyArray<OrderKey>;
  /** To be decided while no other command of these orders runs in this process. */
  readonly decided: Effect.Effect<Decided<Result>, Refused | StorageError>;
}

/** The change of a sale that stays as it is. */
export const unchanged = <Result>(result: Result): SaleChange<Result> => ({
  orders: [],
  decided: Effect.succeed({ decision: noEffect(result), started: [] }),
});

/** The function that runs such commands; it returns once the recomputations have read as much as a command may wait for. */
export const makeChangeSale = Effect.gen(function* () {
  const pipeline = yield* Pipeline;
  const queue = yield* ArrivalQueue;
  const tools = { pipeline, outbox: yield* Outbox, recomputations: yield* Recomputations };
  return <Result extends object>(
    { customerId, principal }: { readonly customerId: CustomerId; readonly principal: Principal },
    options: CommandOptions,
    prepare: (execution: Execution) => Effect.Effect<SaleChange<Result>, Failure>,
  ): Effect.Effect<Result & Replayed, Failure> =>
    Effect.gen(function* () {
      let started: ReadonlyArray<Started> = [];
      const result = yield* pipeline.run<Result, Failure>(customerId, principal, options, (execution) =>
        Effect.gen(function* () {
          const { orders, decided } = yield* prepare(execution);
          // What an attempt with a conflict has started is not stored; the last attempt counts.
          const decision = Effect.map(decided, (change) => {
            started = change.started;
            return change.decision;
          });
          return orders.length === 0 ? yield* decision : queue.alone(orders, decision);
        }),
      );
      if (!result.replayed) yield* runRecomputations(tools, customerId, started, RECOMPUTATION_BATCH);
      return result;
    });
});
