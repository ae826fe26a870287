/** The tests of ledger, settlement machine, commission and access. */
import { config } from "./config.ts";

export default config(
  ["test/domain/*.test.ts", "test/services/Access.test.ts", "test/testing/*.test.ts"],
  ["invariants.test.ts", "doubleEntry.test.ts", "sentences.test.ts"],
);
