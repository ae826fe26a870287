/** Runs the rules of `test/services` over patched sources. */
import { startVitest } from "vitest/node";

/** The patched text of each changed file, by its path. */
export type Patched = ReadonlyMap<string, string>;

/**
 * The names of the rules that fail, of those that the bug names: `<Resource>: <title>` is a test of
 * `test/services/<Resource>.test.ts`. Fails when there is no such test.
 */
export const failedRules = async (
  root: string,
  files: Patched,
  named: string,
): Promise<ReadonlyArray<{ readonly name: string; readonly detail: string }>> => {
  const [resource = "", title = ""] = named.split(": ");
  const vitest = await startVitest(
    "test",
    [`test/services/${resource}.test.ts`],
    { config: `${root}/test/vitest.quick.config.ts`, run: true, reporters: [{}], testNamePattern: title },
    { plugins: [{ name: "planted", enforce: "pre", load: (id) => files.get(id.split("?")[0] ?? id) }] },
  );
  const tests = vitest.state
    .getTestModules()
    .flatMap((module) => [...module.children.allTests()])
    .filter(({ name }) => name === title);
  await vitest.close();
  if (tests.length !== 1) throw new Error(`${tests.length} rules are named ${named}`);
  return tests.flatMap((test) => {
    const { state, errors = [] } = test.result();
    return state === "failed"
      ? [{ name: named, detail: errors.map(({ message }) => message).join("\n") }]
      : [];
  });
};
