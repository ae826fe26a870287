/** The buttons of a settlement. */

import { useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { Confirm } from "../parts/Dialog.tsx";
import { translated } from "../words/Language.ts";
import type { Action, Subject } from "./Action.ts";

/** The buttons of what the key allows of the possible actions. */
export const SettlementActions = ({
  possible,
  subject,
  done,
}: {
  readonly possible: ReadonlyArray<Action>;
  readonly subject: Subject;
  readonly done: () => void;
}) => {
  const { principal } = useSession();
  const [chosen, setChosen] = useState<Action | null>(null);
  const allowed = possible.filter(
    ({ scope }) => principal.scopes.includes(scope) && principal.kind !== "platform",
  );
  const missing =
    principal.kind === "partner"
      ? []
      : [...new Set(possible.filter((action) => !allowed.includes(action)).map(({ scope }) => scope))];
  return (
    <div class="actions">
      {allowed.map((action) => (
        <button
          key={action.id}
          type="button"
          class={action.isMain ? "primary" : action.danger === true ? "danger-quiet" : ""}
          onClick={() => setChosen(action)}
        >
          {translated(action.words)}
        </button>
      ))}
      {missing.length > 0 && (
        <p class="note">You may not do everything that is possible here: you lack {missing.join(" and ")}.</p>
      )}
      {chosen !== null && (
        // It stays open when the settlement moves on meanwhile: then the server says why it refuses.
        <Confirm
          title={translated(chosen.words)}
          consequence={chosen.consequence(subject)}
          action={translated(chosen.send ?? chosen.words)}
          danger={chosen.danger ?? false}
          close={() => setChosen(null)}
          run={(commands, fields) => chosen.run(commands, subject, fields)}
          done={done}
        >
          {(problemOf) => chosen.fields?.(subject, problemOf)}
        </Confirm>
      )}
    </div>
  );
};
