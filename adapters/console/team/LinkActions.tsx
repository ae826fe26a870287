/** Adding and ending links of partners. */
import { useState } from "preact/hooks";
import type { Partner, PartnerLink } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { dayStart, utcDay } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { ActionButton, text } from "../parts/Forms.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";

const RECORDED = "Sales that are recorded stay as they are.";

/** A button that puts a partner directly below another one. */
export const AddUpline = ({ partner, done }: { readonly partner: Partner; readonly done: () => void }) => {
  const [chosen, setChosen] = useState<Chosen>(new Map());
  return (
    <ActionButton
      words="Add an upline"
      title={`Add an upline of ${partner.name}`}
      consequence={[
        `The upline earns from sales of ${partner.name} under the plans for its role, such as manager.`,
        RECORDED,
      ]}
      run={async (commands, fields) => {
        const [uplinePartnerId] = chosen.keys();
        const [role, start] = [text(fields, "role"), text(fields, "start")];
        if (uplinePartnerId === undefined) throw new FormProblem("Choose the upline.");
        if (role === "") throw new FormProblem("Enter a role, such as manager.");
        return commands.partnerLinks.create({
          ...{ partnerId: partner.id, uplinePartnerId, role },
          ...(start === "" ? {} : { startDatetime: dayStart(start) }),
        });
      }}
      done={() => {
        setChosen(new Map());
        done();
      }}
    >
      <PartnerChoice
        workspaceId={partner.workspaceId}
        chosen={chosen}
        except={partner.id}
        legend="Upline"
        isOne
        change={setChosen}
      />
      <Field label="Role">
        <input name="role" maxLength={64} list="upline-roles" value="manager" />
      </Field>
      <datalist id="upline-roles">
        <option value="manager" />
        <option value="recruiter" />
      </datalist>
      <Field
        label="From (optional)"
        hint="The first day (UTC) whose sales it concerns. Without one it concerns those from now on."
      >
        <input type="date" name="start" />
      </Field>
    </ActionButton>
  );
};

/** A button that ends a link. */
export const EndLink = ({
  link,
  name,
  partner,
  done,
}: {
  readonly link: PartnerLink;
  readonly name: string;
  readonly partner: Partner;
  readonly done: () => void;
}) => (
  <ActionButton
    words="End"
    action="End the upline"
    title={`End ${name} as ${link.role} of ${partner.name}`}
    consequence={[
      `From the chosen day on, ${name} earns nothing more as ${link.role} from sales of ${partner.name}.`,
      RECORDED,
    ]}
    run={async (commands, fields) => {
      const end = text(fields, "end");
      if (end === "") throw new FormProblem("Choose the day on which it ends.");
      return commands.partnerLinks.update(link.id, { endDatetime: dayStart(end) });
    }}
    done={done}
  >
    <Field label="Ends on" hint="Sales of this day (UTC) and later are not concerned any more.">
      <input type="date" name="end" value={utcDay(Date.now())} />
    </Field>
  </ActionButton>
);
