/** Assigns partners to a plan, with the values that they need, and says before what that changes. */
import { useState } from "preact/hooks";
import type { Plan } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useSettled } from "../data/Load.ts";
import { dayStart } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { Failure, Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { type Chosen, PartnerChoice } from "./PartnerChoice.tsx";
import { Prospect } from "./Prospect.tsx";
import { ValueFields } from "./ValueFields.tsx";
import { readValues, type Typed } from "./Values.ts";

/** A pause in typing after which the server is asked, in milliseconds. */
const PAUSE = 300;

/** What the server says of a request; asked again a moment after each change. */
const WhatChanges = ({
  planId,
  input,
  names,
}: {
  readonly planId: string;
  readonly input: Parameters<ReturnType<typeof useSession>["client"]["assignmentDryRun"]>[1];
  readonly names: ReadonlyMap<string, string>;
}) => {
  const { client } = useSession();
  const key = useSettled(JSON.stringify(input), PAUSE);
  const loaded = useLoad(`prospect/${planId}/${key}`, (signal) =>
    client.assignmentDryRun(planId, JSON.parse(key), signal),
  );
  return (
    <section class="prospect" aria-live="polite" aria-label="What this changes">
      <h3>What this changes</h3>
      {loaded.failure !== null && <Failure failure={loaded.failure} retry={loaded.reload} />}
      {loaded.value === null
        ? loaded.failure === null && <p class="note">Computing what past sales would earn…</p>
        : loaded.value !== null && <Prospect found={loaded.value} names={names} />}
    </section>
  );
};

export const Assign = ({
  plan,
  close,
  done,
}: {
  readonly plan: Plan;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const may = useMay();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [start, setStart] = useState("");
  const [typed, setTyped] = useState<Typed>({});
  const { parameters = [], currency } = plan;
  const { values, problem } = readValues(parameters, typed, currency);
  const input = {
    partnerIds: [...chosen.keys()],
    ...(start === "" ? {} : { startDatetime: dayStart(start) }),
    ...(Object.keys(values).length === 0 ? {} : { parameters: values }),
  };
  return (
    <Confirm
      title={`Assign partners to ${plan.name}`}
      action={chosen.size === 0 ? "Assign" : `Assign ${countWords(chosen.size, "partner")}`}
      consequence={[
        chosen.size === 0
          ? "Choose partners."
          : `${[...chosen.values()].join(", ")} will earn under this plan.`,
        "Without a day the plan covers all of their sales since the plan begins, also those that are recorded already: they become due.",
      ]}
      close={close}
      run={async (commands) => {
        if (chosen.size === 0) throw new FormProblem("Choose at least one partner.");
        if (problem !== null) throw new FormProblem(problem);
        return commands.commissionPlans.assign(plan.id, input);
      }}
      done={done}
    >
      <PartnerChoice workspaceId={plan.workspaceId} chosen={chosen} change={setChosen} />
      <Field label="From (optional)">
        <input
          type="date"
          name="start"
          value={start}
          onInput={(event) => setStart(event.currentTarget.value)}
        />
      </Field>
      {parameters.length > 0 && (
        <fieldset class="values">
          <legend>Values of these partners</legend>
          <ValueFields declarations={parameters} currency={currency} typed={typed} change={setTyped} />
        </fieldset>
      )}
      {problem !== null && <p class="problem">{problem}</p>}
      {chosen.size > 0 && problem === null && may("commissions:read") && (
        <WhatChanges planId={plan.id} input={input} names={chosen} />
      )}
    </Confirm>
  );
};
