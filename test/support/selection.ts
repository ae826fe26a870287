/** What the selected test files need; so that a run of a few files starts sooner. */
import type { TestProject } from "vitest/node";

/** Folders whose tests need neither the build nor PostgreSQL. */
const SELF_CONTAINED =
  /\/test\/(cookbook|domain|einvoice|formula|jwt|memory|outgoing|payouts|ports|services|sql|tax|testing|worker)\//;

/** True if a selected test file needs the build and PostgreSQL. */
export const needsSetup = ({ vitest }: TestProject): boolean =>
  vitest.state.getPaths().some((path) => !SELF_CONTAINED.test(path));
