/** For sales that several people earn from: whose parts a plan pays, and whether a part's share multiplies the amount. */
import { type Expression, readsShare, SELLER } from "quittance/formula";
import { Field } from "../parts/Basics.tsx";
import { type Reading, rolesOf } from "./Draft.ts";
import type { Draft } from "./Sources.ts";

/** Roles as they are typed, with commas between them. */
const readRoles = (typed: string): ReadonlyArray<string> => {
  const roles = [...new Set(typed.split(",").map((role) => role.trim()))].filter((role) => role !== "");
  return roles.length === 0 ? [SELLER] : roles;
};

/** What is stated of the share; nothing where the formula implies it. */
const stating = ({ applyShare: _, ...draft }: Draft, isMultiplied: boolean, implied: boolean): Draft =>
  isMultiplied === implied ? draft : { ...draft, applyShare: isMultiplied };

const impliedBy = (expression: Expression | null): boolean => expression === null || !readsShare(expression);

export const SharedFields = ({
  draft,
  reading,
  change,
}: {
  readonly draft: Draft;
  readonly reading: Reading;
  readonly change: (draft: Draft) => void;
}) => {
  const roles = rolesOf(draft);
  const implied = impliedBy(reading.type === "ready" ? reading.expression : null);
  const problem =
    reading.type === "wrong"
      ? (reading.problems.find(({ path }) => path === "roles")?.message ?? null)
      : null;
  return (
    <details
      class="shared"
      open={problem !== null || draft.applyShare !== undefined || roles.some((role) => role !== SELLER)}
    >
      <summary>Sales that several people earn from</summary>
      {draft.planId === null ? (
        <Field
          label="Roles that it pays"
          hint="What a partner did for the sale, such as seller, manager or recruiter; several with commas between them."
          problem={problem}
        >
          <input
            name="roles"
            defaultValue={roles.join(", ")}
            autocomplete="off"
            onInput={(event) => change({ ...draft, roles: readRoles(event.currentTarget.value) })}
          />
        </Field>
      ) : (
        <p>
          It pays these roles: {roles.join(", ")}. They never change.
          {problem !== null && <span class="problem"> {problem}</span>}
        </p>
      )}
      <label class="check">
        <input
          type="checkbox"
          name="applyShare"
          checked={draft.applyShare ?? implied}
          onChange={(event) => change(stating(draft, event.currentTarget.checked, implied))}
        />
        <span>
          The partner's share of the sale multiplies the amount: 60 % of a sale earns 60 % of what the plan
          pays.
        </span>
      </label>
    </details>
  );
};
