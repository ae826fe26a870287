/** The workspaces that a key can see: they have no list of their own, so that they are found by their records. */
import { useState } from "preact/hooks";
import { type Client, randomKey } from "../api/Client.ts";
import type { Principal } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { shortId } from "../format/Ids.ts";

export interface Workspace {
  readonly id: string;
  /** The names of its schemas and the end of its id, to distinguish it from others. */
  readonly words: string;
}

/** The workspaces of the key's grants, and of the first hundred schemas, partners and settlements. */
export const readWorkspaces = async (
  client: Client,
  { scopes, workspaceIds }: Principal,
  signal?: AbortSignal,
): Promise<ReadonlyArray<Workspace>> => {
  const [schemas, partners, settlements] = await Promise.all([
    scopes.includes("schemas:read") ? client.list("attributionSchemas", { perPage: 100 }, signal) : null,
    scopes.includes("partners:read") ? client.list("partners", { perPage: 100 }, signal) : null,
    scopes.includes("settlements:read") ? client.list("settlements", { perPage: 100 }, signal) : null,
  ]);
  const names = new Map<string, Array<string>>();
  for (const id of workspaceIds === "*" ? [] : workspaceIds) names.set(id, []);
  for (const { workspaceId } of [...(partners?.items ?? []), ...(settlements?.items ?? [])])
    if (!names.has(workspaceId)) names.set(workspaceId, []);
  for (const { workspaceId, name } of schemas?.items ?? [])
    names.set(workspaceId, [...(names.get(workspaceId) ?? []), name]);
  return [...names].map(([id, schemaNames]) => ({
    id,
    words: `${schemaNames.slice(0, 3).join(", ") || "Workspace"} ${shortId(id)}`,
  }));
};

/** A random id (UUID of version 4). */
const newId = (): string => randomKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");

/** The workspace of a new record: the one that is chosen, else the first one, and a new one where there is none. */
export const useWorkspace = () => {
  const { client, principal } = useSession();
  const [chosen, choose] = useState<string | null>(null);
  const [fresh] = useState(newId);
  const loaded = useLoad("workspaces", (signal) => readWorkspaces(client, principal, signal));
  const among = (workspaces: ReadonlyArray<Workspace>): string => chosen ?? workspaces[0]?.id ?? fresh;
  return {
    workspaces: loaded.value,
    choose,
    id: among(loaded.value ?? []),
    /** Its id once the workspaces are read: else a record that is sent before would be alone in a new one. */
    read: async (): Promise<string> => among(loaded.value ?? (await readWorkspaces(client, principal))),
  };
};
