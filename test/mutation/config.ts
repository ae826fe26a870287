/** The settings that both mutation runs share. */
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Runs the given test files, or those that MUTATION_TESTS names, in this order, in one worker and without the global set-up:
 * a mutant needs neither a database nor a build. A run ends at the first failure, so short files that state examples come
 * before random ones.
 *
 * `independence.test.ts` reads the sources as text and would judge the instrumented ones; `hostile.test.ts` measures time.
 */
export const config = (include: ReadonlyArray<string>, last: ReadonlyArray<string> = []): ViteUserConfig => {
  const rank = ({ moduleId }: TestSpecification): number => last.findIndex((name) => moduleId.endsWith(name));

  class ExamplesFirst extends BaseSequencer {
    override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
      return files.toSorted((a, b) => rank(a) - rank(b) || a.moduleId.localeCompare(b.moduleId));
    }
  }

  return defineConfig({
    resolve: { conditions: ["quittance-source", "node"] },
    ssr: { resolve: { conditions: ["quittance-source", "node"] } },
    test: {
      root: new URL("../..", import.meta.url).pathname,
      include: process.env.MUTATION_TESTS?.split(",") ?? [...include],
      exclude: [
        "test/formula/independence.test.ts",
        "test/formula/hostile.test.ts",
        "test/testing/plantedStores.test.ts",
      ],
      setupFiles: ["test/mutation/setup.ts"],
      sequence: { sequencer: ExamplesFirst },
      isolate: false,
      fileParallelism: false,
      env: { TEST_PROFILE: "short" },
      testTimeout: 60_000,
    },
  });
};
