/** Entries of a record's append-only log, and the fold that computes the present state from a log. */
import { Schema } from "effect";
import { NAME } from "./Field.ts";
import type { Timestamp } from "./Timestamp.ts";

/** Who acts. */
export interface Actor {
  /** The id of the principal. */
  readonly actor: string;
  /** The person that the principal acts for; absent where it is the principal itself. */
  readonly person?: string;
}

/** The actor of an entry whose reader does not learn who has acted. */
export const NOBODY = "";

/** The person behind an actor. */
export const personOf = ({ actor, person }: Actor): string => person ?? actor;

/** An actor as events of control show it: who has changed policies, bank accounts and credentials. */
export interface ShownActor {
  readonly principal_id: string;
  readonly person: string;
}

/** The actor as events show it. */
export const shownActor = (by: Actor): ShownActor => ({ principal_id: by.actor, person: personOf(by) });

/** One entry: what happened, when, and the actor of the command, which is stored and not shown with every event. */
export interface Entry<Event> extends Actor {
  /** Never earlier than the entry before it. */
  readonly at: Timestamp;
  readonly event: Event;
}

/** The entry of an event. */
export const entryOf = <Event>({ actor, person }: Actor, at: Timestamp, event: Event): Entry<Event> =>
  person === undefined ? { at, actor, event } : { at, actor, person, event };

/**
 * Personal data was erased from earlier events of the record: from the feed alone, or also from the record and its log. The
 * data itself is nowhere any more.
 */
export interface ErasureEvent {
  readonly type: "erase_personal_data";
  readonly erased_from: "record" | "feed";
  /** The numbers of the events in the record's log. */
  readonly sequences: ReadonlyArray<number>;
}

const pascalCase = (name: string): string =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Creates members of a union with the discriminator `type`. The OpenAPI document names each after its type and the suffix. */
export const variant =
  (suffix: string) =>
  <Name extends string, Fields extends Schema.Struct.Fields>(type: Name, fields: Fields) =>
    Schema.Struct({ type: Schema.Literal(type), ...fields }).annotations({
      [NAME]: `${pascalCase(type)}${suffix}`,
    });

/** The events of a log as responses show them: without what is `stored` for the fold alone. */
export const event = variant("Event");

/** The members of a union of events. */
export interface Events<Type extends string> {
  readonly Type: { readonly type: Type };
  readonly members: ReadonlyArray<
    Schema.Schema.Any & {
      readonly fields: { readonly type: { readonly literals: readonly [string] } };
    }
  >;
}

/** A value for each type of event of a union, by its member. */
export const byType = <Type extends string, Value>(
  { members }: Events<Type>,
  valueFor: (member: Events<Type>["members"][number]) => Value,
): { readonly [Each in Type]: Value } =>
  Object.fromEntries(members.map((member) => [member.fields.type.literals[0], valueFor(member)])) as never;

/** Annotates a text of an event: whether erasing the data of a partner replaces it. */
export const PERSONAL: unique symbol = Symbol.for("quittance/domain/Personal");

/** A text that may name the partner, of whom it is erased. */
export const PersonalText = Schema.String.annotations({ [PERSONAL]: true });

/** A text that stays when the data of a partner is erased. */
export const KeptText = Schema.String.annotations({ [PERSONAL]: false });

/** An event with what the log stores of it and never shows. */
export type WithStored<Shown extends { readonly type: string }, Stored> = Shown extends unknown
  ? Shown["type"] extends keyof Stored
    ? Shown & Stored[Shown["type"]]
    : Shown
  : never;

/** A record's fold: `evolve` applied to each entry in order, beginning with nothing. */
export const fold = <State, Event>(
  evolve: (state: State | null, entry: Entry<Event>) => State,
  log: Iterable<Entry<Event>>,
): State | null => {
  let state: State | null = null;
  for (const entry of log) state = evolve(state, entry);
  return state;
};

/** The time of the next entry: the clock's, but never before the last entry's. */
export const nextAt = (clock: Timestamp, last: Timestamp | null): Timestamp =>
  last === null || clock > last ? clock : last;

/** The event as it is shown: without `stored`, which only the fold reads. */
export const withoutStored = <Event extends { readonly stored?: unknown }>(
  event: Event,
): WithoutStored<Event> => {
  const { stored: _, ...rest } = event;
  return rest as WithoutStored<Event>;
};

type WithoutStored<Event> = Event extends unknown ? Omit<Event, "stored"> : never;
