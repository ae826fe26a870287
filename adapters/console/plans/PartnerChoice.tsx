/** Chooses partners of a workspace by their names. */
import { useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { Field } from "../parts/Basics.tsx";

/** Partners that are shown to choose from. */
const FOUND = 20;

/** The names of chosen partners, by id. */
export type Chosen = ReadonlyMap<string, string>;

export const PartnerChoice = ({
  workspaceId,
  chosen,
  change,
}: {
  readonly workspaceId: string;
  readonly chosen: Chosen;
  readonly change: (chosen: Chosen) => void;
}) => {
  const { client } = useSession();
  const [search, setSearch] = useState("");
  const found = useLoad(
    `choose/${workspaceId}/${search}`,
    async (signal) => {
      const query = { name: search, workspaceIds: [workspaceId], perPage: FOUND };
      return (await client.list("partners", query, signal)).items;
    },
    true,
  );
  const toggle = (id: string, name: string): void => {
    const next = new Map(chosen);
    if (!next.delete(id)) next.set(id, name);
    change(next);
  };
  return (
    <>
      <Field label="Search">
        <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </Field>
      <fieldset class="choices compact">
        <legend>Partners</legend>
        {(found.value ?? []).map(({ id, name }) => (
          <label key={id}>
            <input type="checkbox" checked={chosen.has(id)} onChange={() => toggle(id, name)} />
            <span>{name}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
};
