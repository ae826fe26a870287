/** The fields of a payout account, by its type. */
import { useState } from "preact/hooks";
import type { ProposePayoutAccount } from "quittance/client";
import { FormProblem } from "../api/Refusal.ts";
import { hasIbanCheckDigits } from "../format/Iban.ts";
import { Field } from "../parts/Basics.tsx";
import { text } from "../parts/Forms.tsx";
import { ACCOUNT_TYPES } from "../words/AccountWords.ts";
import { type Text, t, translated } from "../words/Language.ts";

type Type = ProposePayoutAccount["type"];

/** The fields of each type, with their hints. */
const DETAILS: { readonly [Of in Exclude<Type, "custom">]: Readonly<Record<string, Text | "">> } = {
  iban: { iban: "", bic: "Optional.", holder: "", holder_type: "Optional." },
  us_ach: {
    ...{ routing_number: "Nine digits.", account_number: "", account_type: "" },
    ...{ holder: "", holder_type: "Optional." },
  },
  uk: { sort_code: "Six digits.", account_number: "Eight digits.", holder: "", holder_type: "Optional." },
  email: { address: "", service: "Who holds the account, such as PayPal." },
};

/** What the details are called. */
const LABELS: Readonly<Record<string, Text>> = {
  iban: "IBAN",
  bic: "BIC",
  holder: "Account holder",
  holder_type: "Holder type",
  routing_number: "Routing number",
  account_number: "Account number",
  account_type: "Account type",
  sort_code: "Sort code",
  address: "Address",
  service: "Service",
};

/** The values of a detail that has few, in words. */
const CHOICES: Readonly<Record<string, ReadonlyArray<readonly [value: string, words: Text]>>> = {
  account_type: [
    ["checking", "Checking"],
    ["savings", "Savings"],
  ],
  holder_type: [
    ["", "Not stated"],
    ["company", "Company"],
    ["person", "Person"],
  ],
};

/** What the server says of the fields of an account. */
const SAID: ReadonlySet<string> = new Set([
  "Is missing.",
  "Is not valid: its form or its check digits are wrong.",
  "Must be an e-mail address.",
  "Must be nine digits with a valid check digit.",
  "Must have 1 to 17 digits or letters.",
  "Must have eight digits.",
  "Must have six digits.",
  "The BIC does not have the form of a BIC.",
] satisfies ReadonlyArray<Text>);

/** The kinds that the portal offers: what a custom account needs, the company knows. */
const OWN_TYPES = ["iban", "us_ach", "uk", "email"] as const satisfies ReadonlyArray<Type>;

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

/** A detail of an account; an IBAN is checked as soon as it is typed. */
const Detail = ({
  name,
  hint,
  said,
}: {
  readonly name: string;
  readonly hint: Text | "";
  /** What the server says of it. */
  readonly said: string | null;
}) => {
  const [left, setLeft] = useState("");
  const isWrong = name === "iban" && left.trim() !== "" && !hasIbanCheckDigits(left);
  const problem = isWrong
    ? t("The check digits do not fit: compare every digit.")
    : said !== null && SAID.has(said)
      ? t(said as Text)
      : said;
  const field = { name, required: hint !== "Optional.", "aria-invalid": problem !== null };
  const choices = CHOICES[name];
  return (
    <Field label={LABELS[name] ?? name} hint={hint || undefined} problem={problem}>
      {choices ? (
        <select {...field}>
          {choices.map(([value, words]) => (
            <option key={value} value={value}>
              {t(words)}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...field}
          autocomplete="off"
          maxLength={255}
          onChange={(event) => setLeft(event.currentTarget.value)}
          onInput={(event) => isWrong && setLeft(event.currentTarget.value)}
        />
      )}
    </Field>
  );
};

/**
 * One field for each detail of the chosen type; `problemOf` is what the server says of one. A partner states fewer for an account
 * of its own.
 */
export const AccountFields = ({
  problemOf,
  isOwn = false,
}: {
  readonly problemOf: (field: string) => string | null;
  readonly isOwn?: boolean;
}) => {
  const [type, setType] = useState<Type>("iban");
  const types = isOwn ? OWN_TYPES : (Object.keys(ACCOUNT_TYPES) as ReadonlyArray<Type>);
  return (
    <>
      <Field label="Type">
        <select name="type" value={type} onChange={(event) => setType(event.currentTarget.value as Type)}>
          {types.map((value) => (
            <option key={value} value={value}>
              {translated(ACCOUNT_TYPES[value])}
            </option>
          ))}
        </select>
      </Field>
      {type === "custom" ? (
        <CustomFields problem={problemOf("details")} />
      ) : (
        Object.entries(DETAILS[type])
          .filter(([name]) => !isOwn || name !== "holder_type")
          .map(([name, hint]) => (
            <Detail key={type + name} name={name} hint={hint} said={problemOf(`details.${name}`)} />
          ))
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
