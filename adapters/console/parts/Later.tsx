/** A page whose scripts only its visitors load. */
import type { ComponentChildren } from "preact";
import { useLoad } from "../data/Load.ts";
import { LoadResult } from "./Basics.tsx";

export const Later = <Scripts,>({
  what,
  load,
  children,
}: {
  /** What is said while its scripts load. */
  readonly what: string;
  readonly load: () => Promise<Scripts>;
  readonly children: (scripts: Scripts) => ComponentChildren;
}) => (
  <LoadResult loaded={useLoad(what, load)} what={what}>
    {children}
  </LoadResult>
);
