/** Runs the rules of `test/services` over patched sources. */
import { createVitest } from "vitest/node";

/** The patched text of each changed file, by its path. */
export type Patched = ReadonlyMap<string, string>;

/** The rules, to be run over one patch after the other. */
export interface Rules {
  /**
   * The names of the rules that fail, of those that the bug names: `<Resource>: <title>` is a test of
   * `test/services/<Resource>.test.ts`. Fails when there is no such test.
   */
  readonly failed: (
    files: Patched,
    named: string,
  ) => Promise<ReadonlyArray<{ readonly name: string; readonly detail: string }>>;
  readonly close: () => Promise<void>;
}

/** Opens the rules; a run transforms only the files that differ from the run before, which saves most of its time. */
export const openRules = async (root: string): Promise<Rules> => {
  let patched: Patched = new Map();
  const vitest = await createVitest(
    "test",
    // Each run begins a new worker, and a thread begins sooner than a process.
    { config: `${root}/test/vitest.quick.config.ts`, watch: false, reporters: [{}], pool: "threads" },
    { plugins: [{ name: "planted", enforce: "pre", load: (id) => patched.get(id.split("?")[0] ?? id) }] },
  );
  const patch = (files: Patched): void => {
    const changed = [...patched.keys(), ...files.keys()];
    patched = files;
    for (const path of changed) vitest.invalidateFile(path);
  };
  return {
    failed: async (files, named) => {
      const colon = named.indexOf(": ");
      const [resource, title] = [named.slice(0, colon), named.slice(colon + 2)];
      patch(files);
      vitest.setGlobalTestNamePattern(title);
      const specifications = await vitest.globTestSpecifications([`test/services/${resource}.test.ts`]);
      const { testModules } = await vitest.runTestSpecifications(specifications);
      const tests = testModules
        .filter(({ moduleId }) => specifications.some((specification) => specification.moduleId === moduleId))
        .flatMap((module) => [...module.children.allTests()])
        .filter(({ name }) => name === title);
      if (tests.length !== 1) throw new Error(`${tests.length} rules are named ${named}`);
      return tests.flatMap((test) => {
        const { state, errors = [] } = test.result();
        return state === "failed"
          ? [{ name: named, detail: errors.map(({ message }) => message).join("\n") }]
          : [];
      });
    },
    close: () => vitest.close(),
  };
};
