import { defineConfig } from "vitest/config";
import { LongestFirst } from "./support/LongestFirst.ts";
import { COMMON, FORKS, SOURCES } from "./vitest.config.ts";

/** Tests without a database, in two processes, with random parts cut short. */
export const SHORT = {
  ...COMMON,
  sequence: { sequencer: LongestFirst },
  pool: "forks",
  poolOptions: { forks: FORKS },
  maxWorkers: 2,
  minWorkers: 1,
  // Importing the engine anew for each file takes longer than the tests.
  isolate: false,
  env: { TEST_PROFILE: "short" },
} as const;

/** The tests of `npm run quick`: the rules and the formula language, and a short run of the model over all services. */
export default defineConfig({
  ...SOURCES,
  test: {
    ...SHORT,
    include: ["test/{domain,domain/sentences,formula}/*.test.ts", "test/model/memory.test.ts"],
    exclude: [
      // It measures time.
      "test/formula/hostile.test.ts",
      // It compares with PostgreSQL.
      "test/domain/TimeZone.test.ts",
    ],
    env: { ...SHORT.env, MODEL_COMMANDS: "300" },
  },
});
