import { defineConfig } from "vitest/config";
import { SOURCES } from "../vitest.config.ts";
import { SHORT } from "../vitest.quick.config.ts";

/**
 * The tests that run on every supported version of Node: the rules, the formula language, the services, the memory store
 * and the HTTP interface.
 */
export default defineConfig({
  ...SOURCES,
  test: {
    ...SHORT,
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
    env: { ...SHORT.env, MODEL_COMMANDS: "1000" },
  },
});
