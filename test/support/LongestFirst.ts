/** Starts the longest test files first, so that no long file runs alone at the end while other cores are idle. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long test files, the longest first; the others keep vitest's order. */
const LONG = [
  "test/docs/fences.test.ts",
  "test/crash/crash.test.ts",
  "test/model/postgres.test.ts",
  "test/isolation/matrix.test.ts",
  "test/console/everyPage.test.ts",
  "test/crash/payment.test.ts",
  "test/server/commands/verify.test.ts",
  "test/console/builder.test.ts",
  "test/console/invitations.test.ts",
  "test/server/commands/import.test.ts",
  "test/install/install.test.ts",
  "test/console/languages.test.ts",
  "test/console/pages.test.ts",
  "test/console/accounts.test.ts",
  "test/postgres/load/size.test.ts",
  "test/server/commandLine.test.ts",
  "test/console/books.test.ts",
  "test/postgres/storageContract.test.ts",
  "test/model/memory.test.ts",
  "test/package.test.ts",
  "test/console/console.test.ts",
  "test/model/accumulatingRaces.test.ts",
  "test/console/example.test.ts",
  "test/crash/embedded.test.ts",
  "test/fuzz/fuzz.test.ts",
  "test/crash/proxy.test.ts",
  "test/console/prose.test.ts",
  "test/postgres/access/rowLevelSecurity.test.ts",
  "test/postgres/starting.test.ts",
  "test/server/tracing.test.ts",
  "test/console/partners.test.ts",
  "test/server/commands/lostDatabase.test.ts",
  "test/postgres/embedded/embedded.test.ts",
  "test/postgres/distribution/routability.test.ts",
  "test/server/settings.test.ts",
  "test/docs/pages.test.ts",
  "test/crash/recredits.test.ts",
  "test/model/pglite.test.ts",
  "test/postgres/schema/migrations.test.ts",
  "test/server/commands/processes.test.ts",
  "test/console/monthEnd.test.ts",
  "test/pdf/threads.test.ts",
  "test/services/OverrideRaces.test.ts",
  "test/server/commands/formula.test.ts",
  "test/mount/hosts.test.ts",
  "test/model/interleavings.test.ts",
];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(name));
  return place < 0 ? LONG.length : place;
};

/** Sorts test files by how long they take. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const others = await super.sort(files);
    return others.toSorted((a, b) => rank(a) - rank(b));
  }
}
