/** The log of a record in words, the newest event first. */
import type { ComponentChildren } from "preact";
import type { LogEntry } from "../api/Records.ts";
import { eventWords } from "../format/Words.ts";
import { When } from "./Basics.tsx";

export const Timeline = ({
  events,
  currency,
  document,
}: {
  readonly events: ReadonlyArray<LogEntry>;
  readonly currency: string;
  /** The document that an event made, if it made one. */
  readonly document?: (entry: LogEntry) => ComponentChildren;
}) => (
  <ol class="timeline">
    {events
      .map((entry, index) => ({ entry, index }))
      .reverse()
      .map(({ entry, index }) => (
        <li key={index}>
          <span class="words">{eventWords(entry, currency)}</span>
          {document?.(entry)}
          <span class="when">
            <When at={entry.datetime} exact />
          </span>
        </li>
      ))}
  </ol>
);
