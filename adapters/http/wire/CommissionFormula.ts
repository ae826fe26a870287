/** Commission formulas on the wire. */
import { Either } from "effect";
import { type CommissionFormulas, Formula, Parameter } from "quittance";
import * as Contract from "../api/CommissionFormulas.ts";
import { GAP, recordWriter, textAround, type Writable, writer } from "./Encoding.ts";
import { datetime } from "./Entry.ts";
import { formulaText, versions } from "./FormulaText.ts";

/** A formula in a list: its present values, and the expression and versions at the moment of the read. */
export const commissionFormula = recordWriter<CommissionFormulas.ListedFormula>()(
  Contract.CommissionFormula,
  {
    roles: Formula.rolesOf,
    release: (row) => row.release ?? undefined,
    plan_id: (row) => row.assignment?.planId,
    events: [{ datetime }],
    view: {
      formula: ({ expression }) => expression,
      formula_text: formulaText,
      versions,
      parameters: (row) => (row.parameters.length === 0 ? undefined : Parameter.list(row)),
      recomputing: (row) => (row.recomputing ? true : undefined),
    },
  },
);

const result = writer(Contract.SimulationResult);

/** The result of an expression for one sample. */
export const simulationResult = (simulated: CommissionFormulas.Simulated): string =>
  result(
    Either.match(simulated.result, {
      onLeft: ({ code, message }): Writable<typeof Contract.SimulationResult.Type> => ({
        error: { code, message },
      }),
      onRight: (amount) => ({ amount, trace: simulated.trace }),
    }),
  );

/** The text around the results of a simulation. */
export const [simulationStart, simulationEnd] = textAround(
  recordWriter<object>()(Contract.Simulation, { results: GAP }),
)({});
