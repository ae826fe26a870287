/** Shows and changes the policy of a workspace, and a partner's own terms. */
import { useState } from "preact/hooks";
import type { Commands } from "../api/Client.ts";
import type { OwnTerms, Terms } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { LoadResult, When } from "../parts/Basics.tsx";
import { ActionButton } from "../parts/Forms.tsx";
import { Proposals, TERM_FIELDS } from "./TermFields.tsx";
import { TERM_NAMES, TERM_WORDS, type TermName } from "./Terms.ts";

const MISSING = "You need a key with settlements:approve to change this.";

const APPLIES = "It applies to runs that start from now on. Existing drafts do not change.";

const readTerms = (fields: FormData, names: ReadonlyArray<TermName>): Partial<Terms> =>
  Object.fromEntries(names.map((name) => [name, TERM_FIELDS[name].read(fields)]));

const Change = ({
  workspaceId,
  terms,
  done,
}: {
  readonly workspaceId: string;
  readonly terms: Terms;
  readonly done: () => void;
}) => {
  return (
    <ActionButton
      words="Change the policy"
      title="Change how this workspace settles"
      consequence={[
        APPLIES,
        "Drafts that a run approves get their report and invoice, as after an approval by hand. A run never pays.",
      ]}
      run={async (commands, fields) =>
        commands.settlementPolicies.write(workspaceId, readTerms(fields, TERM_NAMES))
      }
      done={done}
    >
      {TERM_NAMES.map((name) => (
        <div key={name}>{TERM_FIELDS[name].field(terms)}</div>
      ))}
      <Proposals />
    </ActionButton>
  );
};

/** How a workspace settles, in sentences. */
export const WorkspacePolicy = ({ workspaceId }: { readonly workspaceId: string }) => {
  const { client } = useSession();
  const may = useMay();
  const loaded = useLoad(`policy/${workspaceId}`, (signal) =>
    client.remote.settlementPolicies.read(workspaceId, { signal }),
  );
  return (
    <section class="panel">
      <h2>How runs settle</h2>
      <LoadResult loaded={loaded} lines={5} what="Reading the policy">
        {(policy) => (
          <>
            <ul class="consequences">
              {TERM_NAMES.map((name) => (
                <li key={name}>{TERM_WORDS[name](policy)}</li>
              ))}
            </ul>
            {policy.nextRun !== null && (
              <p>
                The next run starts on <When at={policy.nextRun.at} exact />, and settles sales before that.
              </p>
            )}
            {may("settlements:approve") ? (
              <Change workspaceId={workspaceId} terms={policy} done={loaded.reload} />
            ) : (
              <p class="note">{MISSING}</p>
            )}
          </>
        )}
      </LoadResult>
    </section>
  );
};

/** One of the terms of a partner: as the workspace has it, or its own. */
const OwnTerm = ({
  name,
  terms,
  isOwn,
}: {
  readonly name: TermName;
  readonly terms: Terms;
  readonly isOwn: boolean;
}) => {
  const [has, setHas] = useState(isOwn);
  const { words, field } = TERM_FIELDS[name];
  return (
    <div class={`own-term${has ? " chosen" : ""}`}>
      <label class="check">
        <input
          type="checkbox"
          name={`own.${name}`}
          checked={has}
          onChange={(event) => setHas(event.currentTarget.checked)}
        />
        <span>
          <strong>{words}</strong>
          {has ? " for this partner:" : `, as in the workspace: ${TERM_WORDS[name](terms)}`}
        </span>
      </label>
      {has && field(terms)}
    </div>
  );
};

const isOwn = (ownTerms: OwnTerms, name: TermName): boolean => ownTerms[name] !== null;

/** Shows and changes a partner's own terms. */
export const PartnerPolicy = ({
  workspaceId,
  partnerId,
}: {
  readonly workspaceId: string;
  readonly partnerId: string;
}) => {
  const { client } = useSession();
  const may = useMay();
  const { settlementPolicies } = client.remote;
  const loaded = useLoad(`policy/${workspaceId}/${partnerId}`, (signal) =>
    settlementPolicies.readOverride(workspaceId, partnerId, { signal }),
  );
  const write = async (commands: Commands, fields: FormData) => {
    const names = TERM_NAMES.filter((name) => fields.has(`own.${name}`));
    return commands.settlementPolicies.writeOverride(workspaceId, partnerId, readTerms(fields, names));
  };
  return (
    <section class="panel">
      <h2>How runs settle this partner</h2>
      <LoadResult loaded={loaded} lines={3} what="Reading the policy">
        {(ownTerms) => {
          const terms = ownTerms.inForce;
          const names = TERM_NAMES.filter((name) => isOwn(ownTerms, name));
          return (
            <>
              {names.length === 0 ? (
                <p>
                  By the general <a href="#/runs">policy of settlement runs</a>; it has no terms of its own.
                </p>
              ) : (
                <>
                  <p>
                    By the general <a href="#/runs">policy of settlement runs</a>, but for its own terms:
                  </p>
                  <ul class="consequences">
                    {names.map((name) => (
                      <li key={name}>{TERM_WORDS[name](terms)}</li>
                    ))}
                  </ul>
                </>
              )}
              {may("settlements:approve") ? (
                <ActionButton
                  words="Change for this partner"
                  title="Change how runs settle this partner"
                  consequence={[
                    APPLIES,
                    "Fields that are not chosen follow the workspace, also when its policy changes.",
                  ]}
                  run={write}
                  done={loaded.reload}
                >
                  {TERM_NAMES.map((name) => (
                    <OwnTerm key={name} name={name} terms={terms} isOwn={isOwn(ownTerms, name)} />
                  ))}
                  <Proposals />
                </ActionButton>
              ) : (
                <p class="note">{MISSING}</p>
              )}
            </>
          );
        }}
      </LoadResult>
    </section>
  );
};
