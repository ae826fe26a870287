/** What every command of the command line loads before it runs, the help included: not the engine. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const DIST = new URL("../../dist", import.meta.url).pathname;
const STATIC_IMPORT = /(?:^|[;}\n])\s*(?:import|export)\s*(?:[\w*{}\s,$]+?from)?\s*"(\.{1,2}\/[^"]+)"/g;

/** A file of the bundle and every file that it loads at once. */
const loaded = (file: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, path = ""] of readFileSync(file, "utf8").matchAll(STATIC_IMPORT))
    loaded(join(dirname(file), path), found);
  return found;
};

/** The sources inside a file of the bundle. */
const sourcesOf = (file: string): ReadonlyArray<string> =>
  existsSync(`${file}.map`) ? JSON.parse(readFileSync(`${file}.map`, "utf8")).sources : [];

it("the command line starts without the engine, its schemas and streams", () => {
  const files = [...loaded(join(DIST, "adapters/server/main.js"))];
  const sources = files.flatMap(sourcesOf);
  expect(sources.some((source) => source.endsWith("adapters/server/commands/Import.ts"))).toBe(true);
  expect(sources.filter((source) => /effect\/src\/(Schema|Stream)\.ts$/.test(source))).toEqual([]);
  // The settings of `serve` are checked by currency and routing number, and its help has the types of files, the defaults of the worker, the durations that they are written in, and the shortest admin token.
  expect(
    sources
      .filter((source) => /^(\.\.\/)+src\//.test(source))
      .map((source) => source.replace(/^(\.\.\/)+/, ""))
      // In which chunk a module is, and so its place, follows from what other commands import.
      .sort(),
  ).toEqual([
    "src/domain/CurrencyCodes.ts",
    "src/domain/Durations.ts",
    "src/domain/FileType.ts",
    "src/domain/Iban.ts",
    "src/domain/Limits.ts",
    "src/ports/InnermostMessage.ts",
    "src/services/process/WorkerSettings.ts",
  ]);
  const size = files.reduce((sum, file) => sum + readFileSync(file).length, 0);
  expect(size).toBeLessThan(600_000);
});
