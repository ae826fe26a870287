/** Sending a command from a dialog, and what the dialog shows while its outcome is unknown. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ConflictError } from "quittance/client";
import type { Commands } from "../api/Client.ts";
import { type Progress, sendUntilKnown } from "../api/Command.ts";
import { useSession } from "../api/Session.ts";
import { readAgain } from "../data/Load.ts";
import { t } from "../words/Language.ts";
import { Failure } from "./Basics.tsx";

/** A command that is being sent, and how to go on. */
export interface Sending<Result> {
  readonly progress: Progress<Result>;
  /** Sends a command under a new key. */
  readonly start: (send: (commands: Commands) => Promise<Result>) => void;
  /** Sends the same command again, under its key. */
  readonly ask: () => void;
}

interface Sent<Result> {
  readonly send: (commands: Commands) => Promise<Result>;
  readonly commands: Commands;
}

/** Sends one command at a time; it stops asking when the dialog is closed. */
export const useCommand = <Result,>(): Sending<Result> => {
  const { client } = useSession();
  const [progress, setProgress] = useState<Progress<Result>>({ type: "ready" });
  const sent = useRef<Sent<Result> | null>(null);
  const running = useRef(Promise.resolve());
  const control = useRef(new AbortController());
  const latest = useRef(progress);
  latest.current = progress;
  useEffect(
    () => () => {
      control.current.abort();
      // What is shown behind the dialog may have changed without an answer.
      const { type } = latest.current;
      if (type !== "ready" && type !== "done") void running.current.finally(readAgain);
    },
    [],
  );
  const run = (wasUnknown: boolean): void => {
    if (sent.current === null) return;
    const { send, commands } = sent.current;
    const { signal } = control.current;
    running.current = sendUntilKnown(send, commands, { wasUnknown, show: setProgress, signal });
  };
  return {
    progress,
    start: (send) => {
      if (progress.type !== "ready" && progress.type !== "refused") return;
      sent.current = { send, commands: client.commands() };
      run(false);
    },
    ask: () => {
      if (progress.type === "unknown" && !progress.isAsking) run(true);
    },
  };
};

/** True for what was done by a request whose response with a secret was lost: such a response is not repeated. */
const isLostSecret = (failure: unknown): boolean =>
  failure instanceof ConflictError && failure.token === "idempotency_key_reuse";

/** The message about a command; none before it is sent. */
export const Outcome = ({ progress }: { readonly progress: Progress<unknown> }) => {
  switch (progress.type) {
    case "ready":
    case "sending":
      return null;
    case "refused":
      return (
        <>
          {progress.wasUnknown && !isLostSecret(progress.failure) && (
            <p class="sentence">{t("The server has answered: this was not done.")}</p>
          )}
          <Failure failure={progress.failure} />
        </>
      );
    case "unknown":
      return (
        <div class="notice wait" role="alert">
          <strong>{t("It is not known whether this was done")}</strong>
          <p>
            {t(
              "The answer of the server was lost. The server may have stored what you sent. The same request is sent again, under the same key, so that nothing is done twice.",
            )}
          </p>
          <p>
            {progress.isAsking
              ? t("Asking the server…")
              : t(
                  "The server still does not answer. Ask again later, or close this and look at the page when the server can be reached.",
                )}
          </p>
        </div>
      );
    case "done":
      return progress.wasUnknown ? (
        <div class="notice done" role="alert">
          <strong>{t("It is done")}</strong>
          <p>
            {progress.wasStored === true
              ? t("The server had stored it before the answer was lost. Nothing was done twice.")
              : progress.wasStored === false
                ? t("The server had not stored it before. It has now, once.")
                : t("The server has answered. Nothing was done twice.")}
          </p>
        </div>
      ) : null;
  }
};

/** The buttons while the outcome of a command is not known, and after it has become known. */
export const Unanswered = <Result,>({
  progress,
  ask,
  close,
  finish,
}: Pick<Sending<Result>, "progress" | "ask"> & {
  readonly close: () => void;
  readonly finish: (result: Result) => void;
}) => {
  const buttons = useRef<HTMLDivElement>(null);
  // The button that had the focus is hidden now.
  useLayoutEffect(
    () => buttons.current?.querySelector<HTMLElement>("button.primary")?.focus(),
    [progress.type],
  );
  if (progress.type === "unknown")
    return (
      <div class="row end" ref={buttons}>
        <button type="button" onClick={close}>
          {t("Close")}
        </button>
        <button type="button" class="primary" aria-disabled={progress.isAsking} onClick={ask}>
          {progress.isAsking ? t("Asking…") : t("Ask again")}
        </button>
      </div>
    );
  return progress.type === "done" && progress.wasUnknown ? (
    <div class="row end" ref={buttons}>
      <button type="button" class="primary" onClick={() => finish(progress.result)}>
        {t("Continue")}
      </button>
    </div>
  ) : null;
};
