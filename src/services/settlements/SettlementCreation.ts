/** The changes that store a new draft. */
import type { SettlementId } from "../../domain/Ids.ts";
import type { Create } from "../../domain/Settlement.ts";
import type { Change } from "../../ports/Storage.ts";
import type { Execution } from "../commands/Pipeline.ts";
import * as Save from "../commands/Save.ts";
import * as EngineMetrics from "../process/EngineMetrics.ts";
import type { Draft } from "./Drafting.ts";

/** Saves a settlement with the lines of a draft, and brings its commissions up to date. */
export const createSettlement = (
  execution: Execution,
  id: SettlementId,
  { customerId, workspaceId, partnerId }: Omit<Create, "commissionIds">,
  { currency, total, lines, revisions }: Draft,
): { readonly changes: ReadonlyArray<Change>; readonly onStored: () => void } => {
  const stored = { currency, lines: lines.map(({ commissionId, amount }) => ({ commissionId, amount })) };
  const save = Save.appendEvents("settlement", execution, { id, customerId, workspaceId, partnerId }, [
    { type: "create_settlement", total, line_count: lines.length, stored },
  ]);
  return {
    changes: [
      ...(revisions.length === 0 ? [] : [{ type: "revise", revisions } as const]),
      save,
      { type: "reserve", settlementId: id, lines },
    ],
    onStored: () => EngineMetrics.countTransition("none", save.row.status.type),
  };
};
