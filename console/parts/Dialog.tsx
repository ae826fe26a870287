/** Dialogs and side panels: the browser's own, with its focus rules and Escape. */
import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Failure, type Submit } from "./Basics.tsx";
import { announce } from "./Focus.ts";

const FIRST = "form :is(input, select, textarea), button.back";

/** A dialog in the middle of the page, or a panel at its side. */
export const Dialog = ({
  title,
  close,
  side = false,
  description,
  children,
}: {
  readonly title: string;
  readonly close: () => void;
  readonly side?: boolean;
  /** The id of the element that is announced after the title. */
  readonly description?: string;
  readonly children: ComponentChildren;
}) => {
  const element = useRef<HTMLDialogElement>(null);
  const label = useId();
  const latest = useRef(close);
  latest.current = close;
  // A layout effect opens the dialog and stores the previous focus before the next key can move it.
  useLayoutEffect(() => {
    const dialog = element.current;
    const before = document.activeElement as HTMLElement | null;
    const closeOnOutsideClick = (event: MouseEvent): void => {
      // A click beside a form would lose what was typed.
      if (side && event.target === dialog) latest.current();
    };
    dialog?.showModal();
    // Focuses the first field, or else the button back, so that a second Enter by mistake does nothing.
    dialog?.querySelector<HTMLElement>(FIRST)?.focus();
    dialog?.addEventListener("click", closeOnOutsideClick);
    return () => {
      dialog?.close();
      if (before?.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={side ? "side" : "middle"}
      aria-labelledby={label}
      aria-describedby={description}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="dialog-body">
        <header>
          <h2 id={label}>{title}</h2>
          <button type="button" class="close" aria-label="Close" onClick={close}>
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
};

/** The content of a dialog that asks for confirmation. */
export interface ConfirmProps {
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly consequence: ReadonlyArray<string>;
  /** The words of the button. */
  readonly action: string;
  readonly danger?: boolean;
  readonly run: (fields: FormData) => Promise<unknown>;
  readonly close: () => void;
  readonly children?: ComponentChildren;
}

/** Asks before an action: what will happen, then one button. Stays open with the reason when the server refuses. */
export const Confirm = ({
  title,
  consequence,
  action,
  danger = false,
  run,
  close,
  children,
}: ConfirmProps) => {
  const description = useId();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const submit: Submit = async (event) => {
    event.preventDefault();
    if (isRunning) return;
    setRunning(true);
    setFailure(null);
    try {
      await run(new FormData(event.currentTarget as HTMLFormElement));
      close();
      announce(`${title}: done.`);
    } catch (problem) {
      setFailure(problem);
      setRunning(false);
    }
  };
  return (
    <Dialog title={title} close={close} description={description}>
      <form onSubmit={submit}>
        {failure !== null && <Failure failure={failure} />}
        <ul class="consequences" id={description}>
          {consequence.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        {children}
        <div class="row end">
          <button type="button" class="back" onClick={close}>
            Go back
          </button>
          <button type="submit" class={danger ? "danger" : "primary"} aria-disabled={isRunning}>
            {isRunning ? "Working…" : action}
          </button>
        </div>
      </form>
    </Dialog>
  );
};
