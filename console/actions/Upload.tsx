/** Uploading a document of a settlement: the form and the command. */
import type { Commands } from "../api/Client.ts";
import type { Settlement } from "../api/Records.ts";
import { Field } from "../parts/Basics.tsx";
import { optional } from "../parts/Forms.tsx";
import type { Action } from "./Action.ts";

export type DocumentKind = "report" | "invoice" | "credit_note";

/** Uploads the file of a form with the document's facts. */
const uploadTo = (commands: Commands, id: string, kind: DocumentKind, fields: FormData): Promise<unknown> => {
  const file = fields.get("file") as File;
  // The methods of the kinds differ in their types alone.
  const send: (id: string, kind: DocumentKind, input: object) => Promise<unknown> = commands.documents
    .upload as never;
  const facts = optional(fields, "number", "date", "dueDate", "taxAmount");
  return send(id, kind, { fileName: file.name, bytes: file, ...facts });
};

/** The fields for the facts of a partner's document. */
const DocumentFacts = ({ currency }: Pick<Settlement, "currency">) => (
  <>
    <Field label="Date (optional)">
      <input name="date" type="date" />
    </Field>
    <Field label="Due date (optional)">
      <input name="dueDate" type="date" />
    </Field>
    <Field
      label={`Tax in ${currency} (optional)`}
      hint="In the smallest unit, cents for euros. It is added to the amount to pay."
    >
      <input name="taxAmount" inputMode="numeric" pattern="[0-9]*" />
    </Field>
  </>
);

/** The action that uploads a kind of document. */
export const upload = (kind: DocumentKind, words: string, consequence: string, isMain = false): Action => ({
  id: `upload-${kind}`,
  words,
  scope: "settlements:write",
  isMain,
  consequence: () => [consequence, "A PDF, PNG, JPEG or XML file of up to 10 MiB; it is stored as it is."],
  fields: ({ settlement }) => (
    <>
      <Field label="File">
        <input name="file" type="file" required />
      </Field>
      <Field label="Number (optional)" hint="As printed on the document.">
        <input name="number" maxLength={64} />
      </Field>
      {kind !== "report" && <DocumentFacts currency={settlement.currency} />}
    </>
  ),
  run: (commands, { settlement }, fields) => uploadTo(commands, settlement.id, kind, fields),
});
