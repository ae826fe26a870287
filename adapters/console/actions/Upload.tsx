/** Uploading a document of a settlement: the form and the command. */

import { useState } from "preact/hooks";
import type { Commands } from "../api/Client.ts";
import type { Settlement } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { decimalsOf, money, unitsOf } from "../format/Money.ts";
import { Field } from "../parts/Basics.tsx";
import { optional, text } from "../parts/Forms.tsx";
import { t, translated } from "../words/Language.ts";
import type { PossibleAction } from "./Action.ts";

export type DocumentKind = "report" | "invoice" | "credit_note";

/** The tax of a form in the smallest unit; throws an error whose message explains what is wrong. */
const taxOf = (fields: FormData, currency: string): { readonly taxAmount?: number } => {
  const typed = text(fields, "tax");
  if (typed === "") return {};
  const taxAmount = unitsOf(typed, currency);
  if (taxAmount !== null) return { taxAmount };
  throw new FormProblem(
    t('"{typed}" is not an amount of {currency}: write digits, with at most {n} decimals.', {
      ...{ typed, currency, n: decimalsOf(currency) },
    }),
  );
};

/** Uploads the file of a form with the document's facts. */
const uploadTo = (
  commands: Commands,
  { id, currency }: Settlement,
  kind: DocumentKind,
  fields: FormData,
): Promise<unknown> => {
  const file = fields.get("file") as File;
  // The methods of the kinds differ in their types alone.
  const send: (id: string, kind: DocumentKind, input: object) => Promise<unknown> = commands.documents
    .upload as never;
  const facts = { ...optional(fields, "number", "date", "dueDate"), ...taxOf(fields, currency) };
  return send(id, kind, { fileName: file.name, bytes: file, ...facts });
};

/** The tax as a decimal amount, and what the document asks for with it. */
const TaxField = ({ currency, total }: Pick<Settlement, "currency" | "total">) => {
  const [typed, setTyped] = useState("");
  const tax = unitsOf(typed, currency);
  const net = Math.abs(total);
  return (
    <Field
      label={t("Tax in {currency} (optional)", { currency })}
      hint="As the document states it. It is added to the net total."
    >
      <input
        name="tax"
        inputMode="decimal"
        pattern="[0-9]+([.,][0-9]+)?"
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <output>
        {typed.trim() === ""
          ? t("{net} net, no tax stated", { net: money(net, currency) })
          : tax === null
            ? t("An amount of {currency} has digits and at most {n} decimals.", {
                ...{ currency, n: decimalsOf(currency) },
              })
            : t("{net} net and {tax} tax: {sum}", {
                ...{ net: money(net, currency), tax: money(tax, currency), sum: money(net + tax, currency) },
              })}
      </output>
    </Field>
  );
};

/** The fields for the facts of a partner's document. */
const DocumentFacts = ({ settlement }: { readonly settlement: Settlement }) => (
  <>
    <Field label="Date (optional)">
      <input name="date" type="date" />
    </Field>
    <Field label="Due date (optional)">
      <input name="dueDate" type="date" />
    </Field>
    <TaxField {...settlement} />
  </>
);

/** The action that uploads a kind of document. */
export const upload = (
  kind: DocumentKind,
  words: string,
  consequence: string,
  conditions: Pick<PossibleAction, "isMain" | "isPossible"> = {},
): PossibleAction => ({
  ...conditions,
  id: `upload-${kind}`,
  words,
  scope: "settlements:write",
  consequence: () => [
    translated(consequence),
    t("A PDF, PNG, JPEG or XML file of up to 10 MiB; it is stored as it is."),
  ],
  fields: ({ settlement }) => (
    <>
      <Field label="File">
        <input name="file" type="file" required />
      </Field>
      <Field label="Number (optional)" hint="As printed on the document.">
        <input name="number" maxLength={64} />
      </Field>
      {kind !== "report" && <DocumentFacts settlement={settlement} />}
    </>
  ),
  run: (commands, { settlement }, fields) => uploadTo(commands, settlement, kind, fields),
});
