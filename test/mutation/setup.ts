/** Leaves no mutant active at the end of a test file: the next run in the same thread collects its tests without one. */
import { afterAll } from "vitest";

interface Mutation {
  activeMutant?: string | undefined;
}

const mutation = (globalThis as { __stryker__?: Mutation }).__stryker__;

afterAll(() => {
  if (mutation !== undefined) mutation.activeMutant = undefined;
});
