/**
 * Rules of a pure decider as sentences: given events, when a command is decided, then events or a refusal. A rule that does not
 * hold throws {@link RuleBroken}, so the kit works in every test runner.
 */
import { Either } from "effect";
import { type Entry, fold } from "../domain/Event.ts";
import { sameJson } from "../domain/Json.ts";
import type { Refusal } from "../domain/Refusal.ts";
import { formatValue } from "./Law.ts";

/** A rule does not hold; the message shows what was expected and what was found. */
export class RuleBroken extends Error {
  override readonly name = "RuleBroken";
}

/** A decider: how a command is decided in a state, and how an event changes a state. A state is null before the first event. */
export interface Decider<State, Command, Event, Outcome extends { readonly events: ReadonlyArray<Event> }> {
  readonly decide: (state: State | null, command: Command) => Either.Either<Outcome, Refusal>;
  readonly evolve: (state: State | null, entry: Entry<Event>) => State;
}

/** The actor of the events that a rule is given without one. */
export const ACTOR = "somebody";

const expectSame = (what: string, found: unknown, expected: unknown): void => {
  if (!sameJson(found, expected)) {
    throw new RuleBroken(`${what}: expected ${formatValue(expected)}, found ${formatValue(found)}`);
  }
};

const expectFields = (what: string, found: unknown, expected: object): void => {
  for (const [name, value] of Object.entries(expected)) {
    expectSame(`${what}.${name}`, (found as Record<string, unknown> | null)?.[name], value);
  }
};

const codeOf = (refusal: Refusal): string => (refusal._tag === "Conflict" ? refusal.token : refusal._tag);

/** The result of a decider; each method checks one statement and returns the same outcome for the next. */
export class Decided<State, Event, Outcome extends { readonly events: ReadonlyArray<Event> }> {
  readonly #result: Either.Either<Outcome, Refusal>;
  readonly #stateAfter: (events: ReadonlyArray<Event>) => State | null;

  constructor(
    result: Either.Either<Outcome, Refusal>,
    stateAfter: (events: ReadonlyArray<Event>) => State | null,
  ) {
    this.#result = result;
    this.#stateAfter = stateAfter;
  }

  /** What the decider returned. Throws when it refused the command. */
  get outcome(): Outcome {
    if (Either.isLeft(this.#result)) throw new RuleBroken(`refused: ${this.#result.left.message}`);
    return this.#result.right;
  }

  /** The command leads to exactly these events; to none, when none is named. */
  then(...events: ReadonlyArray<Event>): this {
    expectSame("events", this.outcome.events, events);
    return this;
  }

  /** The outcome has these fields in addition to its events. */
  thenOutcome(fields: Partial<Outcome>): this {
    expectFields("outcome", this.outcome, fields);
    return this;
  }

  /** The state after the events has these fields. */
  thenState(fields: Partial<State>): this {
    expectFields("state", this.#stateAfter(this.outcome.events), fields);
    return this;
  }

  /** The command is refused with a conflict's token, or with `Invalid` or `Forbidden`; the message is the whole one. */
  thenRefused(code: string, message?: string): void {
    if (Either.isRight(this.#result))
      throw new RuleBroken(`expected ${code}, found ${formatValue(this.outcome)}`);
    expectSame("refusal", codeOf(this.#result.left), code);
    if (message !== undefined) expectSame("message", this.#result.left.message, message);
  }
}

/** The state that the given events lead to, and the commands that may follow. */
export interface Given<State, Command, Event, Outcome extends { readonly events: ReadonlyArray<Event> }> {
  readonly state: State | null;
  /** Decides a command in the state. */
  readonly when: (command: Command) => Decided<State, Event, Outcome>;
  /** The state has these fields. */
  readonly thenState: (fields: Partial<State>) => void;
}

/**
 * The entry point of the kit: `given(...events)` for one decider. An event without an entry of its own happens one
 * millisecond after the one before, the first at 0, by {@link ACTOR}.
 */
export const specify =
  <
    State,
    Command,
    Event extends { readonly type: string },
    Outcome extends { readonly events: ReadonlyArray<Event> },
  >(
    decider: Decider<State, Command, Event, Outcome>,
  ) =>
  (...history: ReadonlyArray<Event | Entry<Event>>): Given<State, Command, Event, Outcome> => {
    const entry = (fact: Event | Entry<Event>, index: number): Entry<Event> =>
      "event" in fact ? fact : { at: index, actor: ACTOR, event: fact };
    const log = history.map(entry);
    const state = fold(decider.evolve, log);
    const stateAfter = (events: ReadonlyArray<Event>) =>
      fold(decider.evolve, [...log, ...events.map((event, index) => entry(event, log.length + index))]);
    return {
      state,
      when: (command) => new Decided(decider.decide(state, command), stateAfter),
      thenState: (fields) => expectFields("state", state, fields),
    };
  };
