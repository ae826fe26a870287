import { defineConfig } from "vitest/config";
import { LongestFirst } from "./support/LongestFirst.ts";
import { COMMON, FORKS, SOURCES } from "./vitest.config.ts";

/**
 * The tests of `npm run quick`: the rules and the formula language, and a short run of the model over all services, with
 * random parts cut short. They need no database, so that no server is started.
 */
export default defineConfig({
  ...SOURCES,
  test: {
    ...COMMON,
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    poolOptions: { forks: FORKS },
    maxWorkers: 2,
    minWorkers: 1,
    include: ["test/{domain,domain/sentences,formula}/*.test.ts", "test/model/memory.test.ts"],
    exclude: [
      // It measures time.
      "test/formula/hostile.test.ts",
      // It compares with PostgreSQL.
      "test/domain/TimeZone.test.ts",
    ],
    // Importing the engine anew for each file takes longer than the tests.
    isolate: false,
    env: { TEST_PROFILE: "short", MODEL_COMMANDS: "300" },
  },
});
