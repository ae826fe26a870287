/** The findings of one rule of `test/services`, bundled from patched sources; `worker.ts` calls it. */
import { startTests, type Task, type VitestRunner } from "@vitest/runner";
import type { Harness } from "./worker.ts";

const LIMIT_MILLISECONDS = 120_000;

const testsIn = (tasks: ReadonlyArray<Task>): ReadonlyArray<Task> =>
  tasks.flatMap((task) => (task.type === "suite" ? testsIn(task.tasks) : [task]));

/** Runs the tests with a title. */
const runner = (title: string, importFile: () => Promise<unknown>): VitestRunner => ({
  config: {
    root: "/",
    setupFiles: [],
    passWithNoTests: false,
    testNamePattern: new RegExp(`${title.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`),
    sequence: { seed: 0, hooks: "stack", setupFiles: "list" },
    maxConcurrency: 1,
    testTimeout: LIMIT_MILLISECONDS,
    hookTimeout: LIMIT_MILLISECONDS,
    retry: 0,
  },
  importFile,
});

/**
 * Finds the rule that the bug names, `<Resource>: <title>`, if it fails; the function imports its test file. Fails when there
 * is no such test, or several.
 */
export const findingsOf =
  (importFile: () => Promise<unknown>): Harness =>
  async ({ check }) => {
    const title = check.slice(check.indexOf(": ") + 2);
    const files = await startTests(["rule"], runner(title, importFile));
    for (const { result } of files)
      if (result?.state === "fail" && result.errors?.[0] !== undefined)
        throw new Error(result.errors[0].message);
    const tests = testsIn(files).filter(({ name }) => name === title);
    if (tests.length !== 1) throw new Error(`${tests.length} rules are named ${check}`);
    return tests.flatMap(({ result }) =>
      result?.state === "fail"
        ? [{ name: check, detail: (result.errors ?? []).map(({ message }) => message).join("\n") }]
        : [],
    );
  };
