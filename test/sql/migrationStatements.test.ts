/** The statements of a migration, which a distributed database gets one at a time. */
import { loadModule, parseSync } from "libpg-query";
import { describe, expect, it } from "vitest";
import { STEPS } from "../../adapters/sql/migrations/Migrations.ts";
import { statementsOf } from "../../adapters/sql/migrations/statements.ts";
import { commit } from "../../adapters/sql/writing/functions/commit.ts";

await loadModule();

const count = (text: string): number =>
  (parseSync(text) as { readonly stmts: ReadonlyArray<unknown> }).stmts.length;

describe("the statements of a text", () => {
  it.each([...STEPS, commit])("are those that PostgreSQL finds", (text) => {
    const found = statementsOf(text);
    expect(found.map(count)).toEqual(found.map(() => 1));
    expect(found.length).toBe(count(text));
  });

  it("may contain semicolons in quotes and comments", () => {
    const text = `-- first; it's a comment
      select ';', "a;b" from t; do $body$ begin null; end $body$; -- last;
      select $$;'$$`;
    expect(statementsOf(text).map((part) => part.trim().split("\n").at(-1)?.trim())).toEqual([
      `select ';', "a;b" from t`,
      "do $body$ begin null; end $body$",
      "select $$;'$$",
    ]);
  });
});
