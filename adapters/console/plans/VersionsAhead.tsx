/** The versions of a plan that are ahead of their dates, and the fields of a change that may replace them. */
import type { Plan } from "../api/Records.ts";
import { useMay } from "../api/Session.ts";
import { Field, When } from "../parts/Basics.tsx";
import { ActionButton, text } from "../parts/Forms.tsx";

/** The fields of a change: from which day on it applies, and what becomes of versions that are ahead. */
export const EffectiveFields = () => (
  <>
    <Field label="From (optional)" hint="Midnight in the time zone of the workspace.">
      <input name="effective" type="date" />
    </Field>
    <Field label="Changes already planned for a later day">
      <select name="ahead">
        <option value="keep">Keep them</option>
        <option value="withdraw">Withdraw them</option>
      </select>
    </Field>
  </>
);

/** What {@link EffectiveFields} state. */
export const effectiveOf = (fields: FormData) => {
  const day = text(fields, "effective");
  return {
    ...(day === "" ? {} : { effectiveOn: day }),
    versionsAhead: text(fields, "ahead") === "withdraw" ? "withdraw" : "keep",
  } as const;
};

/** What a change with {@link EffectiveFields} does. */
export const EFFECTIVE_WORDS = [
  "With a day in the past, the difference of sales since then becomes due or is taken back in the next settlement.",
  "With a day in the future it is planned until then: the plan lists it, and it can be withdrawn.",
  "Without a day it applies from now on and changes no amount that exists.",
] as const;

/** The versions of a plan that are ahead, each with its date and what withdraws it; nothing where there are none. */
export const VersionsAhead = ({ plan, done }: { readonly plan: Plan; readonly done: () => void }) => {
  const may = useMay();
  const ahead = plan.versions.filter(({ status }) => status === "ahead");
  return ahead.length === 0 ? null : (
    <>
      <h3>Planned</h3>
      <ol class="timeline">
        {ahead.map(({ number, effectiveDatetime, formulaText }) => (
          <li key={number}>
            <span>
              Version {number}, for sales from {effectiveDatetime !== null && <When at={effectiveDatetime} />}
            </span>
            <pre class="derivation formula">{formulaText}</pre>
            {may("formulas:write") && plan.status === "active" && (
              <ActionButton
                words="Withdraw"
                title={`Withdraw version ${number} of ${plan.name}`}
                danger
                consequence={["It never applies. The version before it goes on."]}
                run={(commands) => commands.commissionPlans.withdrawVersion(plan.id, number)}
                done={done}
              />
            )}
          </li>
        ))}
      </ol>
    </>
  );
};
