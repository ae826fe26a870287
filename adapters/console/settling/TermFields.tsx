/** The form fields for the terms of a settlement policy. */
import { useState } from "preact/hooks";
import { formatUnits } from "quittance/formula";
import type { AmountByCurrency, Terms } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { decimalsOf, unitsOf } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { Choices, text } from "../parts/Forms.tsx";
import type { TermName } from "./Terms.ts";

/** Amounts by currency: one row for each, and an empty row. */
const Amounts = ({
  name,
  legend,
  hint,
  amounts,
}: {
  readonly name: string;
  readonly legend: string;
  readonly hint: string;
  readonly amounts: AmountByCurrency;
}) => {
  const [rows, setRows] = useState(() => [...Object.entries(amounts), ["", 0] as const]);
  return (
    <fieldset class="amounts">
      <legend>{legend}</legend>
      <p class="hint">{hint}</p>
      {rows.map(([currency, amount], index) => (
        <div class="row" key={index}>
          <input
            aria-label={`Currency ${index + 1}`}
            name={`${name}.currency`}
            list="currencies"
            pattern="[A-Za-z]{3}"
            maxLength={3}
            placeholder="EUR"
            defaultValue={currency}
          />
          <input
            aria-label={`Amount ${index + 1}`}
            name={`${name}.amount`}
            inputMode="decimal"
            pattern="[0-9]+([.,][0-9]+)?"
            placeholder="0.00"
            defaultValue={currency === "" ? "" : formatUnits(amount, decimalsOf(currency))}
          />
        </div>
      ))}
      <button type="button" class="link left" onClick={() => setRows([...rows, ["", 0]])}>
        Another currency
      </button>
    </fieldset>
  );
};

/** The amounts of a form; throws an error whose message explains what is wrong. */
const amountsOf = (fields: FormData, name: string): AmountByCurrency => {
  const texts = fields.getAll(`${name}.amount`).map(String);
  const amounts: Record<string, number> = {};
  for (const [index, one] of fields.getAll(`${name}.currency`).entries()) {
    const currency = String(one).trim().toUpperCase();
    const typed = texts[index]?.trim() ?? "";
    if (currency === "" && typed === "") continue;
    const units = unitsOf(typed, currency);
    if (currency === "" || units === null)
      throw new FormProblem(
        `"${currency} ${typed}" is not an amount: write a currency such as EUR, and an amount with at most ${decimalsOf(currency)} decimals.`,
      );
    amounts[currency] = units;
  }
  return amounts;
};

const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

const DAYS: Readonly<Record<string, string>> = {
  weekly: "Day of the week: 1 is Monday, 7 is Sunday.",
  monthly: "Day of the month. 29 to 31 mean the last day of shorter months.",
  quarterly: "Day of the first month of the quarter.",
};

const CadenceField = ({ cadence }: { readonly cadence: Terms["cadence"] }) => {
  const [type, setType] = useState(cadence === "manual" ? "manual" : cadence.type);
  const scheduled = cadence === "manual" ? { day: 1, timeZone: ownZone() } : cadence;
  return (
    <>
      <Field label="Runs start">
        <select
          name="cadence"
          value={type}
          onChange={(event) => setType(event.currentTarget.value as typeof type)}
        >
          <option value="manual">by hand</option>
          <option value="weekly">every week</option>
          <option value="monthly">every month</option>
          <option value="quarterly">every quarter</option>
        </select>
      </Field>
      {type !== "manual" && (
        <div class="row fields">
          <Field label="Day" hint={DAYS[type]}>
            <input
              name="day"
              type="number"
              min={1}
              max={type === "weekly" ? 7 : 31}
              required
              defaultValue={scheduled.day}
            />
          </Field>
          <Field label="Time zone" hint="In which the day begins.">
            <input name="timeZone" list="time-zones" required defaultValue={scheduled.timeZone} />
          </Field>
        </div>
      )}
    </>
  );
};

const cadenceOf = (fields: FormData): Terms["cadence"] => {
  const type = text(fields, "cadence");
  if (type === "weekly" || type === "monthly" || type === "quarterly")
    return { type, day: Number(text(fields, "day")), timeZone: text(fields, "timeZone") };
  return "manual";
};

const AutoApprove = ({ autoApprove }: { readonly autoApprove: Terms["autoApprove"] }) => (
  <Amounts
    name="autoApprove"
    legend="The run approves drafts up to"
    hint="Approval creates the report and the invoice. Without an amount every draft is approved by hand."
    amounts={autoApprove === "never" ? {} : autoApprove}
  />
);

const Negative = ({ negative }: { readonly negative: Terms["negative"] }) => (
  <Choices
    name="negative"
    legend="What a partner owes"
    value={negative}
    options={[
      { value: "review", words: "Create a draft.", meaning: "After its approval a person decides on it." },
      {
        value: "carry_forward",
        words: "Create no draft.",
        meaning: "It is netted with later sales until more is due than owed.",
      },
    ]}
  />
);

interface TermField<Value> {
  readonly words: string;
  readonly field: (terms: Terms) => preact.JSX.Element;
  readonly read: (fields: FormData) => Value;
}

/** A term whose value is amounts by currency. */
const amountsTerm = (
  name: "minimum" | "fourEyesAbove",
  words: string,
  asks: { readonly legend: string; readonly hint: string },
): TermField<AmountByCurrency> => ({
  words,
  field: (terms) => <Amounts {...asks} name={name} amounts={terms[name]} />,
  read: (fields) => amountsOf(fields, name),
});

/** The field of each of the terms, and how its value is read from the form. */
export const TERM_FIELDS: { readonly [Name in TermName]: TermField<Terms[Name]> } = {
  cadence: {
    words: "When runs start",
    field: ({ cadence }) => <CadenceField cadence={cadence} />,
    read: cadenceOf,
  },
  holdDays: {
    words: "How long sales wait",
    field: ({ holdDays }) => (
      <Field label="Days that a sale waits" hint="Long enough for returns. Corrections do not wait.">
        <input name="holdDays" type="number" min={0} required defaultValue={holdDays} />
      </Field>
    ),
    read: (fields) => Number(text(fields, "holdDays")),
  },
  minimum: amountsTerm("minimum", "The minimum", {
    legend: "Minimum of a draft",
    hint: "Smaller amounts wait until more is due. A currency that is not named has no minimum.",
  }),
  autoApprove: {
    words: "What runs approve",
    field: ({ autoApprove }) => <AutoApprove autoApprove={autoApprove} />,
    read: (fields) => {
      const amounts = amountsOf(fields, "autoApprove");
      return Object.keys(amounts).length === 0 ? "never" : amounts;
    },
  },
  fourEyesAbove: amountsTerm("fourEyesAbove", "Where two people are needed", {
    legend: "Two people above",
    hint: "Above this amount, the creator of a draft may not approve it, and neither may the run.",
  }),
  negative: {
    words: "What a partner owes",
    field: ({ negative }) => <Negative negative={negative} />,
    read: (fields) => text(fields, "negative") as Terms["negative"],
  },
  invoiceTaxBps: {
    words: "Tax on invoices that partners write",
    field: ({ invoiceTaxBps }) => (
      <Field
        label="Tax on invoices that partners write, in per cent"
        hint="An approver has to accept another tax. Without a rate, every tax."
      >
        <input
          name="invoiceTax"
          inputMode="decimal"
          pattern="[0-9]{1,3}([.,][0-9]{1,2})?"
          defaultValue={invoiceTaxBps === "unknown" ? "" : String(invoiceTaxBps / 100)}
        />
      </Field>
    ),
    read: (fields) => {
      const typed = text(fields, "invoiceTax").replace(",", ".");
      return typed === "" ? "unknown" : Math.round(Number(typed) * 100);
    },
  },
  requireAcceptance: {
    words: "Acceptance of plans",
    field: ({ requireAcceptance }) => (
      <label class="check">
        <input type="checkbox" name="requireAcceptance" defaultChecked={requireAcceptance} />
        <span>Partners have to accept the terms of their plan before runs settle</span>
      </label>
    ),
    read: (fields) => fields.has("requireAcceptance"),
  },
};

/** The proposals of the fields; one of them in a form. */
export const Proposals = () => (
  <>
    <datalist id="currencies">
      {["EUR", "USD", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "JPY"].map((code) => (
        <option key={code} value={code} />
      ))}
    </datalist>
    <datalist id="time-zones">
      {Intl.supportedValuesOf("timeZone").map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  </>
);
