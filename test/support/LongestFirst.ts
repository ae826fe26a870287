/** Starts the longest test files first, so that no long file runs alone at the end while other cores are idle. */
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Long test files, the longest first; the others keep vitest's order. */
const LONG = [
  "test/docs/fences.test.ts",
  "test/model/memory.test.ts",
  "test/crash/crash.test.ts",
  "test/crash/payment.test.ts",
  "test/model/postgres.test.ts",
  "test/model/accumulatingRaces.test.ts",
  "test/postgres/load/size.test.ts",
  "test/install/install.test.ts",
  "test/package.test.ts",
  "test/postgres/storageContract.test.ts",
  "test/server/commandLine.test.ts",
  "test/isolation/matrix.test.ts",
  "test/console/builder.test.ts",
  "test/postgres/embedded/embedded.test.ts",
  "test/postgres/starting.test.ts",
  "test/model/interleavings.test.ts",
  "test/docs/pages.test.ts",
  "test/console/everyPage.test.ts",
  "test/postgres/access/rowLevelSecurity.test.ts",
  "test/crash/embedded.test.ts",
  "test/server/commands/import.test.ts",
  "test/postgres/distribution/routability.test.ts",
  "test/pdf/threads.test.ts",
  "test/pdf/accessible.test.ts",
  "test/model/pglite.test.ts",
  "test/console/pages.test.ts",
  "test/crash/proxy.test.ts",
  "test/server/tracing.test.ts",
  "test/postgres/schema/migrations.test.ts",
  "test/promise/promise.test.ts",
  "test/console/console.test.ts",
  "test/fuzz/fuzz.test.ts",
  "test/console/prose.test.ts",
  "test/postgres/access/roles.test.ts",
  "test/pdf/host.test.ts",
  "test/server/settings.test.ts",
  "test/webhooks/killed.test.ts",
  "test/server/commands/lostDatabase.test.ts",
  "test/console/forms.test.ts",
  "test/server/commands/processes.test.ts",
  "test/mount/hosts.test.ts",
  "test/domain/TimeZone.test.ts",
  "test/cookbook/trials.test.ts",
  "test/formula/differential.test.ts",
  "test/server/paymentFormat.test.ts",
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
