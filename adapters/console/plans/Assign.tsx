/** Assigns partners to a plan, with the values that they need, and says before what that changes. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Formula, Partner, Plan } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { dayStart } from "../format/Dates.ts";
import { countWords } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";
import { WhatChanges } from "../parts/WhatChanges.tsx";
import { Prospect } from "./Prospect.tsx";
import { ValueFields } from "./ValueFields.tsx";
import { readValues, type Typed } from "./Values.ts";

/** The most assignments that are read, of the few partners that are found. */
const FORMULAS_MAX = 1_000;

/** True if the formula assigns its partner to the plan up to the end of the plan, so that no other assignment can follow. */
export const coversRestOf = (
  { id, endDatetime: end }: Pick<Plan, "id" | "endDatetime">,
  { planId, status, endDatetime }: Formula,
): boolean => planId === id && status === "active" && (endDatetime === null || endDatetime === end);

/** Those of the partners who are on the plan already. */
const readAssigned = async (
  client: Client,
  plan: Plan,
  partnerIds: ReadonlyArray<string>,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> => {
  if (partnerIds.length === 0) return new Set();
  const query = { planIds: [plan.id], partnerIds };
  const formulas = await client.every("commissionFormulas", query, FORMULAS_MAX, signal);
  return new Set(formulas.filter((formula) => coversRestOf(plan, formula)).map(({ partnerId }) => partnerId));
};

export const Assign = ({
  plan,
  partner,
  close,
  done,
}: {
  readonly plan: Plan;
  /** The one partner to assign; without it they are chosen here. */
  readonly partner?: Partner;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const may = useMay();
  const { client } = useSession();
  const [chosen, setChosen] = useState<Chosen>(
    new Map(partner === undefined ? [] : [[partner.id, partner.name]]),
  );
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
      title={`Assign ${partner?.name ?? "partners"} to ${plan.name}`}
      action={chosen.size === 0 ? "Assign" : `Assign ${countWords(chosen.size, "partner")}`}
      consequence={[
        ...(chosen.size === 0 ? [] : [`${[...chosen.values()].join(", ")} will earn under this plan.`]),
        "Without a day the plan covers all of their sales since the plan begins. Those that are recorded already earn too, and become due.",
      ]}
      close={close}
      run={async (commands) => {
        if (chosen.size === 0) throw new FormProblem("Choose at least one partner.");
        if (problem !== null) throw new FormProblem(problem);
        return commands.commissionPlans.assign(plan.id, input);
      }}
      done={done}
    >
      {partner === undefined && (
        <PartnerChoice
          workspaceId={plan.workspaceId}
          chosen={chosen}
          taken={{
            words: "already on this plan",
            read: (ids, signal) => readAssigned(client, plan, ids, signal),
          }}
          change={setChosen}
        />
      )}
      <Field label="From (optional)" hint="Empty: since the plan begins.">
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
        <WhatChanges
          about={plan.id}
          request={input}
          ask={client.assignmentDryRun}
          working="Computing what past sales would earn…"
        >
          {(found) => <Prospect found={found} names={chosen} />}
        </WhatChanges>
      )}
    </Confirm>
  );
};
