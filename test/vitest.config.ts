import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./support/LongestFirst.ts";

export default defineConfig({
  resolve: { conditions: ["quittance-source", "node"] },
  ssr: { resolve: { conditions: ["quittance-source", "node"] } },
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    // What only a cluster shows is run by `npm run citus`.
    exclude: [
      ...configDefaults.exclude,
      ...(process.env.TEST_CITUS_URLS === undefined ? ["test/crash/citus.test.ts"] : []),
    ],
    globalSetup: ["test/support/buildSetup.ts", "test/support/postgresSetup.ts"],
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    // What a command leaves behind is dead before it would be copied: a quarter of the models' time.
    poolOptions: { forks: { execArgv: ["--max-semi-space-size=64"] } },
    maxWorkers: 2,
    minWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
