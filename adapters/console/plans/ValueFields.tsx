/** Fields for the values of parameters. */
import { Field } from "../parts/Basics.tsx";
import { type Declaration, nameWords, type Typed, unitOf, valueWords } from "./Values.ts";

const hintOf = (declaration: Declaration, currency: string, empty: string | null): string | undefined => {
  const unit = unitOf(declaration, currency);
  const parts = [...(unit === undefined ? [] : [`In ${unit}.`]), ...(empty === null ? [] : [empty])];
  return parts.length === 0 ? undefined : parts.join(" ");
};

const Input = ({
  type,
  value,
  set,
}: {
  readonly type: Declaration["type"];
  readonly value: string;
  readonly set: (text: string) => void;
}) =>
  type === "date" ? (
    <input type="date" value={value} onInput={(event) => set(event.currentTarget.value)} />
  ) : (
    <input
      inputMode={type === "number" ? "decimal" : "text"}
      autocomplete="off"
      value={value}
      onInput={(event) => set(event.currentTarget.value)}
    />
  );

/** One field for each parameter. */
export const ValueFields = ({
  declarations,
  currency,
  typed,
  change,
  emptyWords = (declaration) =>
    declaration.default === undefined
      ? "Every partner needs one."
      : `${valueWords(declaration, declaration.default, currency)} if empty.`,
}: {
  readonly declarations: ReadonlyArray<Declaration>;
  readonly currency: string;
  readonly typed: Typed;
  readonly change: (typed: Typed) => void;
  /** What an empty field means; null needs no words. */
  readonly emptyWords?: (declaration: Declaration) => string | null;
}) => (
  <>
    {declarations.map((declaration) => {
      const { name, type } = declaration;
      const value = typed[name] ?? "";
      const set = (text: string): void => change({ ...typed, [name]: text });
      return (
        <Field
          key={name}
          label={nameWords(declaration)}
          hint={hintOf(declaration, currency, emptyWords(declaration))}
        >
          {type === "boolean" ? (
            <select value={value} onChange={(event) => set(event.currentTarget.value)}>
              <option value="" />
              <option value="yes">yes</option>
              <option value="no">no</option>
            </select>
          ) : (
            <Input type={type} value={value} set={set} />
          )}
        </Field>
      );
    })}
  </>
);
