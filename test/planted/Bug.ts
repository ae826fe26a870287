/** A planted bug: a mistake someone could make, and the finding that must betray it. */

/** One edit of a source file; `find` occurs there exactly once. */
export interface Edit {
  /** From the root of the project. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** One bug. */
export interface Bug {
  readonly name: string;
  readonly edits: ReadonlyArray<Edit>;
  /**
   * What must come upon it: random commands one after another, concurrent ones, the same in another order, a given few
   * at once, all over the store in memory; or a harness on PostgreSQL.
   */
  readonly by: "commands" | "concurrent" | "permutations" | "meeting" | "settling" | "postgres";
  /**
   * The invariant that must be among the findings; `model` stands for an answer, a state or an event that it foretold
   * otherwise. On PostgreSQL the check that is run: `rollups`, `locks`, `walls`, or a part of the name of a law of the
   * storage contract.
   */
  readonly caughtBy: string;
}

/** A bug of one edit. */
export const bug = (
  name: string,
  caughtBy: string,
  file: string,
  find: string,
  replace: string,
  by: Bug["by"] = "commands",
): Bug => ({ name, edits: [{ file, find, replace }], by, caughtBy });
