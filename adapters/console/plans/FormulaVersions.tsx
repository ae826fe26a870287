/** The versions of formulas without a plan: from when on each pays, and what withdraws one that is ahead of its date. */
import type { Formula } from "../api/Records.ts";
import { useMay } from "../api/Session.ts";
import { versionStarts } from "../format/Versions.ts";
import { Clip, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";

const STATES = { reached: "", ahead: ", planned", withdrawn: ", withdrawn" } as const;

const Versions = ({ formula, done }: { readonly formula: Formula; readonly done: () => void }) => {
  const may = useMay();
  const starts = versionStarts(formula);
  return (
    <details>
      <summary>
        Versions of <Clip>{formula.name}</Clip>
      </summary>
      <ol class="timeline">
        {formula.versions.toReversed().map(({ number, status, formulaText }) => (
          <li key={number}>
            <span>
              Version {number}, for sales from <When at={starts[number - 1] ?? formula.startDatetime} />
              {STATES[status]}
            </span>
            <pre class="derivation formula">{formulaText}</pre>
            {status === "ahead" && formula.status === "active" && may("formulas:write") && (
              <ActionButton
                words="Withdraw"
                title={`Withdraw version ${number} of ${formula.name}`}
                danger
                consequence={["It never applies. The version before it goes on."]}
                run={(commands) => commands.commissionFormulas.withdrawVersion(formula.id, number)}
                done={done}
              />
            )}
          </li>
        ))}
      </ol>
    </details>
  );
};

/** The versions of each formula that has no plan; those of plans are on the plans' pages. */
export const FormulaVersions = ({
  formulas,
  done,
}: {
  readonly formulas: ReadonlyArray<Formula>;
  readonly done: () => void;
}) => (
  <>
    {formulas
      .filter(({ planId }) => planId === undefined)
      .map((formula) => (
        <Versions key={formula.id} {...{ formula, done }} />
      ))}
  </>
);
