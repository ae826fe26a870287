/** Starts settlement runs: the run and the message by which workers perform it are one commit. */
import { personOf } from "../../domain/Event.ts";
import type { CustomerId, SettlementRunId } from "../../domain/Ids.ts";
import { RUN_BATCH } from "../../domain/Limits.ts";
import * as SettlementRun from "../../domain/SettlementRun.ts";
import type { Change } from "../../ports/Storage.ts";
import type { Execution, Work } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";

/** The identity of a run. */
interface Beginning extends SettlementRun.Criteria {
  readonly id: SettlementRunId;
  readonly customerId: CustomerId;
  readonly partnerCount: number;
  readonly period: SettlementRun.SettlementRun["period"];
  readonly policyId: SettlementRun.SettlementRun["policyId"];
}

/** The changes and the message that start a run; its drafts count as created by the actor. */
export const startRun = (
  execution: Execution,
  beginning: Beginning,
): { readonly changes: ReadonlyArray<Change>; readonly outbox: ReadonlyArray<Work> } => ({
  changes: [
    Save.flat("settlementRun", execution, {
      ...beginning,
      ...SettlementRun.NO_COUNTS,
      startedBy: execution.actor,
      startedByPerson: personOf(execution),
      state: "running",
      partnersDone: 0,
      batchSize: RUN_BATCH,
      createdAt: execution.at,
      finishedAt: null,
    }),
  ],
  outbox: [{ topic: "settlement_run", recordId: beginning.id, reference: null }],
});
