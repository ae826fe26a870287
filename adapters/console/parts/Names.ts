/** The names of people and keys, for those who may read them. */
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { type Names, namesOf } from "../words/People.ts";

const NAMELESS: Names = new Map();

/** The names of the newest sessions and keys; none for whoever may not list keys, and until they are read. */
export const useNames = (): Names => {
  const { client } = useSession();
  const mayRead = useMay()("keys:admin");
  const query = { uses: ["session", "program"], order: "desc", perPage: 100 };
  const loaded = useLoad(`names/${mayRead}`, async (signal) =>
    mayRead ? namesOf((await client.list("apiKeys", query, signal)).items) : NAMELESS,
  );
  return loaded.value ?? NAMELESS;
};
