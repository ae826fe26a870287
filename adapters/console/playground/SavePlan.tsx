/** Creates a plan from a trial, or changes the expression of an existing plan. */
import { useState } from "preact/hooks";
import type { Expression } from "quittance/formula";
import { FormProblem } from "../api/Refusal.ts";
import { go, linkTo } from "../data/Route.ts";
import { decimalsOf } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { text } from "../parts/Forms.tsx";
import type { Trial } from "./Sources.ts";

const startOf = (day: FormDataEntryValue | null): string => `${String(day)}T00:00:00Z`;

interface Props {
  readonly trial: Trial;
  readonly expression: Expression;
}

interface DialogProps extends Props {
  readonly close: () => void;
}

const Create = ({ trial, expression, close }: DialogProps) => (
  <Confirm
    title="Create a plan"
    action="Create the plan"
    consequence={[
      "The plan pays nobody until partners are assigned to it.",
      "It covers sales from its first day on, also those that are recorded already.",
    ]}
    close={close}
    run={async (commands, fields) => {
      const currency = text(fields, "currency").toUpperCase();
      if (decimalsOf(currency) !== decimalsOf(trial.currency))
        throw new FormProblem(
          `The formula pays in the smallest unit of ${trial.currency}, which is not the same part of one ${currency}. Begin a new formula for the schema, in ${currency}.`,
        );
      return commands.commissionPlans.create({
        workspaceId: trial.schema?.workspaceId ?? "",
        schemaId: trial.schema?.id ?? "",
        name: String(fields.get("name")),
        currency,
        startDatetime: startOf(fields.get("start")),
        expression,
      });
    }}
    done={({ id }) => go(linkTo(`plans/${id}`))}
  >
    <Field label="Name">
      <input name="name" required maxLength={255} />
    </Field>
    <Field label="Currency" hint="Three letters, such as EUR.">
      <input name="currency" required pattern="[A-Za-z]{3}" defaultValue={trial.currency} />
    </Field>
    <Field label="Applies from" hint="Midnight UTC.">
      <input name="start" type="date" required defaultValue={`${new Date().toISOString().slice(0, 8)}01`} />
    </Field>
  </Confirm>
);

const Change = ({ trial, expression, close }: DialogProps) => (
  <Confirm
    title={`Change ${trial.title}`}
    action="Change the plan"
    consequence={[
      "The formula applies to sales of that day and later, for every partner of the plan. Earlier sales keep their amounts.",
      "With a day in the past, the difference of sales since then becomes due or is taken back in the next settlement.",
      "Without a day it applies from now on and changes no amount that exists.",
    ]}
    close={close}
    run={(commands, fields) => {
      const day = fields.get("effective");
      return commands.commissionPlans.update(trial.planId ?? "", {
        expression,
        ...(day ? { effectiveDatetime: startOf(day) } : {}),
      });
    }}
    done={() => go(linkTo(`plans/${trial.planId}`))}
  >
    <Field label="From (optional)">
      <input name="effective" type="date" />
    </Field>
  </Confirm>
);

export const SavePlan = ({ trial, expression }: Props) => {
  const [isOpen, setOpen] = useState<"create" | "change" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <div class="row">
      {trial.planId !== null && (
        <button type="button" class="primary" onClick={() => setOpen("change")}>
          Change the plan to this
        </button>
      )}
      <button type="button" onClick={() => setOpen("create")}>
        Create a new plan from it
      </button>
      {isOpen === "create" && <Create trial={trial} expression={expression} close={close} />}
      {isOpen === "change" && <Change trial={trial} expression={expression} close={close} />}
    </div>
  );
};
