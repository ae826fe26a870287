import { defineConfig } from "vitest/config";
import { LongestFirst } from "../support/LongestFirst.ts";
import { COMMON, FORKS, SOURCES } from "../vitest.config.ts";

/**
 * The tests that run on every supported version of Node: the rules, the formula language, the services, the memory store
 * and the HTTP interface, with random parts cut short. They need no database.
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
    include: [
      "test/{domain,domain/sentences,formula,journey,memory,services,http}/*.test.ts",
      "test/model/memory.test.ts",
    ],
    exclude: [
      // They measure time or memory, send large bodies, wait, or go through every operation, schema, interleaving or file format.
      "test/formula/hostile.test.ts",
      "test/services/{boundedCache,ClosingUnderLoad,EmbeddedOverrides,OverrideRaces,PaymentFileChoice,ReplacementLaw,WebhookRequests}.test.ts",
      "test/http/{abuse,compiled,conformance,contract,creditRefusals,described,encoding,halfOpen,journalFiles,large,metrics}.test.ts",
      "test/http/{node,openApiInSteps,recorded}.test.ts",
      "test/journey/journey.test.ts",
      // They compare with PostgreSQL.
      "test/domain/TimeZone.test.ts",
      "test/http/{largeAmounts,nachaReturns}.test.ts",
    ],
    // Importing the engine anew for each file takes longer than the tests.
    isolate: false,
    env: { TEST_PROFILE: "short", MODEL_COMMANDS: "1000" },
  },
});
