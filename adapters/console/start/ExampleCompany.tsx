/** Opens the example company beside the empty installation, and says how far it is while it is filled. */
import { useEffect, useState } from "preact/hooks";
import { apiBase } from "../api/BrowserSession.ts";
import type { ExampleState } from "../api/Client.ts";
import { FormProblem } from "../api/Refusal.ts";
import { storeExampleKey, useSession } from "../api/Session.ts";
import { Failure } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";

/** How often is asked how far it is. */
const POLL_MILLISECONDS = 300;

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));

const enter = (key: string): void => {
  storeExampleKey(key);
  location.assign(new URL("example/console/", apiBase()).href);
};

/** Asks for it, and then how far it is, until it is ready or `isOver` is true. */
const openExample = async (
  ask: (method: "GET" | "POST") => Promise<ExampleState>,
  show: (state: ExampleState) => void,
  isOver: () => boolean,
): Promise<void> => {
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
  done < of ? `Writing its history: month ${done + 1} of ${of}` : "Drawing its documents";

export const ExampleCompany = () => {
  const { client } = useSession();
  const [isAsked, setAsked] = useState(false);
  const [state, setState] = useState<ExampleState | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  useEffect(() => {
    if (!isAsked) return;
    let isOver = false;
    announce("The example company is made. This takes some seconds.");
    openExample(client.example, setState, () => isOver)
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
  }, [isAsked, client]);
  return (
    <section class="panel">
      <h2>Look around first</h2>
      <p>
        An invented company with 40 partners, and 18 months of sales, settlements and payments. It is apart from
        your records, in the memory of the server, and gone when that stops.
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
                <progress max={state.of} value={state.done} aria-label="Months written" /> {words(state)}
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
