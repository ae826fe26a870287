/** Unpacks the browser before tests of pages start, which would all do so at the same time. */
import type { TestProject } from "vitest/node";

/** Runs once before all tests; a browser that cannot be unpacked fails the run. */
export const setup = async ({ vitest }: TestProject): Promise<void> => {
  if (!vitest.state.getPaths().some((path) => path.includes("/test/console/"))) return;
  const { unpack } = await import("../console/Browser.ts");
  unpack();
};
