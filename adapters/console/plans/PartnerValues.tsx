/** The values that the partners of a plan have for its parameters: shown, changed from a day on, and withdrawn. */
import { useState } from "preact/hooks";
import type { Formula, Partner, Plan } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { dayStart } from "../format/Dates.ts";
import { Clip, Field, When } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { ActionButton, text } from "../parts/Forms.tsx";
import { Table } from "../parts/Table.tsx";
import { ValueFields } from "./ValueFields.tsx";
import { type Declaration, nameWords, readValues, type Typed, type Value, valueWords } from "./Values.ts";

/** A value of a partner. */
interface Row {
  readonly key: string;
  readonly partnerId: string;
  readonly partnerName: string;
  readonly declaration: Declaration;
  readonly value: Value;
  /** Null: from the beginning. */
  readonly since: string | null;
  readonly isDefault: boolean;
  readonly state: "now" | "later" | "past";
}

const rowsOfParameter = (
  timeline: NonNullable<Formula["parameters"]>[number],
  partner: { readonly partnerId: string; readonly partnerName: string },
  now: number,
): ReadonlyArray<Row> => {
  const { values, ...declaration } = timeline;
  const isBegun = (since: string | null): boolean => since === null || Date.parse(since) <= now;
  const inForce = values.findLast(({ effective_datetime }) => isBegun(effective_datetime));
  const key = (number: number) => `${partner.partnerId} ${declaration.name} ${number}`;
  const stated = values.map(({ number, value, effective_datetime: since }, index): Row => {
    const state = !isBegun(since) ? "later" : values[index] === inForce ? "now" : "past";
    return { ...partner, declaration, value, since, key: key(number), isDefault: false, state };
  });
  const { default: standard } = declaration;
  const hasFirst = values.some(({ effective_datetime: since }) => since === null);
  if (hasFirst || standard === undefined) return stated;
  const state = inForce === undefined ? "now" : "past";
  return [
    { ...partner, declaration, value: standard, since: null, key: key(0), isDefault: true, state },
    ...stated,
  ];
};

/** The values of partners, of each only once: they are those of all its assignments. */
const rowsOf = (
  formulas: ReadonlyArray<Formula>,
  partners: ReadonlyMap<string, Partner>,
): ReadonlyArray<Row> => {
  const now = Date.now();
  const byPartner = new Map(formulas.map((formula) => [formula.partnerId, formula]));
  return [...byPartner].flatMap(([partnerId, { parameters = [] }]) => {
    const partner = { partnerId, partnerName: partners.get(partnerId)?.name ?? "…" };
    return parameters.flatMap((timeline) => rowsOfParameter(timeline, partner, now));
  });
};

const Change = ({
  plan,
  row,
  close,
  done,
}: {
  readonly plan: Plan;
  readonly row: Row;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const { declaration, partnerName, partnerId } = row;
  const [typed, setTyped] = useState<Typed>({});
  return (
    <Confirm
      title={`${nameWords(declaration)} of ${partnerName}`}
      action="State the value"
      consequence={[
        `It is ${valueWords(declaration, row.value, plan.currency)} now. The new value holds from its day on, until the next day that is stated.`,
        "Sales since that day are computed again: with a day in the past, the difference becomes due or is taken back in the next settlement.",
      ]}
      close={close}
      run={async (commands, fields) => {
        const { values, problem } = readValues([declaration], typed, plan.currency);
        if (problem !== null) throw new FormProblem(problem);
        if (Object.keys(values).length === 0) throw new FormProblem("Type the new value.");
        const since = text(fields, "since");
        return commands.commissionPlans.setPartnerParameters(plan.id, partnerId, {
          values,
          ...(since === "" ? {} : { effectiveDatetime: dayStart(since) }),
        });
      }}
      done={done}
    >
      <ValueFields
        declarations={[declaration]}
        currency={plan.currency}
        typed={typed}
        change={setTyped}
        emptyWords={() => null}
      />
      <Field label="From (optional)" hint="Midnight UTC; now if empty. It may lie ahead.">
        <input type="date" name="since" />
      </Field>
    </Confirm>
  );
};

const Withdraw = ({ plan, row, done }: { plan: Plan; row: Row & { since: string }; done: () => void }) => (
  <ActionButton
    words="Withdraw"
    title={`Withdraw a value of ${row.partnerName}`}
    danger
    consequence={[
      `${nameWords(row.declaration)} is ${valueWords(row.declaration, row.value, plan.currency)} no more from that day on: the value before it goes on.`,
      "Sales since that day are computed again.",
    ]}
    run={(commands) =>
      commands.commissionPlans.setPartnerParameters(plan.id, row.partnerId, {
        values: { [row.declaration.name]: null },
        effectiveDatetime: row.since,
      })
    }
    done={done}
  />
);

const SINCE_WORDS = { now: "", later: "ahead", past: "earlier" } as const;

/** A table of the values of the partners on a page; nothing for a plan without parameters. */
export const PartnerValues = ({
  plan,
  formulas,
  partners,
  mayWrite,
  done,
}: {
  readonly plan: Plan;
  readonly formulas: ReadonlyArray<Formula>;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly mayWrite: boolean;
  readonly done: () => void;
}) => {
  const [changing, setChanging] = useState<Row | null>(null);
  const rows = rowsOf(formulas, partners);
  const { currency } = plan;
  if (rows.length === 0) return null;
  const isDated = (row: Row): row is Row & { since: string } => row.since !== null;
  return (
    <>
      <h3>Values of the partners</h3>
      <Table
        caption="Values of the partners"
        rows={rows}
        rowKey={({ key }) => key}
        columns={[
          { name: "Partner", show: ({ partnerName }) => <Clip>{partnerName}</Clip> },
          { name: "Value of", show: ({ declaration }) => nameWords(declaration) },
          {
            name: "Value",
            isNumber: true,
            show: ({ declaration, value, isDefault }) => (
              <>
                {valueWords(declaration, value, currency)}
                {isDefault && <span class="note"> of the plan</span>}
              </>
            ),
          },
          {
            name: "Since",
            show: ({ since, state }) => (
              <>
                {since === null ? "the start" : <When at={since} />}
                {state !== "now" && <span class="note"> {SINCE_WORDS[state]}</span>}
              </>
            ),
          },
          ...(mayWrite
            ? [
                {
                  name: "Action",
                  show: (row: Row) => (
                    <div class="row">
                      {row.state === "now" && (
                        <button type="button" onClick={() => setChanging(row)}>
                          Change
                          <span class="visually-hidden">
                            {" "}
                            {nameWords(row.declaration)} of {row.partnerName}
                          </span>
                        </button>
                      )}
                      {isDated(row) && <Withdraw plan={plan} row={row} done={done} />}
                    </div>
                  ),
                },
              ]
            : []),
        ]}
      />
      {changing !== null && <Change plan={plan} row={changing} close={() => setChanging(null)} done={done} />}
    </>
  );
};
