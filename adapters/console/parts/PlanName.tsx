/** The plan or the formula under which a commission is earned. */
import type { Client } from "../api/Client.ts";
import type { Commission, Formula } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { linkTo } from "../data/Route.ts";
import { Clip, Id } from "./Basics.tsx";

/** Formulas by id; none where the key may not read them. */
export type Formulas = ReadonlyMap<string, Formula>;

/** The formulas of commissions. */
export const readFormulas = (
  client: Client,
  commissions: Iterable<Pick<Commission, "commissionFormulaId">>,
  signal?: AbortSignal,
): Promise<Formulas> =>
  client.byIds(
    "commissionFormulas",
    Array.from(commissions, ({ commissionFormulaId }) => commissionFormulaId),
    signal,
  );

/** True if another plan, or another formula of no plan, has the name too. */
const isAmbiguous = ({ id, name, planId }: Formula, formulas: Iterable<Formula>): boolean =>
  [...formulas].some(
    (other) => other.id !== id && other.name === name && (planId === undefined || other.planId !== planId),
  );

/** The name of the plan of a formula, or of a formula of its own; with its id where that alone tells it from the others. */
export const FormulaName = ({
  formula,
  formulas,
}: {
  readonly formula: Formula;
  readonly formulas: Iterable<Formula>;
}) => {
  const { principal } = useSession();
  const canOpen = useMay()("formulas:read") && principal.kind !== "partner";
  const { id, name, planId } = formula;
  return (
    <>
      {planId !== undefined && canOpen ? (
        <a href={linkTo(`plans/${planId}`)}>
          <Clip>{name}</Clip>
        </a>
      ) : (
        <Clip>{name}</Clip>
      )}
      {isAmbiguous(formula, formulas) && (
        <>
          {" "}
          <Id id={planId ?? id} />
        </>
      )}
    </>
  );
};

/** A line with the name of a formula, or its id where the reader does not see formulas. */
export const PlanName = ({ id, formulas }: { readonly id: string; readonly formulas: Formulas }) => {
  const formula = formulas.get(id);
  return (
    <span class="under">
      {formula === undefined ? (
        <Id id={id} />
      ) : (
        <FormulaName formula={formula} formulas={formulas.values()} />
      )}
    </span>
  );
};
