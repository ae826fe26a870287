/** Opens the example company beside the empty installation, and says how far it is while it is filled. */
import { useEffect, useState } from "preact/hooks";
import { QuittanceError } from "quittance/client";
import { apiBase, usesBrowserSession } from "../api/BrowserSession.ts";
import { fetchInSession, fetchReadable } from "../api/Readable.ts";
import { FormProblem } from "../api/Refusal.ts";
import { storedKey } from "../api/Session.ts";
import { Failure } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";

/** How far it is, as the server's own route reports it. */
type ExampleState =
  | { readonly type: "absent" }
  | { readonly type: "filling"; readonly done: number; readonly of: number }
  | { readonly type: "ready"; readonly key: string }
  | { readonly type: "failed"; readonly reason: string };

/** Reads how far it is, with `POST` after it is asked for. */
const ask = async (method: "GET" | "POST"): Promise<ExampleState> => {
  const send = usesBrowserSession() ? fetchInSession : fetchReadable;
  const headers = { authorization: `Bearer ${storedKey() ?? ""}` };
  const response = await send(`${apiBase()}example`, { method, headers }).catch((cause: unknown) => {
    throw new QuittanceError("INTERNAL_ERROR", 0, "There was no response", { cause });
  });
  const body = await response.json();
  if (response.ok) return body;
  const requestId = response.headers.get("x-request-id");
  throw new QuittanceError(body.error_code, response.status, body.message, { requestId });
};

/** How often is asked how far it is. */
const POLL_MILLISECONDS = 300;

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));

const enter = (key: string): void => {
  // As `storedName` has it for the pages there.
  sessionStorage.setItem("quittance.key.example", key);
  location.assign(new URL("example/console/", apiBase()).href);
};

/** Asks for it, and then how far it is, until it is ready or `isOver` is true. */
const openExample = async (show: (state: ExampleState) => void, isOver: () => boolean): Promise<void> => {
  let state = await ask("POST");
  while (state.type === "filling" && !isOver()) {
    show(state);
    await wait();
    state = await ask("GET");
  }
  if (isOver()) return;
  if (state.type === "ready") return enter(state.key);
  const why = state.type === "failed" ? `: ${state.reason}` : "";
  throw new FormProblem(`The example company could not be made${why}. Your own records are as before.`);
};

const words = ({ done, of }: { readonly done: number; readonly of: number }): string =>
  of === 0
    ? "Starting it"
    : done < of
      ? `Writing its history: month ${done + 1} of ${of}`
      : "Drawing its documents";

export const ExampleCompany = () => {
  const [isAsked, setAsked] = useState(false);
  const [state, setState] = useState<ExampleState | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!isAsked) return;
    let isOver = false;
    announce("The example company is made. This takes some seconds.");
    openExample(setState, () => isOver)
      .catch((problem: unknown) => {
        if (!isOver) setFailure(problem);
      })
      .finally(() => {
        if (isOver) return;
        setState(null);
        setAsked(false);
      });
    return () => {
      isOver = true;
    };
  }, [isAsked]);
  return (
    <section class="panel">
      <h2>Look around first</h2>
      <p>
        An invented company with 40 partners, and 18 months of sales, settlements and payments. It does not
        touch your records, and disappears when the server stops.
      </p>
      {failure !== null && <Failure failure={failure} />}
      <div class="row">
        <button
          type="button"
          aria-disabled={isAsked}
          onClick={() => {
            setFailure(null);
            setAsked(true);
          }}
        >
          Open the example company
        </button>
        {isAsked && (
          <span>
            {state?.type === "filling" ? (
              <>
                <progress max={Math.max(1, state.of)} value={state.done} aria-label="Months written" />{" "}
                {words(state)}
              </>
            ) : (
              "Asking the server"
            )}
            …
          </span>
        )}
      </div>
    </section>
  );
};
