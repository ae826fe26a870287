/** A setting of the server: parsing, errors, `--help` and the reference page follow from it. */
import { Either } from "effect";
import type * as Value from "../Value.ts";

export interface Setting<A> {
  /** The environment variable. */
  readonly name: string;
  /** The command-line option, without its dashes; null for secrets, which a list of processes would show. */
  readonly option: string | null;
  /** The placeholder of the value in `--help`; `value` where absent. */
  readonly placeholder?: string;
  /** The text that is read where none is stated. */
  readonly fallback: string;
  /** One line for `--help`. */
  readonly meaning: string;
  /** The meaning on the reference page, as Markdown, where it is longer than {@link Setting.meaning}. */
  readonly details?: string;
  readonly kind: Value.Kind<A>;
}

/** A row of a table of settings. */
export const setting = <A>(definition: Setting<A>): Setting<A> => definition;

/** The values of a table of settings. */
export type Parsed<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer A> ? A : never;
};

/** Reads every setting of a table; returns the line that describes the problem with the first wrong one. */
export const parse = <Table extends Readonly<Record<string, Setting<unknown>>>>(
  table: Table,
  textOf: (setting: Setting<unknown>) => string,
): Value.Value<Parsed<Table>> => {
  const parsed: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(table)) {
    const value = one.kind.parse(one.name, textOf(one));
    if (Either.isLeft(value)) return Either.left(value.left);
    parsed[key] = value.right;
  }
  // Each value is of its own setting's kind.
  return Either.right(parsed as unknown as Parsed<Table>);
};
