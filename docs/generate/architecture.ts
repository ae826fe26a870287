/** Prints docs/architecture.md: the text of its template, and the graph of who imports whom, measured from the code. */
import { readFileSync } from "node:fs";
import { cruise, type ICruiseOptions, type IModule } from "dependency-cruiser";
import configuration from "../../.dependency-cruiser.mjs";

/** The path of the page. */
export const file = "docs/architecture.md";

/** The room of a file: a folder of the core or an adapter; none for build scripts. */
const roomOf = (path: string): string | null => {
  const [top, second = "", third] = path.split("/");
  if (top === "src") return third === undefined ? "src (index)" : `src/${second}`;
  return top === "adapters" && second !== "build" ? `adapters/${second}` : null;
};

const graphOf = (modules: ReadonlyArray<IModule>): ReadonlyMap<string, ReadonlySet<string>> => {
  const graph = new Map<string, Set<string>>();
  for (const { source, dependencies } of modules) {
    const from = roomOf(source);
    if (from === null) continue;
    const targets = graph.get(from) ?? new Set<string>();
    graph.set(from, targets);
    for (const { resolved } of dependencies) {
      const to = roomOf(resolved);
      if (to !== null && to !== from) targets.add(to);
    }
  }
  return graph;
};

/** True if one room leads to another over at least one room between them. */
const leadsAround = (graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean => {
  const seen = new Set<string>();
  const waiting = [...(graph.get(from) ?? [])].filter((room) => room !== to);
  for (let room = waiting.pop(); room !== undefined; room = waiting.pop()) {
    if (room === to) return true;
    if (seen.has(room)) continue;
    seen.add(room);
    waiting.push(...(graph.get(room) ?? []));
  }
  return false;
};

const mermaid = (graph: ReadonlyMap<string, ReadonlySet<string>>): string => {
  const rooms = [
    ...new Set([...graph.keys(), ...[...graph.values()].flatMap((targets) => [...targets])]),
  ].sort();
  const id = (room: string): string => `r${rooms.indexOf(room)}`;
  return [
    "flowchart TD",
    ...rooms.map((room) => `  ${id(room)}["${room}"]`),
    ...rooms.flatMap((from) =>
      [...(graph.get(from) ?? [])]
        .filter((to) => !leadsAround(graph, from, to))
        .sort()
        .map((to) => `  ${id(from)} --> ${id(to)}`),
    ),
  ].join("\n");
};

/** Every module of the core, the adapters and the console, as the dependency rule sees them. */
const modules = async (): Promise<ReadonlyArray<IModule>> => {
  const { output } = await cruise(["src", "adapters"], configuration.options as ICruiseOptions);
  if (typeof output === "string") throw new Error("the dependency graph came out as text");
  return output.modules;
};

/** The whole page. */
export const print = async (): Promise<string> =>
  readFileSync(new URL("architecture.md", import.meta.url), "utf8").replace(
    "<!-- graph -->",
    `\`\`\`mermaid\n${mermaid(graphOf(await modules()))}\n\`\`\``,
  );
