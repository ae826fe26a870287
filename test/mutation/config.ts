/** The settings that both mutation runs share. */
import { defineConfig, type ViteUserConfig } from "vitest/config";

/**
 * Tests in one worker and without the global set-up: a mutant needs neither a database nor a build.
 * `independence.test.ts` reads the sources as text and would judge the instrumented ones; `hostile.test.ts` measures time.
 */
export const config = (include: ReadonlyArray<string>): ViteUserConfig =>
  defineConfig({
    resolve: { conditions: ["quittance-source", "node"] },
    ssr: { resolve: { conditions: ["quittance-source", "node"] } },
    test: {
      root: new URL("../..", import.meta.url).pathname,
      include: [...include],
      exclude: [
        "test/formula/independence.test.ts",
        "test/formula/hostile.test.ts",
        "test/testing/plantedStores.test.ts",
      ],
      isolate: false,
      fileParallelism: false,
      env: { TEST_PROFILE: "short" },
      testTimeout: 60_000,
    },
  });
