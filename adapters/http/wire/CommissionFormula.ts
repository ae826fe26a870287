/** Commission formulas on the wire. */
import { Either } from "effect";
import { type CommissionFormulas, Formula, type Storage, Timestamp } from "quittance";
import type * as Contract from "../api/CommissionFormulas.ts";
import { entries, moment, same } from "./Entry.ts";

/** A formula as lists show it: its present values, and the expression stated last. */
export const commissionFormula = (row: Storage.Listed["formula"]): typeof Contract.CommissionFormula.Type => {
  const expression = Formula.currentExpression(row);
  return {
    id: row.id,
    partner_id: row.partnerId,
    customer_id: row.customerId,
    workspace_id: row.workspaceId,
    schema_id: row.schemaId,
    currency: row.currency,
    name: row.name,
    description: row.description,
    start_datetime: Timestamp.format(row.startDatetime),
    end_datetime: moment(row.endDatetime),
    expression,
    created_at: Timestamp.format(row.createdAt),
    events: entries(row.events, same),
    view: {
      status: row.status,
      ...(row.cancelReason === null ? {} : { cancel_reason: row.cancelReason }),
      formula: expression,
      ...(row.recomputing ? { recomputing: true } : {}),
    },
  };
};

/** What an expression gave for one sample. */
export const simulated = ({
  result,
  trace,
}: CommissionFormulas.Simulated): (typeof Contract.Simulation.Type)["results"][number] =>
  Either.match(result, {
    onLeft: ({ code, message }) => ({ error: { code, message } }),
    onRight: (amount) => ({ amount, trace }),
  });
