/** The parameters of a draft: values that each partner has of its own. */
import { Field } from "../parts/Basics.tsx";
import { unitOf } from "../plans/Values.ts";
import { replaced, without } from "./Fields.tsx";
import { type DraftParameter, KINDS, kindOf, namesProblem, valueProblem } from "./Parameters.ts";

const FIRST: DraftParameter = {
  definition: { name: "rate", type: "number", format: "percent" },
  ...{ value: "10", isDefault: true, isStored: false },
};

/** A parameter with a name that no other has. */
const another = (parameters: ReadonlyArray<DraftParameter>): DraftParameter => {
  const names = new Set(parameters.map(({ definition }) => definition.name));
  const free = ["rate", "quota", "cap", "bonus"].find((name) => !names.has(name));
  const name = free ?? `value_${parameters.length + 1}`;
  return { ...FIRST, definition: { ...FIRST.definition, name } };
};

const Declaration = ({
  parameter,
  change,
}: {
  readonly parameter: DraftParameter;
  readonly change: (parameter: DraftParameter) => void;
}) => {
  const { definition } = parameter;
  return (
    <>
      <Field label="Name" hint={`Written plan.${definition.name}`}>
        <input
          value={definition.name}
          maxLength={64}
          autocomplete="off"
          onInput={(event) =>
            change({ ...parameter, definition: { ...definition, name: event.currentTarget.value.trim() } })
          }
        />
      </Field>
      <Field label="What it is">
        <select
          value={kindOf(definition)}
          onChange={(event) => {
            const [, declared] = KINDS[event.currentTarget.value] ?? [];
            if (declared !== undefined)
              change({ ...parameter, value: "", definition: { name: definition.name, ...declared } });
          }}
        >
          {Object.entries(KINDS).map(([kind, [words]]) => (
            <option key={kind} value={kind}>
              {words}
            </option>
          ))}
        </select>
      </Field>
    </>
  );
};

const ValueToTry = ({
  parameter,
  currency,
  change,
}: {
  readonly parameter: DraftParameter;
  readonly currency: string;
  readonly change: (parameter: DraftParameter) => void;
}) => {
  const { definition, value, isStored } = parameter;
  const unit = unitOf(definition, currency);
  const set = (text: string): void => change({ ...parameter, value: text });
  return (
    <Field
      problem={valueProblem(parameter, currency)}
      label={`${isStored ? `plan.${definition.name}` : "Value"}${unit === undefined ? "" : ` in ${unit}`}`}
    >
      {definition.type === "boolean" ? (
        <select value={value} onChange={(event) => set(event.currentTarget.value)}>
          <option value="" />
          <option value="yes">yes</option>
          <option value="no">no</option>
        </select>
      ) : definition.type === "date" ? (
        <input type="date" value={value} onInput={(event) => set(event.currentTarget.value)} />
      ) : (
        <input value={value} autocomplete="off" onInput={(event) => set(event.currentTarget.value)} />
      )}
    </Field>
  );
};

/** Adds, changes and removes parameters. Those that the plan has already keep their declaration. */
export const ParameterFields = ({
  parameters,
  currency,
  isNew,
  change,
}: {
  readonly parameters: ReadonlyArray<DraftParameter>;
  readonly currency: string;
  /** True for a draft that is no plan yet: a parameter of a plan needs a default. */
  readonly isNew: boolean;
  readonly change: (parameters: ReadonlyArray<DraftParameter>) => void;
}) => {
  const problem = namesProblem(parameters);
  const add = (
    <button type="button" class="link" onClick={() => change([...parameters, another(parameters)])}>
      Add a value that each partner has of its own
    </button>
  );
  return parameters.length === 0 ? (
    <p>{add}</p>
  ) : (
    <section class="part" aria-label="Values by partner">
      <div class="part-head">
        <strong>Values by partner</strong>
        {add}
      </div>
      {parameters.map((parameter, index) => {
        const set = (changed: DraftParameter): void => change(replaced(parameters, index, changed));
        const { name } = parameter.definition;
        return (
          <div key={index} class="entry-row">
            {!parameter.isStored && <Declaration parameter={parameter} change={set} />}
            <ValueToTry parameter={parameter} currency={currency} change={set} />
            {!parameter.isStored && (
              <>
                <label class="check">
                  <input
                    type="checkbox"
                    checked={parameter.isDefault}
                    disabled={!isNew}
                    onChange={(event) => set({ ...parameter, isDefault: event.currentTarget.checked })}
                  />{" "}
                  Default for partners without a value of their own
                </label>
                <button
                  type="button"
                  class="close"
                  aria-label={`Remove ${name}`}
                  onClick={() => change(without(parameters, index))}
                >
                  ×
                </button>
              </>
            )}
          </div>
        );
      })}
      {problem !== null && <p class="problem">{problem}</p>}
      <p class="note">
        Write plan.{parameters[0]?.definition.name} in place of a number. Amounts here are computed with these
        values; partners that have the plan keep their own.
      </p>
    </section>
  );
};
