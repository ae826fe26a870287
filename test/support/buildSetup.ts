/** Builds changed sources, so that tests of the server run the published code. */
import { execFileSync } from "node:child_process";

/** Runs once before all tests; a failing build fails the run. */
export const setup = (): void => {
  const root = new URL("../..", import.meta.url).pathname;
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
};
