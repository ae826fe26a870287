/**
 * What the rules use of `vitest`, without its processes: the package itself only loads where vitest has begun a worker, which
 * takes longer than a rule.
 */
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  addCustomEqualityTesters,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
  setState,
} from "@vitest/expect";
import * as chai from "chai";

export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

/** Asserts as `expect` of vitest does. */
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  Reflect.get(globalThis, ASYMMETRIC_MATCHERS_OBJECT),
  { addEqualityTesters: addCustomEqualityTesters },
);
setState({ assertionCalls: 0 }, expect);
