/** The statements of an SQL text. */

/** Quoted texts and comments, which may contain semicolons, or any other character but a semicolon. */
const STATEMENT = /(?:\$(\w*)\$[\s\S]*?\$\1\$|'[^']*'|"[^"]*"|--[^\n]*|[^;])+/g;

/** The statements of a text without block comments and escape strings, each without its semicolon. */
export const statementsOf = (text: string): ReadonlyArray<string> =>
  (text.match(STATEMENT) ?? []).filter((part) => part.replace(/--[^\n]*/g, "").trim() !== "");
