import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const FOLDER = new URL("../../src/domain/", import.meta.url);

/** The TypeScript files of a folder and those inside it. */
const filesIn = (folder: URL): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));

/** True if a module has functions, and not types and constants alone, whose tests would repeat them. */
const hasFunctions = (file: string): boolean => {
  const code = readFileSync(new URL(file, FOLDER), "utf8").replaceAll(/\/\*.*?\*\/|\/\/[^\n]*/gs, "");
  return /^export (const|class|function)/m.test(code) && /=>|\bfunction\b/.test(code);
};

it("every module of the domain that has functions has a test file of the same name", () => {
  const tests = new Set(filesIn(new URL(".", import.meta.url)));
  const modules = filesIn(FOLDER).filter(hasFunctions);
  expect(modules.length).toBeGreaterThan(30);
  expect(modules.filter((file) => !tests.has(file.replace(/\.ts$/, ".test.ts")))).toEqual([]);
});

it("no module of the domain holds state", () => {
  const stateful = filesIn(FOLDER).filter((file) =>
    /^(export )?let |^(export )?const .* = new (WeakMap|WeakSet)|^(export )?const \w+ = new (Map|Set)(<.*>)?\(\)/m.test(
      readFileSync(new URL(file, FOLDER), "utf8"),
    ),
  );
  // Formatters by the name of their zone: creating one takes a hundred times as long as using it.
  expect(stateful).toEqual(["TimeZone.ts"]);
});
