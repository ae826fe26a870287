/** The tests of ledger, settlement machine, commission and access, then random commands. */
import { config } from "./config.ts";

export default config(
  ["test/domain/*.test.ts", "test/testing/*.test.ts", "test/model/memory.test.ts"],
  ["memory.test.ts"],
);
