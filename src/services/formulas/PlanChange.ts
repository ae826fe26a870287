/** What every change of a plan stores: its events, and a message by which workers roll them out. */
import { Effect } from "effect";
import type * as CommissionPlan from "../../domain/CommissionPlan.ts";
import { MessageId } from "../../domain/Ids.ts";
import type { IdSourceService } from "../../ports/IdSource.ts";
import type { Versioned } from "../../ports/Storage.ts";
import { type Execution, noEffect, type Work } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import { HEAD_START_MILLISECONDS } from "./FormulaChange.ts";

/** Saves the events of a plan, with the message of its roll-out; changes nothing where there are none. */
export const planChange = (
  ids: IdSourceService,
  execution: Execution,
  plan: Versioned<CommissionPlan.CommissionPlan>,
  events: ReadonlyArray<CommissionPlan.PlanEvent>,
) =>
  Effect.gen(function* () {
    if (events.length === 0) return noEffect({});
    const rollOut = yield* ids.next(MessageId);
    const message: Work = {
      id: rollOut,
      topic: "roll_out",
      recordId: plan.id,
      reference: null,
      delayMilliseconds: HEAD_START_MILLISECONDS,
    };
    return {
      result: {},
      requires: [],
      changes: [Save.appendEvents("plan", execution, plan, events)],
      outbox: [message],
      follow: { rollOut },
    };
  });
