/** The fields of a payout account, by its type. */
import { useState } from "preact/hooks";
import type { ProposePayoutAccount } from "quittance/client";
import { FormProblem, sentence } from "../api/Refusal.ts";
import { Field } from "../parts/Basics.tsx";
import { text } from "../parts/Forms.tsx";
import { ACCOUNT_TYPES } from "../words/AccountWords.ts";

type Type = ProposePayoutAccount["type"];

/** The fields of each type, with their hints. */
const DETAILS: { readonly [Of in Exclude<Type, "custom">]: Readonly<Record<string, string>> } = {
  iban: { iban: "", bic: "Optional.", holder: "", holder_type: "Optional." },
  us_ach: {
    ...{ routing_number: "Nine digits.", account_number: "", account_type: "" },
    ...{ holder: "", holder_type: "Optional." },
  },
  uk: { sort_code: "Six digits.", account_number: "Eight digits.", holder: "", holder_type: "Optional." },
  email: { address: "", service: "Who holds the account, such as PayPal." },
};

/** The values of a detail that has few. */
const CHOICES: Readonly<Record<string, ReadonlyArray<string>>> = {
  account_type: ["checking", "savings"],
  holder_type: ["", "company", "person"],
};

const labelOf = (name: string): string =>
  name.length < 5 ? name.toUpperCase() : sentence(name.replace("_", " ")).slice(0, -1);

/** A detail without the spaces and hyphens with which people group a number. */
const written = (name: string, given: string): string =>
  /number|code|iban|bic/.test(name) ? given.replace(/[\s-]/g, "") : given;

/** The account that the form states; throws with the words of what is missing. */
export const accountOf = (fields: FormData): ProposePayoutAccount => {
  const type = text(fields, "type") as Type;
  const currency = text(fields, "currency").toUpperCase();
  const details =
    type === "custom"
      ? customOf(fields)
      : Object.keys(DETAILS[type])
          .map((name) => [name, written(name, text(fields, name))] as const)
          .filter(([, value]) => value !== "");
  return { type, details: Object.fromEntries(details), ...(currency === "" ? {} : { currency }) };
};

const customOf = (fields: FormData): ReadonlyArray<readonly [string, string]> => {
  const values = fields.getAll("value").map(String);
  const named = fields
    .getAll("name")
    .map((name, index) => [String(name).trim(), (values[index] ?? "").trim()] as const)
    .filter(([name, value]) => name !== "" || value !== "");
  if (named.some(([name, value]) => name === "" || value === ""))
    throw new FormProblem("Each field needs a name and a value.");
  if (new Set(named.map(([name]) => name)).size < named.length)
    throw new FormProblem("Two fields have the same name.");
  return named;
};

const CustomFields = ({ problem }: { readonly problem: string | null }) => {
  const [count, setCount] = useState(1);
  return (
    <fieldset class="choices">
      <legend>Fields that your own payment service knows</legend>
      {problem !== null && <p class="problem">{problem}</p>}
      {Array.from({ length: count }, (_, index) => (
        <div class="row fields" key={index}>
          <Field label="Name">
            <input name="name" autocomplete="off" required={index === 0} />
          </Field>
          <Field label="Value">
            <input name="value" autocomplete="off" required={index === 0} />
          </Field>
        </div>
      ))}
      <button type="button" class="link left" onClick={() => setCount(count + 1)}>
        Add a field
      </button>
    </fieldset>
  );
};

/** One field for each detail of the chosen type; `problemOf` is what the server says of one. */
export const AccountFields = ({ problemOf }: { readonly problemOf: (field: string) => string | null }) => {
  const [type, setType] = useState<Type>("iban");
  return (
    <>
      <Field label="Type">
        <select name="type" value={type} onChange={(event) => setType(event.currentTarget.value as Type)}>
          {Object.entries(ACCOUNT_TYPES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </Field>
      {type === "custom" ? (
        <CustomFields problem={problemOf("details")} />
      ) : (
        Object.entries(DETAILS[type]).map(([name, hint]) => {
          const problem = problemOf(`details.${name}`);
          const field = { name, required: hint !== "Optional.", "aria-invalid": problem !== null };
          return (
            <Field key={type + name} label={labelOf(name)} hint={hint || undefined} problem={problem}>
              {CHOICES[name] ? (
                <select {...field}>
                  {CHOICES[name].map((value) => (
                    <option key={value} value={value}>
                      {value === "" ? "Not stated" : sentence(value).slice(0, -1)}
                    </option>
                  ))}
                </select>
              ) : (
                <input {...field} autocomplete="off" maxLength={255} />
              )}
            </Field>
          );
        })
      )}
      <Field
        label="Currency (optional)"
        hint="Without one: every currency that has no account of its own."
        problem={problemOf("currency")}
      >
        <input
          name="currency"
          autocomplete="off"
          maxLength={3}
          aria-invalid={problemOf("currency") !== null}
        />
      </Field>
    </>
  );
};
