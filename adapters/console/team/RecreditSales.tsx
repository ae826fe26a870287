/** The button that begins recrediting the sales of a span, after a late link: it tries the span, and shows what would change. */
import type { Partner } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { go, linkTo } from "../data/Route.ts";
import { DAY, dayEnd, dayStart, utcDay } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { ActionButton, Reason, text } from "../parts/Forms.tsx";

const YEAR = 365 * DAY;

export const RecreditSales = ({ partner }: { readonly partner: Partner }) => (
  <ActionButton
    words="Find sales to recredit"
    title={`Recredit sales of ${partner.name}`}
    consequence={[
      "Finds the sales in which this partner earns, and the uplines that they would have by the links of now.",
      "Nothing is changed yet: the next page shows what would change, and asks before it changes anything.",
    ]}
    run={async (commands, fields) => {
      const [from, to] = [text(fields, "from"), text(fields, "to")];
      if (from === "" || to === "") throw new FormProblem("Choose the first and the last day.");
      if (to < from) throw new FormProblem("The last day is before the first.");
      return commands.recredits.start({
        ...{ workspaceId: partner.workspaceId, partnerIds: [partner.id], dryRun: true },
        ...{ from: dayStart(from), to: dayEnd(to), reason: text(fields, "reason") },
      });
    }}
    done={({ id }) => go(linkTo(`recredits/${id}`))}
  >
    <Field label="Sales from">
      <input type="date" name="from" required value={utcDay(Date.now() - YEAR)} />
    </Field>
    <Field label="Sales until, included">
      <input type="date" name="to" required value={utcDay(Date.now())} />
    </Field>
    <Reason hint="The log of every sale that changes has it." />
  </ActionButton>
);
