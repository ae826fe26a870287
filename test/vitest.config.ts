import { defineConfig } from "vitest/config";
import { LongestFirst } from "./support/LongestFirst.ts";

export default defineConfig({
  resolve: { conditions: ["quittance-source", "node"] },
  ssr: { resolve: { conditions: ["quittance-source", "node"] } },
  test: {
    root: new URL("..", import.meta.url).pathname,
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/buildSetup.ts", "test/support/postgresSetup.ts"],
    sequence: { sequencer: LongestFirst },
    pool: "forks",
    maxWorkers: 2,
    minWorkers: 1,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
