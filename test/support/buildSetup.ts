/** Builds changed sources, so that tests of the server run the published code. */
import { execFileSync } from "node:child_process";
import type { TestProject } from "vitest/node";
import { needsSetup } from "./selection.ts";

/** Runs once before all tests; a failing build fails the run. */
export const setup = (project: TestProject): void => {
  if (!needsSetup(project)) return;
  const root = new URL("../..", import.meta.url).pathname;
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
};
