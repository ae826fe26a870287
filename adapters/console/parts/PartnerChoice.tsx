/** Chooses one or more partners of a workspace by their names. */
import { useId, useState } from "preact/hooks";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { count } from "../format/Money.ts";
import { Field } from "./Basics.tsx";

/** Partners that are shown to choose from. */
const FOUND = 20;

/** The names of chosen partners, by id. */
export type Chosen = ReadonlyMap<string, string>;

export const PartnerChoice = ({
  workspaceId,
  chosen,
  except,
  taken,
  legend = "Partners",
  isOne = false,
  change,
}: {
  readonly workspaceId: string;
  readonly chosen: Chosen;
  /** The partner that is not offered. */
  readonly except?: string;
  /** Those of the found partners that cannot be chosen, and the reason. */
  readonly taken?: {
    readonly words: string;
    readonly read: (ids: ReadonlyArray<string>, signal: AbortSignal) => Promise<ReadonlySet<string>>;
  };
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
      const { items, total } = await client.list("partners", query, signal);
      const ids = items.map(({ id }) => id);
      const takenIds = (await taken?.read(ids, signal)) ?? new Set();
      const partners = items
        .map(({ id, name }) => ({ id, name, isTaken: takenIds.has(id) }))
        .toSorted((a, b) => Number(a.isTaken) - Number(b.isTaken));
      return { partners, total };
    },
    true,
  );
  const toggle = (id: string, name: string): void => {
    const next = isOne ? new Map<string, string>() : new Map(chosen);
    if (!next.delete(id)) next.set(id, name);
    change(next);
  };
  const { partners, total } = found.value ?? { partners: [], total: 0 };
  const offered = partners.filter(({ id }) => id !== except);
  const others = offered.filter(({ id, isTaken }) => !isTaken && !chosen.has(id));
  return (
    <>
      <Field label="Search">
        <input type="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </Field>
      <fieldset class="choices compact">
        <legend>{legend}</legend>
        {offered.map(({ id, name, isTaken }) => (
          <label key={id}>
            <input
              type={isOne ? "radio" : "checkbox"}
              name={group}
              checked={chosen.has(id)}
              disabled={isTaken}
              onChange={() => toggle(id, name)}
            />
            <span>
              {name} {isTaken && <span class="under">{taken?.words}</span>}
            </span>
          </label>
        ))}
      </fieldset>
      {total > partners.length && (
        <p class="note">
          The first {partners.length} of {count(total)}: search for the others.
        </p>
      )}
      {!isOne && others.length > 1 && (
        <button
          type="button"
          class="link left"
          onClick={() => change(new Map([...chosen, ...others.map(({ id, name }) => [id, name] as const)]))}
        >
          Choose the {others.length} partners shown
        </button>
      )}
    </>
  );
};
