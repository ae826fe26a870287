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
export const isAmbiguous = ({ id, name, planId }: Formula, formulas: Iterable<Formula>): boolean =>
  [...formulas].some(
    (other) => other.id !== id && other.name === name && (planId === undefined || other.planId !== planId),
  );

/** A line with the name of the plan, or of a formula of its own; with its id where that alone tells it from others. */
export const PlanName = ({ id, formulas }: { readonly id: string; readonly formulas: Formulas }) => {
  const { principal } = useSession();
  const canOpen = useMay()("formulas:read") && principal.kind !== "partner";
  const formula = formulas.get(id);
  if (formula === undefined)
    return (
      <span class="under">
        <Id id={id} />
      </span>
    );
  const { name, planId } = formula;
  return (
    <span class="under">
      {planId !== undefined && canOpen ? (
        <a href={linkTo(`plans/${planId}`)}>
          <Clip>{name}</Clip>
        </a>
      ) : (
        <Clip>{name}</Clip>
      )}
      {isAmbiguous(formula, formulas.values()) && (
        <>
          {" "}
          <Id id={planId ?? id} />
        </>
      )}
    </span>
  );
};
