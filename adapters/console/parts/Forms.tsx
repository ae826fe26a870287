/** Parts of forms that several actions share. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useHold } from "../data/Route.ts";
import { Field } from "./Basics.tsx";
import { Confirm, type ConfirmProps, Dialog } from "./Dialog.tsx";

/** The text of a field without the spaces around it; empty when there is none. */
export const text = (fields: FormData, name: string): string => String(fields.get(name) ?? "").trim();

/** The non-empty fields, by name. */
export const optional = (
  fields: FormData,
  ...names: ReadonlyArray<string>
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => [name, text(fields, name)] as const).filter(([, value]) => value !== ""),
  );

export const Note = () => (
  <Field label="Note (optional)">
    <input name="note" maxLength={1000} />
  </Field>
);

/** A field for a reason, which is required. */
export const Reason = ({ hint }: { readonly hint?: string }) => (
  <Field label="Reason" hint={hint}>
    <textarea name="reason" required maxLength={1000} rows={2} />
  </Field>
);

/** A choice of one of several options, each with its description. */
export const Choices = ({
  name,
  legend,
  value: chosen,
  options,
}: {
  readonly name: string;
  readonly legend: string;
  /** The one that is chosen at first; none by default. */
  readonly value?: string;
  readonly options: ReadonlyArray<{
    readonly value: string;
    readonly words: string;
    readonly meaning: string;
  }>;
}) => (
  <fieldset class="choices">
    <legend>{legend}</legend>
    {options.map(({ value, words, meaning }) => (
      <label key={value}>
        <input type="radio" name={name} value={value} defaultChecked={value === chosen} required />
        <span>
          <strong>{words}</strong> {meaning}
        </span>
      </label>
    ))}
  </fieldset>
);

/** A button that asks for confirmation and shows the consequences. */
export const ActionButton = <Result,>({
  words,
  action = words,
  isMain = false,
  children,
  ...confirm
}: Omit<ConfirmProps<Result>, "close" | "action"> & {
  readonly words: string;
  /** The words of the button in the dialog, where they differ. */
  readonly action?: string;
  readonly isMain?: boolean;
}) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class={isMain ? "primary" : confirm.danger === true ? "danger-quiet" : ""}
        onClick={() => setOpen(true)}
      >
        {words}
      </button>
      {isOpen && (
        <Confirm {...confirm} action={action} close={() => setOpen(false)}>
          {children}
        </Confirm>
      )}
    </>
  );
};

/** A new secret, which is shown only once. */
export const Secret = ({
  title,
  secret,
  close,
  children,
}: {
  readonly title: string;
  readonly secret: string;
  readonly close: () => void;
  /** What it is for, after the warning. */
  readonly children?: ComponentChildren;
}) => {
  const [isCopied, setCopied] = useState(false);
  const [isLeft, setLeft] = useState(false);
  /** Closes the dialog once the secret is copied. Returns true if it stays. */
  const leave = (): boolean => {
    if (isCopied) close();
    else setLeft(true);
    return !isCopied;
  };
  useHold(leave);
  return (
    <Dialog title={title} close={leave}>
      <p>Copy it now. It is not shown again, and nobody can look it up.</p>
      {children}
      <pre class="secret">{secret}</pre>
      {isLeft && (
        <p class="notice wait" role="alert">
          It is lost when you leave: copy it first, or say that you have stored it.
        </p>
      )}
      <div class="row end">
        <button
          type="button"
          class="primary"
          onClick={() => navigator.clipboard.writeText(secret).then(() => setCopied(true))}
        >
          {isCopied ? "Copied" : "Copy"}
        </button>
        <button type="button" onClick={close}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
};
