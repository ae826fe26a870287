/** Starts a trial of the draft on past sales: of which partners, with which values, and with sales that did not happen. */
import { useState } from "preact/hooks";
import { type Expression, parametersOf, readsSellers, SELLER } from "quittance/formula";
import { FormProblem } from "../api/Refusal.ts";
import { go, linkTo } from "../data/Route.ts";
import { DAY, dayStart, monthStart, utcDay } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { text } from "../parts/Forms.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";
import { ValueFields } from "../plans/ValueFields.tsx";
import { readValues, type Typed } from "../plans/Values.ts";
import { rolesOf } from "./Draft.ts";
import { factsOf } from "./Evaluation.ts";
import { triedOf } from "./Parameters.ts";
import { type Draft, isChanged, paymentOf } from "./Sources.ts";

/** The month before this one is the last that is complete. */
const lastDay = (): string => utcDay(monthStart(Date.now()).getTime() - DAY);

const firstDay = (): string => utcDay(monthStart(Date.now(), 3).getTime());

/** The sales that the draft was tried on, as sales of a partner that did not happen. */
const addedTo = (partnerId: string, draft: Draft, expression: Expression) => {
  const { samples, properties, currency } = draft;
  const roles = rolesOf(draft);
  const [role = SELLER] = roles;
  const sellersIn = readsSellers(expression) ? currency : null;
  return samples.map((sample, index) => {
    const facts = factsOf(sample, { properties, tried: new Map(), sellersIn }, 0);
    if ("problem" in facts) throw new FormProblem(`Sale ${index + 1} to try: ${facts.problem}.`);
    const { sellersCommission } = facts;
    return {
      ...{ partnerId, properties: facts.properties, occurredAt: new Date(facts.occurredAt) },
      ...(roles.includes(SELLER) ? {} : { credit: { role } }),
      ...(sellersCommission === undefined ? {} : { sellersCommission: Number(sellersCommission) }),
    };
  });
};

/** The parameters that a trial may have other values of. */
const declaredIn = ({ planId, parameters }: Draft) =>
  planId === null ? [] : parameters.filter(({ isStored }) => isStored).map(({ definition }) => definition);

/** The values to try of the parameters that the draft alone declares, as far as its expression reads them. */
const ownValues = ({ planId, parameters, currency }: Draft, expression: Expression) => {
  const own = parameters.filter(({ isStored }) => planId === null || !isStored);
  const read = parametersOf(expression);
  return Object.fromEntries(
    Object.entries(triedOf(own, currency)).filter(([name]) => planId === null || read.has(name)),
  );
};

const AddedSales = ({ draft, chosen }: { readonly draft: Draft; readonly chosen: Chosen }) => (
  <Field
    label="Sales that did not happen (optional)"
    hint={`The sales to try at the end of the page (${draft.samples.length}) count for this partner, on both sides.`}
  >
    <select name="added">
      <option value="">none</option>
      {[...chosen].map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  </Field>
);

interface Props {
  readonly draft: Draft;
  readonly expression: Expression;
}

const TrialDialog = ({ draft, expression, close }: Props & { readonly close: () => void }) => {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [typed, setTyped] = useState<Typed>({});
  const { planId, schema, currency } = draft;
  const workspaceId = schema?.workspaceId ?? "";
  // The plan as it is has nothing to adopt: what is tried are its values, or its own sales again.
  const isAsItIs = planId !== null && !isChanged(draft);
  const declared = declaredIn(draft);
  const { values, problem } = readValues(declared, typed, currency);
  return (
    <Confirm
      title={`Try ${draft.title} on past sales`}
      action="Try it on past sales"
      consequence={[
        planId === null
          ? `Computes what the confirmed sales of these days would have earned under this plan, and compares it with everything that is paid for them in ${currency}.`
          : `Computes what the confirmed sales of these days would have earned under ${isAsItIs ? "the plan as it is, with the values below," : "this change,"} and compares it with the plan in force.`,
        "Nothing in the books changes. Another page shows the progress, and who gains and who loses.",
      ]}
      close={close}
      run={async (commands, fields) => {
        const from = Date.parse(dayStart(text(fields, "from")));
        const to = Date.parse(dayStart(text(fields, "until"))) + DAY;
        if (!(from < to)) throw new FormProblem("The first day must not be after the last one.");
        if (problem !== null) throw new FormProblem(problem);
        const added = text(fields, "added");
        const tried = isAsItIs ? values : { ...ownValues(draft, expression), ...values };
        return commands.planTrials.start({
          ...(planId === null
            ? { workspaceId, schemaId: schema?.id ?? "", currency, roles: rolesOf(draft) }
            : { planId }),
          ...(isAsItIs ? {} : paymentOf(draft, expression)),
          ...{ from: new Date(from), to: new Date(to) },
          ...(chosen.size === 0 ? {} : { partnerIds: [...chosen.keys()] }),
          ...(Object.keys(tried).length === 0 ? {} : { parameters: tried }),
          ...(added === "" ? {} : { add: addedTo(added, draft, expression) }),
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
      {declared.length > 0 && (
        <fieldset class="values">
          <legend>Values to try</legend>
          <ValueFields
            declarations={declared}
            currency={currency}
            typed={typed}
            change={setTyped}
            emptyWords={() => "What each partner has, if empty."}
          />
        </fieldset>
      )}
      <details>
        <summary>
          {chosen.size === 0 ? "Every partner" : countWords(chosen.size, "partner")}, and sales that did not
          happen
        </summary>
        <PartnerChoice workspaceId={workspaceId} chosen={chosen} change={setChosen} />
        {chosen.size > 0 && <AddedSales draft={draft} chosen={chosen} />}
      </details>
    </Confirm>
  );
};

export const StartTrial = ({ draft, expression }: Props) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Try it on past sales
      </button>
      {isOpen && <TrialDialog {...{ draft, expression }} close={() => setOpen(false)} />}
    </>
  );
};
