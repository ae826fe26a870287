/** The form that records a sale of one partner. */
import { useState } from "preact/hooks";
import { apiBase } from "../api/BrowserSession.ts";
import type { Schema } from "../api/Records.ts";
import { FormProblem } from "../api/Refusal.ts";
import { go, linkTo } from "../data/Route.ts";
import { utcDay } from "../format/Dates.ts";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { type Chosen, PartnerChoice } from "../parts/PartnerChoice.tsx";
import { readChange, SaleFields, type TypedSale } from "./SaleFields.tsx";
import { SchemaChoice } from "./SchemaChoice.tsx";

/** Records a sale of one of the schemas, and opens its page, which shows what it earns. */
export const RecordSale = ({
  title,
  schemas,
  close,
}: {
  readonly title: string;
  readonly schemas: ReadonlyArray<Schema>;
  readonly close: () => void;
}) => {
  const [schemaId, setSchemaId] = useState(schemas[0]?.id ?? "");
  const [chosen, setChosen] = useState<Chosen>(new Map());
  const [order, setOrder] = useState("");
  const [typed, setTyped] = useState<TypedSale>({ values: {}, date: utcDay(Date.now()) });
  const schema = schemas.find(({ id }) => id === schemaId);
  if (schema === undefined) return null;
  const { workspaceId, properties: definitions } = schema;
  const nothing = { properties: {}, occurredOn: utcDay(Date.now()), occurredAt: new Date().toISOString() };
  const { change, problems } = readChange(nothing, definitions, typed);
  const [partnerId = ""] = chosen.keys();
  const properties = change.properties ?? {};
  const reference = order.trim();
  const body = JSON.stringify({
    ...{ workspace_id: workspaceId, schema_id: schemaId, partner_id: partnerId },
    ...(reference === "" ? {} : { external_reference: reference }),
    properties,
  });
  return (
    <Confirm
      title={title}
      action="Record the sale"
      consequence={["The partner earns by its plan. A sale can be corrected or cancelled at any time."]}
      close={close}
      run={async (commands) => {
        if (partnerId === "") throw new FormProblem("Choose the partner.");
        if (problems.size > 0) throw new FormProblem("Correct the marked fields first.");
        return commands.attributions.create({
          ...{ workspaceId, schemaId, partnerId },
          ...(reference === "" ? {} : { externalReference: reference }),
          ...change,
          properties,
        });
      }}
      done={({ id }) => go(linkTo(`sales/${id}`))}
    >
      {(problemOf) => (
        <>
          <SchemaChoice
            schemas={schemas}
            value={schemaId}
            change={(id) => {
              setSchemaId(id);
              setChosen(new Map());
            }}
          />
          <PartnerChoice
            workspaceId={workspaceId}
            chosen={chosen}
            legend="Partner"
            isOne
            change={setChosen}
          />
          <Field
            label="Order number (optional)"
            hint="The same number is never recorded twice."
            problem={problemOf("external_reference")}
          >
            <input
              value={order}
              maxLength={255}
              autocomplete="off"
              onInput={(event) => setOrder(event.currentTarget.value)}
            />
          </Field>
          <SaleFields {...{ definitions, typed, problems }} change={setTyped} />
          <details>
            <summary>The request of your shop</summary>
            <pre class="secret">{`curl ${apiBase()}api/v1/attributions -H "Authorization: Bearer $KEY" -H "Content-Type: application/json" -d '${body}'`}</pre>
          </details>
        </>
      )}
    </Confirm>
  );
};
