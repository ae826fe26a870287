/** Entries of logs as statements return them. */
import { Event } from "quittance";

/** The members of the JSON object of an event `e`; its stored part is beside it. */
export const ENTRY = "'at', e.at, 'actor', e.actor, 'person', e.person, 'event', e.event";

/** An event `e` as lists show it: the JSON of its entry, without the stored part. */
export const SHOWN_ENTRY = `case when e.person is null
    then json_build_object('at', e.at, 'actor', e.actor, 'event', e.event) else json_build_object(${ENTRY}) end`;

/** A row of an event. */
export interface LogRow {
  readonly at: number | string;
  readonly actor: string;
  /** Null where the actor is all that is known. */
  readonly person: string | null;
  readonly event: object;
  /** Null for an event without a stored part. */
  readonly stored: unknown;
}

/** The entry as the port returns it: the stored part of an event is a field of it. */
export const entryFrom = <Of>({ at, actor, person, event, stored }: LogRow): Event.Entry<Of> =>
  Event.entryOf(
    person === null ? { actor } : { actor, person },
    Number(at),
    // The log of a kind has events of that kind.
    (stored === null ? event : Object.assign(event, { stored })) as Of,
  );
