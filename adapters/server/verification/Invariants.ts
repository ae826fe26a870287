/** The invariants of the test kit on a slice of a store. */
import { invariants, type LedgerSnapshot } from "quittance/testing";

export type Slice = LedgerSnapshot.LedgerSnapshot;

const EMPTY: Slice = {
  attributions: [],
  formulas: [],
  plans: [],
  commissions: [],
  settlements: [],
  controls: [],
  linesByCommission: new Map(),
  origins: [],
  reversals: new Map(),
  accumulated: { orders: [], totals: [], recounts: new Map() },
  bankFiles: { files: [], waiting: [], initiated: [] },
  statements: [],
  statistics: { attributions: [], commissions: [], bucketed: [] },
};

/** What an invariant, named first, finds wrong with a record. */
export type Problem = readonly [check: string, problem: string];

/** Problems, or the one that they cannot be found. */
export const attempt = (
  problems: () => ReadonlyArray<string>,
  what: string,
  unreadable: string,
): ReadonlyArray<string> => {
  try {
    return problems();
  } catch (error) {
    return [`${what}: ${unreadable}: ${error instanceof Error ? error.message : String(error)}`];
  }
};

/** What invariants, chosen by name, find wrong with the records of a slice, which are these in sentences. */
export const brokenIn = (
  slice: Partial<Slice>,
  names: ReadonlyArray<string>,
  what: string,
): ReadonlyArray<Problem> => {
  const whole = { ...EMPTY, ...slice };
  return invariants
    .filter(({ name }) => names.includes(name))
    .flatMap(({ name, violations }) =>
      attempt(() => [...violations(whole)], what, "they cannot be read").map(
        (problem) => [name, problem] as const,
      ),
    );
};
