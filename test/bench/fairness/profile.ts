/** Which functions ran while the event loop was blocked, from a CPU profile. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Stall } from "./serving.ts";

interface Profile {
  readonly nodes: ReadonlyArray<{
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: ReadonlyArray<number>;
  }>;
  readonly startTime: number;
  readonly samples: ReadonlyArray<number>;
  readonly timeDeltas: ReadonlyArray<number>;
}

const FRAMES = 7;

/** The call stack of a sample, the innermost function first, without functions of Effect. */
const stacksOf = ({ nodes }: Profile): ((id: number) => string) => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  return (id) => {
    const frames: Array<string> = [];
    for (let at: number | undefined = id; at !== undefined && frames.length < FRAMES; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame === undefined || frame.url.includes("/node_modules/effect/")) continue;
      frames.push(
        `${frame.functionName || "(anonymous)"} ${frame.url.split("/").slice(-2).join("/")}:${frame.lineNumber + 1}`,
      );
    }
    return frames.join(" < ");
  };
};

/** Milliseconds within stalls by call stack, the longest first. */
export const report = (folder: string, stalls: ReadonlyArray<Stall>, most = 25): ReadonlyArray<string> => {
  const [file] = readdirSync(folder).filter((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) return ["there is no profile"];
  const profile = JSON.parse(readFileSync(join(folder, file), "utf8")) as Profile;
  const stackOf = stacksOf(profile);
  const spent = new Map<string, number>();
  let at = profile.startTime;
  let next = 0;
  for (const [index, id] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0;
    at += delta;
    while (next < stalls.length && (stalls[next]?.to ?? 0) < at) next += 1;
    const stall = stalls[next];
    if (stall === undefined || at < stall.from) continue;
    const stack = stackOf(id);
    spent.set(stack, (spent.get(stack) ?? 0) + delta / 1_000);
  }
  return [...spent]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, most)
    .map(([stack, milliseconds]) => `${milliseconds.toFixed(0).padStart(7)} ms  ${stack}`);
};
