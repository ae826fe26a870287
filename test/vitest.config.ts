import { configDefaults, defineConfig } from "vitest/config";
import { LongestFirst } from "./support/LongestFirst.ts";

const ROOT = new URL("..", import.meta.url).pathname;

/** Sources instead of the build, wherever a package of ours is imported. */
export const SOURCES = {
  resolve: { conditions: ["quittance-source", "node"] },
  ssr: { resolve: { conditions: ["quittance-source", "node"] } },
};

/**
 * What every run has in common. The time limits end what hangs and nothing else: no test takes a minute on a machine of its
 * own, and some take three where twenty processes share two cores.
 */
export const COMMON = {
  root: ROOT,
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 120_000 } },
  setupFiles: ["test/support/eventLoop.ts"],
};

/** Objects of a command are garbage before they would be copied, which saves a quarter of the models' time. */
export const FORKS = { execArgv: ["--max-semi-space-size=64"] };

/**
 * Tests that share one process, because importing the engine anew for each file takes longer than they do. Left out are
 * files that measure time or memory, kill processes, replace something global, or take long.
 */
const TOGETHER = [
  "test/{cookbook,domain,einvoice,examples,explanation,jwt,mail,memory,outgoing,payouts,ports}/*.test.ts",
  "test/{journey,promise,sql,tax,testing,worker}/*.test.ts",
  "test/client/!(client).test.ts",
  "test/console/{ahead,budgets,figures,firstPlan,forms,recent,records,sort,vocabulary,words}.test.ts",
  "test/crash/{audit,followers,sameKey}.test.ts",
  "test/docs/!(fences|pages).test.ts",
  "test/domain/sentences/*.test.ts",
  "test/formula/!(hostile).test.ts",
  "test/http/!(abuse|large).test.ts",
  "test/model/{determinism,permutations,receiptRaces,regressions}.test.ts",
  "test/pdf/!(file|host|threads).test.ts",
  "test/postgres/{access,commits,schema}/!(migrations|rowLevelSecurity).test.ts",
  "test/postgres/distribution/sameKeys.test.ts",
  "test/postgres/load/{planning,statementLogs,statements}.test.ts",
  "test/postgres/{erasure,importHistory}.test.ts",
  "test/{repository,server/{digest,printable,startUp},server/importing/*,server/signIn/*,webhooks/credits}.test.ts",
  "test/server/commands/{csvRows,exitCodes,exportRows,receipts,values,verifyCredits,verifyRecreditRuns}.test.ts",
  "test/services/!(boundedCache|OverrideRaces).test.ts",
];

export default defineConfig({
  // For the global setup, which imports the engine before it is built.
  ...SOURCES,
  test: {
    ...COMMON,
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      "test/support/buildSetup.ts",
      "test/support/browserSetup.ts",
      "test/support/postgresSetup.ts",
    ],
    // Twice the two cores of the machines that run the gate: tests that kill processes, or wait for a page, are idle most of their time.
    maxWorkers: 4,
    minWorkers: 1,
    poolOptions: { forks: FORKS, threads: { maxThreads: 1, minThreads: 1, isolate: false } },
    projects: [
      {
        ...SOURCES,
        test: { ...COMMON, name: "together", include: TOGETHER, pool: "threads", isolate: false },
      },
      {
        ...SOURCES,
        test: {
          ...COMMON,
          name: "alone",
          include: ["test/**/*.test.ts"],
          exclude: [
            ...configDefaults.exclude,
            ...TOGETHER,
            // What only a cluster shows is run by `npm run citus`.
            ...(process.env.TEST_CITUS_URLS === undefined
              ? ["test/crash/citus.test.ts", "test/postgres/distribution/{service,lostNode}.test.ts"]
              : []),
          ],
          pool: "forks",
        },
      },
    ],
  },
});
