/** Chooses one or more partners of a workspace by their names. */
import { useId, useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { Field } from "./Basics.tsx";

/** Partners that are shown to choose from. */
const FOUND = 20;

/** The names of chosen partners, by id. */
export type Chosen = ReadonlyMap<string, string>;

export const PartnerChoice = ({
  workspaceId,
  chosen,
  except,
  legend = "Partners",
  isOne = false,
  change,
}: {
  readonly workspaceId: string;
  readonly chosen: Chosen;
  /** The partner that is not offered. */
  readonly except?: string;
  readonly legend?: string;
  /** True if one partner is chosen instead of several. */
  readonly isOne?: boolean;
  readonly change: (chosen: Chosen) => void;
}) => {
  const { client } = useSession();
  const group = useId();
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
    const next = isOne ? new Map<string, string>() : new Map(chosen);
    if (!next.delete(id)) next.set(id, name);
    change(next);
  };
  return (
    <>
      <Field label="Search">
        <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </Field>
      <fieldset class="choices compact">
        <legend>{legend}</legend>
        {(found.value ?? [])
          .filter(({ id }) => id !== except)
          .map(({ id, name }) => (
            <label key={id}>
              <input
                type={isOne ? "radio" : "checkbox"}
                name={group}
                checked={chosen.has(id)}
                onChange={() => toggle(id, name)}
              />
              <span>{name}</span>
            </label>
          ))}
      </fieldset>
    </>
  );
};
