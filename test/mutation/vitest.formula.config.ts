/** The tests of the formula language, in one worker, with the random parts cut short. */
import { config } from "./config.ts";

export default config(
  ["test/formula/*.test.ts", "test/cookbook/*.test.ts"],
  [
    "check.test.ts",
    "decode.test.ts",
    "laws.test.ts",
    "sensitivity.test.ts",
    "cookbook.test.ts",
    "accumulation.test.ts",
    "differential.test.ts",
  ],
);
