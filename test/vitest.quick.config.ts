import { defineConfig } from "vitest/config";
import whole from "./vitest.config.ts";

/**
 * The tests of `npm run quick`: the rules, the formula language, the memory store and the HTTP interface, with random
 * parts cut short. They need no database, so that no server is started.
 */
export default defineConfig({
  ...whole,
  test: {
    ...whole.test,
    include: ["test/{domain,formula,memory,services,http}/*.test.ts", "test/model/memory.test.ts"],
    exclude: [
      // Measures computing time, or sends for seconds.
      "test/formula/hostile.test.ts",
      // Compares with PostgreSQL.
      "test/http/largeAmounts.test.ts",
    ],
    globalSetup: [],
    env: { TEST_PROFILE: "short" },
  },
});
