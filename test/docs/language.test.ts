/** Phrases that have to be read twice, and the plain ones in their place: in code, comments, messages, tests and pages. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;

/** A phrase that is not written, what is written instead, and a sentence that has the phrase. */
const PHRASES: ReadonlyArray<readonly [phrase: RegExp, instead: string, example: string]> = [
  [/\bWhat of\b/, "name the part: the fields, the problem, the part", "What of a record is shown"],
  [/\bwhat of (it|them)\b/, "the part of it", "the amount, and what of it is due"],
  [/\b[Hh]andles (them|those)\b/, "The handlers of …", "Handles them by their service."],
  [/\b(is|are|was|were) told\b/, "receives, is sent, sees", "the partner is told"],
  [/\btells? (of|about|nobody)\b/, "reports, states", "It tells of a failure"],
  [/\bhand(s|ed)? in\b/, "upload", "A document is handed in."],
  [/\bknows? of\b/, "has, stores, sees", "The engine knows of it."],
  [/\bgives? way\b/, "is evicted", "the value kept longest gives way"],
  [/\bmakes up for\b/, "compensates", "It makes up for it."],
  [/\blies over\b/, "falls back to, wraps", "it lies over another verifier"],
  [/^\s*(?:\/\*\*|\*) Whether\b/, "True if …", "/** Whether it holds. */"],
  [/\bof the one before\b/, "name it", "the total is that of the one before"],
  [/\b(on|by) the wall\b|\bwall clock\b/, "system clock, elapsed time", "time on the wall"],
  [/\bbehind \w+ backs?\b/, "in the background", "behind their backs"],
  [/\b(isO|o|O)vertaken\b/, "CommitConflict", "isOvertaken"],
  [
    /\b(COURTESY_|OF_THE_ORDER|OF_NO_PARTNER|MEASURE_KEPT|GIVE_BACK|CONCLUDE|GAP_TEXT|DRAWN_UP)/,
    "a noun for the value",
    "GIVE_BACK",
  ],
  [
    /\b(aggregandText|soldAs|insist|OTHERWISE)\b/,
    "aggregatedText, schemaName, failUnless, DEFAULT_…",
    "insist(ok)",
  ],
];

const FOLDERS = ["src", "adapters", "test", "docs", "examples"];

/** Steps of the schema that are released, this list, and the client's types, whose comments are the descriptions of fields. */
const EXEMPT = [
  "adapters/sql/migrations/step1.ts",
  "adapters/client/Contract.ts",
  "test/docs/language.test.ts",
];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|tsx|mts|mjs|md)$/.test(path) && !path.includes("node_modules"))
    .map((path) => `${folder}/${path}`),
).filter((path) => !EXEMPT.includes(path));

it.each(PHRASES)("%s is not written: %s", (phrase, _instead, example) => {
  expect(example).toMatch(phrase);
  expect(files.length).toBeGreaterThan(1_000);
  const found = files.flatMap((path) =>
    readFileSync(join(ROOT, path), "utf8")
      .split("\n")
      .flatMap((line, index) => (phrase.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual([]);
});
