/** The log of a record in words, the newest event first. */

import type { ComponentChildren } from "preact";
import type { LogEntry } from "../api/Records.ts";
import { eventWords } from "../words/EventWords.ts";
import { t } from "../words/Language.ts";
import { type Names, whoWords } from "../words/People.ts";
import { useWords } from "../words/Reader.ts";
import { When } from "./Basics.tsx";

export const Timeline = ({
  events,
  currency,
  documentOf,
  names,
}: {
  readonly events: ReadonlyArray<LogEntry>;
  readonly currency: string;
  /** The link to the document that an event has created; null if it has created none. */
  readonly documentOf?: (entry: LogEntry) => ComponentChildren;
  /** The names of those who have acted; without them nobody is named. */
  readonly names?: Names;
}) => {
  const words = useWords();
  return (
    <ol class="timeline">
      {events
        .map((entry, index) => ({ entry, index }))
        .reverse()
        .map(({ entry, index }) => (
          <li key={index}>
            <span class="words">{eventWords(words.events, entry.event, currency)}</span>
            {documentOf?.(entry)}
            <span class="when">
              {names !== undefined && "person" in entry && entry.person !== undefined
                ? `${t("By {who}", { who: whoWords(entry.person, names) })}, `
                : ""}
              <When at={entry.datetime} exact />
            </span>
          </li>
        ))}
    </ol>
  );
};
