/** The forms of the first steps. */
import { useState } from "preact/hooks";
import type { CreateAttributionSchema } from "quittance/client";
import { Input } from "../partners/PartnerFields.tsx";
import { Field } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { optional, text } from "../parts/Forms.tsx";
import { useWorkspace } from "../settling/Workspaces.ts";

interface FormProps {
  readonly close: () => void;
  readonly done: () => void;
}

type Stated = CreateAttributionSchema["properties"][number];

/** The kinds of a property, each with what a request states of it. */
const KINDS: ReadonlyArray<readonly [words: string, stated: object]> = [
  ["Money, such as 19.99", { type: "number", format: "money_major" }],
  ["Money in cents, such as 1999", { type: "number", format: "money_minor" }],
  ["Number", { type: "number" }],
  ["Text", { type: "string" }],
  ["Yes or no", { type: "boolean" }],
];

export const Properties = (props: FormProps) => {
  const workspace = useWorkspace();
  const [count, setCount] = useState(1);
  return (
    <Confirm
      {...props}
      title="What a sale has"
      action="Save the properties"
      consequence={["What is recorded of each sale. Plans compute from it."]}
      run={async (commands, fields) => {
        const kinds = fields.getAll("kind").map(Number);
        const isRequired = fields.getAll("required");
        const properties = fields.getAll("property").flatMap((name, index) => {
          const named = String(name).trim();
          const required = isRequired.includes(String(index));
          return named === "" ? [] : [{ name: named, required, ...KINDS[kinds[index] ?? 0]?.[1] } as Stated];
        });
        return commands.attributionSchemas.create({
          ...{ workspaceId: await workspace.read(), name: text(fields, "name"), properties },
        });
      }}
    >
      {(problemOf) => (
        <>
          <Input label="What you sell" name="name" required value="Order" path="name" problemOf={problemOf} />
          {problemOf("properties") !== null && <p class="problem">{problemOf("properties")}</p>}
          {Array.from({ length: count }, (_, index) => (
            <fieldset class="values" key={index}>
              <legend class="visually-hidden">Property {index + 1}</legend>
              <div class="row fields">
                <Input
                  label="Property"
                  name="property"
                  required={index === 0}
                  value={index === 0 ? "order_value" : ""}
                  path={`properties.${index}.name`}
                  problemOf={problemOf}
                />
                <Field label="Kind">
                  <select name="kind">
                    {KINDS.map(([words], kind) => (
                      <option key={words} value={kind}>
                        {words}
                      </option>
                    ))}
                  </select>
                </Field>
              </div>
              <label class="check">
                <input type="checkbox" name="required" value={index} defaultChecked={index === 0} />
                Every sale has it
              </label>
            </fieldset>
          ))}
          <button type="button" class="link left" onClick={() => setCount(count + 1)}>
            Add a property
          </button>
        </>
      )}
    </Confirm>
  );
};

export const WorkspaceName = ({ id, ...props }: FormProps & { readonly id: string }) => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Confirm
      {...props}
      title="Name and time zone"
      action="Save name and time zone"
      consequence={["Sales from now on count for their day in this zone. What is recorded keeps its day."]}
      run={(commands, fields) => commands.workspaces.write(id, optional(fields, "name", "timeZone"))}
    >
      {(problemOf) => (
        <>
          <Input label="Name of the workspace" name="name" required path="name" problemOf={problemOf} />
          <Field label="Time zone" problem={problemOf("time_zone")}>
            <select name="timeZone">
              {[...new Set([zone, "UTC", ...Intl.supportedValuesOf("timeZone")])].map((name) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
        </>
      )}
    </Confirm>
  );
};
