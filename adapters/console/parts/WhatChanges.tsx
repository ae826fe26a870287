/** What the server says of a request before it is sent. */
import type { ComponentChildren } from "preact";
import { useLoad, useSettled } from "../data/Load.ts";
import { Failure } from "./Basics.tsx";

/** A pause in typing after which the server is asked, in milliseconds. */
const PAUSE = 300;

/** Asks what a request would change, and again a moment after each change of it. */
export const WhatChanges = <Request extends object, Found>({
  about,
  request,
  ask,
  working,
  title = "What this changes",
  failed,
  children,
}: {
  /** The id of the record that the request changes. */
  readonly about: string;
  readonly request: Request;
  readonly ask: (about: string, request: Request, signal: AbortSignal) => Promise<Found>;
  /** What is shown until the server has answered. */
  readonly working: string;
  readonly title?: string;
  /** The sentence above a failure. */
  readonly failed?: string;
  readonly children: (found: Found) => ComponentChildren;
}) => {
  const latest = JSON.stringify(request);
  const key = useSettled(latest, PAUSE);
  const { value, failure, reload } = useLoad(`changes/${about}/${key}`, (signal) =>
    ask(about, JSON.parse(key), signal),
  );
  return (
    <section class="prospect" aria-live="polite" aria-label={title}>
      <h3>{title}</h3>
      {key !== latest || (value === null && failure === null) ? (
        <p class="note">{working}</p>
      ) : (
        <>
          {failure !== null && failed !== undefined && <p>{failed}</p>}
          {failure !== null && <Failure failure={failure} retry={reload} />}
          {value !== null && children(value)}
        </>
      )}
    </section>
  );
};
