/** Dialogs and side panels: the browser's own, with its focus rules and Escape. */

import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { InvalidError } from "quittance/client";
import type { Commands } from "../api/Client.ts";
import type { Progress } from "../api/Command.ts";
import { detailsOf, FieldProblem } from "../api/Refusal.ts";
import { useHold } from "../data/Route.ts";
import { t } from "../words/Language.ts";
import type { Submit } from "./Basics.tsx";
import { Outcome, Unanswered, useCommand } from "./Command.tsx";
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
      // A click next to a form would lose what was typed.
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
        // Leaving the choice of a file is a cancellation too: that of the field, not of the dialog.
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        close();
      }}
      onClose={({ currentTarget: dialog }) => {
        // A second Escape closes it without asking; what is still drawn is still open.
        if (!dialog.isConnected || dialog.open) return;
        dialog.showModal();
        close();
      }}
    >
      <div class="dialog-body">
        <div class="head">
          <h2 id={label}>{title}</h2>
          <button type="button" class="close" aria-label={t("Close")} onClick={close}>
            ×
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
};

/** What an action leads to: a list of sentences, or a paragraph of one. */
export const Consequences = ({
  sentences,
  id,
}: {
  readonly sentences: ReadonlyArray<string>;
  readonly id?: string;
}) =>
  sentences.length > 1 ? (
    <ul class="consequences" id={id}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  ) : (
    <p class="consequences" id={id}>
      {sentences}
    </p>
  );

/** The content of a dialog that asks for confirmation. */
export interface ConfirmProps<Result> {
  readonly title: string;
  /** What will happen, and what cannot be undone. */
  readonly consequence: ReadonlyArray<string>;
  /** The words of the button. */
  readonly action: string;
  /** True if something is given up; as a function of the fields where what is chosen in them decides. */
  readonly danger?: boolean | ((fields: FormData) => boolean);
  /** The one command. It may be sent again with the same fields, and has to be the same request then. */
  readonly run: (commands: Commands, fields: FormData) => Promise<Result>;
  /** What follows when it is done. */
  readonly done?: (result: Result) => void;
  readonly close: () => void;
  /** The fields; as a function they also show what the server says of each, by its path in the request. */
  readonly children?: ComponentChildren | ((problemOf: ProblemOf) => ComponentChildren);
}

/** What the server says of a field that it has refused; null where it says nothing. */
export type ProblemOf = (field: string) => string | null;

const problemsOf =
  (progress: Progress<unknown>): ProblemOf =>
  (field) => {
    if (progress.type !== "refused") return null;
    const { failure } = progress;
    if (failure instanceof FieldProblem) return failure.field === field ? failure.message : null;
    return failure instanceof InvalidError && failure.message.startsWith(`${field}:`)
      ? detailsOf(failure.message)
      : null;
  };

/**
 * Asks before an action: what will happen, then one button. Stays open with the reason when the server refuses, and while it is
 * not known whether the server has stored the command.
 */
export const Confirm = <Result,>({
  title,
  consequence,
  action,
  danger = false,
  run,
  done,
  close,
  children,
}: ConfirmProps<Result>) => {
  const description = useId();
  const { progress, start, ask } = useCommand<Result>();
  const finish = (result: Result): void => {
    close();
    done?.(result);
    announce(t("{title}: done.", { title }));
  };
  const latest = useRef(finish);
  latest.current = finish;
  const isFinished = progress.type === "done" && !progress.wasUnknown;
  useLayoutEffect(() => {
    if (progress.type === "done" && !progress.wasUnknown) latest.current(progress.result);
  }, [isFinished]);
  const submit: Submit = (event) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    start((commands) => run(commands, fields));
  };
  const form = useRef<HTMLFormElement>(null);
  const isTyped = useRef(false);
  const [asksToDiscard, setAsksToDiscard] = useState(false);
  const [isDanger, setDanger] = useState(danger === true);
  const isAsking = progress.type === "ready" || progress.type === "sending" || progress.type === "refused";
  /** Closes the form; asks once before what is typed in it is lost. Returns true if it asks. */
  const leave = (): boolean => {
    const asks = isTyped.current && isAsking && progress.type !== "sending" && !asksToDiscard;
    if (asks) setAsksToDiscard(true);
    else close();
    return asks;
  };
  useHold(leave);
  useEffect(() => {
    const ask = (event: Event): void => {
      if (isTyped.current) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  const isBack = progress.type === "refused" && progress.wasUnknown;
  useLayoutEffect(() => {
    if (isBack) form.current?.querySelector<HTMLElement>("button.back")?.focus();
  }, [isBack]);
  useLayoutEffect(() => {
    if (progress.type !== "refused") return;
    // A long form may be scrolled away from what was refused.
    const dialog = form.current?.closest("dialog");
    (dialog?.querySelector(".field.wrong") ?? dialog?.querySelector("[role=alert]"))?.scrollIntoView({
      block: "center",
    });
  }, [progress]);
  return (
    <Dialog
      title={title}
      close={progress.type === "done" ? () => finish(progress.result) : isAsking ? leave : close}
      description={description}
    >
      <Outcome progress={progress} />
      <form
        ref={form}
        onSubmit={submit}
        onInput={({ currentTarget }) => {
          isTyped.current = true;
          setAsksToDiscard(false);
          if (typeof danger === "function") setDanger(danger(new FormData(currentTarget)));
        }}
        hidden={!isAsking}
      >
        <Consequences id={description} sentences={consequence} />
        {typeof children === "function" ? children(problemsOf(progress)) : children}
        <div class="row end">
          {asksToDiscard && (
            <p class="notice wait" role="alert">
              {t("What you have typed is not sent, and is lost when you leave.")}
            </p>
          )}
          <button type="button" class="back" onClick={leave}>
            {asksToDiscard ? t("Discard it") : t("Go back")}
          </button>
          <button
            type="submit"
            class={isDanger ? "danger" : "primary"}
            aria-disabled={progress.type === "sending"}
          >
            {progress.type === "sending" ? t("Working…") : action}
          </button>
        </div>
      </form>
      <Unanswered progress={progress} ask={ask} close={close} finish={finish} />
    </Dialog>
  );
};
