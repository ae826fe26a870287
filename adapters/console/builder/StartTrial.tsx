/** Starts a trial of the draft on past sales. */
import type { Expression } from "quittance/formula";
import { FormProblem } from "../api/Refusal.ts";
import { go, linkTo } from "../data/Route.ts";
import { monthStart } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { ActionButton, text } from "../parts/Forms.tsx";
import type { Draft } from "./Sources.ts";

const DAY_MILLISECONDS = 86_400_000;

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** The month before this one is the last that is complete. */
const lastDay = (): string => dayOf(monthStart(Date.now()).getTime() - DAY_MILLISECONDS);

const firstDay = (): string => dayOf(monthStart(Date.now(), 3).getTime());

export const StartTrial = ({
  draft,
  expression,
}: {
  readonly draft: Draft;
  readonly expression: Expression;
}) => (
  <ActionButton
    words="Try it on past sales"
    title={`Try ${draft.title} on past sales`}
    consequence={[
      draft.planId === null
        ? `Computes what the confirmed sales of these days would have earned under this plan, and compares it with everything that is paid for them in ${draft.currency}.`
        : "Computes what the confirmed sales of these days would have earned under this change, and compares it with the plan in force.",
      "Nothing in the books changes. Another page shows the progress, and who gains and who loses.",
    ]}
    run={(commands, fields) => {
      const from = Date.parse(`${text(fields, "from")}T00:00:00Z`);
      const to = Date.parse(`${text(fields, "until")}T00:00:00Z`) + DAY_MILLISECONDS;
      if (!(from < to)) throw new FormProblem("The first day must not be after the last one.");
      const { planId, schema, currency } = draft;
      return commands.planTrials.start({
        ...(planId === null
          ? { workspaceId: schema?.workspaceId ?? "", schemaId: schema?.id ?? "", currency }
          : { planId }),
        ...{ expression, from: new Date(from), to: new Date(to) },
      });
    }}
    done={({ id }) => go(linkTo(`trials/${id}`))}
  >
    <div class="row fields">
      <Field label="Sales from">
        <input name="from" type="date" required defaultValue={firstDay()} />
      </Field>
      <Field label="until, that day included">
        <input name="until" type="date" required defaultValue={lastDay()} />
      </Field>
    </div>
  </ActionButton>
);
