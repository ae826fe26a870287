/** Asks which of several schemas sales have; nothing where there is one. */
import type { Schema } from "../api/Records.ts";
import { Field } from "../parts/Basics.tsx";

export const SchemaChoice = ({
  schemas,
  value,
  change,
}: {
  readonly schemas: ReadonlyArray<Schema>;
  readonly value: string;
  readonly change: (id: string) => void;
}) =>
  schemas.length < 2 ? null : (
    <Field label="What was sold">
      <select value={value} onChange={(event) => change(event.currentTarget.value)}>
        {schemas.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </Field>
  );
